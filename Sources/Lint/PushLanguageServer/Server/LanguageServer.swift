import PushFiles
import PushJSON
package import PushLint
import PushModel
import PushRPC
import PushText

/// A server of the Language Server Protocol 3.17 for payloads: a function from messages to messages, which reads configurations and writes nothing.
///
/// Diagnostics are what `pushpipe lint` reports for the same text in the same place.
package final class LanguageServer {
    private enum Phase { case waiting, running, shutDown }

    private var phase = Phase.waiting
    /// True if the session has begun, and the client has not asked to shut down.
    var isRunning: Bool { phase == .running }
    /// The status to end the process with, once the client has asked for that.
    package private(set) var exitStatus: Int32?
    /// The exit status if the client left now: 0 after `shutdown`, and otherwise 1.
    var statusAtExit: Int32 { phase == .shutDown ? 0 : 1 }
    /// The open documents, by URI.
    var documents: [String: TextDocument] = [:]
    /// URIs of documents whose diagnostics are to be published.
    var outdated: Set<String> = []
    var client = ClientCapabilities(.null)
    /// The directory whose configuration applies to documents without a file.
    var root = FilePaths.workingDirectory
    private let reader: ConfigurationFinder.Reader
    /// Reads each configuration once, until `refresh`.
    private var finder: ConfigurationFinder
    /// Configuration errors already shown.
    var shownConfigurationErrors: Set<String> = []
    /// To be sent before anything else.
    var notices: [JSONValue] = []
    private var requests: Int64 = 0

    /// - Parameter reader: reads a configuration file.
    package init(reader: @escaping ConfigurationFinder.Reader) {
        self.reader = reader
        finder = ConfigurationFinder(.nearest, LintOptions(), reader: reader)
    }

    /// Handles a message, and returns what to send.
    func handle(_ message: RPCMessage) -> [JSONValue] {
        guard let method = message.method else { return [] }
        guard let id = message.id else {
            notify(method, message.params)
            defer { notices = [] }
            return notices
        }
        let answer: JSONValue
        do throws(RPCMessage.Failure) {
            answer = RPCMessage.result(try respond(to: method, message.params), to: id)
        } catch {
            answer = RPCMessage.failure(error, to: id)
        }
        defer { notices = [] }
        return notices + [answer]
    }

    private func respond(to method: String, _ params: JSONValue) throws(RPCMessage.Failure) -> JSONValue {
        switch (phase, method) {
        case (.waiting, "initialize"): return initialize(params)
        case (.waiting, _): throw .serverNotInitialized
        case (.shutDown, _): throw .invalidRequest("the server is shut down")
        case (.running, "initialize"): throw .invalidRequest("the server is initialized")
        case (.running, "shutdown"):
            phase = .shutDown
            return .null
        case (.running, "textDocument/hover"): return try hover(params)
        case (.running, "textDocument/codeAction"): return try codeActions(params)
        case (.running, "textDocument/diagnostic"): return try pulledDiagnostics(params)
        default: throw .methodNotFound(method)
        }
    }

    private func notify(_ method: String, _ params: JSONValue) {
        if method == "exit" { exitStatus = statusAtExit }
        guard isRunning else { return }
        switch method {
        case "initialized": registerWatchers()
        case "textDocument/didOpen": open(params)
        case "textDocument/didChange": change(params)
        case "textDocument/didClose": close(params)
        // What was saved may be a configuration.
        case "textDocument/didSave": refresh()
        case "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles":
            shownConfigurationErrors = []
            refresh()
        default: break
        }
    }

    // MARK: - The session

    private func initialize(_ params: JSONValue) -> JSONValue {
        phase = .running
        client = ClientCapabilities(params["capabilities"] ?? .null)
        let folder = params["workspaceFolders"]?.elements.first?["uri"] ?? params["rootUri"]
        if let path = folder?.string.flatMap(DocumentAddress.path) { root = path }
        return .members([
            "capabilities": .members([
                "positionEncoding": .string(client.encoding.rawValue),
                "textDocumentSync": .members(["openClose": true, "change": 2, "save": true]),
                "hoverProvider": true,
                "codeActionProvider": client.knowsActionKinds
                    ? .members(["codeActionKinds": ["quickfix", .string(Self.fixAllKind)]]) : true,
                "diagnosticProvider": .members([
                    "identifier": "pushpipe", "interFileDependencies": false, "workspaceDiagnostics": false,
                ]),
            ]),
            "serverInfo": .members(["name": "pushpipe", "version": .string(ToolVersion.current)]),
        ])
    }

    /// Asks to be notified when configurations change.
    private func registerWatchers() {
        guard client.watchesFiles else { return }
        let watchers: [JSONValue] = LintConfiguration.fileNames.map { .members(["globPattern": .string("**/\($0)")]) }
        notices.append(
            RPCMessage.request(
                "client/registerCapability", id: nextID(),
                .members([
                    "registrations": [
                        .members([
                            "id": "configurations", "method": "workspace/didChangeWatchedFiles",
                            "registerOptions": .members(["watchers": .array(watchers)]),
                        ])
                    ]
                ])))
    }

    /// Reads configurations again, and lints everything again.
    private func refresh() {
        finder = ConfigurationFinder(.nearest, LintOptions(), reader: reader)
        outdated = Set(documents.keys)
        if client.pullsDiagnostics, client.refreshesDiagnostics {
            notices.append(RPCMessage.request("workspace/diagnostic/refresh", id: nextID()))
        }
    }

    func showError(_ message: String) {
        notices.append(
            RPCMessage.notification("window/showMessage", .members(["type": 1, "message": .string(message)])))
    }

    private func nextID() -> JSONValue {
        requests += 1
        return .string("pushpipe-\(requests)")
    }

    // MARK: - Documents

    private func open(_ params: JSONValue) {
        let item = params["textDocument"]
        guard let uri = item?["uri"]?.string, let text = item?["text"]?.string else { return }
        documents[uri] = TextDocument(
            uri: uri, languageID: item?["languageId"]?.string ?? "", version: item?["version"]?.integer, text: text,
            encoding: client.encoding)
        outdated.insert(uri)
    }

    private func change(_ params: JSONValue) {
        guard let uri = params["textDocument"]?["uri"]?.string else { return }
        let changes = (params["contentChanges"]?.elements ?? [.null]).map { change -> TextDocument.Change? in
            guard let text = change["text"]?.string else { return nil }
            guard let range = change["range"], range != .null else {
                return TextDocument.Change(range: nil, text: text)
            }
            guard let start = DocumentPosition(range["start"]), let end = DocumentPosition(range["end"]) else {
                return nil
            }
            return TextDocument.Change(range: (start, end), text: text)
        }
        guard let wasKnown = documents[uri]?.isKnown else { return }
        documents[uri]?.apply(changes, version: params["textDocument"]?["version"]?.integer)
        outdated.insert(uri)
        if wasKnown, documents[uri]?.isKnown == false {
            showError("pushpipe cannot read a change of \(uri.prefix(200)); close the document and open it again")
        }
    }

    private func close(_ params: JSONValue) {
        guard let uri = params["textDocument"]?["uri"]?.string, documents.removeValue(forKey: uri) != nil else {
            return
        }
        outdated.remove(uri)
        guard !client.pullsDiagnostics else { return }
        notices.append(
            RPCMessage.notification(
                "textDocument/publishDiagnostics", .members(["uri": .string(uri), "diagnostics": []])))
    }

    /// The open document that a request is about.
    func document(_ params: JSONValue) throws(RPCMessage.Failure) -> TextDocument {
        guard let uri = params["textDocument"]?["uri"]?.string else { throw .invalidParams("textDocument has no uri") }
        guard let document = documents[uri] else {
            throw .invalidParams("the document is not open: \(uri.prefix(200))")
        }
        return document
    }
}

extension LanguageServer {
    /// `textDocument/hover`: the rules of the findings at a place, or what the key there means.
    func hover(_ params: JSONValue) throws(RPCMessage.Failure) -> JSONValue {
        let document = try document(params)
        guard let position = DocumentPosition(params["position"]) else {
            throw .invalidParams("position is missing or invalid")
        }
        let offset = document.offset(of: position)
        let found = findings(in: document).filter { $0.range.contains(offset) || $0.range == offset..<offset }
        if let first = found.first {
            var seen: Set<RuleID> = []
            let rules = found.map(\.rule).filter { seen.insert($0.id).inserted }
            let texts = rules.map { client.readsMarkdown ? RuleMarkdown.page($0) : RuleText.explanation($0, .plain) }
            return contents(
                texts.joined(separator: client.readsMarkdown ? "\n\n---\n\n" : "\n\n"), first.range, in: document)
        }
        guard linter(of: document) != nil, let key = KeyPlace(at: offset, in: document.text),
            let known = PayloadKey.named(key.path)
        else { return .null }
        return contents(client.readsMarkdown ? known.markdown : known.plainText, key.range, in: document)
    }

    private func contents(_ text: String, _ range: Range<Int>, in document: TextDocument) -> JSONValue {
        .members([
            "contents": .members(["kind": client.readsMarkdown ? "markdown" : "plaintext", "value": .string(text)]),
            "range": document.range(range),
        ])
    }
}

extension TextStyle {
    fileprivate static let plain = TextStyle(hasColors: false)
}

extension LanguageServer {
    /// The most diagnostics of a document; a client shows no more of them.
    static let maximumDiagnostics = 1000
    /// Endings of files whose text is always payloads, or lines of them. A `.json` may be anything.
    private static let payloadSuffixes = [".apns", ".ndjson", ".jsonl"]
    private static let languages: Set = ["json", "ndjson", "jsonl", "apns"]

    /// Publishes diagnostics of all documents that have changed, unless the client asks for them itself.
    func publishDiagnostics() -> [JSONValue] {
        guard exitStatus == nil, isRunning, !outdated.isEmpty else { return [] }
        defer {
            outdated = []
            notices = []
        }
        guard !client.pullsDiagnostics else { return [] }
        var published: [JSONValue] = []
        for uri in outdated.sorted() {
            guard let document = documents[uri] else { continue }
            let diagnostics = diagnostics(of: document)
            published.append(
                RPCMessage.notification(
                    "textDocument/publishDiagnostics",
                    .members([
                        "uri": .string(uri), "version": document.version.map { .integer($0) },
                        "diagnostics": .array(diagnostics),
                    ])))
        }
        return notices + published
    }

    /// `textDocument/diagnostic`.
    func pulledDiagnostics(_ params: JSONValue) throws(RPCMessage.Failure) -> JSONValue {
        .members(["kind": "full", "items": .array(diagnostics(of: try document(params)))])
    }

    private func diagnostics(of document: TextDocument) -> [JSONValue] {
        findings(in: document).prefix(Self.maximumDiagnostics).map { Self.diagnostic($0, in: document) }
    }

    static func diagnostic(_ finding: Diagnostic, in document: TextDocument) -> JSONValue {
        let severity: Int64 =
            switch finding.severity {
            case .error: 1
            case .warning: 2
            case .info: 3
            }
        return .members([
            "range": document.range(finding.range), "severity": .integer(severity),
            "code": .string(finding.rule.id.text),
            "codeDescription": .members(["href": .string(finding.rule.page)]), "source": "pushpipe",
            "message": .string(finding.message),
        ])
    }

    // MARK: - Linting

    func findings(in document: TextDocument) -> [Diagnostic] {
        linter(of: document)?.lint(document.text).diagnostics ?? []
    }

    /// The document with everything fixed that the linter fixes.
    func fixed(_ document: TextDocument) -> [UInt8] { linter(of: document)?.fix(document.text).bytes ?? document.text }

    /// The linter for a document, with the configuration that `pushpipe lint` finds for its file; if that cannot be read, says so once, and
    /// without it. Nil if the text is not known, or the document is of another language, is excluded, or does not contain payloads.
    func linter(of document: TextDocument) -> TextWorker? {
        guard document.isKnown else { return nil }
        let path = DocumentAddress.path(document.uri)
        let isPayloads = Self.payloadSuffixes.contains { (path ?? document.uri).hasSuffix($0) }
        guard isPayloads || path?.hasSuffix(".json") == true || Self.languages.contains(document.languageID) else {
            return nil
        }
        let file = path ?? FilePaths.joined(root, "untitled")
        do throws(ConfigurationError) {
            return try linter(of: document.text, at: file, isInDoubt: !isPayloads, finder)
        } catch {
            if shownConfigurationErrors.insert(error.description).inserted {
                showError("\(error); linting without it")
            }
        }
        return try? linter(of: document.text, at: file, isInDoubt: !isPayloads, nil)
    }

    /// - Parameters:
    ///   - isInDoubt: true if something else may be kept in files of such a name. Then the text decides.
    ///   - finder: nil for no configuration.
    private func linter(
        of text: [UInt8], at path: String, isInDoubt: Bool, _ finder: ConfigurationFinder?
    ) throws(ConfigurationError) -> TextWorker? {
        let profile = try finder?.profile(forFile: path) ?? LintProfile([], LintOptions())
        if profile.excludes(path) { return nil }
        if isInDoubt, !profile.includes(path), !PayloadRecognition(profile.options).mayHavePayloads(text[...]) {
            return nil
        }
        var linter = profile.makeWorker()
        linter.suppressions = try finder?.ignored(besideFile: path) ?? []
        return linter
    }
}

extension LanguageServer {
    /// The kind of action that fixes a whole document.
    static let fixAllKind = "source.fixAll.pushpipe"

    /// `textDocument/codeAction`: a quick fix for each finding in a range that has one, and one action for the whole document.
    func codeActions(_ params: JSONValue) throws(RPCMessage.Failure) -> JSONValue {
        let document = try document(params)
        guard let start = DocumentPosition(params[["range", "start"]]),
            let end = DocumentPosition(params[["range", "end"]])
        else { throw .invalidParams("range is missing or invalid") }
        let range = document.offset(of: start)...max(document.offset(of: start), document.offset(of: end))
        let wanted = params[["context", "only"]]?.elements.compactMap(\.string)
        /// A client that asks for `source` gets `source.fixAll.pushpipe`, too. The empty kind is the root of all.
        func isWanted(_ kind: String) -> Bool {
            wanted?.contains { $0.isEmpty || kind == $0 || kind.hasPrefix($0 + ".") } ?? true
        }
        var actions: [JSONValue] = []
        if isWanted("quickfix") {
            actions = findings(in: document)
                .filter {
                    !$0.edits.isEmpty && $0.range.lowerBound <= range.upperBound
                        && range.lowerBound <= $0.range.upperBound
                }
                .map { quickFix($0, in: document) }
        }
        if isWanted(Self.fixAllKind), let edit = Difference(from: document.text, to: fixed(document)) {
            actions.append(
                .members([
                    "title": "Fix all problems that pushpipe can fix", "kind": .string(Self.fixAllKind),
                    "edit": edits([(edit.range, edit.replacement)], of: document),
                ]))
        }
        return .array(actions)
    }

    private func quickFix(_ finding: Diagnostic, in document: TextDocument) -> JSONValue {
        .members([
            "title": .string(Self.title(of: finding)), "kind": "quickfix",
            "diagnostics": [Self.diagnostic(finding, in: document)],
            // Edits are proposed only where the meaning is certain.
            "isPreferred": true,
            "edit": edits(finding.edits.map { ($0.range, $0.replacement) }, of: document),
        ])
    }

    /// `Replace with "mutable-content"`; for what is longer or in several places, the rule's title.
    private static func title(of finding: Diagnostic) -> String {
        guard let edit = finding.edits.first, finding.edits.count == 1, edit.replacement.count <= 60 else {
            return "Fix: \(finding.rule.title)"
        }
        let text = String(decoding: edit.replacement, as: UTF8.self)
        if text.contains(where: \.isNewline) { return "Fix: \(finding.rule.title)" }
        return text.isEmpty
            ? "Remove: \(finding.rule.title)" : edit.range.isEmpty ? "Insert \(text)" : "Replace with \(text)"
    }

    /// A `WorkspaceEdit`.
    private func edits(_ edits: [(Range<Int>, [UInt8])], of document: TextDocument) -> JSONValue {
        let list = JSONValue.array(
            edits.map { range, replacement in
                .members([
                    "range": document.range(range), "newText": .string(String(decoding: replacement, as: UTF8.self)),
                ])
            })
        guard client.hasDocumentChanges else {
            return .members(["changes": .object([JSONValue.Member(name: document.uri, value: list)])])
        }
        let identifier = JSONValue.members([
            "uri": .string(document.uri), "version": document.version.map { .integer($0) } ?? .null,
        ])
        return .members(["documentChanges": [.members(["textDocument": identifier, "edits": list])]])
    }
}

/// The single replacement that turns one text into another.
private struct Difference {
    var range: Range<Int>
    var replacement: [UInt8]

    /// Nil if the texts are equal. Both ends are between characters. O(bytes).
    init?(from old: [UInt8], to new: [UInt8]) {
        guard old != new else { return nil }
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        while start > 0, Self.isInside(old, start) || Self.isInside(new, start) { start -= 1 }
        var tail = 0
        while tail < shorter - start, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        while tail > 0, Self.isInside(old, old.count - tail) || Self.isInside(new, new.count - tail) { tail -= 1 }
        range = start..<old.count - tail
        replacement = Array(new[start..<new.count - tail])
    }

    /// True if an offset is between the bytes of a character.
    private static func isInside(_ text: [UInt8], _ offset: Int) -> Bool {
        offset < text.count && text[offset] & 0xC0 == 0x80
    }
}

/// The capabilities of the client, as far as they matter.
struct ClientCapabilities {
    /// The client's first encoding that the server supports; UTF-16 if there is none.
    let encoding: PositionEncoding
    /// True if hovers may be Markdown.
    let readsMarkdown: Bool
    /// True if the client pulls diagnostics. If it does, none are published.
    let pullsDiagnostics: Bool
    let refreshesDiagnostics: Bool
    /// True if it can be asked to watch files.
    let watchesFiles: Bool
    /// True if edits may name the version of their document.
    let hasDocumentChanges: Bool
    /// True if code actions may be objects with a kind, and not commands alone.
    let knowsActionKinds: Bool

    init(_ value: JSONValue) {
        let encodings = value[["general", "positionEncodings"]]?.elements ?? []
        encoding = encodings.lazy.compactMap { $0.string.flatMap(PositionEncoding.init) }.first ?? .utf16
        readsMarkdown = value[["textDocument", "hover", "contentFormat"]]?.elements.contains("markdown") ?? false
        pullsDiagnostics = value[["textDocument", "diagnostic"]]?.isObject ?? false
        refreshesDiagnostics = value[["workspace", "diagnostics", "refreshSupport"]]?.isTrue ?? false
        watchesFiles = value[["workspace", "didChangeWatchedFiles", "dynamicRegistration"]]?.isTrue ?? false
        hasDocumentChanges = value[["workspace", "workspaceEdit", "documentChanges"]]?.isTrue ?? false
        knowsActionKinds = value[["textDocument", "codeAction", "codeActionLiteralSupport"]]?.isObject ?? false
    }
}

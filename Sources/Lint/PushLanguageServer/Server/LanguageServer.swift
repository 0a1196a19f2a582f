import PushFiles
package import PushLint
import PushRPC

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
    /// By URI.
    var documents: [String: TextDocument] = [:]
    /// URIs of documents whose diagnostics are to be published.
    var outdated: Set<String> = []
    var client = ClientCapabilities(.null)
    /// The directory whose configuration applies to documents without a file.
    var root = FilePaths.workingDirectory
    let linter: DocumentLinter
    /// Configuration errors already shown.
    var shownConfigurationErrors: Set<String> = []
    /// To be sent before anything else.
    var notices: [RPCValue] = []
    private var requests: Int64 = 0

    /// - Parameter reader: reads a configuration file.
    package init(reader: @escaping ConfigurationFinder.Reader) { linter = DocumentLinter(reader: reader) }

    /// Handles a message, and returns what to send.
    func handle(_ message: RPCMessage) -> [RPCValue] {
        guard let method = message.method else { return [] }
        guard let id = message.id else {
            notify(method, message.params)
            defer { notices = [] }
            return notices
        }
        let answer: RPCValue
        do throws(RPCMessage.Failure) {
            answer = RPCMessage.result(try respond(to: method, message.params), to: id)
        } catch {
            answer = RPCMessage.failure(error, to: id)
        }
        defer { notices = [] }
        return notices + [answer]
    }

    private func respond(to method: String, _ params: RPCValue) throws(RPCMessage.Failure) -> RPCValue {
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

    private func notify(_ method: String, _ params: RPCValue) {
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

    private func initialize(_ params: RPCValue) -> RPCValue {
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
        let watchers: [RPCValue] = LintConfiguration.fileNames.map { .members(["globPattern": .string("**/\($0)")]) }
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
        linter.forgetConfigurations()
        outdated = Set(documents.keys)
        if client.pullsDiagnostics, client.refreshesDiagnostics {
            notices.append(RPCMessage.request("workspace/diagnostic/refresh", id: nextID()))
        }
    }

    func showError(_ message: String) {
        notices.append(
            RPCMessage.notification("window/showMessage", .members(["type": 1, "message": .string(message)])))
    }

    private func nextID() -> RPCValue {
        requests += 1
        return .string("pushpipe-\(requests)")
    }

    // MARK: - Documents

    private func open(_ params: RPCValue) {
        let item = params["textDocument"]
        guard let uri = item?["uri"]?.string, let text = item?["text"]?.string else { return }
        documents[uri] = TextDocument(
            uri: uri, languageID: item?["languageId"]?.string ?? "", version: item?["version"]?.integer, text: text,
            encoding: client.encoding)
        outdated.insert(uri)
    }

    private func change(_ params: RPCValue) {
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

    private func close(_ params: RPCValue) {
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
    func document(_ params: RPCValue) throws(RPCMessage.Failure) -> TextDocument {
        guard let uri = params["textDocument"]?["uri"]?.string else { throw .invalidParams("textDocument has no uri") }
        guard let document = documents[uri] else {
            throw .invalidParams("the document is not open: \(uri.prefix(200))")
        }
        return document
    }
}

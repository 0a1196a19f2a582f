import PushFiles
import PushLint
import PushModel
import PushRPC

extension LanguageServer {
    /// The most diagnostics of a document; a client shows no more of them.
    static let maximumDiagnostics = 1000
    /// Endings of files whose text is always payloads, or lines of them. A `.json` may be anything.
    private static let payloadSuffixes = [".apns", ".ndjson", ".jsonl"]
    private static let languages: Set = ["json", "ndjson", "jsonl", "apns"]

    /// Publishes diagnostics of all documents that have changed, unless the client asks for them itself.
    func publishDiagnostics() -> [RPCValue] {
        guard exitStatus == nil, isRunning, !outdated.isEmpty else { return [] }
        defer {
            outdated = []
            notices = []
        }
        guard !client.pullsDiagnostics else { return [] }
        var published: [RPCValue] = []
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
    func pulledDiagnostics(_ params: RPCValue) throws(RPCMessage.Failure) -> RPCValue {
        .members(["kind": "full", "items": .array(diagnostics(of: try document(params)))])
    }

    private func diagnostics(of document: TextDocument) -> [RPCValue] {
        findings(in: document).prefix(Self.maximumDiagnostics).map { Self.diagnostic($0, in: document) }
    }

    static func diagnostic(_ finding: Diagnostic, in document: TextDocument) -> RPCValue {
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
        withConfiguration(of: document) { document throws(ConfigurationError) in try linter.lint(document) } ?? []
    }

    /// True if a document is linted: it is not excluded, and may contain payloads.
    func isLinted(_ document: TextDocument) -> Bool {
        withConfiguration(of: document) { document throws(ConfigurationError) in try linter.lints(document) } ?? false
    }

    /// The document with everything fixed that the linter fixes.
    func fixed(_ document: TextDocument) -> [UInt8] {
        withConfiguration(of: document) { document throws(ConfigurationError) in try linter.fix(document) }
            ?? document.text
    }

    /// Calls `body` with the document for the linter, unless its text is not known. If its configuration cannot be read, says so once, and calls it without. Nil if the
    /// document is of another language.
    private func withConfiguration<Result>(
        of document: TextDocument, _ body: (DocumentLinter.Document) throws(ConfigurationError) -> Result
    ) -> Result? {
        guard document.isKnown else { return nil }
        let path = DocumentAddress.path(document.uri)
        let isPayloads = Self.payloadSuffixes.contains { (path ?? document.uri).hasSuffix($0) }
        guard isPayloads || path?.hasSuffix(".json") == true || Self.languages.contains(document.languageID) else {
            return nil
        }
        var linted = DocumentLinter.Document(
            text: document.text, path: path ?? FilePaths.joined(root, "untitled"), isInDoubt: !isPayloads)
        do throws(ConfigurationError) { return try body(linted) } catch {
            if shownConfigurationErrors.insert(error.description).inserted {
                showError("\(error); linting without it")
            }
        }
        linted.usesConfiguration = false
        return try? body(linted)
    }
}

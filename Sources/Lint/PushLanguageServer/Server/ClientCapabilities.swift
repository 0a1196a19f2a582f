import PushRPC

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

    init(_ value: RPCValue) {
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

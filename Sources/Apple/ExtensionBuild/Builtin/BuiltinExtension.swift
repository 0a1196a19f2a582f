/// An extension that comes with the command: `builtin:attachment=KEY`, `builtin:localize=FILE`.
///
/// It runs as others do, in a process of its own that speaks the protocol: the command starts itself again for it.
package enum BuiltinExtension {
    /// Downloads what a member of the payload names, and attaches it.
    case attachment(key: String)
    /// Replaces the keys of an alert with texts from a table.
    case localize(file: String)

    private static let prefix = "builtin:"

    /// Reads `builtin:…`; nil for other extensions.
    package init?(named path: String) throws(ExtensionBuildError) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        try self.init(parsing: path.dropFirst(Self.prefix.count))
    }

    /// Reads `attachment=KEY` or `localize=FILE`.
    package init(parsing text: some StringProtocol) throws(ExtensionBuildError) {
        let parts = String(text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ExtensionBuildError("takes builtin:attachment=KEY or builtin:localize=FILE.", of: "extension")
        }
        switch parts[0] {
        case "attachment": self = .attachment(key: parts[1])
        case "localize": self = .localize(file: parts[1])
        default:
            throw ExtensionBuildError(
                "There is no builtin:\(parts[0]); there are builtin:attachment and builtin:localize.")
        }
    }

    /// `attachment=KEY` or `localize=FILE`.
    var specification: String {
        switch self {
        case .attachment(let key): "attachment=\(key)"
        case .localize(let file): "localize=\(file)"
        }
    }

    /// Throws why it would not work, before anything is delivered.
    func check(language: String?) throws(ExtensionBuildError) {
        switch self {
        case .attachment:
            guard AttachmentDownload.program() != nil else {
                throw ExtensionBuildError("builtin:attachment downloads with curl, which is not installed")
            }
        case .localize(let file): _ = try AlertLocalizer(file: file, language: language)
        }
    }

    /// The extension's side of the protocol.
    package func server(language: String?) throws(ExtensionBuildError) -> BuiltinServer {
        switch self {
        case .attachment(let key): BuiltinServer(AttachmentDownload(key: key))
        case .localize(let file): BuiltinServer(try AlertLocalizer(file: file, language: language))
        }
    }
}

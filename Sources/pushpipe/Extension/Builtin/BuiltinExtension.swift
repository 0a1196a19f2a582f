import ArgumentParser
import FoundationEssentials
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An extension that comes with the command: `builtin:attachment=KEY`, `builtin:localize=FILE`.
///
/// It runs as others do, in a process of its own that speaks the protocol: this same program, started again.
enum BuiltinExtension {
    /// Downloads what the payload's member names, and attaches it.
    case attachment(key: String)
    /// Puts texts of a table in the place of the keys of an alert.
    case localize(file: String)

    static let prefix = "builtin:"

    /// Reads `attachment=KEY` or `localize=FILE`.
    ///
    /// - Throws: `ValidationError`.
    init(parsing text: some StringProtocol) throws {
        let parts = String(text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ValidationError("--extension takes builtin:attachment=KEY or builtin:localize=FILE.")
        }
        switch parts[0] {
        case "attachment": self = .attachment(key: parts[1])
        case "localize": self = .localize(file: parts[1])
        default:
            throw ValidationError("There is no builtin:\(parts[0]); there are builtin:attachment and builtin:localize.")
        }
    }

    /// Finds out before anything is delivered that it cannot work.
    ///
    /// - Throws: `Failure`.
    func check(language: String?) throws(Failure) {
        switch self {
        case .attachment:
            guard AttachmentDownload.program() != nil else {
                throw .trouble("builtin:attachment downloads with curl, which is not installed")
            }
        case .localize(let file): _ = try AlertLocalizer(file: file, language: language)
        }
    }

    /// The place of this program.
    static func ownProgram() throws(Failure) -> String {
        #if os(Linux)
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            if count > 0 { return String(decoding: buffer[..<count], as: UTF8.self) }
        #endif
        guard let first = CommandLine.arguments.first, first.contains("/") else {
            throw .trouble("built-in extensions need to know where pushpipe is; call it by its path")
        }
        return first
    }
}

/// `pushpipe extension builtin`: a built-in extension's process. Not for people.
struct BuiltinExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "builtin", shouldDisplay: false)

    @Argument var specification: String

    func run() throws {
        let language = getenv("PUSHPIPE_LANGUAGE").map { String(cString: $0) }
        switch try BuiltinExtension(parsing: specification) {
        case .attachment(let key):
            let download = AttachmentDownload(key: key)
            try BuiltinServer.serve { download.answer(to: $0) }
        case .localize(let file):
            let localizer = try AlertLocalizer(file: file, language: language)
            try BuiltinServer.serve { localizer.answer(to: $0) }
        }
    }
}

public import ArgumentParser
import FileAccess
public import PushPipeline
import SystemSupport

extension Redaction.Parts: ExpressibleByArgument {}

/// Redaction options of `run`, `trace` and `store export`.
struct RedactionArguments: ParsableArguments {
    @Option(
        help:
            "Replace device tokens, content (texts, data, identifiers), or both with keyed digests."
    )
    var redact: Redaction.Parts?

    @Option(
        help: ArgumentHelp(
            """
            File with the key of the digests, at least 16 bytes. The same key gives equal texts equal digests. (default: the variable \
            PUSHPIPE_REDACT_KEY, else a random key for this run)
            """, valueName: "file"), completion: .file())
    var redactKeyFile: String?

    func validate() throws {
        if redactKeyFile != nil, redact == nil {
            throw ValidationError("--redact-key-file needs --redact tokens, content or all.")
        }
    }

    /// Reads the key. Call this only once: the file may be a pipe.
    ///
    /// - Throws: `Failure.trouble`.
    func redaction() throws -> Redaction? {
        guard let redact else { return nil }
        let key = try Self.key(redactKeyFile)
        return Redaction(redact, key: key ?? Redaction.randomKey())
    }

    private static func key(_ path: String?) throws -> [UInt8]? {
        do {
            if let path {
                return try RedactionKey.read(file: FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes))
            }
            return try Environment.nonEmptyVariable(variable).map(RedactionKey.read(variable:))
        } catch {
            throw Failure.trouble("\(path ?? variable): \(error)")
        }
    }

    private static let variable = "PUSHPIPE_REDACT_KEY"
}

/// Makes SQLite create its temporary files next to the store.
enum TemporaryFiles {
    /// Call this before opening the store and before starting threads. A folder set by the user in the variable is kept.
    static func keep(beside path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        Environment.setDefault("SQLITE_TMPDIR", String(folder))
    }
}

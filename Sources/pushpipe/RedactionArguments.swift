public import ArgumentParser
import FileAccess
public import PushPipeline
import SystemSupport

extension Redaction.Parts: ExpressibleByArgument {}

/// Redaction options of `run`, `trace` and `store export`.
struct RedactionArguments: ParsableArguments {
    @Option(help: "Put keyed digests in the place of device tokens, of content (texts, data, identifiers), or of all.")
    var redact: Redaction.Parts?

    @Option(
        help: ArgumentHelp(
            """
            The key of the digests, 16 bytes or more. Equal texts have equal digests under one key. (default: the variable \
            PUSHPIPE_REDACT_KEY, else a random one for this run)
            """, valueName: "file"), completion: .file())
    var redactKeyFile: String?

    func validate() throws {
        if redactKeyFile != nil, redact == nil {
            throw ValidationError("--redact-key-file needs --redact tokens, content or all.")
        }
    }

    /// Reads the key. Call it once: the file may be a pipe.
    ///
    /// - Throws: `Failure.trouble`.
    func redaction() throws -> Redaction? {
        guard let redact else { return nil }
        let key = try Self.key(redactKeyFile)
        return Redaction(redact, key: key ?? Redaction.randomKey())
    }

    private static func key(_ path: String?) throws -> [UInt8]? {
        do {
            if let path { return try RedactionKey.read(file: FileBytes.read(path)) }
            return try Environment.nonEmptyVariable(variable).map(RedactionKey.read(variable:))
        } catch {
            throw Failure.trouble("\(path ?? variable): \(error)")
        }
    }

    private static let variable = "PUSHPIPE_REDACT_KEY"
}

/// Makes SQLite put its temporary files beside the store, and nowhere else.
enum TemporaryFiles {
    /// Call it before the store is opened and before there are other threads. A folder that the user sets in the variable is kept.
    static func keep(beside path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        Environment.setDefault("SQLITE_TMPDIR", String(folder))
    }
}

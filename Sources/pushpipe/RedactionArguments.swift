public import ArgumentParser
import FileAccess
import NotificationStore
public import PushPipeline
import SystemSupport

extension Redaction.Parts: ExpressibleByArgument {}

/// What is hidden, and under which key: options that `run`, `trace` and `store export` share.
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

    /// Reads the key. Once: its file may be a pipe.
    ///
    /// - Throws: `Failure.trouble`.
    func redaction() throws -> Redaction? {
        guard let redact else { return nil }
        let key = try Self.key(redactKeyFile)
        return Redaction(redact, key: key ?? Redaction.randomKey())
    }

    private static let leastKeyBytes = 16

    private static func key(_ path: String?) throws -> [UInt8]? {
        var key: [UInt8]
        if let path {
            do { key = try FileBytes.read(path) } catch { throw Failure.trouble("\(path): \(error)") }
            // Editors and `echo` end a file with a line end, which is no part of the key.
            while let last = key.last, last == 0x0A || last == 0x0D { key.removeLast() }
        } else {
            guard let variable = Environment.nonEmptyVariable("PUSHPIPE_REDACT_KEY") else { return nil }
            key = Array(variable.utf8)
        }
        guard key.count >= leastKeyBytes else {
            throw Failure.trouble(
                "\(path ?? "PUSHPIPE_REDACT_KEY"): the key has \(key.count) bytes, and needs \(leastKeyBytes); "
                    + "`head -c 32 /dev/urandom > FILE` makes one")
        }
        return key
    }
}

extension StoreRedaction {
    init(_ redaction: Redaction) { self.init(parts: redaction.parts.rawValue, keyMark: redaction.keyMark) }
}

extension SQLiteStore {
    /// Makes sure that a run hides what the store hides, under the same key.
    ///
    /// - Throws: `Failure.trouble` that says what to do.
    func take(_ redaction: Redaction?, path: String) throws {
        let wanted = redaction.map { StoreRedaction($0) }
        if try adopt(wanted) { return }
        throw Failure.trouble("store \(path): \(RedactionText.difference(try self.redaction, wanted))")
    }
}

enum RedactionText {
    /// Why what is new cannot stand beside what a store has.
    static func difference(_ known: StoreRedaction?, _ wanted: StoreRedaction?) -> String {
        switch (known, wanted) {
        case (let known?, let wanted?) where known.parts == wanted.parts:
            "was redacted with another key, so that every device would be there twice; give the same one with "
                + "--redact-key-file or PUSHPIPE_REDACT_KEY (one that was made up for a run is gone), or use another store"
        case (let known?, _):
            "was made with --redact \(known.parts); give that and its key, or use another store"
        case (nil, _):
            "holds what was not redacted; use another store, or redact this one: "
                + "pushpipe store export --complete --redact … | pushpipe store import NEW"
        }
    }
}

/// Sees to it that SQLite's files of the moment stand beside the store, as the folder of the store is named and no other is.
enum TemporaryFiles {
    /// Before the store is opened, and before there are other threads. A folder that the user names by the variable stays.
    static func keep(beside path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        Environment.setDefault("SQLITE_TMPDIR", String(folder))
    }
}

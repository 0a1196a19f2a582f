public import ArgumentParser
public import PushRedaction
import PushRuns

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

    /// Nil without `--redact`.
    var request: RedactionRequest? { redact.map { RedactionRequest($0, keyPath: redactKeyFile) } }
}

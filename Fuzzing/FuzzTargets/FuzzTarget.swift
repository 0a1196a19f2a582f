import PushJSON
import PushSystem

/// A subject that is fed arbitrary bytes, with its invariants.
///
/// libFuzzer and the tests run the same code: libFuzzer looks for a text that violates an invariant, and the tests check
/// that earlier findings are fixed.
package struct FuzzTarget: Sendable {
    /// The violated invariant; nil when there is none. The bytes are valid for the duration of the call.
    package typealias Check = (UnsafeRawBufferPointer) -> String?

    /// The name on the command line, and of the folder of its findings.
    package let name: String
    /// Creates the check. It keeps the same state between inputs as a run of pushpipe does.
    package let makeCheck: @Sendable () -> Check

    /// All of them.
    package static let all: [FuzzTarget] =
        [
            FuzzTarget(name: "framing", makeCheck: FramingCheck.make),
            FuzzTarget(name: "binary-frames", makeCheck: BinaryFramesCheck.make),
            FuzzTarget(name: "gateway", makeCheck: GatewayCheck.make),
            FuzzTarget(name: "faults", makeCheck: FaultsCheck.make),
            FuzzTarget(name: "log", makeCheck: LogCheck.make),
            FuzzTarget(name: "placed", makeCheck: PlacedRecordCheck.make),
            FuzzTarget(name: "partition", makeCheck: PartitionCheck.make),
            FuzzTarget(name: "scan", makeCheck: ScanCheck.make),
            FuzzTarget(name: "relaxed", makeCheck: RelaxedCheck.make),
            FuzzTarget(name: "repair", makeCheck: RepairCheck.make),
            FuzzTarget(name: "answers", makeCheck: AnswersCheck.make),
            FuzzTarget(name: "lint", makeCheck: LintCheck.make),
            FuzzTarget(name: "fit", makeCheck: FitCheck.make),
            FuzzTarget(name: "emit", makeCheck: EmitCheck.make),
            FuzzTarget(name: "report", makeCheck: ReportCheck.make),
            FuzzTarget(name: "redact", makeCheck: RedactCheck.make),
            FuzzTarget(name: "events", makeCheck: EventsCheck.make),
            FuzzTarget(name: "store", makeCheck: StoreCheck.make),
            FuzzTarget(name: "picture", makeCheck: PictureCheck.make),
            FuzzTarget(name: "activities", makeCheck: ActivitiesCheck.make),
            FuzzTarget(name: "extension", makeCheck: ExtensionCheck.make),
            FuzzTarget(name: "schema", makeCheck: SchemaCheck.make),
            FuzzTarget(name: "configuration", makeCheck: ConfigurationCheck.make),
            FuzzTarget(name: "ignore", makeCheck: IgnoreCheck.make),
            FuzzTarget(name: "language-server", makeCheck: LanguageServerCheck.make),
            FuzzTarget(name: "assistant", makeCheck: AssistantCheck.make),
            FuzzTarget(name: "gherkin", makeCheck: GherkinCheck.make),
            FuzzTarget(name: "snapshot", makeCheck: SnapshotCheck.make),
            FuzzTarget(name: "preferences", makeCheck: PreferencesCheck.make),
            FuzzTarget(name: "plist", makeCheck: BundleCheck.makePropertyList),
            FuzzTarget(name: "project", makeCheck: BundleCheck.makeProject),
            FuzzTarget(name: "source", makeCheck: BundleCheck.makeSource),
            FuzzTarget(name: "strings", makeCheck: BundleCheck.makeTable),
            FuzzTarget(name: "catalog", makeCheck: BundleCheck.makeCatalog),
            FuzzTarget(name: "decode", makeCheck: { DecodeCheck.make(nil) }),
        ] + DecodeCheck.forced

    /// The target of this name.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// An input: two bytes that select options, and the text after them.
struct FuzzInput {
    let options: (UInt8, UInt8)
    let text: UnsafeRawBufferPointer

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 2 else { return nil }
        options = (bytes[0], bytes[1])
        text = UnsafeRawBufferPointer(rebasing: bytes[2...])
    }
}

/// Whether the scanner accepts a text.
func isJSON(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = JSONScanner()
    var tape = JSONTape()
    return scanner.scan(text, into: &tape) == nil
}

/// Bytes in readable form: ASCII unchanged, all others as `\xNN`; no more than fit into a message.
func readable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.prefix(400).map { byte in
        if byte >= 0x20, byte < 0x7F { return String(Character(Unicode.Scalar(byte))) }
        return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

/// An input determines how it is cut into pieces, the same way every time.
struct CutGenerator {
    private var source: SplitMix64

    init(seed: UInt64) { source = SplitMix64(seed: seed) }

    /// A number from 0 to `bound - 1`. `bound` is at least 1.
    mutating func below(_ bound: Int) -> Int { Int(source.next() % UInt64(bound)) }
}

import PayloadJSON
import SystemSupport

/// One thing that is fed arbitrary bytes, and what must hold whatever they are.
///
/// libFuzzer and the tests run the same code: the one to look for a text that breaks what must hold, the others to see that
/// texts that once did no longer do.
package struct FuzzTarget: Sendable {
    /// What is wrong; nil when all is well. The bytes are valid for the duration of the call.
    package typealias Check = (UnsafeRawBufferPointer) -> String?

    /// The name on the command line, and of the folder of its findings.
    package let name: String
    /// Makes the check. What it keeps from one input to the next is what a run of pushpipe would keep too.
    package let makeCheck: @Sendable () -> Check

    /// All of them.
    package static let all: [FuzzTarget] =
        [
            FuzzTarget(name: "framing", makeCheck: FramingCheck.make),
            FuzzTarget(name: "scan", makeCheck: ScanCheck.make),
            FuzzTarget(name: "relaxed", makeCheck: RelaxedCheck.make),
            FuzzTarget(name: "repair", makeCheck: RepairCheck.make),
            FuzzTarget(name: "lint", makeCheck: LintCheck.make),
            FuzzTarget(name: "fit", makeCheck: FitCheck.make),
            FuzzTarget(name: "report", makeCheck: ReportCheck.make),
            FuzzTarget(name: "events", makeCheck: EventsCheck.make),
            FuzzTarget(name: "extension", makeCheck: ExtensionCheck.make),
            FuzzTarget(name: "gherkin", makeCheck: GherkinCheck.make),
            FuzzTarget(name: "preferences", makeCheck: PreferencesCheck.make),
            FuzzTarget(name: "plist", makeCheck: BundleCheck.makePropertyList),
            FuzzTarget(name: "strings", makeCheck: BundleCheck.makeTable),
            FuzzTarget(name: "catalog", makeCheck: BundleCheck.makeCatalog),
            FuzzTarget(name: "decode", makeCheck: { DecodeCheck.make(nil) }),
        ] + DecodeCheck.forced

    /// The target of this name.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// An input: two bytes that choose options, and the text behind them.
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

/// Bytes as a person can read them: ASCII as it is, all else as `\xNN`; no more than fit into a message.
func readable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.prefix(400).map { byte in
        if byte >= 0x20, byte < 0x7F { return String(Character(Unicode.Scalar(byte))) }
        return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

/// An input chooses its own cuts, the same ones every time.
struct CutGenerator {
    private var source: SplitMix64

    init(seed: UInt64) { source = SplitMix64(seed: seed) }

    /// A number from 0 to `bound - 1`. `bound` is at least 1.
    mutating func below(_ bound: Int) -> Int { Int(source.next() % UInt64(bound)) }
}

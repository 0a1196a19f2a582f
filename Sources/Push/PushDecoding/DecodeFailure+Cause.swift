import PayloadJSON
import PushJSONRepair
import PushModel

extension DecodeFailure {
    /// The longest text whose mistake is looked for: some payloads. The linter reads longer ones, too.
    private static let longestText = 64 * 1024  // 64 KiB

    /// Notes which mistake makes a text no JSON, as the linter names it, and whether the linter fixes it. O(n log n) in bytes.
    mutating func findCause(in text: UnsafeRawBufferPointer) {
        // SOUND: the caller keeps the text alive during the call.
        guard rule == "json.syntax", text.count <= Self.longestText else { return }
        let repair = unsafe JSONRepair(text)
        guard let first = repair.problems.first else { return }
        isFixable = repair.text != nil && repair.problems.allSatisfy(\.isSafe)
        if first.kind.rawValue != rule { cause = first.kind.rawValue }
    }
}

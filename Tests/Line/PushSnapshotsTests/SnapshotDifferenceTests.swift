import PushSnapshots
import Testing

struct SnapshotDifferenceTests {
    /// Each change on a line: `record 1/title: before → after`, with `–` for nothing.
    private func changes(_ old: String, _ new: String) -> [String] {
        SnapshotDifference(from: Array(old.utf8), to: Array(new.utf8)).changes.map { change in
            let place = [change.scenario, change.section, change.name ?? (change.isHeading ? "" : "*")]
                .filter { !$0.isEmpty }.joined(separator: "/")
            return "\(place): \(change.before ?? "–") → \(change.after ?? "–")"
        }
    }

    @Test func `a member that changes has both values`() {
        let old = "x\n\nrecord 1: delivered\n  title: A\n  body: B\n"
        #expect(changes(old, old).isEmpty)
        #expect(changes(old, "x\n\nrecord 1: delivered\n  title: C\n  body: B\n") == ["record 1/title: A → C"])
    }

    @Test func `members come and go`() {
        let old = "record 1: delivered\n  title: A\n  sound: default\n"
        let new = "record 1: delivered\n  title: A\n  badge: 1\n"
        #expect(changes(old, new) == ["record 1/badge: – → 1", "record 1/sound: default → –"])
    }

    @Test func `a section's first line is a change of its own`() {
        let old = "record 1: delivered\n  title: A\n\nscreen of default\n  record 1\n"
        let new = "record 1: rejected, 413 PayloadTooLarge\n\nnothing on screen\n"
        #expect(
            changes(old, new) == [
                "record 1: delivered → rejected, 413 PayloadTooLarge", "record 1/title: A → –",
                "nothing on screen: – → ", "screen of default:  → –", "screen of default/*: record 1 → –",
            ])
    }

    @Test func `the same name in another section is another member`() {
        let old = "record 1: delivered\n  title: A\n"
        let new = "record 2: delivered\n  title: A\n"
        #expect(changes(old, new) == ["record 2: – → delivered", "record 1: delivered → –"])
    }

    @Test func `a record in the middle shifts the numbers and nothing else`() {
        let old = "record 1: delivered\n  title: A\n\nrecord 2: delivered\n  title: C\n"
        let new =
            "record 1: delivered\n  title: A\n\nrecord 2: delivered\n  title: B\n\nrecord 3: delivered\n  title: C\n"
        #expect(changes(old, new).filter { $0.contains("title") } == ["record 2/title: – → B"])
    }

    @Test func `scenarios keep their records apart`() {
        let old =
            "scenario: F › One\n\nrecord 1: delivered\n  body: A\n\nscenario: F › Two\n\nrecord 1: delivered\n  body: A\n"
        let new = String(old.dropLast(2)) + "B\n"
        #expect(changes(old, new) == ["F › Two/record 1/body: A → B"])
    }

    @Test func `further lines of a text have no name`() {
        let old = "record 1: delivered\n  body: A\n    see: x\n"
        let new = "record 1: delivered\n  body: A\n    see: y\n"
        #expect(changes(old, new) == ["record 1/*: – →   see: y", "record 1/*:   see: x → –"])
    }

    /// Swift takes the two spellings of an accented letter for the same.
    @Test func `texts are compared by bytes`() {
        #expect(
            changes("record 1: delivered\n  title: \u{e9}\n", "record 1: delivered\n  title: e\u{301}\n").count == 1)
    }

    @Test(arguments: ["", "\n", "\n\n\n", "  ", ":", "  :", "  : ", "scenario:", "scenario: ", "\u{FEFF}", "a\r\nb"])
    func `any text can be compared`(text: String) {
        #expect(changes(text, text).isEmpty)
        #expect(changes(text, "record 1: delivered\n").contains("record 1: – → delivered"))
    }

    @Test func `bytes that are no text can be compared`() {
        let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167) }
        #expect(SnapshotDifference(from: noise, to: noise).changes.isEmpty)
        #expect(!SnapshotDifference(from: noise, to: noise.reversed()).changes.isEmpty)
    }
}

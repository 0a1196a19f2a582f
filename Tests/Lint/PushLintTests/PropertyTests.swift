import PushJSON
import PushModel
import TestSupport
import Testing

@testable import PushLint

/// Invariants for any bytes.
struct PropertyTests {
    private static let seeds = Rule.all.flatMap { [$0.failing, $0.passing] }.filter {
        (1...4000).contains($0.utf8.count)
    }

    /// Bytes that matter to a reader of JSON, and some that do not.
    private static let letters = Array("{}[]\",:\\'/*=;-+.0123456789eEtfnu\u{201C}\u{FFFD} \n\t\0apsbody".utf8)

    private static func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(letters[Int.random(in: 0..<letters.count, using: &random)], at: index)
            case 2: bytes[index] = letters[Int.random(in: 0..<letters.count, using: &random)]
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...20, using: &random)))
            default:
                let end = min(bytes.count, index + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: end)
            }
        }
        return bytes
    }

    @Test func `for any bytes, lint ends and points inside the record`() {
        var random = SeededGenerator(seed: 1)
        let linter = RecordLinter(DecodingOptions())
        for _ in 0..<Effort.rounds(20_000, fast: 2000) {
            let bytes = Self.mutated(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)], &random)
            let found = bytes.withUnsafeBytes { linter.lint($0) }
            #expect(found.count <= Linter.maximumDiagnostics)
            for diagnostic in found {
                let isInside =
                    diagnostic.range.lowerBound >= 0 && diagnostic.range.upperBound <= bytes.count
                    && diagnostic.edits.allSatisfy { $0.range.lowerBound >= 0 && $0.range.upperBound <= bytes.count }
                #expect(isInside, "\(diagnostic.rule.id) in \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test func `at most 64 findings per record are kept`() {
        for (count, kept) in [(63, 63), (64, 64), (65, 64), (500, 64)] {
            let keys = (0..<count).map { #""k\#($0)":1"# }.joined(separator: ",")
            #expect(Linter().lint(#"{"aps":{"alert":"Hi",\#(keys)}}"#).count == kept)
        }
    }

    @Test func `a message for SNS can have 256 KiB, and not one byte more`() {
        func found(_ filler: Int) -> Bool {
            let text = #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}","email":"""#.utf8.count
            let email = String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: filler - text - 1), as: UTF8.self)
            let record = #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}","email":"\#(email)"}"#
            #expect(record.utf8.count == filler)
            return Linter().lint(record).contains { $0.rule.id.text == "sns.too-large" }
        }
        #expect(!found(262_144))
        #expect(found(262_145))
    }

    @Test func `findings are ordered by position`() {
        var random = SeededGenerator(seed: 2)
        let linter = RecordLinter(DecodingOptions())
        for _ in 0..<2_000 {
            let bytes = Self.mutated(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)], &random)
            let places = bytes.withUnsafeBytes { linter.lint($0).map(\.range.lowerBound) }
            #expect(places == places.sorted())
        }
    }

    @Test(arguments: Rule.all.filter { $0.isFixable }.map(\.id)) func `edits fix their finding and break nothing`(
        _ id: RuleID
    ) {
        let rule = id.rule
        let linter = Linter()
        let before = linter.lint(rule.failing)
        let fixed = Self.apply(before.filter { $0.rule.id == rule.id }.flatMap(\.edits), to: rule.failing)
        let after = linter.lint(fixed)
        #expect(!after.contains { $0.rule.id == rule.id }, "\(fixed)")
        let known = Set(before.map(\.rule.id))
        let new = after.filter { !known.contains($0.rule.id) && $0.rule.id.text != "gcm.switched-off" }.map(\.rule.id)
        #expect(new.isEmpty, "\(new) in \(fixed)")
    }

    @Test func `of two spellings of one name only the first is fixed`() {
        let record = #"{"aps":{"alert":"x","content_available":1,"contentAvailable":1}}"#
        let fixed = Self.apply(Linter().lint(record).flatMap(\.edits), to: record)
        #expect(fixed == #"{"aps":{"alert":"x","content-available":1,"contentAvailable":1}}"#)
        let taken =
            #"{"headers":{"apns-topic":"a.b","apns_push_type":"alert","apns-push-type":"alert"},"payload":{"aps":{"alert":"x"}}}"#
        #expect(Self.apply(Linter().lint(taken).flatMap(\.edits), to: taken) == taken)
    }

    static func apply(_ edits: [TextEdit], to text: String) -> String {
        var bytes = Array(text.utf8)
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(edit.range, with: edit.replacement)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import PushJSON
import PushJSONRepair
import TestSupport
import Testing

struct RepairPropertyTests {
    @Test func `strict JSON has no problems and is unchanged`() {
        var generator = SeededGenerator(seed: 1)
        for round in 0..<Effort.rounds(2000, fast: 600) {
            var writer = DocumentWriter(isPretty: round.isMultiple(of: 2))
            writer.write(Document.random(&generator, depth: 4))
            let result = repair(writer.text)
            #expect(result.problems.isEmpty && result.string == writer.text, "\(writer.text)")
        }
    }

    @Test(arguments: Mistake.allCases)
    func `a single mistake is identified, and repaired to an equal document`(_ mistake: Mistake) {
        var generator = SeededGenerator(seed: 2)
        var count = 0
        let wanted = Effort.rounds(200, fast: 20)
        for round in 0..<3000 where count < wanted {
            let document = Document.randomObject(&generator, depth: 4)
            let isPretty = round.isMultiple(of: 2)
            var strict = DocumentWriter(isPretty: isPretty)
            strict.write(document)
            var writer = DocumentWriter(isPretty: isPretty, mistake: mistake, occasion: generator.below(6))
            writer.write(document)
            guard writer.hasErred else { continue }
            count += 1
            let result = repair(writer.text)
            let isRight =
                result.kinds == [mistake.kind] && result.problems.first?.isSafe == true
                && result.text.map(canonical) == canonical(Array(strict.text.utf8))
            #expect(isRight, "\(writer.text)\n\(result.problems)\n\(result.string ?? "none")")
        }
        #expect(count > wanted / 2)
    }

    @Test func `a document truncated anywhere outside its strings is not repaired`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var writer = DocumentWriter(isPretty: false)
            writer.write(.object([("aps", Document.randomObject(&generator, depth: 3))]))
            let bytes = Array(writer.text.utf8)
            for length in 1..<bytes.count where bytes[length - 1] == UInt8(ascii: ",") || bytes[length - 1] == 0x7D {
                let result = repair(Array(bytes[..<length]))
                guard let last = result.problems.last, last.kind == .unclosed else { continue }
                #expect(result.text == nil && !last.isSafe, "\(readable(bytes[..<length]))")
            }
        }
    }

    @Test func `the result is consistent for any bytes`() {
        var mutator = RepairMutator(seed: 0x5EED)
        var repaired = 0
        var faults = 0
        let rounds = Effort.rounds(20_000, fast: 2000)
        for round in 0..<rounds where faults < 5 {
            let bytes = mutator.next()
            let result = repair(bytes)
            if result.text != nil, !result.problems.isEmpty { repaired += 1 }
            for fault in Self.inconsistencies(of: result, bytes) {
                faults += 1
                Issue.record("round \(round): \(fault): \(readable(bytes))\n\(result.problems)")
            }
        }
        // Otherwise the mutations prove little.
        #expect(repaired > rounds / 5)
    }

    /// How a result contradicts itself or the text.
    static func inconsistencies(of result: JSONRepair, _ bytes: [UInt8]) -> [String] {
        var found: [String] = []
        func expect(_ condition: Bool, _ words: String) { if !condition { found.append(words) } }

        expect(result.problems.count <= JSONRepair.maximumProblems, "too many problems")
        for problem in result.problems {
            expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= bytes.count, "range outside the text")
            expect(!problem.range.isEmpty || problem.range.lowerBound == bytes.count, "empty range inside the text")
            expect(!problem.message.contains(where: \.isNewline) && !problem.message.isEmpty, "not a line of message")
            expect(problem.edits == TextEdit.sorted(problem.edits), "unsorted edits of a problem")
        }
        let starts = result.problems.map(\.range.lowerBound)
        expect(starts == starts.sorted(), "problems out of order")

        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let edits = TextEdit.sorted(result.problems.flatMap(\.edits))
        var end = mark
        for edit in edits {
            expect(edit.range.lowerBound >= end && edit.range.upperBound <= bytes.count, "edits overlap")
            expect(!edit.range.isEmpty || !edit.replacement.isEmpty, "an edit of nothing")
            end = edit.range.upperBound
        }
        let isOriginalStrict = isStrict(Array(bytes[mark...]))
        guard let text = result.text else {
            expect(!isOriginalStrict, "a strict text has no repaired form")
            return found
        }
        expect(isStrict(text), "the repaired text is not strict")
        expect(Array(TextEdit.apply(edits, to: bytes)[mark...]) == text, "the edits make another text")
        expect(isOriginalStrict == result.problems.isEmpty, "problems and strictness disagree")
        expect(repair(text).problems.isEmpty, "the repaired text has problems")
        let safeEdits = TextEdit.sorted(result.problems.filter(\.isSafe).flatMap(\.edits))
        let fixed = repair(TextEdit.apply(safeEdits, to: bytes))
        expect(fixed.text == text, "after the safe edits alone the text means something else")
        expect(fixed.problems.allSatisfy { !$0.isSafe }, "the safe edits leave something that is safe to edit")

        var last = 0
        for offset in 0...text.count {
            let original = result.originalOffset(offset)
            expect(original >= last && original <= bytes.count, "original offset \(original) after \(last)")
            last = original
        }
        expect(result.originalOffset(-1) >= 0 && result.originalOffset(.max / 2) == bytes.count, "offsets outside")
        return found
    }
}

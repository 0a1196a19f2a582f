import PushJSON
import PushJSONRepair

/// A repaired text is JSON, has no remaining problems, and differs from the original only by the listed edits.
enum RepairCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            return check(Array(input.text), input.text.withCopy { JSONRepair($0) })
        }
    }

    private static func check(_ bytes: [UInt8], _ result: JSONRepair) -> String? {
        if result.problems.count > JSONRepair.maximumProblems { return "\(result.problems.count) problems" }
        var start = 0
        for problem in result.problems {
            let range = problem.range
            guard range.lowerBound >= start, range.upperBound <= bytes.count else { return "a problem at \(range)" }
            if range.isEmpty, range.lowerBound < bytes.count { return "an empty range inside the text" }
            start = range.lowerBound
            if problem.message.isEmpty || problem.message.contains(where: \.isNewline) { return "no line of message" }
            if problem.edits != TextEdit.sorted(problem.edits) { return "unsorted edits of a problem" }
        }
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let edits = TextEdit.sorted(result.problems.flatMap(\.edits))
        var end = mark
        for edit in edits {
            guard edit.range.lowerBound >= end, edit.range.upperBound <= bytes.count else { return "edits overlap" }
            if edit.range.isEmpty, edit.replacement.isEmpty { return "an edit that changes nothing" }
            end = edit.range.upperBound
        }
        let wasStrict = Array(bytes[mark...]).withUnsafeBytes(isJSON)
        guard let text = result.text else { return wasStrict ? "strict JSON has no repaired form" : nil }
        guard text.withUnsafeBytes(isJSON) else { return "the repaired text is not JSON: \(readable(text))" }
        let applied = bytes.withUnsafeBytes { TextEdit.apply(edits, to: $0) }
        if Array(applied[mark...]) != text { return "the edits give another text" }
        if wasStrict != result.problems.isEmpty { return "problems and strictness disagree" }
        if !text.withUnsafeBytes({ JSONRepair($0) }).problems.isEmpty { return "the repaired text has problems" }
        let safe = TextEdit.sorted(result.problems.filter(\.isSafe).flatMap(\.edits))
        let edited = bytes.withUnsafeBytes { TextEdit.apply(safe, to: $0) }
        let again = edited.withUnsafeBytes { JSONRepair($0) }
        if again.text != text { return "the safe edits alone change the repaired text: \(readable(edited))" }
        if again.problems.contains(where: \.isSafe) { return "safe edits remain after the safe edits" }
        var last = 0
        for offset in 0...text.count {
            let original = result.originalOffset(offset)
            guard original >= last, original <= bytes.count else { return "original offset \(original) after \(last)" }
            last = original
        }
        return nil
    }
}

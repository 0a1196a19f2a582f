import PushDecoding
import PushJSON
import PushModel

/// The answer of a sender is within bounds, and a fault is at a place that exists.
enum AnswersCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            return input.text.withCopy { text in
                guard let start = text.baseAddress else { return nil }
                let text = BorrowedText(start: start.assumingMemoryBound(to: UInt8.self), count: text.count)
                var reader = SenderAnswerReader()
                if let wrong = fault(of: reader.answer(inText: text)) { return wrong }
                return text.withJSON(check) ?? nil
            }
        }
    }

    private static func check(_ view: JSONView) -> String? {
        var reader = SenderAnswerReader()
        let answer = reader.answer(in: view)
        guard let found = reader.fault else { return fault(of: answer) }
        // A pointer may go on within a string that holds JSON.
        var pointer = Substring(found.pointer)
        while let slash = pointer.lastIndex(of: "/"), view[pointer: String(pointer)] == nil {
            pointer = pointer[..<slash]
        }
        let isInString = view[pointer: String(pointer)]?.isString ?? false
        return pointer == found.pointer || isInString ? nil : "no value at \(found.pointer)"
    }

    private static func fault(of answer: SenderAnswer?) -> String? {
        if let status = answer?.status, !(1...999 ~= status) { return "status \(status)" }
        guard let reason = answer?.reason else { return nil }
        let isInBounds = 1...SenderAnswerReader.maximumReasonBytes ~= reason.utf8.count
        return isInBounds ? nil : "reason \(reason)"
    }
}

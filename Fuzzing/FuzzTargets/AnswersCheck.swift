import PayloadJSON
import PushDecoding
import PushModel

/// The answers of a sender are within bounds, are read again as they were, and a fault is at a place that exists.
enum AnswersCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            return input.text.withCopy { text in
                guard let start = text.baseAddress else { return nil }
                let text = BorrowedText(start: start.assumingMemoryBound(to: UInt8.self), count: text.count)
                if let answers = try? SenderAnswerReader.answers(in: text).answers, let wrong = fault(of: answers) {
                    return wrong
                }
                return text.withJSON(check) ?? nil
            }
        }
    }

    private static func check(_ view: JSONView) -> String? {
        do {
            return fault(of: try SenderAnswerReader.answers(in: view).answers)
        } catch {
            // A pointer may go on within a string that holds JSON.
            var pointer = Substring(error.pointer)
            while let slash = pointer.lastIndex(of: "/"), view[pointer: String(pointer)] == nil {
                pointer = pointer[..<slash]
            }
            let isInString = view[pointer: String(pointer)]?.isString ?? false
            return pointer == error.pointer || isInString ? nil : "no value at \(error.pointer)"
        }
    }

    private static func fault(of answers: [SenderAnswer]) -> String? {
        for answer in answers {
            if let status = answer.status, !(0...999 ~= status) { return "status \(status)" }
            guard let word = answer.word else { continue }
            if word.isEmpty || word.utf8.count > SenderAnswerReader.maximumReasonBytes { return "reason \(word)" }
            var json = ByteBuffer()
            json.append("{\"reason\":")
            json.appendJSONString(word)
            json.append("}")
            var again: [SenderAnswer]?
            json.withText { again = $0.withJSON { try? SenderAnswerReader.answers(in: $0).answers } ?? nil }
            if again != [SenderAnswer(reason: .word(word))] { return "read again, \(word) is \(again ?? [])" }
        }
        return nil
    }
}

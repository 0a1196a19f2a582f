package import PushJSON
package import PushModel

/// Reads the answer that a sender got from a service:
///
///     {"status":400,"reason":"BadTopic"}      410      "Unregistered"
///     {"status":410,"body":"{\"reason\":\"Unregistered\",\"timestamp\":1700000000000}"}
///     {"error":{"code":404,"status":"NOT_FOUND","details":[{"@type":"…FcmError","errorCode":"UNREGISTERED"}]}}
///     {"name":"projects/news/messages/1"}
///
/// `body` has what the service sent, as an object or in a string. Other members are skipped: logs have more to say. Sources: Apple, "Handling
/// notification responses from APNs"; Firebase, FCM v1, `ErrorCode`.
package struct SenderAnswerReader {
    /// A fault of an answer, at a JSON Pointer from the answer to the value.
    package struct Fault {
        package var pointer: String
        package var message: String
    }

    /// The longest reason, in bytes. Airnotifier's longest has 46.
    package static let maximumReasonBytes = 64

    /// The first fault of what was read. What was read is no answer then.
    package private(set) var fault: Fault?

    package init() {}

    /// The answer; nil if the value says nothing: null, or an empty string. Nil also with a fault.
    package mutating func answer(in view: JSONView) -> SenderAnswer? {
        let answer = answer(in: view, at: "")
        return fault == nil ? answer : nil
    }

    /// The answer in the contents of a string: JSON, or a reason. Nil as in `answer(in:)`.
    package mutating func answer(inText text: BorrowedText) -> SenderAnswer? {
        let answer = answer(inText: text, at: "")
        return fault == nil ? answer : nil
    }

    private mutating func answer(in view: JSONView, at pointer: String) -> SenderAnswer? {
        switch view.kind {
        case .null: return nil
        case .number: return SenderAnswer(status: status(view, at: pointer))
        case .object: return object(view, at: pointer)
        case .string, .key: return view.string?.withDecoded { answer(inText: $0, at: pointer) } ?? nil
        case .array, .true, .false:
            noteUnknown(at: pointer)
            return nil
        }
    }

    private mutating func answer(inText text: BorrowedText, at pointer: String) -> SenderAnswer? {
        if let answer = text.withJSON({ answer(in: $0, at: pointer) }) { return answer }
        return text.isEmpty ? nil : SenderAnswer(reason: reason(text.string, at: pointer))
    }

    private mutating func object(_ view: JSONView, at pointer: String) -> SenderAnswer {
        var answer = SenderAnswer()
        if let status = view["status"], status.kind != .null {
            answer.status = self.status(status, at: pointer + "/status")
        }
        if let reason = view["reason"], reason.kind != .null {
            answer.reason = word(reason, at: pointer + "/reason")
        } else if let error = view["error"], error.isObject {
            answer.add(google(error, at: pointer + "/error"))
        } else if let body = view["body"] {
            // A page of HTML says nothing.
            let isText = body.string.map { $0.withDecoded { text in text.withJSON { _ in } == nil } } ?? false
            if !isText, let said = self.answer(in: body, at: pointer + "/body") { answer.add(said) }
        } else if let name = view["name"]?.string?.string,
            name.hasPrefix("projects/") || SecretDigest.isDigest(name.utf8)
        {
            // A message that FCM has accepted.
            answer.add(SenderAnswer(status: 200))
        }
        if answer.isEmpty { noteUnknown(at: pointer) }
        return answer
    }

    /// FCM's own word says more than Google's status.
    private mutating func google(_ error: JSONView, at pointer: String) -> SenderAnswer {
        var answer = SenderAnswer()
        if let code = error["code"] { answer.status = status(code, at: pointer + "/code") }
        if let status = error["status"] { answer.reason = word(status, at: pointer + "/status") }
        if let details = error["details"] {
            for (position, detail) in details.elements.enumerated() {
                // A dead token of APNs behind that of FCM: the same as UNREGISTERED.
                if detail["statusCode"]?.int64 == 410, answer.status == Rejection.invalidArgument.status {
                    return SenderAnswer(
                        status: Rejection.fcmUnregistered.status, reason: Rejection.fcmUnregistered.reason)
                }
                guard let code = detail["errorCode"] else { continue }
                answer.reason = word(code, at: "\(pointer)/details/\(position)/errorCode")
            }
        }
        return answer
    }

    private mutating func status(_ view: JSONView, at pointer: String) -> Int? {
        if let status = view.double.flatMap({ Int(exactly: $0) }), 1...999 ~= status { return status }
        note("a status must be a number from 1 to 999, such as 400", at: pointer)
        return nil
    }

    /// Nil if it is empty.
    private mutating func word(_ view: JSONView, at pointer: String) -> String? {
        guard let text = view.string?.string else {
            note("a reason must be a string, not \(view.kindName)", at: pointer)
            return nil
        }
        return text.isEmpty ? nil : reason(text, at: pointer)
    }

    private mutating func reason(_ text: String, at pointer: String) -> String? {
        if text.utf8.count <= Self.maximumReasonBytes, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        let form = "a service's word such as BadTopic, of at most \(Self.maximumReasonBytes) bytes in ASCII"
        note("a reason must be \(form)", at: pointer)
        return nil
    }

    private mutating func note(_ message: String, at pointer: String) {
        fault = fault ?? Fault(pointer: pointer, message: message)
    }

    private mutating func noteUnknown(at pointer: String) {
        let forms = "a status (400), a reason (BadTopic), an object with both, or the body that APNs or FCM sent"
        note("expected \(forms)", at: pointer)
    }
}

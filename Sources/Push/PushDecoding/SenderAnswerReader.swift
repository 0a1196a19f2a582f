package import PayloadJSON
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
package enum SenderAnswerReader {
    /// A fault of an answer, at a JSON Pointer from the answer to the value.
    package struct Fault: Error {
        package var pointer: String
        package var message: String
    }

    /// The longest reason, in bytes. Airnotifier's longest has 46.
    package static let maximumReasonBytes = 64

    /// The answer; nil if the value says nothing: null, or an empty string.
    package static func answer(in view: JSONView, at pointer: String = "") throws(Fault) -> SenderAnswer? {
        switch view.kind {
        case .null: return nil
        case .number: return SenderAnswer(status: try status(view, at: pointer))
        case .object: return try object(view, at: pointer)
        case .string, .key:
            let result = view.string?.withDecoded { text in
                Result { () throws(Fault) in try answer(inText: text, at: pointer) }
            }
            return try result?.get() ?? nil
        case .array, .true, .false: throw unknown(at: pointer)
        }
    }

    /// The answer in the contents of a string: JSON, or a reason.
    package static func answer(inText text: BorrowedText, at pointer: String = "") throws(Fault) -> SenderAnswer? {
        let result = text.withJSON { view in Result { () throws(Fault) in try answer(in: view, at: pointer) } }
        if let result { return try result.get() }
        return text.isEmpty ? nil : SenderAnswer(reason: try reason(text.string, at: pointer))
    }

    private static func object(_ view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        var answer = SenderAnswer()
        if let status = view["status"], status.kind != .null {
            answer.status = try self.status(status, at: pointer + "/status")
        }
        if let reason = view["reason"], reason.kind != .null {
            answer.reason = try word(reason, at: pointer + "/reason")
        } else if let error = view["error"], error.isObject {
            answer.add(try google(error, at: pointer + "/error"))
        } else if let body = view["body"] {
            // A page of HTML says nothing.
            let isText = body.string.map { $0.withDecoded { text in text.withJSON { _ in } == nil } } ?? false
            if !isText, let said = try self.answer(in: body, at: pointer + "/body") { answer.add(said) }
        } else if let name = view["name"]?.string?.string,
            name.hasPrefix("projects/") || SecretDigest.isDigest(name.utf8)
        {
            // A message that FCM has accepted.
            answer.add(SenderAnswer(status: 200))
        }
        if answer.isEmpty { throw unknown(at: pointer) }
        return answer
    }

    /// FCM's own word says more than Google's status.
    private static func google(_ error: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        var answer = SenderAnswer()
        if let code = error["code"] { answer.status = try status(code, at: pointer + "/code") }
        if let status = error["status"] { answer.reason = try word(status, at: pointer + "/status") }
        if let details = error["details"] {
            for (position, detail) in details.elements.enumerated() {
                guard let code = detail["errorCode"] else { continue }
                answer.reason = try word(code, at: "\(pointer)/details/\(position)/errorCode")
            }
        }
        return answer
    }

    private static func status(_ view: JSONView, at pointer: String) throws(Fault) -> Int {
        if let status = view.double.flatMap({ Int(exactly: $0) }), 1...999 ~= status { return status }
        throw Fault(pointer: pointer, message: "a status is a number from 1 to 999, such as 400")
    }

    /// Nil if it is empty.
    private static func word(_ view: JSONView, at pointer: String) throws(Fault) -> String? {
        guard let text = view.string?.string else {
            throw Fault(pointer: pointer, message: "a reason is a string, not \(view.kindName)")
        }
        return text.isEmpty ? nil : try reason(text, at: pointer)
    }

    private static func reason(_ text: String, at pointer: String) throws(Fault) -> String {
        if text.utf8.count <= maximumReasonBytes, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        let form = "a service's word such as BadTopic, of at most \(maximumReasonBytes) bytes in ASCII"
        throw Fault(pointer: pointer, message: "a reason is \(form)")
    }

    private static func unknown(at pointer: String) -> Fault {
        let forms = "a status (400), a reason (BadTopic), an object with both, or the body that APNs or FCM sent"
        return Fault(pointer: pointer, message: "expected \(forms)")
    }
}

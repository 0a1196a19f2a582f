package import PayloadJSON
package import PushModel

/// Reads the answer that a sender got, in the forms that services and clients give it:
///
///     {"status":400,"reason":"BadTopic"}      {"reason":"Unregistered","timestamp":1700000000000}
///     {"error":{"code":404,"status":"NOT_FOUND","details":[{"@type":"…FcmError","errorCode":"UNREGISTERED"}]}}
///     {"name":"projects/news/messages/1"}     {"results":[{"message_id":"1"},{"error":"NotRegistered"}]}
///     400     "BadTopic"     "{\"reason\":\"BadTopic\"}"     {"status":400,"body":"{\"reason\":\"BadTopic\"}"}
///
/// Other members are skipped, because logs have more to say. Sources: Apple, "Handling notification responses from APNs"; Firebase, `ErrorCode`
/// and "Firebase Cloud Messaging HTTP protocol"; for other names of members, the clients at `Members`.
package struct SenderAnswerReader {
    /// What is wrong with an answer.
    package struct Fault: Error, Equatable {
        /// JSON Pointer from the answer to the value.
        package var pointer: String
        package var message: String

        package init(pointer: String, message: String) {
            self.pointer = pointer
            self.message = message
        }
    }

    /// Names of members. parse-community/node-apn has `status` and `response`, sideshow/apns2 `StatusCode` and `Reason`, Fatal1ty/aioapns
    /// `status` and `description`; the rest is usual in logs.
    private enum Members {
        static let status: [StaticString] = ["status", "status_code", "statusCode", "StatusCode"]
        static let reason: [StaticString] = ["reason", "Reason", "description"]
        static let body: [StaticString] = ["body", "response"]
    }

    /// The longest reason, in bytes. Airnotifier's longest has 46.
    package static let maximumReasonBytes = 64
    /// The type of the detail with FCM's own word.
    package static let typeOfFCMError = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    /// Bodies within answers, and JSON within strings.
    private static let maximumLevel = 3

    /// The answer, or one for each target of a request to GCM. Empty if the value says nothing: an empty body, or null.
    package static func answers(in view: JSONView) throws(Fault) -> [SenderAnswer] {
        try value(view, at: "", level: 0)
    }

    /// The same for what a string holds: JSON, a status or a reason.
    package static func answers(in text: BorrowedText) throws(Fault) -> [SenderAnswer] {
        try string(text, at: "", level: 0)
    }

    private static func value(_ view: JSONView, at pointer: String, level: Int) throws(Fault) -> [SenderAnswer] {
        guard level <= maximumLevel else {
            throw Fault(pointer: pointer, message: "the answer has too many bodies within each other")
        }
        switch view.kind {
        case .null: return []
        case .object: return try object(view, at: pointer, level: level)
        case .number: return [SenderAnswer(status: try status(view, at: pointer))]
        case .string, .key:
            let result = view.string?.withDecoded { text in
                Result { () throws(Fault) in try string(text, at: pointer, level: level + 1) }
            }
            return try result?.get() ?? []
        case .array, .true, .false:
            throw Fault(
                pointer: pointer, message: "an answer is an object, a status or a reason, not \(view.kindName)")
        }
    }

    private static func string(_ text: BorrowedText, at pointer: String, level: Int) throws(Fault) -> [SenderAnswer] {
        let words = text.string.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return [] }
        if first.first == "{" {
            let result = text.withJSON { view in
                Result { () throws(Fault) in try value(view, at: pointer, level: level) }
            }
            guard let result else { throw Fault(pointer: pointer, message: "the answer's text is not JSON") }
            return try result.get()
        }
        if let status = number(first) {
            // What follows may be HTTP's phrase for the status, as in `400 Bad Request`.
            let rest = words.dropFirst().joined(separator: " ")
            let isReason = Rejection.table.contains { $0.reason.description == rest }
            return [SenderAnswer(status: status, reason: isReason ? .word(rest) : .unsaid)]
        }
        // `OK` is google.rpc's name for a success.
        if words.count == 1, first.lowercased() == "ok" { return [SenderAnswer(status: 200, reason: .none)] }
        // The plain-text answers of GCM.
        if first.hasPrefix("id=") { return [SenderAnswer(status: 200, reason: .none)] }
        if first.hasPrefix("Error="), first.utf8.count > "Error=".utf8.count {
            return [SenderAnswer(status: 200, reason: .word(try word(first.dropFirst("Error=".count), at: pointer)))]
        }
        return [SenderAnswer(reason: .word(try word(words.joined(separator: " ")[...], at: pointer)))]
    }

    private static func object(_ view: JSONView, at pointer: String, level: Int) throws(Fault) -> [SenderAnswer] {
        if let results = view["results"], results.kind == .array {
            return try self.results(results, at: pointer + "/results")
        }
        var answer = SenderAnswer()
        if let (name, member) = member(of: view, Members.status), member.kind != .null {
            answer = try statusMember(member, at: "\(pointer)/\(name)")
        }
        if let (name, member) = member(of: view, Members.reason), member.kind != .null {
            answer.reason = try reason(member, at: "\(pointer)/\(name)") ?? answer.reason
        }
        if let error = view["error"], error.kind != .null {
            let inner = try self.error(error, at: pointer + "/error")
            answer.status = answer.status ?? inner.status
            if answer.reason == .unsaid { answer.reason = inner.reason }
        }
        if answer.status == nil, let code = view["code"], code.kind == .number {
            answer.status = try status(code, at: pointer + "/code")
        }
        if answer.reason == .unsaid, let (name, body) = member(of: view, Members.body), !isText(body) {
            let inner = try value(body, at: "\(pointer)/\(name)", level: level + 1)
            if inner.count > 1 { return inner }
            answer.status = answer.status ?? inner.first?.status
            answer.reason = inner.first?.reason ?? .unsaid
        }
        if answer.isEmpty, isAcceptance(view) { answer = SenderAnswer(status: 200, reason: .none) }
        guard answer.isEmpty else { return [answer] }
        throw Fault(
            pointer: pointer,
            message: "the answer has neither a status nor a reason, nor the body of a service's answer")
    }

    /// True if a body is a text for people, such as a page of HTML or a sentence, which says nothing.
    private static func isText(_ body: JSONView) -> Bool {
        guard let text = body.string?.string.drop(while: \.isWhitespace), text.first != "{" else { return false }
        return !text.hasPrefix("Error=") && !text.hasPrefix("id=")
            && !Rejection.table.contains { $0.reason.description == text }
    }

    /// FCM's answer to a message that it accepts, and GCM's to one for a topic or a device group.
    private static func isAcceptance(_ view: JSONView) -> Bool {
        if let name = view["name"]?.string?.string {
            return name.hasPrefix("projects/") && name.contains("/messages/") || SecretDigest.isDigest(name.utf8)
        }
        return view["message_id"] != nil || view["success"]?.int64 ?? 0 > 0 && view["failure"]?.int64 ?? 0 == 0
    }

    /// Of a request to GCM, whose answer is a 200 that has a result for each target.
    private static func results(_ view: JSONView, at pointer: String) throws(Fault) -> [SenderAnswer] {
        var answers: [SenderAnswer] = []
        for (position, result) in view.elements.enumerated() {
            guard result.isObject else {
                throw Fault(pointer: "\(pointer)/\(position)", message: "a result is an object, not \(result.kindName)")
            }
            let error = result["error"].flatMap { $0.kind == .null ? nil : $0 }
            let word = try error.map { view throws(Fault) in
                try reason(view, at: "\(pointer)/\(position)/error") ?? .none
            }
            answers.append(SenderAnswer(status: 200, reason: word ?? .none))
        }
        return answers
    }

    /// Google's `error`, or the reason itself, as GCM has it for topics and Airnotifier for all.
    private static func error(_ view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        guard view.isObject else { return SenderAnswer(reason: try reason(view, at: pointer) ?? .unsaid) }
        var answer = SenderAnswer()
        if let code = view["code"], code.kind == .number || number(code.string?.string ?? "") != nil {
            answer.status = try status(code, at: pointer + "/code")
        }
        if let status = view["status"] { answer.reason = try reason(status, at: pointer + "/status") ?? .unsaid }
        // FCM's own word says more than Google's status.
        guard let details = view["details"] else { return answer }
        for (position, detail) in details.elements.enumerated() where isOfFCM(detail) {
            guard let code = detail["errorCode"] else { continue }
            answer.reason = try reason(code, at: "\(pointer)/details/\(position)/errorCode") ?? answer.reason
        }
        return answer
    }

    private static func isOfFCM(_ detail: JSONView) -> Bool {
        detail["@type"]?.string.map { $0.string == typeOfFCMError } ?? false
    }

    private static func member(
        of view: JSONView, _ names: [StaticString]
    ) -> (name: StaticString, value: JSONView)? {
        for name in names { if let value = view[name] { return (name, value) } }
        return nil
    }

    /// A status, or Google's word for one: `{"status":"NOT_FOUND"}`.
    private static func statusMember(_ view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        if view.string?.string.lowercased() == "ok" { return SenderAnswer(status: 200, reason: .none) }
        if let text = view.string?.string, !text.isEmpty, text.utf8.allSatisfy({ $0 == 0x5F || 0x41...0x5A ~= $0 }) {
            return SenderAnswer(reason: .word(try word(text[...], at: pointer)))
        }
        return SenderAnswer(status: try status(view, at: pointer))
    }

    private static func status(_ view: JSONView, at pointer: String) throws(Fault) -> Int {
        let status = view.string.map { number($0.string) } ?? view.int64.flatMap { Int(exactly: $0) }
        guard let status, 0...999 ~= status else {
            let isText = view.isString || view.kind == .number
            let text = isText ? "\"\(view.string?.string ?? view.text.string)\"" : view.kindName
            throw Fault(pointer: pointer, message: "a status is a number such as 400, not \(text)")
        }
        return status
    }

    /// At most three digits.
    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.count <= 3 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }

    /// Nil for an empty one.
    private static func reason(_ view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer.Reason? {
        guard let text = view.string?.string else {
            throw Fault(pointer: pointer, message: "a reason is a string, not \(view.kindName)")
        }
        return text.isEmpty ? nil : .word(try word(text[...], at: pointer))
    }

    private static func word(_ text: Substring, at pointer: String) throws(Fault) -> String {
        let isWord = text.utf8.count <= maximumReasonBytes && text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
        guard isWord else {
            throw Fault(
                pointer: pointer,
                message:
                    "a reason is a service's word such as BadTopic, of at most \(maximumReasonBytes) bytes in ASCII")
        }
        return String(text)
    }
}

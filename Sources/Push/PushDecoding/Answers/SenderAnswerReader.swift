package import PayloadJSON
package import PushModel

/// Reads the answer that a sender got, in the forms that services and clients give it:
///
///     {"status":400,"reason":"BadTopic"}      {"reason":"Unregistered","timestamp":1700000000000}
///     {"error":{"code":404,"status":"NOT_FOUND","details":[{"@type":"…FcmError","errorCode":"UNREGISTERED"}]}}
///     {"name":"projects/news/messages/1"}     {"results":[{"message_id":"1"},{"error":"NotRegistered"}]}
///     400     "BadTopic"     "{\"reason\":\"BadTopic\"}"     {"status":400,"body":"{\"reason\":\"BadTopic\"}"}
///     "projects/news/messages/1"     {"success":false,"error":{"code":"messaging/invalid-argument"}}
///
/// `SenderAnswerReader+Expo` has those of Expo. Other members are skipped, because logs have more to say. Sources: Apple, "Handling notification responses from APNs"; Firebase, `ErrorCode`
/// and "Firebase Cloud Messaging HTTP protocol"; for other names of members, the clients at `Members`.
package struct SenderAnswerReader {
    /// A fault of an answer.
    package struct Fault: Error, Equatable {
        /// JSON Pointer from the answer to the value.
        package var pointer: String
        package var message: String

        package init(pointer: String, message: String) {
            self.pointer = pointer
            self.message = message
        }
    }

    /// The answers that were read.
    package struct Reading: Equatable {
        /// Empty if the value says nothing.
        package var answers: [SenderAnswer]
        /// JSON Pointer to the list with one for each target, such as the `results` of GCM; nil if there is at most one, for all.
        package var list: String?

        package static let nothing = Reading(answers: [])

        init(_ answer: SenderAnswer) { answers = [answer] }

        init(answers: [SenderAnswer], list: String? = nil) {
            self.answers = answers
            self.list = list
        }
    }

    /// Names of members. parse-community/node-apn has `status` and `response`, sideshow/apns2 `StatusCode` and `Reason`, Fatal1ty/aioapns
    /// `status` and `description`, jchambers/pushy `rejectionReason`, Node's http2 `:status`, axios `data`, firebase-admin-node
    /// `errorInfo`; the rest is usual in logs.
    private enum Members {
        static let status: [StaticString] = ["status", "status_code", "statusCode", "StatusCode", ":status"]
        static let reason: [StaticString] = ["reason", "Reason", "rejectionReason", "description"]
        static let error: [StaticString] = ["error", "errorInfo"]
        static let body: [StaticString] = ["body", "response"]
        static let message: [StaticString] = ["name", "messageId"]
    }

    /// The longest reason, in bytes. Airnotifier's longest has 46.
    package static let maximumReasonBytes = 64
    /// The type of the detail with FCM's own word.
    package static let typeOfFCMError = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    /// Bodies within answers, and JSON within strings.
    private static let maximumLevel = 3

    /// The answer, or one for each target of a request to GCM. There is none if the value says nothing: an empty body, or null.
    package static func answers(in view: JSONView) throws(Fault) -> Reading {
        try value(view, at: "", level: 0)
    }

    /// The same for what a string holds: JSON, a status or a reason.
    package static func answers(in text: BorrowedText) throws(Fault) -> Reading {
        try string(text, at: "", level: 0)
    }

    private static func value(_ view: JSONView, at pointer: String, level: Int) throws(Fault) -> Reading {
        guard level <= maximumLevel else {
            throw Fault(pointer: pointer, message: "the answer has too many bodies within each other")
        }
        switch view.kind {
        case .null: return .nothing
        case .object: return try object(view, at: pointer, level: level)
        case .number:
            let answer = statusOrNothing(try status(view, at: pointer))
            return answer.isEmpty ? .nothing : Reading(answer)
        case .string, .key:
            let result = view.string?.withDecoded { text in
                Result { () throws(Fault) in try string(text, at: pointer, level: level + 1) }
            }
            return try result?.get() ?? .nothing
        case .array:
            if let reading = try tickets(view, at: pointer) { return reading }
            // Google's body, as its batches have it.
            let elements = view.elements.prefix(2).map { $0 }
            if elements.count == 1, elements[0]["error"] != nil {
                return try object(elements[0], at: pointer + "/0", level: level)
            }
        case .true, .false: break
        }
        throw Fault(pointer: pointer, message: "an answer is an object, a status or a reason, not \(view.kindName)")
    }

    private static func string(_ text: BorrowedText, at pointer: String, level: Int) throws(Fault) -> Reading {
        let words = text.string.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return .nothing }
        if isJSON(text.string) {
            let result = text.withJSON { view in
                Result { () throws(Fault) in try value(view, at: pointer, level: level) }
            }
            guard let result else { throw Fault(pointer: pointer, message: "the answer's text is not JSON") }
            return try result.get()
        }
        if let answer = statusLine(words) { return answer.status == noAnswer ? .nothing : Reading(answer) }
        // `OK` is google.rpc's name for a success. The others are of GCM in plain text, and what firebase-admin returns.
        let isOK = words.count == 1 && first.lowercased() == "ok"
        if isOK || first.hasPrefix("id=") || words.count == 1 && isMessageName(String(first)) {
            return Reading(SenderAnswer(status: 200, reason: .none))
        }
        if first.hasPrefix("Error="), first.utf8.count > "Error=".utf8.count {
            let answer = said(try word(first.dropFirst("Error=".count), at: pointer))
            return Reading(SenderAnswer(status: 200, reason: answer.reason))
        }
        return Reading(said(try word(words.joined(separator: " ")[...], at: pointer)))
    }

    private static func object(_ view: JSONView, at pointer: String, level: Int) throws(Fault) -> Reading {
        if let results = view["results"], results.kind == .array {
            return try self.results(results, at: pointer + "/results")
        }
        if let reading = try expo(view, at: pointer) { return reading }
        let status = try statusMember(of: view, at: pointer)
        guard status.status == noAnswer else { return try object(view, status, at: pointer, level: level) }
        // The rest says why there is no answer, unless the zero is a log's own.
        guard let reading = try? object(view, SenderAnswer(), at: pointer, level: level),
            let answer = reading.answers.first, answer.status != nil || isServiceWord(answer.word ?? "")
        else { return .nothing }
        return reading
    }

    private static func object(
        _ view: JSONView, _ status: SenderAnswer, at pointer: String, level: Int
    ) throws(Fault) -> Reading {
        var answer = status
        if let (name, member) = member(of: view, Members.reason) {
            // A reason says more than a word in the place of the status.
            var said = try reason(member, at: "\(pointer)/\(name)", beside: answer.status)
            said.status = answer.status ?? said.status
            said.add(answer)
            answer = said
        }
        let error = member(of: view, Members.error)
        if let (name, error) = error, !isEmpty(error) {
            answer.add(try self.error(error, at: "\(pointer)/\(name)", beside: answer.status))
        }
        if let code = view["code"] {
            if answer.status == nil, code.kind == .number {
                answer.add(statusOrNothing(try self.status(code, at: pointer + "/code")))
            }
            answer.add(ofFirebaseAdmin(code))
        }
        if answer.reason == .unsaid, let (name, body) = member(of: view, Members.body), !isText(body) {
            let inner = try value(body, at: "\(pointer)/\(name)", level: level + 1)
            if inner.list != nil { return inner }
            if let inner = inner.answers.first { answer.add(inner) }
        }
        // The name is a usual one for anything.
        if answer.reason == .unsaid, let data = view["data"], !isText(data),
            let inner = try? value(data, at: pointer + "/data", level: level + 1), inner.list == nil,
            let inner = inner.answers.first
        {
            answer.add(inner)
        }
        if answer.isEmpty, isAcceptance(view) { answer = SenderAnswer(status: 200, reason: .none) }
        guard answer.isEmpty else { return Reading(answer) }
        // Nothing arrived: what a client threw has no members of its own.
        if let error, isEmpty(error.value) { return .nothing }
        throw Fault(
            pointer: pointer,
            message: "the answer has neither a status nor a reason, nor the body of a service's answer")
    }

    /// True if a body is a text for people, such as a page of HTML or a sentence, which says nothing.
    private static func isText(_ body: JSONView) -> Bool {
        guard let string = body.string?.string, !isJSON(string) else { return false }
        let text = string.drop(while: \.isWhitespace)
        return !text.hasPrefix("Error=") && !text.hasPrefix("id=") && !isMessageName(String(text))
            && !isServiceWord(String(text))
    }

    /// FCM's answer to a message that it accepts, GCM's to one for a topic or a device group, and what clients say of them.
    private static func isAcceptance(_ view: JSONView) -> Bool {
        if let (_, name) = member(of: view, Members.message), let name = name.string?.string {
            if isMessageName(name) || SecretDigest.isDigest(name.utf8) { return true }
        }
        return view["message_id"] != nil || view["success"]?.kind == .true || view["accepted"]?.kind == .true
            || view["success"]?.int64 ?? 0 > 0 && view["failure"]?.int64 ?? 0 == 0
    }

    /// Of a request to GCM, whose answer is a 200 that has a result for each target.
    private static func results(_ view: JSONView, at pointer: String) throws(Fault) -> Reading {
        var answers: [SenderAnswer] = []
        for (position, result) in view.elements.enumerated() {
            guard result.isObject else {
                throw Fault(pointer: "\(pointer)/\(position)", message: "a result is an object, not \(result.kindName)")
            }
            var answer = SenderAnswer(status: 200, reason: .none)
            if let error = result["error"], error.kind != .null, error.string?.string != "" {
                answer.reason = try reason(error, at: "\(pointer)/\(position)/error", beside: nil).reason
            }
            answers.append(answer)
        }
        return Reading(answers: answers, list: pointer)
    }

    /// Google's `error`, or the reason itself, as GCM has it for topics and Airnotifier for all; what firebase-admin throws.
    private static func error(_ view: JSONView, at pointer: String, beside status: Int?) throws(Fault) -> SenderAnswer {
        guard view.isObject else { return try reason(view, at: pointer, beside: status) }
        var answer = SenderAnswer()
        if let code = view["code"], code.kind == .number || number(code.string?.string ?? "") != nil {
            answer = statusOrNothing(try self.status(code, at: pointer + "/code"))
        }
        // FCM's own word says more than Google's status.
        if let details = view["details"] {
            for (position, detail) in details.elements.enumerated() where isOfFCM(detail) {
                guard let code = detail["errorCode"] else { continue }
                let said = try reason(code, at: "\(pointer)/details/\(position)/errorCode", beside: nil)
                if said.reason != .unsaid { answer.reason = said.reason }
            }
        }
        if let status = view["status"] { answer.add(try reason(status, at: pointer + "/status", beside: nil)) }
        for code in [view["code"], view["errorInfo"]?["code"]] { answer.add(ofFirebaseAdmin(code)) }
        // The body of APNs in a log's `error`; another log has a sentence there.
        if let word = view["reason"]?.string?.string, isOneWord(word) { answer.add(said(word)) }
        return answer
    }

    private static func isOfFCM(_ detail: JSONView) -> Bool {
        detail["@type"]?.string.map { $0.string == typeOfFCMError } ?? false
    }

    /// The first that is there and not null.
    private static func member(
        of view: JSONView, _ names: [StaticString]
    ) -> (name: StaticString, value: JSONView)? {
        for name in names { if let value = view[name], value.kind != .null { return (name, value) } }
        return nil
    }

    /// The first status among the members that may have it, or else the first word. A log has words of its own there.
    ///
    /// - Throws: if there are such members, and none has either.
    static func statusMember(of view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        var word: SenderAnswer?
        var zero: SenderAnswer?
        var fault: Fault?
        for name in Members.status {
            guard let member = view[name], member.kind != .null else { continue }
            do throws(Fault) {
                var answer = try statusMember(member, at: "\(pointer)/\(name)")
                if answer.status == noAnswer {
                    zero = answer
                } else if answer.status == nil || answer.reason == .none {
                    word = word ?? answer
                } else {
                    if let said = word?.word, isServiceWord(said) { answer.add(SenderAnswer(reason: .word(said))) }
                    return answer
                }
            } catch { fault = fault ?? error }
        }
        if let answer = zero ?? word { return answer }
        if let fault { throw fault }
        guard let status = view["headers"]?[":status"] else { return SenderAnswer() }
        return try statusMember(status, at: pointer + "/headers/:status")
    }

    /// A status, or Google's word for one: `{"status":"NOT_FOUND"}`.
    private static func statusMember(_ view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        guard let text = view.string?.string else { return SenderAnswer(status: try status(view, at: pointer)) }
        if text.lowercased() == "ok" { return SenderAnswer(status: 200, reason: .none) }
        if let answer = statusLine(text.split(whereSeparator: \.isWhitespace)) { return answer }
        if !text.isEmpty, text.utf8.allSatisfy({ $0 == 0x5F || 0x41...0x5A ~= $0 }) {
            return said(try word(text[...], at: pointer))
        }
        return SenderAnswer(status: try status(view, at: pointer))
    }

    private static func status(_ view: JSONView, at pointer: String) throws(Fault) -> Int {
        let status = view.string.map { number($0.string) } ?? view.double.flatMap { Int(exactly: $0) }
        guard let status, 0...999 ~= status else {
            let isText = view.isString || view.kind == .number
            let text = isText ? "\"\(view.string?.string ?? view.text.string)\"" : view.kindName
            throw Fault(pointer: pointer, message: "a status is a number such as 400, not \(text)")
        }
        return status
    }

    /// Says nothing if it is empty.
    static func reason(
        _ view: JSONView, at pointer: String, beside status: Int?
    ) throws(Fault) -> SenderAnswer {
        guard let text = view.string?.string else {
            throw Fault(pointer: pointer, message: "a reason is a string, not \(view.kindName)")
        }
        return text.isEmpty ? SenderAnswer() : said(try word(text[...], at: pointer), beside: status)
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

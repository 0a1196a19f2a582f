import PayloadJSON
import PushModel

/// Answers of Expo's push service:
///
///     {"data":[{"status":"ok","id":"0f8f…"},{"status":"error","message":"…","details":{"error":"DeviceNotRegistered"}}]}
///     {"data":{"0f8f…":{"status":"error","message":"…","details":{"error":"MessageTooBig"}}}}
///     {"errors":[{"code":"UNAUTHORIZED","message":"…"}]}
///
/// SDKs return the tickets, or a receipt, without `data` around them. Source: Expo, "Send notifications with Expo's Push API".
extension SenderAnswerReader {
    /// Tickets, a receipt, or the error of a request; nil for anything else.
    static func expo(_ view: JSONView, at pointer: String) throws(Fault) -> Reading? {
        if isTicket(view) { return Reading(try ticket(view, at: pointer)) }
        if let reading = try body(view, at: pointer, in: view) { return reading }
        // Clients that have a response's body in `data`.
        guard let data = view["data"], data.isObject else { return nil }
        return try body(data, at: pointer + "/data", in: view)
    }

    /// Tickets in a list, one for each message and token; nil for another list.
    static func tickets(_ list: JSONView, at pointer: String) throws(Fault) -> Reading? {
        guard list.kind == .array else { return nil }
        var answers: [SenderAnswer] = []
        for (position, element) in list.elements.enumerated() {
            guard isTicket(element) || said(element, "ok") else { return nil }
            answers.append(try ticket(element, at: "\(pointer)/\(position)"))
        }
        return answers.isEmpty ? nil : Reading(answers: answers, list: pointer)
    }

    /// - Parameter log: what may have the status of the response.
    private static func body(
        _ view: JSONView, at pointer: String, in log: JSONView
    ) throws(Fault) -> Reading? {
        if let errors = view["errors"], let code = errors.elements.first(where: { _ in true })?["code"], code.isString {
            var answer = try reason(code, at: pointer + "/errors/0/code", beside: nil)
            answer.status = statusOfLog(log)
            return answer.isEmpty ? nil : Reading(answer)
        }
        guard let data = view["data"] else { return nil }
        if data.kind == .array { return try tickets(data, at: pointer + "/data") }
        if isTicket(data) { return Reading(try ticket(data, at: pointer + "/data")) }
        let receipts = data.members.map { $0.value }
        guard !receipts.isEmpty, receipts.allSatisfy({ isTicket($0) || said($0, "ok") }) else { return nil }
        guard receipts.count == 1 else {
            throw Fault(
                pointer: pointer + "/data",
                message: "the answer has \(receipts.count) receipts; which message each is for is not known")
        }
        return Reading(try ticket(receipts[0], at: pointer + "/data"))
    }

    private static func statusOfLog(_ log: JSONView) -> Int? {
        guard let status = try? statusMember(of: log, at: "").status, status != noAnswer else { return nil }
        return status
    }

    /// True for a ticket, and for the receipt of an error. That of a success is like what others answer.
    private static func isTicket(_ view: JSONView) -> Bool {
        said(view, "ok") && view["id"]?.isString ?? false || said(view, "error") && view["details"]?.isObject ?? false
    }

    private static func said(_ view: JSONView, _ status: StaticString) -> Bool {
        view.isObject && view["status"]?.string.map { $0 == status } ?? false
    }

    /// The word of an error; a ticket without one tells that Expo has the message, and a receipt that the provider has it.
    private static func ticket(_ view: JSONView, at pointer: String) throws(Fault) -> SenderAnswer {
        if said(view, "ok") { return SenderAnswer(status: 200, reason: view["id"] == nil ? .none : .taken) }
        guard let error = view["details"]?["error"], error.string?.string != "" else {
            throw Fault(pointer: pointer, message: "the ticket has no word for the error, details.error")
        }
        var answer = try reason(error, at: pointer + "/details/error", beside: nil)
        answer.status = 200
        return answer
    }
}

import PayloadJSON
import PushModel
import PushSystem

/// The meanings of words in answers.
extension SenderAnswerReader {
    /// HTTP's phrases. They say no more than the status.
    ///
    /// Sources: RFC 9110 and its predecessors, RFC 6585.
    static let statusesByPhrase: [String: Int] = [
        "ok": 200, "created": 201, "accepted": 202, "no content": 204, "bad request": 400, "unauthorized": 401,
        "forbidden": 403, "not found": 404, "method not allowed": 405, "request timeout": 408, "conflict": 409,
        "gone": 410, "payload too large": 413, "content too large": 413, "request entity too large": 413,
        "too many requests": 429, "internal server error": 500, "bad gateway": 502, "service unavailable": 503,
        "gateway timeout": 504,
    ]

    /// The codes of firebase-admin that stand for one of FCM's words.
    ///
    /// Source: firebase-admin-node, `MessagingClientErrorCode`, and the codes of FCM v1 that it translates.
    package static let firebaseAdminCodes: [String: String] = [
        "messaging/registration-token-not-registered": "UNREGISTERED",
        "messaging/invalid-argument": "INVALID_ARGUMENT",
        "messaging/mismatched-credential": "SENDER_ID_MISMATCH",
        "messaging/message-rate-exceeded": "QUOTA_EXCEEDED",
        "messaging/server-unavailable": "UNAVAILABLE",
        "messaging/internal-error": "INTERNAL",
        "messaging/third-party-auth-error": "THIRD_PARTY_AUTH_ERROR",
    ]

    /// The status of clients for a request that got no answer.
    static let noAnswer = 0

    static func statusOrNothing(_ status: Int) -> SenderAnswer {
        SenderAnswer(status: status == noAnswer ? nil : status)
    }

    /// The meaning of a word: that of FCM for one of firebase-admin, and the status for a phrase of HTTP.
    ///
    /// `Forbidden` is a phrase, and a reason of APNs: next to a status it is taken for the phrase.
    static func said(_ word: String, beside status: Int? = nil) -> SenderAnswer {
        let isReason = status == nil && isServiceWord(word)
        if !isReason, let meant = statusesByPhrase[word.lowercased()] { return SenderAnswer(status: meant) }
        return SenderAnswer(reason: .word(firebaseAdminCodes[word] ?? word))
    }

    /// Nothing for another code than firebase-admin's.
    static func ofFirebaseAdmin(_ code: JSONView?) -> SenderAnswer {
        guard let code = code?.string?.string, code.utf8.count <= maximumReasonBytes, code.hasPrefix("messaging/"),
            code.utf8.allSatisfy({ 0x21..<0x7F ~= $0 })
        else { return SenderAnswer() }
        return said(code)
    }

    /// `400`, `400 BadTopic`, `400 Bad Request`; nil for what does not begin with a status.
    static func statusLine(_ words: [Substring]) -> SenderAnswer? {
        guard let first = words.first, let status = number(first) else { return nil }
        let rest = words.dropFirst().joined(separator: " ")
        return SenderAnswer(status: status, reason: isServiceWord(rest) ? said(rest, beside: status).reason : .unsaid)
    }

    /// At most three digits.
    static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.count <= 3 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }

    static func isServiceWord(_ text: String) -> Bool {
        Rejection.table.contains { $0.reason.description == text }
    }

    /// True for a word that a program chose, as every reason of APNs is one.
    static func isOneWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumReasonBytes && text.utf8.allSatisfy { $0.isLetter || $0 == 0x5F }
    }

    /// The name that FCM gives to a message, as firebase-admin returns it.
    static func isMessageName(_ text: String) -> Bool { text.hasPrefix("projects/") && text.contains("/messages/") }

    /// True for an object, or an object in an array. Another text in brackets is a sentence.
    static func isJSON(_ text: String) -> Bool {
        let start = text.lazy.filter { !$0.isWhitespace }.prefix(2)
        return start.first == "{" || Array(start) == ["[", "{"]
    }

    /// True for what clients have in the place of an error that did not happen, or whose members they cannot write.
    static func isEmpty(_ error: JSONView) -> Bool {
        switch error.kind {
        case .false: true
        case .object: error.members.first { _ in true } == nil
        case .array: error.elements.first { _ in true } == nil
        default: false
        }
    }
}

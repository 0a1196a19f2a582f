/// The answer that a sender got from a service, as far as it is known.
package struct SenderAnswer: Sendable, Hashable {
    /// The service's word.
    package enum Reason: Sendable, Hashable {
        /// Not known: a log may have the status alone.
        case unsaid
        /// The service accepted the message.
        case none
        /// Expo has the message. What APNs or FCM says of it is in a receipt.
        case taken
        case word(String)
    }

    /// The status of HTTP, or of the binary interface; nil if it is not known.
    package var status: Int?
    package var reason: Reason

    package init(status: Int? = nil, reason: Reason = .unsaid) {
        self.status = status
        self.reason = reason
    }

    /// Adds what is not known yet.
    package mutating func add(_ other: SenderAnswer) {
        status = status ?? other.status
        if reason == .unsaid { reason = other.reason }
    }

    /// The word; nil if there is none.
    package var word: String? { if case .word(let word) = reason { word } else { nil } }

    /// True if it says nothing.
    package var isEmpty: Bool { status == nil && reason == .unsaid }
}

extension SenderAnswer: CustomStringConvertible {
    /// `410 Unregistered`, `400`, `BadTopic`.
    package var description: String {
        [status.map { String($0) }, word].compactMap(\.self).joined(separator: " ")
    }
}

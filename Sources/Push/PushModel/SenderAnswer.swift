/// The answer that a sender got from a service, as far as it is known.
package struct SenderAnswer: Sendable, Hashable {
    /// The status of HTTP, or of the binary interface; nil if it is not known.
    package var status: Int?
    /// The service's word; nil if it is not known, or if the service accepted the message.
    package var reason: String?

    package init(status: Int? = nil, reason: String? = nil) {
        self.status = status
        self.reason = reason
    }

    /// Adds what is not known yet.
    package mutating func add(_ other: SenderAnswer) {
        status = status ?? other.status
        reason = reason ?? other.reason
    }

    /// True if it says nothing.
    package var isEmpty: Bool { status == nil && reason == nil }
}

extension SenderAnswer: CustomStringConvertible {
    /// `410 Unregistered`, `400`, `BadTopic`.
    package var description: String { [status.map { String($0) }, reason].compactMap(\.self).joined(separator: " ") }
}

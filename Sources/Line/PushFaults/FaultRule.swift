package import PushFiles
package import PushModel

/// When a request goes wrong, and how.
package struct FaultRule: Sendable {
    // MARK: - Which requests

    /// Of APNs' path and FCM's body; nil for any.
    package var device: GlobPattern?
    /// Of `apns-topic`; nil for any.
    package var topic: GlobPattern?
    /// As it was sent, with the query; nil for any.
    package var path: GlobPattern?

    // MARK: - Which of those

    /// Only each of this number: 3 is the third, the sixth and so on.
    package var every: Int?
    /// Only those over this rate.
    package var rate: Rate?
    /// Only with this probability, from 0 to 1.
    package var probability: Double?
    package var seed: UInt64 = 0
    /// Only from so many milliseconds after the rule was set.
    package var afterMilliseconds: Int64 = 0
    /// Only for so many milliseconds from then on; nil for ever.
    package var forMilliseconds: Int64?
    /// At most so many.
    package var times: Int?

    // MARK: - What happens

    package var effect = FaultEffect()

    package init() {}

    /// A token bucket: so many requests in a time, at once or spread over it.
    package struct Rate: Sendable, Equatable {
        package var requests: Int
        package var milliseconds: Int64

        package init(requests: Int, milliseconds: Int64) {
            self.requests = requests
            self.milliseconds = milliseconds
        }
    }
}

/// The fault of a request.
package struct FaultEffect: Sendable, Equatable {
    /// The reason of the refusal, in the words of whoever answers; nil to treat the message as ever.
    package var reason: String?
    /// Of HTTP, in place of the reason's.
    package var status: Int?
    /// Seconds, in the answer's header `retry-after`.
    package var retryAfterSeconds: Int?
    package var transport = TransportFault()

    package init() {}

    /// The refusal by a provider; nil if there is none, or none that the provider knows.
    ///
    /// - Parameter speaker: of `Rejection.Row`.
    package func refusal(by speaker: String) -> Rejection? {
        guard let reason else { return nil }
        if let rejection = Rejection.named(reason, by: speaker) { return rejection }
        // So that one rule suits senders of both.
        return Self.equivalents.first { $0.contains { $0.reason == reason } }?
            .first { $0.row.speaker.description == speaker }
    }

    /// Rejections of the providers for the same cause.
    private static let equivalents: [[Rejection]] = [
        [.unregistered, .fcmUnregistered, .notRegistered, .expoDeviceNotRegistered],
        [.badDeviceToken, .invalidArgument, .invalidRegistration],
        [.tooManyRequests, .quotaExceeded, .deviceMessageRateExceeded, .expoTooManyRequests],
        [.internalServerError, .fcmInternal, .gcmInternalServerError, .expoInternalServerError],
        [.serviceUnavailable, .fcmUnavailable, .gcmUnavailable, .expoServiceUnavailable],
    ]

    static func reason(for status: Int) -> String? {
        switch status {
        case 410: Rejection.unregistered.reason
        case 429: Rejection.tooManyRequests.reason
        case 500: Rejection.internalServerError.reason
        case 503: Rejection.serviceUnavailable.reason
        default: nil
        }
    }
}

package import PushFiles
package import PushModel

/// A rule by which requests go wrong.
package struct FaultRule: Sendable {
    // MARK: - Which requests

    /// The device in APNs' path or FCM's body; nil for any.
    package var device: GlobPattern?
    /// The value of `apns-topic`; nil for any.
    package var topic: GlobPattern?
    /// The path as it was sent, with the query; nil for any.
    package var path: GlobPattern?

    // MARK: - Which of those

    /// Limits the rule to each of this number: 3 is the third, the sixth and so on.
    package var every: Int?
    /// Limits the rule to requests over this rate.
    package var rate: Rate?
    /// The probability that the rule takes a request, from 0 to 1.
    package var probability: Double?
    package var seed: UInt64 = 0
    /// Milliseconds after the rule was set at which it begins.
    package var afterMilliseconds: Int64 = 0
    /// Milliseconds from then on during which it applies; nil for ever.
    package var forMilliseconds: Int64?
    /// The most requests that the rule takes.
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

package struct FaultEffect: Sendable, Equatable {
    /// The reason of the refusal, in the words of whoever answers; nil to treat the message as ever.
    package var reason: String?
    /// The status of HTTP, in place of the reason's.
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
        if speaker == "fcm" {
            if reason == Self.deadAppleToken { return .invalidArgument }
            if Self.keyFaults.contains(where: { $0.reason == reason }) { return .thirdPartyAuthError }
        }
        // So that one rule suits senders of both.
        return Self.equivalents.first { $0.contains { $0.reason == reason } }?
            .first { $0.row.speaker.description == speaker }
    }

    /// FCM's words about a dead token of APNs behind its own, which is `UNREGISTERED` in other answers.
    /// Source: tests of five public projects, 2022 to 2026.
    package static let deadAppleToken = "APNs device token is disabled."
    /// The faults of the key that FCM has for APNs.
    private static let keyFaults: [Rejection] = [
        .invalidProviderToken, .badEnvironmentKeyIdInToken, .badEnvironmentKeyInToken,
    ]

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

/// A fault of an answer on its way, so that a sender can be tested against it.
package struct TransportFault: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        /// The answer is sent, and the connection says that it goes away, with this reason. Streams that are open are still answered.
        case goAway(reason: String)
        /// The stream is reset with this code of HTTP/2 in place of an answer. Over HTTP/1.1 the connection is cut.
        case reset(code: Int)
        /// The connection is cut in place of an answer.
        case cut
        /// No answer is sent. The stream stays open.
        case silence
        /// The answer is sent, and for some time nothing is read from the connection.
        case pause(milliseconds: Int64)
    }

    /// Milliseconds to wait before the answer is sent.
    package var delayMilliseconds: Int64 = 0
    package var ending: Ending?

    package init(delayMilliseconds: Int64 = 0, ending: Ending? = nil) {
        self.delayMilliseconds = delayMilliseconds
        self.ending = ending
    }
}

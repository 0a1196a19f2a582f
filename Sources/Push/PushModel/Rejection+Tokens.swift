extension Rejection {
    /// True if the answer says since when the token is dead: 410 of APNs. Source: Apple, "Handling notification responses from APNs".
    package var hasTimestamp: Bool { self == .unregistered || self == .expiredToken }
}

extension Provider {
    /// The answers to a token that was never issued, to one that is no longer registered, to one of another app, which not every provider
    /// documents, and to too many messages for one. A sender that is too fast gets the last, because GCM documents no other.
    package var tokenRejections: (unknown: Rejection, unregistered: Rejection, otherApp: Rejection?, tooMany: Rejection)
    {
        switch self {
        case .apns: (.badDeviceToken, .unregistered, .deviceTokenNotForTopic, .tooManyRequests)
        case .gcm: (.notRegistered, .notRegistered, .invalidPackageName, .deviceMessageRateExceeded)
        case .fcm: (.fcmUnregistered, .fcmUnregistered, nil, .quotaExceeded)
        }
    }
}

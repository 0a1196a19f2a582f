extension Rejection {
    /// Expo's word for a token that leads nowhere.
    package static let expoNotRegistered = "DeviceNotRegistered"

    /// Expo's word in a ticket or a receipt; nil if Expo refuses the whole request.
    ///
    /// Expo's word for a reason of the provider. Expo documents the meaning of its words, and not the reasons that they stand for. A reason
    /// that none of them means is `InvalidCredentials` if the sender's key is at fault, and `ProviderError` otherwise (UNCONFIRMED).
    ///
    /// - Parameter isTooBig: true for a message over its limit, for which FCM has no word of its own.
    package func wordOfExpo(isTooBig: Bool) -> String? {
        if row.speaker.description == "expo", row.status != 200 { return nil }
        if isTooBig { return "MessageTooBig" }
        return switch self {
        case .expoDeviceNotRegistered, .unregistered, .expiredToken, .badDeviceToken, .deviceTokenNotForTopic,
            .fcmUnregistered:
            Self.expoNotRegistered
        case .payloadTooLarge, .messageTooBig: "MessageTooBig"
        case .tooManyRequests, .quotaExceeded: "MessageRateExceeded"
        case .senderIdMismatch: "MismatchSenderId"
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .topicDisallowed, .thirdPartyAuthError, .fcmUnauthenticated:
            "InvalidCredentials"
        default: "ProviderError"
        }
    }
}

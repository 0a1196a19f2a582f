/// Answers of the binary interface of APNs.
extension Rejection {
    /// The answer of the binary interface for the same reason; nil for what it knows nothing of.
    package var overBinaryInterface: Rejection? {
        switch self {
        case .missingDeviceToken: .binaryMissingDeviceToken
        case .badDeviceToken: .binaryInvalidToken
        case .payloadEmpty: .binaryMissingPayload
        case .payloadTooLarge: .binaryInvalidPayloadSize
        case .badPriority, .badExpirationDate: .binaryProcessingError
        default: nil
        }
    }

    /// The rejection with a reason of the binary interface or, for what it has no word for, of APNs; nil if neither has it.
    /// O(number of rejections).
    package static func overBinaryInterface(_ reason: String) -> Rejection? {
        named(reason, by: "binary") ?? ofAPNs(reason).map { $0.overBinaryInterface ?? $0 }
    }

    /// The status with which the binary interface answers. That of reasons which it does not have is the nearest one.
    ///
    /// Source: Apple (archived), "Binary Provider API".
    package var binaryStatus: Int {
        let rejection = overBinaryInterface ?? self
        if rejection.row.speaker.description == "binary" { return rejection.row.status }
        switch self {
        case .missingTopic: return 3
        case .badTopic: return 6
        case .unregistered, .expiredToken, .deviceTokenNotForTopic, .topicDisallowed: return 8
        case .internalServerError, .badRequestPayload: return Rejection.binaryProcessingError.row.status
        // Shutdown: the sender may go on over another connection.
        case .shutdown, .serviceUnavailable, .idleTimeout: return 10
        // None of the others.
        default: return 255
        }
    }
}

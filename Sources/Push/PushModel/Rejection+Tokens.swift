extension Rejection {
    /// The answer to a token that the provider has never issued.
    package static func unknownDevice(of provider: Provider) -> Rejection {
        switch provider {
        case .apns: .badDeviceToken
        case .gcm: .notRegistered
        case .fcm: .fcmUnregistered
        }
    }

    /// The answer to a token that is no longer registered.
    package static func unregisteredDevice(of provider: Provider) -> Rejection {
        switch provider {
        case .apns: .unregistered
        case .gcm: .notRegistered
        case .fcm: .fcmUnregistered
        }
    }

    /// The answer when a token belongs to another app; nil when it is not documented.
    package static func otherApp(of provider: Provider) -> Rejection? {
        switch provider {
        case .apns: .deviceTokenNotForTopic
        case .gcm: .invalidPackageName
        case .fcm: nil
        }
    }

    /// The answer when there are too many messages for one token.
    package static func tooManyToDevice(of provider: Provider) -> Rejection {
        switch provider {
        case .apns: .tooManyRequests
        case .gcm: .deviceMessageRateExceeded
        case .fcm: .quotaExceeded
        }
    }

    /// The answer when a sender is too fast. GCM documents none, so this uses the one for a token.
    package static func tooManyOfSender(of provider: Provider) -> Rejection { tooManyToDevice(of: provider) }
}

extension Rejection {
    /// What a provider answers about a token that it has never given out.
    package static func unknownDevice(of provider: Provider) -> Rejection {
        switch provider {
        case .apns: .badDeviceToken
        case .gcm: .notRegistered
        case .fcm: .fcmUnregistered
        }
    }

    /// What it answers about a token that has died.
    package static func unregisteredDevice(of provider: Provider) -> Rejection {
        switch provider {
        case .apns: .unregistered
        case .gcm: .notRegistered
        case .fcm: .fcmUnregistered
        }
    }

    /// What it answers when a token belongs to another app; nil when that is not documented.
    package static func otherApp(of provider: Provider) -> Rejection? {
        switch provider {
        case .apns: .deviceTokenNotForTopic
        case .gcm: .invalidPackageName
        case .fcm: nil
        }
    }

    /// What it answers when there is too much for one token.
    package static func tooManyToDevice(of provider: Provider) -> Rejection {
        switch provider {
        case .apns: .tooManyRequests
        case .gcm: .deviceMessageRateExceeded
        case .fcm: .quotaExceeded
        }
    }

    /// What it answers when a sender is too fast. GCM has no word for it; the next of kin is that for a device.
    package static func tooManyOfSender(of provider: Provider) -> Rejection { tooManyToDevice(of: provider) }
}

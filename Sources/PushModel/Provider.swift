/// The push service that would answer a request.
public enum Provider: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Apple Push Notification service.
    case apns
    /// Google Cloud Messaging, and Firebase Cloud Messaging's legacy HTTP protocol, which took its form over.
    case gcm
    /// Firebase Cloud Messaging, HTTP v1.
    case fcm

    /// As in reports and on the command line.
    public var name: StaticString {
        switch self {
        case .apns: "apns"
        case .gcm: "gcm"
        case .fcm: "fcm"
        }
    }
}

/// What a record is: a provider's own request, or the format of a gateway that stands before providers.
public enum RecordFormat: String, Sendable, CaseIterable {
    case apns, gcm, fcm, airnotifier, sns, wikimedia, moodle
}

/// A format that a message was taken out of before it reached its provider.
public enum Gateway: UInt8, Sendable, CaseIterable {
    /// Airnotifier, API version 2.
    case airnotifier
    /// Amazon Simple Notification Service, mobile push.
    case sns
    /// Wikimedia's push notifications service.
    case wikimedia
    /// Moodle's form of 2013, posted to Airnotifier 1.
    case moodle

    /// As in reports.
    public var name: StaticString {
        switch self {
        case .airnotifier: "airnotifier"
        case .sns: "sns"
        case .wikimedia: "wikimedia"
        case .moodle: "moodle"
        }
    }
}

/// The kind of device behind a token.
public enum Platform: String, Sendable, CaseIterable, BitwiseCopyable {
    case ios, android
}

/// Why the system would not start a service extension for a push that a provider has accepted. The names are a contract:
/// reports contain them.
///
/// Source: Apple, "Modifying content in newly delivered notifications": the payload has `mutable-content` 1 and an alert
/// with a title, subtitle or body, and the system is going to show that alert.
package enum ExtensionObstacle: UInt8, Sendable, CaseIterable {
    /// The device is an Android device.
    case android
    /// The device is a browser.
    case web
    /// The system never shows pushes of this type.
    case pushType
    /// There is no title, subtitle or body.
    case noAlert
    /// `mutable-content` is not the number 1.
    case notMutable
    /// The app may not show alerts, or no longer.
    case notAuthorized
    /// The provider holds the push until the device is back.
    case offline
    /// The push does not reach the screen for another reason, which is that of its outcome.
    case notDelivered

    /// The name in reports.
    package var name: StaticString { Self.table[Int(rawValue)].name }

    /// Half a sentence for people.
    package var description: StaticString { Self.table[Int(rawValue)].description }

    /// The change that lets the extension run.
    package var remedy: StaticString { Self.table[Int(rawValue)].remedy }

    /// In the order of the cases.
    private static let table: [(name: StaticString, description: StaticString, remedy: StaticString)] = [
        ("android", "Android has no service extensions", "send the push to an Apple device"),
        ("web", "browsers have no service extensions", "send the push to an Apple device"),
        ("push-type", "the system shows no pushes of this type", "send it with apns-push-type alert"),
        ("no-alert", "there is no alert", "put a text into aps.alert"),
        (
            "not-mutable", "mutable-content is not 1", "put \"mutable-content\":1 into aps"
        ),
        ("not-authorized", "the app may not show alerts", "allow notifications in the system's settings"),
        ("offline", "the device is offline", "the extension runs when the push is delivered"),
        (
            "not-delivered", "the message is not delivered", "the reason of its outcome says why, and what to do"
        ),
    ]
}

extension DecodedMessage {
    /// Why the system would not start a service extension for the push, whether the app has one or not: the first obstacle
    /// that applies, in the order of the cases. Nil if it would, and for what no provider has accepted.
    package var extensionObstacle: ExtensionObstacle? {
        switch verdict {
        case .malformed, .rejected, .refused, .event, .fannedOut: return nil
        case .accepted, .suppressed, .withheld, .held, .expired, .discarded: break
        }
        if serviceExtension != nil { return nil }
        switch platform {
        case .android: return .android
        case .web: return .web
        case .ios: break
        }
        if !(headers.pushType?.row.isShown ?? true) { return .pushType }
        if !content.hasAlert { return .noAlert }
        if !content.isMutable { return .notMutable }
        switch verdict {
        case .held: return .offline
        case .suppressed(let reason):
            return Self.permissionReasons.contains("\(reason)") ? .notAuthorized : .notDelivered
        case .expired, .discarded, .withheld: return .notDelivered
        case .accepted, .malformed, .rejected, .refused, .event, .fannedOut: return nil
        }
    }

    /// The reasons for `suppressed` that say what the app may show.
    private static let permissionReasons: Set<String> = ["denied", "not-determined", "alerts-off"]
}

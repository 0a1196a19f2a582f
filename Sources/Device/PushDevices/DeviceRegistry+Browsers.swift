import AppSimulation
import PayloadJSON
import PushDecoding
import PushModel

/// The measures of browsers against pushes for which their site shows nothing.
extension DeviceRegistry {
    /// The number of such pushes with which a site loses its permission in Safari. They are counted for as long as it has the permission, and
    /// whether or not one of its pages is visible.
    ///
    /// Sources: Apple, WWDC22 session 10098; WebKit, `maxSilentPushCount` and `PushService::incrementSilentPushCount`.
    private static let mostSilentPushes = 3

    /// Counts a push that shows nothing in Safari. The last one that it takes ends the permission.
    func countSilent(_ message: DecodedMessage, _ app: UInt32) -> Finding? {
        guard !message.isShown || isInFront(app, for: message) else { return nil }
        // The site's service worker shows it.
        if let post = try? reaction(to: message)?.post, post.hasText { return nil }
        let count = table.changeDetails(of: app) { details in
            details.silentPushes += 1
            return details.silentPushes
        }
        if count >= Self.mostSilentPushes { table[app: app].state.authorization = .denied }
        noteChange(of: app)
        let consequence =
            count < Self.mostSilentPushes
            ? "with the third one, Safari takes the site's permission away"
            : "Safari takes the site's permission away, and no push reaches it any more"
        return Self.finding("silent push \(count) of \(Self.mostSilentPushes): \(consequence)", message)
    }

    /// Replaces a notification that its site fails to show by the one of Chrome. Chrome lets a site that is much used fail now and then, which
    /// is not emulated.
    ///
    /// Source: Chromium, `push_messaging_notification_manager.cc`.
    func showDefault(_ message: inout DecodedMessage, _ app: UInt32) -> Finding? {
        guard message.content.isRefused, !isInFront(app, for: message) else { return nil }
        let name = table.name(ofApp: app)
        message.content.becomeDefault(of: name.isEmpty ? message.app : name)
        return Self.finding("Chrome shows a notification of its own, because the site shows none", message)
    }

    private static func finding(_ text: String, _ message: DecodedMessage) -> Finding {
        Finding(
            rule: "fcm.web-silent-push", severity: .warning,
            pointer: message.place.string + "\(message.payloadPointer)", message: text)
    }
}

import AppSimulation
import PushDecoding
import PushJSON
package import PushModel
import PushSystem

/// The screens of a store as they are seen where a device is one of Android's: in the order of events, and with what a lock screen hides hidden.
/// Screens of other devices are as they are in the store.
package final class AndroidScreens {
    private let store: any BrowsableStore
    private let locked: Set<String>
    /// The device that was asked about last; its platform is nil if no event has said it.
    private var last: (device: String, platform: Platform?, apps: [RegisteredApp])?

    /// - Parameter device: the only one that is asked about; nil for any.
    package init(_ store: any BrowsableStore, device: String? = nil) throws {
        self.store = store
        guard let device else {
            locked = try store.lockedDevices()
            return
        }
        let registered = try store.registered(on: device)
        let isLocked = registered.contains { $0.event.lock ?? .unlocked != .unlocked }
        // The store may know it by another spelling of its token.
        locked = isLocked ? Set(registered.map(\.device) + [device]) : []
    }

    /// Calls `body` for each screen with something to see, oldest first, and says whether the system bundles its notifications.
    package func forEachScreen(
        device: String?, app: String?, _ body: (_ shown: [DeliveredNotification], _ isBundle: Bool) throws -> Void
    ) throws {
        try store.forEachScreen(device: device, app: app) { shown in
            let seen = try self.seen(shown)
            if !seen.isEmpty { try body(seen, try isBundle(seen)) }
        }
    }

    /// The notifications of a device as they are seen, in the order of delivery before.
    package func seen(
        _ notifications: [DeliveredNotification], newestFirst: Bool = false
    ) throws -> [DeliveredNotification] {
        var seen = try notifications.compactMap { try self.seen($0) }
        guard seen.contains(where: { AndroidScreen.time(of: $0) != $0.deliveredAt }), try isAndroid(seen[0]) else {
            return seen
        }
        AndroidScreen.sort(&seen, newestFirst: newestFirst, AndroidScreen.time)
        return seen
    }

    /// Makes the notifications of a device, newest first, what is seen of them.
    package func see(_ newest: inout [PlacedNotification]) throws {
        newest = try newest.compactMap { placed in
            try seen(placed.notification).map { PlacedNotification(place: placed.place, notification: $0) }
        }
        guard let first = newest.first, try isAndroid(first.notification) else { return }
        AndroidScreen.sort(&newest, newestFirst: true) { AndroidScreen.time(of: $0.notification) }
    }

    /// A notification as it is seen; nil if it is not.
    package func seen(_ notification: DeliveredNotification) throws -> DeliveredNotification? {
        guard locked.contains(notification.device), try isAndroid(notification) else { return notification }
        return AndroidScreen.onLockScreen(notification)
    }

    /// True if the system bundles the notifications of an app.
    package func isBundle(_ notifications: [DeliveredNotification]) throws -> Bool {
        guard let newest = notifications.last, try AndroidScreen.isFor(newest) && isAndroid(newest) else {
            return false
        }
        let own = last?.apps.first { $0.app == newest.app } ?? last?.apps.first { $0.app.isEmpty }
        let count = notifications.count { !AndroidScreen.isGrouped($0) }
        return AndroidScreen.bundles(count, from: own?.event.settings.autoGroupAt)
    }

    private func isAndroid(_ notification: DeliveredNotification) throws -> Bool {
        if last?.device != notification.device {
            let apps = try store.registered(on: notification.device)
            last = (notification.device, apps.lazy.compactMap(\.event.platform).first, apps)
        }
        return last?.platform.map { $0 == .android } ?? AndroidScreen.isFor(notification)
    }
}

/// The apps of an iPhone that hide the texts of their notifications, and what is seen in place of these.
///
/// The title and the subtitle are hidden unless the category shows them, and the body is the category's placeholder. Sources: Apple,
/// `UNShowPreviewsSetting`, `UNNotificationCategory`, `hiddenPreviewsBodyPlaceholder`.
package struct HiddenPreviews: Sendable {
    private struct App {
        var isHiding: Bool
        var categories: [ActionCategory]
    }

    /// The body without a placeholder. A device has it in its own language.
    package static let text = "Notification"

    /// The apps by name; an empty name stands for every app that is not named.
    private var apps: [String: App] = [:]
    /// Nil when no event has said it, so that each notification says it.
    private var platform: Platform?
    /// True if an app hides its texts.
    private let isHiding: Bool

    /// - Parameter registered: the apps on the device.
    package init(_ registered: [RegisteredApp]) {
        var isHiding = false
        for app in registered {
            let event = app.event
            platform = platform ?? event.platform
            let isHidden =
                switch event.settings.previews ?? .always {
                case .always: false
                case .whenUnlocked: event.lock ?? .unlocked != .unlocked
                case .never: true
                }
            isHiding = isHiding || isHidden
            apps[app.app] = App(isHiding: isHidden, categories: event.settings.categories ?? [])
        }
        self.isHiding = isHiding && platform ?? .ios == .ios
    }

    /// True if an app hides its texts. Whether a notification is one for an iPhone is another question.
    package func hides(app name: String) -> Bool { isHiding && app(name)?.isHiding == true }

    private func app(_ name: String) -> App? { apps[name] ?? apps[""] }

    /// The content that is seen in place of a notification's own; nil if its own is.
    ///
    /// - Parameters:
    ///   - notification: with its payload, which names its category.
    ///   - count: the number of notifications of its app with its thread, which a placeholder may have.
    package func content(inPlaceOf notification: DeliveredNotification, ofThread count: Int) -> ShownContent? {
        guard hides(app: notification.app), let app = app(notification.app),
            let name = category(of: notification)
        else { return nil }
        let category = app.categories.first { $0.identifier == name }
        var content = notification.content
        if category?.showsTitle != true { content.title = nil }
        if category?.showsSubtitle != true { content.subtitle = nil }
        content.body = (category?.placeholder ?? Self.text).replacing("%u", with: String(count))
        return content
    }

    /// The notifications of a screen as they are seen.
    package func seen(_ notifications: [DeliveredNotification]) -> [DeliveredNotification] {
        guard isHiding else { return notifications }
        var counts: [[String]: Int] = [:]
        func thread(_ notification: DeliveredNotification) -> [String] {
            [notification.app, notification.content.thread ?? ""]
        }
        for notification in notifications { counts[thread(notification), default: 0] += 1 }
        return notifications.map { notification in
            var seen = notification
            let count = counts[thread(notification)] ?? 1
            if let content = content(inPlaceOf: notification, ofThread: count) { seen.content = content }
            return seen
        }
    }

    /// The category that a notification names, empty for none; nil if it is not one for an iPhone.
    private func category(of notification: DeliveredNotification) -> String? {
        BorrowedText.with(notification.payload) { text in
            text.withJSON { payload -> String? in
                guard platform == .ios || Self.isForApple(payload) else { return nil }
                func name(_ changes: JSONView?) -> String {
                    TappedValues(app: notification.app, collapseID: nil, payload: payload, changes: changes)[.category]
                        ?? ""
                }
                guard let changes = notification.changes else { return name(nil) }
                return BorrowedText.with(changes) { text in text.withJSON { name($0) } } ?? name(nil)
            }
        } ?? nil
    }

    /// True for a body of APNs, for a message of FCM to an iPhone alone, and for a local notification, which has nothing.
    private static func isForApple(_ payload: JSONView) -> Bool {
        guard payload.isObject else { return false }
        var members = payload.members
        if payload["aps"] != nil || members.next() == nil { return true }
        let message = payload["message"] ?? payload
        let others: [StaticString] = ["android", "android_v2", "androidV2", "webpush"]
        return message["apns"] != nil && others.allSatisfy { message[$0] == nil }
    }
}

/// The order of an app's notifications in the scheduled summary of an iPhone.
///
/// Sources: Apple, `UNNotificationContent.relevanceScore`, "the highest score gets featured in the notification summary"; com.unity.mobile.notifications,
/// pull request 251, saw it on top.
package enum ScheduledSummary {
    /// True if an app is in the scheduled summary.
    package static func contains(_ app: String, _ registered: [RegisteredApp]) -> Bool {
        let own = registered.first { $0.app == app } ?? registered.first { $0.app.isEmpty }
        return own?.furtherEvents.contains { $0.name == .summary && $0.isOn == true } == true
    }

    /// Sorts an app's notifications, oldest first, so that the most relevant ones of the summary come last, and those that pass it after them.
    package static func sort(_ notifications: inout [DeliveredNotification]) {
        AndroidScreen.sort(&notifications) { Int64(relevance(of: $0) * 1_000_000) }
    }

    /// The score from 0 to 1; 2 for a notification that passes the summary.
    private static func relevance(of notification: DeliveredNotification) -> Double {
        AppText.withRoot(of: notification.payload) { payload in
            AppText.withRoot(of: notification.changes) { changes in
                let aps = payload?["aps"] ?? payload?["message"]?[pointer: "/apns/payload/aps"]
                let level = (changes?["interruptionLevel"] ?? aps?["interruption-level"])?.string
                let passes = level.map { $0 == "time-sensitive" || $0 == "critical" } ?? false
                if passes || changes?["sender"]?.isString == true { return 2 }
                let score = (changes?["relevanceScore"] ?? aps?["relevance-score"])?.double ?? 0
                return min(max(score, 0), 1)
            }
        }
    }
}

/// The options in the payload of a notification, and what of it a lock screen shows.
///
/// Source: FCM v1, `AndroidNotification.event_time` and `visibility`.
extension AndroidScreen {
    /// The text in place of one that is hidden. That each version of Android has these words is UNCONFIRMED.
    package static let hiddenText = "New notification"

    /// True if a notification is for an Android device, as far as its payload says.
    package static func isFor(_ notification: DeliveredNotification) -> Bool { options(of: notification) != nil }

    /// True if its app has put it into a group, so that the system does not bundle it.
    static func isGrouped(_ notification: DeliveredNotification) -> Bool {
        options(of: notification)?.isGrouped == true
    }

    /// The time by which the tray is sorted, in milliseconds since the epoch.
    package static func time(of notification: DeliveredNotification) -> Int64 {
        options(of: notification)?.eventTime ?? notification.deliveredAt
    }

    /// A notification as a lock screen shows it; nil if it does not. One that says nothing is private.
    ///
    /// The payload keeps only its time and its app.
    package static func onLockScreen(_ notification: DeliveredNotification) -> DeliveredNotification? {
        let options = options(of: notification)
        switch options?.visibility ?? .private {
        case .public: return notification
        case .secret: return nil
        case .private: break
        }
        var hidden = notification
        hidden.content = ShownContent(body: hiddenText, badge: notification.content.badge)
        hidden.changes = nil
        hidden.payload = payload(of: notification)
        return hidden
    }

    private static func options(of notification: DeliveredNotification) -> AndroidOptions? {
        // Those of APNs are left out where a screen is read as text. Most others of APNs need no parsing.
        if notification.payload.isEmpty || notification.payload.hasPrefix("{\"aps\"") { return nil }
        return BorrowedText.with(notification.payload) { text in text.withJSON { AndroidOptions(shown: $0) } } ?? nil
    }

    private static func payload(of notification: DeliveredNotification) -> String {
        let name = BorrowedText.with(notification.payload) { text in
            text.withJSON { payload in
                let blocks = [payload["android"], payload["android_v2"], payload["androidV2"], payload]
                return blocks.compactMap { $0?["restricted_package_name"] ?? $0?["restrictedPackageName"] }
                    .compactMap { $0.string?.string }.first { !$0.isEmpty }
            }
        }
        return .composed { out in
            out.append("{\"android\":{")
            out.appendMember("restricted_package_name", name ?? nil)
            out.appendMemberName("notification")
            out.append("{\"event_time\":")
            out.appendJSONString(RFC3339.text(time(of: notification)))
            out.append("}}}")
        }
    }
}

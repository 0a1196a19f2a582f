import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// A user's action on the notifications of a screen: tap one, dismiss one, clear all.
struct ScreenEvent {
    private let event: EventSubject
    private let standIn: DecodedMessage
    private let session: any DeliverySession

    /// - Parameter standIn: the message of the chunk that represents the event.
    init(_ event: borrowing DeviceEvent, _ standIn: DecodedMessage, _ session: any DeliverySession) {
        self.event = EventSubject(event)
        self.standIn = standIn
        self.session = session
    }

    /// Applies the action.
    ///
    /// - Parameters:
    ///   - registry: has what is shown as a banner, and not in the list.
    ///   - willChange: called with the app whose notification is affected, before anything changes. Not called when all are removed.
    /// - Returns: the affected notification, with its content if a tap can lead somewhere by it, or one without an
    ///   identifier for all of an app; nil if there is no such notification.
    func apply(
        seq: UInt64, at: Int64, _ registry: DeviceRegistry, willChange: (_ app: String) throws -> Void = { _ in }
    ) throws -> TappedNotification? {
        if event.name == .clear {
            return try clear(try registry.banner(for: event, at: at)?.app, seq: seq, at: at, registry)
        }
        let (banner, listed) = try find(at: at, registry)
        if let banner {
            try willChange(banner.app)
            try registry.hideBanner(on: standIn.device.string, of: banner.app)
            try withMessage(for: banner.app) { message in
                try BorrowedText.with(banner.identifier) {
                    try session.record(journalKind, for: message, about: $0, seq: seq, at: at)
                }
            }
            return banner
        }
        guard let listed else { return nil }
        try willChange(listed.app)
        var tapped = TappedNotification(app: listed.app, identifier: listed.identifier)
        let mayBeAndroid = try event.name == .tap && registry.mayBeAndroid(standIn.device)
        if event.name == .tap, mayBeAndroid || registry.policy.tapRoutes != nil { tapped = try content(of: tapped) }
        let isSticky = mayBeAndroid && tapped.androidOptions?.isSticky == true
        try withMessage(for: listed.app) { message in
            try BorrowedText.with(listed.identifier) {
                try session.record(journalKind, for: message, about: $0, seq: seq, at: at)
            }
            if isSticky { return }
            _ = try session.remove([listed.identifier], askedBy: message, seq: seq, at: at)
        }
        try dropNumber(of: listed.app, seq: seq, at: at, registry)
        return tapped
    }

    /// Removes everything from the screen, or everything of the app that the event names.
    ///
    /// - Parameter banner: the app with a banner.
    private func clear(
        _ banner: String?, seq: UInt64, at: Int64, _ registry: DeviceRegistry
    ) throws -> TappedNotification? {
        if let banner { try registry.hideBanner(on: standIn.device.string, of: banner) }
        var app = banner
        for other in try event.app.map({ [$0] }) ?? session.appsShowing(on: standIn.device) {
            try withMessage(for: other) { message in
                if try session.remove(nil, askedBy: message, seq: seq, at: at) != nil { app = app ?? other }
            }
            try dropNumber(of: other, seq: seq, at: at, registry)
        }
        return app.map { TappedNotification(app: $0, identifier: "") }
    }

    /// Removes what an app shows on an Android device; an empty name stands for every app. Android keeps no notification across a restart.
    ///
    /// Source for a restart: GrapheneOS, os-issue-tracker 6741; OneSignal-Android-SDK, pull request 65; qksms, issue 1450.
    func clear(onAndroid app: String, seq: UInt64, at: Int64, _ registry: DeviceRegistry) throws {
        let platform = try registry.platform(of: standIn.device)
        // Lists of what is shown are not made for a device that has never shown anything.
        guard platform ?? .android == .android, try !session.apps(of: standIn.device).isEmpty else { return }
        for shown in try session.appsShowing(on: standIn.device) where app.isEmpty || shown == app {
            try withMessage(for: shown) { message in
                var identifiers: [String]?
                if platform == nil {
                    // Only what was sent to Android tells then that the device is one.
                    identifiers = []
                    try session.forEachShown(for: message) { notification in
                        guard Self.options(of: notification) != nil else { return }
                        identifiers?.append(notification.identifier.string)
                    }
                }
                _ = try session.remove(identifiers, askedBy: message, seq: seq, at: at)
            }
            try dropNumber(of: shown, seq: seq, at: at, registry)
        }
    }

    /// Takes the number from an icon whose app shows nothing any more: on Android it counts what is in the tray.
    ///
    /// Source: Android, "Modify a notification badge".
    func dropNumber(of app: String, seq: UInt64, at: Int64, _ registry: DeviceRegistry) throws {
        guard try registry.platform(of: standIn.device) == .android, try badge(of: app) ?? 0 != 0,
            try identifiers(of: app).isEmpty
        else { return }
        try setBadge(0, of: app, seq: seq, at: at)
    }

    /// The apps that have shown something on the device.
    func apps() throws -> [String] { try session.apps(of: standIn.device) }

    /// The app with the newest notification on the device, or else the last one that has shown any there; nil if none has.
    func newestApp() throws -> String? {
        try session.newest(on: standIn.device, NotificationQuery(app: nil, seq: nil, identifier: nil))?.app
            ?? session.apps(of: standIn.device).last
    }

    /// Removes notifications of an app at its own request; nil removes all of them. An empty name stands for every app.
    func clear(_ identifiers: [String]?, of app: String, seq: UInt64, at: Int64) throws {
        for shown in try session.appsShowing(on: standIn.device) where app.isEmpty || shown == app {
            try withMessage(for: shown) { message in
                var asking = message
                asking.isLocal = true
                _ = try session.remove(identifiers, askedBy: asking, seq: seq, at: at)
            }
        }
    }

    /// The number on an app's icon; nil if nothing has set it.
    ///
    /// - Parameter device: nil for the one that the event is about.
    func badge(of app: String, on device: String? = nil) throws -> Int? {
        try withMessage(for: app) { message in
            try BorrowedText.with(device ?? "") { name in
                var other = message
                if device != nil { other.device = name }
                return try session.screen(for: other).badge
            }
        }
    }

    /// Has an app set the number on its icon.
    func setBadge(_ badge: Int, of app: String, seq: UInt64, at: Int64) throws {
        try withMessage(for: app) { message in
            var number = message
            number.verdict = .accepted
            number.content = NotificationContent()
            number.content.badge = badge
            _ = try session.deliver(number, seq: seq, at: at)
        }
    }

    /// The notification that the event is about, with its content, as far as that is kept; nil if there is none.
    func target(at: Int64, _ registry: DeviceRegistry) throws -> TappedNotification? {
        let (banner, listed) = try find(at: at, registry)
        return try banner ?? listed.map { try content(of: TappedNotification(app: $0.app, identifier: $0.identifier)) }
    }

    /// The notification with its payload and what an extension changed.
    private func content(of tapped: TappedNotification) throws -> TappedNotification {
        var found = tapped
        try withMessage(for: tapped.app) { message in
            guard let content = try session.content(of: tapped.identifier, for: message) else { return }
            found = TappedNotification(
                app: tapped.app, identifier: tapped.identifier, seq: content.seq, payload: content.payload,
                changes: content.changes)
        }
        return found
    }

    private var journalKind: JournalKind { event.name == .tap ? .tapped : .dismissed }

    /// The notifications of an app, oldest first; of all apps if the event names none.
    func identifiers(of app: String) throws -> [String] {
        let apps = app.isEmpty ? try session.apps(of: standIn.device) : [app]
        return try apps.flatMap { app in try withMessage(for: app) { try session.identifiers(for: $0) } }
    }

    /// The app whose bundle the event is about: the one with the newest notification if there are several. Nil if there is no bundle.
    func bundledApp(_ registry: DeviceRegistry) throws -> String? {
        guard try registry.mayBeAndroid(standIn.device) else { return nil }
        let isLocked = try registry.lock(of: standIn.device) != .unlocked
        let bundled = try (event.app.map { [$0] } ?? session.appsShowing(on: standIn.device)).filter { app in
            let said = try registry.settings(of: app, on: standIn.device.string).autoGroupAt
            return try withMessage(for: app) { message in
                var count = 0
                try session.forEachShown(for: message) { shown in
                    let options = Self.options(of: shown)
                    // A lock screen does not show a secret one at all.
                    if options?.isGrouped != true, !isLocked || options?.visibility != .secret { count += 1 }
                }
                return AndroidScreen.bundles(count, from: said)
            }
        }
        let newest = bundled.count > 1 ? try findListed()?.app : nil
        return bundled.first { $0 == newest } ?? bundled.first
    }

    /// The options for an Android device; nil for a notification of APNs.
    private static func options(of shown: ShownNotification) -> AndroidOptions? {
        shown.payload.withJSON { AndroidOptions(shown: $0) } ?? nil
    }

    private func withMessage<Result>(for app: String, _ body: (DecodedMessage) throws -> Result) rethrows -> Result {
        try BorrowedText.with(app) { app in
            var message = standIn
            message.platform = .ios
            message.topic = app
            message.headers = PushHeaders()
            return try body(message)
        }
    }

    /// What the event is about: a banner, or else a notification that is listed.
    private func find(
        at: Int64, _ registry: DeviceRegistry
    ) throws -> (banner: TappedNotification?, listed: FoundNotification?) {
        let listed = try findListed()
        // A banner is on top of its own app, and what has come since for another app is on top of the banner.
        guard let (app, banner) = try registry.banner(for: event, at: at),
            listed.map({ $0.app == app || $0.seq < banner.seq }) ?? true
        else { return (nil, listed) }
        let shown = TappedNotification(
            app: app, identifier: banner.identifier, seq: banner.seq, payload: banner.payload)
        return (shown, listed)
    }

    /// The notification that the event names; the newest if it names none.
    private func findListed() throws -> FoundNotification? {
        try BorrowedText.with(event.app ?? "") { app in
            try BorrowedText.with(event.identifier ?? "") { identifier in
                try session.newest(
                    on: standIn.device,
                    NotificationQuery(
                        app: event.app == nil ? nil : app, seq: event.seq,
                        identifier: event.identifier == nil ? nil : identifier))
            }
        }
    }
}

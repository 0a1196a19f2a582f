import DeviceRegistry
import DeviceScreens
import NotificationStore
import PayloadJSON
import PushModel

/// A user's action on the notifications of a screen: tap one, dismiss one, clear all.
struct ScreenEvent {
    private let event: DeviceEvent
    private let standIn: PushMessage
    private let session: any DeliverySession

    /// - Parameter standIn: the message of the chunk that represents the event.
    init(_ event: DeviceEvent, _ standIn: PushMessage, _ session: any DeliverySession) {
        self.event = event
        self.standIn = standIn
        self.session = session
    }

    /// Applies the action.
    ///
    /// - Parameter registry: has what is shown as a banner, and not in the list.
    /// - Returns: the affected notification, with its content if a tap can lead somewhere by it, or one without an
    ///   identifier for all of an app; nil if there is no such notification.
    func apply(seq: UInt64, at: Int64, _ registry: DeviceRegistry) throws -> TappedNotification? {
        let banner = try registry.banner(for: event, at: at)
        let apps = try event.app.map { [$0] } ?? session.apps(of: standIn.device)
        if event.name == .clear {
            var hasRemoved = banner != nil
            if let banner { try registry.hideBanner(on: standIn.device.string, of: banner.app) }
            for app in apps {
                try withMessage(for: app) { message in
                    if try session.remove(nil, askedBy: message, seq: seq, at: at) != nil { hasRemoved = true }
                }
            }
            return hasRemoved ? (apps.first ?? banner?.app).map { notification($0, "") } : nil
        }
        let listed = try find(in: apps)
        // A banner is on top of its own app, and what has come since for another app is on top of the banner.
        if let banner, listed.map({ $0.app == banner.app || $0.seq < banner.banner.seq }) ?? true {
            try registry.hideBanner(on: standIn.device.string, of: banner.app)
            try withMessage(for: banner.app) { message in
                try BorrowedText.with(banner.banner.identifier) {
                    try session.record(journalKind, for: message, about: $0, seq: seq, at: at)
                }
            }
            return TappedNotification(
                app: banner.app, identifier: banner.banner.identifier, seq: banner.banner.seq,
                payload: banner.banner.payload)
        }
        guard let (app, identifier, _) = listed else { return nil }
        var tapped = notification(app, identifier)
        if event.name == .tap, registry.policy.tapRoutes != nil { tapped = try content(of: tapped) }
        try withMessage(for: app) { message in
            try BorrowedText.with(identifier) {
                try session.record(journalKind, for: message, about: $0, seq: seq, at: at)
            }
            _ = try session.remove([identifier], askedBy: message, seq: seq, at: at)
        }
        return tapped
    }

    /// The notification that the event is about, with its content, as far as that is kept; nil if there is none.
    func target(at: Int64, _ registry: DeviceRegistry) throws -> TappedNotification? {
        let banner = try registry.banner(for: event, at: at)
        let listed = try find(in: try event.app.map { [$0] } ?? session.apps(of: standIn.device))
        if let banner, listed.map({ $0.app == banner.app || $0.seq < banner.banner.seq }) ?? true {
            return TappedNotification(
                app: banner.app, identifier: banner.banner.identifier, seq: banner.banner.seq,
                payload: banner.banner.payload)
        }
        guard let (app, identifier, _) = listed else { return nil }
        return try content(of: notification(app, identifier))
    }

    private func notification(_ app: String, _ identifier: String) -> TappedNotification {
        TappedNotification(app: app, identifier: identifier)
    }

    /// The notification with its payload and what an extension changed.
    private func content(of tapped: TappedNotification) throws -> TappedNotification {
        var found = tapped
        try withMessage(for: tapped.app) { message in
            try session.forEachShown(for: message) { shown in
                guard shown.identifier.string == tapped.identifier else { return }
                found = TappedNotification(
                    app: tapped.app, identifier: tapped.identifier, seq: shown.seq,
                    payload: shown.payload.string, changes: shown.changes.string)
            }
        }
        return found
    }

    private var journalKind: JournalKind { event.name == .tap ? .tapped : .dismissed }

    /// The notifications of an app, oldest first; of all apps if the event names none.
    func identifiers(of app: String) throws -> [String] {
        let apps = app.isEmpty ? try session.apps(of: standIn.device) : [app]
        return try apps.flatMap { app in
            var found: [String] = []
            try withMessage(for: app) { message in
                try session.forEachShown(for: message) { found.append($0.identifier.string) }
            }
            return found
        }
    }

    /// The same, grouped by app.
    func identifiersOfAllApps() throws -> [String: [String]] {
        let apps = try session.apps(of: standIn.device) + [""]
        return try Dictionary(uniqueKeysWithValues: Set(apps).map { ($0, try identifiers(of: $0)) })
    }

    private func withMessage(for app: String, _ body: (PushMessage) throws -> Void) rethrows {
        try BorrowedText.with(app) { app in
            var message = standIn
            message.platform = .ios
            message.topic = app
            message.headers = PushHeaders()
            try body(message)
        }
    }

    /// The notification that the event names; the newest if it names none.
    private func find(in apps: [String]) throws -> (app: String, identifier: String, seq: UInt64)? {
        var found: (app: String, identifier: String, seq: UInt64)?
        var newest: UInt64 = 0
        for app in apps {
            try withMessage(for: app) { message in
                try session.forEachShown(for: message) { shown in
                    if let seq = event.seq, shown.seq != seq { return }
                    if let identifier = event.identifier, shown.identifier.string != identifier { return }
                    guard shown.order >= newest else { return }
                    newest = shown.order
                    found = (app, shown.identifier.string, shown.seq)
                }
            }
        }
        return found
    }
}

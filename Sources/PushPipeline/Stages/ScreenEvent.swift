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
    /// - Returns: the affected app; nil if there is no such notification.
    func apply(seq: UInt64, at: Int64) throws -> String? {
        let apps = try event.app.map { [$0] } ?? session.apps(of: standIn.device)
        if event.name == .clear {
            var hasRemoved = false
            for app in apps {
                try withMessage(for: app) { message in
                    if try session.remove(nil, askedBy: message, seq: seq, at: at) != nil { hasRemoved = true }
                }
            }
            return hasRemoved ? apps.first : nil
        }
        guard let (app, identifier) = try find(in: apps) else { return nil }
        try withMessage(for: app) { message in
            var message = message
            try BorrowedText.with(identifier) {
                message.headers.collapseID = $0
                try session.record(event.name == .tap ? .tapped : .dismissed, for: message, seq: seq, at: at)
            }
            _ = try session.remove([identifier], askedBy: message, seq: seq, at: at)
        }
        return app
    }

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
    private func find(in apps: [String]) throws -> (app: String, identifier: String)? {
        var found: (app: String, identifier: String)?
        var newest: UInt64 = 0
        for app in apps {
            try withMessage(for: app) { message in
                try session.forEachShown(for: message) { shown in
                    if let seq = event.seq, shown.seq != seq { return }
                    if let identifier = event.identifier, shown.identifier.string != identifier { return }
                    guard shown.order >= newest else { return }
                    newest = shown.order
                    found = (app, shown.identifier.string)
                }
            }
        }
        return found
    }
}

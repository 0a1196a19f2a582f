public import DeviceScreens
public import PushModel

/// Delivered notifications, as a device's screens show them, and the journal: in memory (`MemoryStore`) or in a file (`SQLiteStore`).
public protocol NotificationStore: AnyObject {
    /// Hands out what is on the screens, newest last. Nil asks for every device, every app.
    func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void) throws

    /// Hands out one screen after the other, that of the oldest notification first: what an app shows on a device, newest last. There is at
    /// least one notification on each. Payloads and changes may be left out.
    func forEachScreen(device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void) throws

    /// Hands out the journal, oldest first.
    func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws
}

extension NotificationStore {
    /// Groups what is on the screens. It is all in memory meanwhile.
    public func forEachScreen(device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void) throws {
        var positions: [[String]: Int] = [:]
        var screens: [[DeliveredNotification]] = []
        try forEachNotification(device: device, app: app) { notification in
            let position = positions[[notification.device, notification.app], default: screens.count]
            if position == screens.count {
                positions[[notification.device, notification.app]] = position
                screens.append([])
            }
            screens[position].append(notification)
        }
        try screens.forEach(body)
    }

    /// What is on the screens, newest last. Nil asks for every device, every app.
    public func notifications(device: String? = nil, app: String? = nil) throws -> [DeliveredNotification] {
        var found: [DeliveredNotification] = []
        try forEachNotification(device: device, app: app) { found.append($0) }
        return found
    }

    /// The journal, oldest first.
    public func events(device: String? = nil) throws -> [JournalEntry] {
        var found: [JournalEntry] = []
        try forEachEvent(device: device) { found.append($0) }
        return found
    }
}

/// A line of the journal.
public struct JournalEntry: Sendable, Equatable {
    /// Number of the record that caused it.
    public var seq: UInt64
    /// Milliseconds since the epoch.
    public var at: Int64
    /// Token, registration id, topic name or condition.
    public var device: String
    /// Bundle identifier or package name; empty when the record named none.
    public var app: String
    /// What happened.
    public var kind: JournalKind
    /// Of the notification concerned.
    public var identifier: String

    /// Makes an entry.
    public init(seq: UInt64, at: Int64, device: String, app: String, kind: JournalKind, identifier: String) {
        self.seq = seq
        self.at = at
        self.device = device
        self.app = app
        self.kind = kind
        self.identifier = identifier
    }
}

import PushJSON
public import PushModel

/// Delivered notifications on the screens of devices, and the journal: in memory (`MemoryStore`) or in a file
/// (`SQLiteStore` of the product `PushSQLite`).
public protocol NotificationStore: AnyObject {
    /// Calls `body` for each notification on the screens, newest last. Nil selects every device or app.
    func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void) throws

    /// Calls `body` for each screen: what an app shows on a device, newest last. The screen with the oldest
    /// notification comes first, and empty screens are skipped. Payloads and changes may be omitted.
    func forEachScreen(device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void) throws

    /// Calls `body` for each journal line, oldest first.
    func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws

    /// Calls `body` for each Live Activity, in the order in which they began, also for those that have left the lock
    /// screen. Their states are those after the last record. Nil selects every device or app.
    func forEachLiveActivity(device: String?, app: String?, _ body: (LiveActivity) throws -> Void) throws
}

extension NotificationStore {
    /// Groups the notifications by screen. Holds all of them in memory meanwhile.
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

    /// The notifications on the screens, newest last. Nil selects every device or app.
    public func notifications(device: String? = nil, app: String? = nil) throws -> [DeliveredNotification] {
        var found: [DeliveredNotification] = []
        try forEachNotification(device: device, app: app) { found.append($0) }
        return found
    }

    /// Calls nothing: a store that keeps no Live Activities need not say so.
    public func forEachLiveActivity(
        device: String?, app: String?, _ body: (LiveActivity) throws -> Void
    ) throws {}

    /// The Live Activities, in the order in which they began, with their states after the last record.
    public func liveActivities(device: String? = nil, app: String? = nil) throws -> [LiveActivity] {
        var found: [LiveActivity] = []
        try forEachLiveActivity(device: device, app: app) { found.append($0) }
        return found
    }

    /// The journal, oldest first.
    public func events(device: String? = nil) throws -> [JournalEntry] {
        var found: [JournalEntry] = []
        try forEachEvent(device: device) { found.append($0) }
        return found
    }
}

/// A store that a pipeline delivers to: `MemoryStore`, or `SQLiteStore` of the product `PushSQLite`.
public protocol PipelineStore: NotificationStore {
    /// The store as the pipeline sees it. Only the stores of this package have one of their own.
    var deliveries: StoreDeliveries { get }
}

/// The writing side of a store, which only the pipeline can use.
public struct StoreDeliveries {
    package let store: any DeliveryStore
    package init(to store: any DeliveryStore) { self.store = store }
}

/// A line of the journal.
public struct JournalEntry: Sendable, Equatable {
    /// Number of the record that caused it.
    public var seq: UInt64
    /// Milliseconds since the epoch.
    public var at: Int64
    /// The time as a duration since the epoch.
    public var time: Duration { .milliseconds(at) }
    /// Token, registration id, topic name or condition.
    public var device: String
    /// Bundle identifier or package name; empty when the record named none.
    public var app: String
    /// The kind of event.
    public var kind: JournalKind
    /// Identifier of the notification concerned.
    public var identifier: String

    /// The line about a message.
    init(_ kind: JournalKind, seq: UInt64, at: Int64, _ message: DecodedMessage, identifier: BorrowedText) {
        self.init(
            seq: seq, at: at, device: message.device.string, app: message.app.string, kind: kind,
            identifier: identifier.string)
    }

    package init(seq: UInt64, at: Int64, device: String, app: String, kind: JournalKind, identifier: String) {
        self.seq = seq
        self.at = at
        self.device = device
        self.app = app
        self.kind = kind
        self.identifier = identifier
    }
}

public import DeviceRegistry
public import DeviceScreens
public import PayloadJSON
public import PushModel

/// Keeps what is on the screens: in memory (`MemoryStore`), or in a file (`SQLiteStore`).
public protocol NotificationStore: AnyObject {
    /// Runs `body`, the deliveries of one chunk, and keeps what they changed once it returns.
    ///
    /// A pipeline calls this once a chunk, on one thread at a time, and writes the chunk's report only afterwards.
    ///
    /// - Parameter replacementKey: the member of the payload that an extension replaces by, if there is one.
    func transaction(replacementKey: String?, _ body: (any DeliverySession) throws -> Void) throws

    /// Bytes of input that are best delivered in one transaction, when as many lie ready. A slow input's are fewer.
    var preferredTransactionBytes: Int { get }

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
    /// 256 KiB, which the caches of a core hold: enough for a store whose transactions cost nothing.
    public var preferredTransactionBytes: Int { 256 << 10 }

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

/// The store within one transaction. Valid for the duration of the call that hands it out.
public protocol DeliverySession: AnyObject {
    /// Number of the last record that the store knows of; 0 in a new one. A pipeline sets it as it goes on.
    var lastSequence: UInt64 { get set }

    /// When the last delivery before this transaction was, in milliseconds since the epoch; nil when that is not known, or there was none.
    var latestTime: Int64? { get }

    /// Is told what the journal is told, for as long as it is set. A pipeline sets it only to trace messages.
    var log: DeliveryLog? { get set }

    /// The devices that are known, and what is held for them: part of the store, and of its transactions.
    var registry: DeviceRegistry { get }

    /// The apps that have shown something on a device, in the order in which they were first seen.
    func apps(of device: BorrowedText) throws -> [String]

    /// Takes down in the journal what happened to a message that is not shown.
    func record(_ event: JournalKind, for message: PushMessage, seq: UInt64, at: Int64) throws

    /// What the app shows that a push is for.
    func screen(for message: PushMessage) throws -> ScreenState

    /// Lets an accepted message arrive at its device.
    ///
    /// - Parameter at: milliseconds since the epoch.
    func deliver(_ message: PushMessage, seq: UInt64, at: Int64) throws -> Delivery

    /// Keeps, with the deliveries of this transaction, how far the input has come, and the report of them.
    ///
    /// - Parameter report: lines as they are about to be written; empty when there is nothing to repeat.
    func keep(_ progress: InputProgress?, report: UnsafeRawBufferPointer) throws

    /// Hands out what the app shows that a push is for, oldest first.
    func forEachShown(for message: PushMessage, _ body: (ShownNotification) throws -> Void) throws

    /// Takes notifications off the screen of the app that a push was for, as its service extension asks for. Nil stands for all.
    ///
    /// - Returns: `seq` of the newest that is gone; nil when there was none.
    func remove(_ identifiers: [String]?, askedBy message: PushMessage, seq: UInt64, at: Int64) throws -> UInt64?
}

extension DeliverySession {
    /// Nil: what one pipeline delivers, it knows by itself.
    public var latestTime: Int64? { nil }
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

package import DeviceRegistry
public import DeviceScreens
package import PayloadJSON
package import PushModel

/// Keeps notifications in memory for as long as the process runs.
///
/// Takes about 120 bytes and the payload per notification. Not thread-safe: use it from one pipeline, or one reader, at
/// a time.
public final class MemoryStore: NotificationStore {
    // SOUND: nothing that a mutation calls comes back here, so the dynamic exclusivity check, which costs a fifth of a
    // delivery, would find nothing.
    @exclusivity(unchecked) private var uncheckedCenters = NotificationCenters(keepsPayloads: true)
    @exclusivity(unchecked) private var uncheckedRecorder: MemoryRecorder
    fileprivate var centers: NotificationCenters {
        _read { yield unsafe uncheckedCenters }
        _modify { yield unsafe &uncheckedCenters }
    }
    fileprivate var recorder: MemoryRecorder {
        _read { yield unsafe uncheckedRecorder }
        _modify { yield unsafe &uncheckedRecorder }
    }
    /// The known devices.
    package let registry = DeviceRegistry()
    /// Number of the last record.
    package var lastSequence: UInt64 = 0

    /// An empty store.
    ///
    /// - Parameter keepsJournal: whether to keep `events`, which grow with every notification.
    public init(keepsJournal: Bool = true) {
        unsafe uncheckedRecorder = MemoryRecorder(keepsJournal: keepsJournal)
    }

    /// Calls `body` for each notification on the screens, newest last.
    public func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try centers.notifications(device: device, app: app).forEach(body)
    }

    /// Calls `body` for each journal line, oldest first. There are none when no journal is kept.
    public func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        for entry in recorder.journal where device == nil || entry.device == device { try body(entry) }
    }

    /// The number on an app's icon; nil when no push has set it.
    public func badge(device: String, app: String) -> Int? {
        centers.badge(device: device, app: app)
    }
}

extension MemoryStore: DeliveryStore {
    /// Runs `body`. Its deliveries are kept even when it throws: there is no earlier state to restore.
    package func transaction(replacementKey: String?, _ body: (StoreTransaction) throws -> Void) throws {
        try registry.begin(forgetting: false)
        try body(StoreTransaction(screens: self, registry: registry, progress: self, journal: self))
    }
}

extension MemoryStore: ProgressKeeper {
    /// Nil: a pipeline knows its own deliveries.
    package var latestTime: Int64? { nil }

    /// Does nothing: memory does not survive an interrupted run.
    package func checkpoint(_ progress: InputProgress?, report: UnsafeRawBufferPointer) {}
}

extension MemoryStore: ObservedJournal {
    /// Receives every journal line while it is set.
    package var log: DeliveryLog? {
        get { recorder.log }
        set { recorder.log = newValue }
    }
}

extension MemoryStore: DeliverySession {
    /// Delivers an accepted message to its device.
    package func deliver(_ message: PushMessage, seq: UInt64, at: Int64) -> Delivery {
        centers.deliver(message, seq: seq, at: at, recorder: &recorder)
    }

    /// The apps that have shown something on a device.
    package func apps(of device: BorrowedText) -> [String] { centers.apps(of: device).map(\.string) }

    /// Adds a journal line about a message that is not shown.
    package func record(_ event: JournalKind, for message: PushMessage, seq: UInt64, at: Int64) {
        centers.record(event, for: message, seq: seq, at: at, recorder: &recorder)
    }

    /// The screen of the app that a push is for.
    package func screen(for message: PushMessage) -> ScreenState {
        let state = centers.state(device: message.device, app: message.app)
        return ScreenState(count: state?.count ?? 0, badge: state?.badge)
    }

    /// Calls `body` for each notification of the app that a push is for, oldest first.
    package func forEachShown(for message: PushMessage, _ body: (ShownNotification) throws -> Void) rethrows {
        try centers.forEachShown(for: message, body)
    }

    /// Removes notifications of the app that a push was for. Nil removes all of them.
    package func remove(
        _ identifiers: [String]?, askedBy message: PushMessage, seq: UInt64, at: Int64
    ) -> UInt64? {
        centers.remove(identifiers, askedBy: message, seq: seq, at: at, recorder: &recorder)
    }
}

private struct MemoryRecorder: DeliveryRecorder {
    private let keepsJournal: Bool
    var journal: [JournalEntry] = []
    var log: DeliveryLog? {
        didSet { isListening = keepsJournal || log != nil }
    }
    private var isListening: Bool

    init(keepsJournal: Bool) {
        self.keepsJournal = keepsJournal
        isListening = keepsJournal
    }

    func add(order: UInt64, _ message: PushMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText) {}
    func remove(order: UInt64) {}
    func setBadge(_ badge: Int, center: Int) {}

    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: PushMessage, identifier: BorrowedText
    ) {
        guard isListening else { return }
        log?.record(event, seq: seq, at: at, message, identifier: identifier)
        guard keepsJournal else { return }
        journal.append(
            JournalEntry(
                seq: seq, at: at, device: message.device.string, app: message.app.string, kind: event,
                identifier: identifier.string))
    }
}

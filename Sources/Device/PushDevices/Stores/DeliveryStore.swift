package import PushDecoding
package import PushJSON
package import PushModel

/// A store that a pipeline delivers to: the writing side of a `NotificationStore`.
package protocol DeliveryStore: PipelineStore {
    /// Runs `body`, the deliveries of one chunk, and commits what they changed once it returns.
    ///
    /// A pipeline calls this once per chunk, on one thread at a time, and writes the chunk's report only afterwards.
    ///
    /// - Parameter rule: how an extension finds what a new notification replaces; nil without such an extension.
    func transaction(replacing rule: ReplacementRule?, _ body: (StoreTransaction) throws -> Void) throws

    /// Lets `body` ask what is known of devices. Nothing is written, and no other process is kept from writing. Not to be called
    /// within a transaction.
    ///
    /// - Parameter rule: that of the transactions.
    func readRegistry(replacing rule: ReplacementRule?, _ body: (DeviceRegistry) throws -> Void) throws

    /// Calls `body` for each token that became invalid since a time, in milliseconds since the epoch, and for each valid one that
    /// another replaces: no time is known for these.
    func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws

    /// How many notifications on the screens should have been removed. Not to be called within a transaction.
    func staleCount() throws -> StaleCount

    /// Bytes of input to deliver in one transaction, if that much can be read at once. Transactions of a slow input are
    /// smaller. May change after a transaction.
    var preferredTransactionBytes: Int { get }

    /// The store, if it can deliver to several devices at once; nil if it delivers one message at a time.
    var lanes: MemoryStore? { get }
}

extension DeliveryStore {
    /// Within a transaction.
    package func readRegistry(replacing rule: ReplacementRule?, _ body: (DeviceRegistry) throws -> Void) throws {
        try transaction(replacing: rule) { try body($0.registry) }
    }

    package func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws {}

    package func staleCount() throws -> StaleCount { StaleCount() }

    package var lanes: MemoryStore? { nil }
    /// 256 KiB, which fits into the caches of a core: enough for a store whose transactions cost nothing.
    package var preferredTransactionBytes: Int { 256 << 10 }
}

/// A store in a file, which outlives its process, so that a run can go on where another one stopped.
package protocol StoreFile: DeliveryStore, BrowsableStore {
    /// Seconds that a transaction waits while another process writes.
    var patience: Int { get set }

    /// Keeps little in memory from now on, for a process that runs for long: what is in the file need not be in memory.
    func keepLittle() throws

    /// How much of a file earlier runs have delivered into the store; nil for nothing.
    ///
    /// - Parameter path: as `InputProgress` has it.
    func progress(of path: String) throws -> InputProgress?

    /// The report lines of the last commit of deliveries.
    func lastReport() throws -> [UInt8]

    /// Call when the report has been read, as far as that can be known.
    func forgetLastReport() throws

    /// Which part of a divided input the store holds; nil for a store of whole inputs.
    func part() throws -> PartMark?

    /// The last record of each stream of an engine whose deliveries the store has, by the names of the streams.
    func streamOffsets() throws -> [StreamOffset]

    /// A number that changes when another process has written to the store. Ask a few times a second.
    ///
    /// - Throws: `StoreError`, as long as there is no store.
    func version() throws -> Int64
}

/// How many stale duplicates a store has: notifications on the screens whose removal comes late, or was lost.
package struct StaleCount: Sendable, Equatable {
    /// Stale notifications on the screens.
    package var shown = 0
    /// Removals that are not due yet.
    package var pending = 0

    package init(shown: Int = 0, pending: Int = 0) {
        self.shown = shown
        self.pending = pending
    }
}

/// A token that a provider should no longer send to, as `pushpipe store feedback` lists it.
package struct DeadToken: Sendable, Equatable {
    /// Token or registration id.
    package var device: String
    /// Bundle identifier or package name; empty for an entry that stands for every app of the device.
    package var app: String
    /// The kind of device.
    package var platform: Platform
    /// When the token became invalid, in milliseconds since the epoch; nil for one that is valid but replaced by
    /// another.
    package var unregisteredAt: Int64?
    /// The token to use instead of this one.
    package var canonical: String?

    package init(
        device: String, app: String, platform: Platform, unregisteredAt: Int64? = nil, canonical: String? = nil
    ) {
        self.device = device
        self.app = app
        self.platform = platform
        self.unregisteredAt = unregisteredAt
        self.canonical = canonical
    }
}

/// The parts of a store within one transaction. Valid only for the duration of the call that passes it.
package struct StoreTransaction {
    package let screens: any DeliverySession
    /// Which devices exist, and what is queued for them.
    package let registry: DeviceRegistry
    /// The progress of the input.
    package let progress: any ProgressKeeper
    /// Removals that are not due yet.
    package let removals: LateRemovals

    package init(
        screens: any DeliverySession, registry: DeviceRegistry, progress: any ProgressKeeper,
        removals: LateRemovals = LateRemovals()
    ) {
        self.removals = removals
        self.screens = screens
        self.registry = registry
        self.progress = progress
    }
}

/// The screens of all devices within a transaction.
package protocol DeliverySession: AnyObject {
    /// Delivers an accepted message to its device.
    ///
    /// - Parameter at: milliseconds since the epoch.
    func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) throws -> Delivery

    /// Calls `body` for each notification of the app that a push is for, oldest first.
    func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) throws

    /// Removes notifications of the app that a push was for, at the request of its service extension. Nil removes all
    /// of them.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    func remove(_ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64) throws -> UInt64?

    /// Takes note of a removal that is not done when its extension's notification appears; see `NotificationCenters.removeLate`.
    func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?) throws

    /// Receives every journal line while it is set, for tracing messages.
    var log: DeliveryLog? { get set }

    /// How many notifications an Android app shows at most; the next ones are dropped.
    var mostOnAndroid: Int { get set }

    /// True if the screen of a message's app is full, so that Android is going to drop the message's notification.
    func isFull(for message: DecodedMessage) throws -> Bool

    /// Writes a journal line about a message that is not shown.
    ///
    /// - Parameter subject: the subject of the line, such as the screen of an app; nil for the message's notification.
    func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64) throws

    /// Prepares for the messages of a chunk, which this transaction delivers.
    ///
    /// - Parameter input: where most of their texts are. It must stay as it is until the transaction ends.
    @unsafe
    func prepare(for input: UnsafeRawBufferPointer, messages: Int)

    /// Takes the removals that came late in the deliveries since the last call.
    func takeLateRemovals() -> [LateRemoval]

    func screen(for message: DecodedMessage) throws -> ScreenState

    /// The apps that have shown something on a device, in the order in which they were first seen.
    func apps(of device: BorrowedText) throws -> [String]

    /// The apps that show something on a device now, in that order.
    func appsShowing(on device: BorrowedText) throws -> [String]

    /// The identifiers of what the app that a message is for shows, oldest first.
    func identifiers(for message: DecodedMessage) throws -> [String]

    /// The newest notification on a device that an event means; nil if there is none.
    func newest(on device: BorrowedText, _ query: NotificationQuery) throws -> FoundNotification?

    /// A notification of the app that a message is for: the number of its record, and its payload and what an extension changed, as far as
    /// they are kept. Nil if the app shows none with the identifier.
    func content(
        of identifier: String, for message: DecodedMessage
    ) throws -> (seq: UInt64, payload: String, changes: String)?

    /// Applies a push to Live Activities.
    ///
    /// - Parameters:
    ///   - target: index of the target; nil for a request with one target.
    ///   - at: milliseconds since the epoch.
    func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) throws -> LiveActivities.Answer

    /// An app has got tokens for its Live Activities; see `LiveActivities.claim`.
    func claim(
        _ activityTokens: [String], of known: [String], device: String, app: String, at: Int64
    ) throws -> [String]

    /// Takes Live Activities off the lock screen; see `LiveActivities.dismiss`.
    func dismissActivities(_ identifier: String?, device: String, app: String?, at: Int64) throws -> [LiveActivity]

    /// Sets the time of the last record, which determines what Live Activities have become stale or left the lock screen.
    func advance(to time: Int64)
}

extension DeliverySession {
    @unsafe
    package func prepare(for input: UnsafeRawBufferPointer, messages: Int) {}

    package func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?
    ) throws {}

    package func takeLateRemovals() -> [LateRemoval] { [] }

    package func identifiers(for message: DecodedMessage) throws -> [String] {
        var found: [String] = []
        try forEachShown(for: message) { found.append($0.identifier.string) }
        return found
    }

    /// Writes a journal line about a message's notification.
    package func record(_ event: JournalKind, for message: DecodedMessage, seq: UInt64, at: Int64) throws {
        try record(event, for: message, about: nil, seq: seq, at: at)
    }
}

/// The state of an app's screen on a device.
package struct ScreenState: Sendable, Equatable {
    /// Notifications on the screen.
    package var count: Int
    /// The number on the app's icon; nil when no push has set it.
    package var badge: Int?

    package init(count: Int, badge: Int?) {
        self.count = count
        self.badge = badge
    }
}

/// Stores the progress of a run together with its results, in the same transaction.
package protocol ProgressKeeper: AnyObject {
    /// Number of the last record in the store; 0 in a new store. A pipeline updates it as it proceeds.
    var lastSequence: UInt64 { get set }

    /// Time of the last delivery before this transaction, in milliseconds since the epoch; nil when unknown, or when
    /// there was none.
    var latestTime: Int64? { get }

    /// Stores the progress of the input, and the report of this transaction's deliveries.
    ///
    /// - Parameter report: returns the lines as they are about to be written; nil when nothing would have to be repeated. Called once, when the
    ///   deliveries have been written.
    func checkpoint(_ progress: InputProgress?, report: @escaping () -> BorrowedText?) throws

    /// Which part of a divided input the store holds; nil for a store of whole inputs.
    func part() throws -> PartMark?

    /// Says which part of a divided input the store holds.
    func setPart(_ part: PartMark) throws

    /// The last record of an engine's stream whose deliveries the store has; nil when it has none.
    func offset(ofStream stream: String) throws -> String?

    /// Says which record of an engine's stream was delivered last.
    func setOffset(_ offset: StreamOffset) throws

    /// Says where in the original input the following rows belong, in the store of a part.
    func setRowPlace(_ place: RowPlace)

    /// Says the same of the rows of devices alone, which a message may change ahead of its turn.
    func setPlaceOfDevices(_ place: RowPlace)
}

/// A store that does not outlive its process keeps nothing of this.
extension ProgressKeeper {
    package func part() throws -> PartMark? { nil }
    package func setPart(_ part: PartMark) throws {}
    package func offset(ofStream stream: String) throws -> String? { nil }
    package func setOffset(_ offset: StreamOffset) throws {}
    package func setRowPlace(_ place: RowPlace) {}
    package func setPlaceOfDevices(_ place: RowPlace) {}
}

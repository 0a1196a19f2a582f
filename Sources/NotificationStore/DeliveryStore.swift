package import DeviceRegistry
package import DeviceScreens
package import PayloadJSON
package import PushModel

/// A store that a pipeline delivers to: the writing side of a `NotificationStore`.
package protocol DeliveryStore: NotificationStore {
    /// Runs `body`, the deliveries of one chunk, and commits what they changed once it returns.
    ///
    /// A pipeline calls this once a chunk, on one thread at a time, and writes the chunk's report only afterwards.
    ///
    /// - Parameter replacementKey: the member of the payload that an extension replaces by, if there is one.
    func transaction(replacementKey: String?, _ body: (StoreTransaction) throws -> Void) throws

    /// Bytes of input that are best delivered in one transaction, when that much can be read. A slow input's transactions are smaller.
    var preferredTransactionBytes: Int { get }
}

extension DeliveryStore {
    /// 256 KiB, which the caches of a core hold: enough for a store whose transactions cost nothing.
    package var preferredTransactionBytes: Int { 256 << 10 }
}

/// The parts of a store within one transaction. Valid for the duration of the call that hands it out.
package struct StoreTransaction {
    /// What is on the screens.
    package let screens: any DeliverySession
    /// Which devices exist, and what is queued for them.
    package let registry: DeviceRegistry
    /// How far the input has come.
    package let progress: any ProgressKeeper
    /// What happens on the screens, for whoever traces messages.
    package let journal: any ObservedJournal

    package init(
        screens: any DeliverySession, registry: DeviceRegistry, progress: any ProgressKeeper,
        journal: any ObservedJournal
    ) {
        self.screens = screens
        self.registry = registry
        self.progress = progress
        self.journal = journal
    }
}

/// The screens of all devices within a transaction.
package protocol DeliverySession: AnyObject {
    /// Lets an accepted message arrive at its device.
    ///
    /// - Parameter at: milliseconds since the epoch.
    func deliver(_ message: PushMessage, seq: UInt64, at: Int64) throws -> Delivery

    /// Writes a line of the journal about a message that is not shown.
    func record(_ event: JournalKind, for message: PushMessage, seq: UInt64, at: Int64) throws

    /// Removes notifications of the app that a push was for, as its service extension asks. Nil stands for all.
    ///
    /// - Returns: `seq` of the newest one removed; nil when there was none.
    func remove(_ identifiers: [String]?, askedBy message: PushMessage, seq: UInt64, at: Int64) throws -> UInt64?

    /// What the app shows that a push is for.
    func screen(for message: PushMessage) throws -> ScreenState

    /// Hands out what the app shows that a push is for, oldest first.
    func forEachShown(for message: PushMessage, _ body: (ShownNotification) throws -> Void) throws

    /// The apps that have shown something on a device, in the order in which they were first seen.
    func apps(of device: BorrowedText) throws -> [String]
}

/// Keeps how far a run has come with what came of it, in the same transaction.
package protocol ProgressKeeper: AnyObject {
    /// Number of the last record that the store knows of; 0 in a new store. A pipeline sets it as it goes on.
    var lastSequence: UInt64 { get set }

    /// Time of the last delivery before this transaction, in milliseconds since the epoch; nil when it is unknown, or there was none.
    var latestTime: Int64? { get }

    /// Keeps how far the input has come, and the report of this transaction's deliveries.
    ///
    /// - Parameter report: lines as they are about to be written; empty when there is nothing to repeat.
    func checkpoint(_ progress: InputProgress?, report: UnsafeRawBufferPointer) throws
}

/// A journal that can be observed while messages are traced.
package protocol ObservedJournal: AnyObject {
    /// Gets every line of the journal for as long as it is set.
    var log: DeliveryLog? { get set }
}

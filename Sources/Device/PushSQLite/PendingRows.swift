import PayloadJSON
import PushModel
import PushStore

/// Rows that a transaction is going to write, with copies of their texts: those of a message are borrowed for the
/// duration of its delivery, unless they are in the input that stays until the transaction ends.
@safe  // SOUND: `input` is only compared with, and whoever sets it vouches for what it says.
struct PendingRows: ~Copyable {
    /// A row of the table `notification`.
    struct Notification {
        var order: UInt64
        var center: Int64
        var seq: UInt64
        var at: Int64
        var target: Int?
        var badge: Int?
        var identifier: BorrowedText?
        var title: BorrowedText?
        var subtitle: BorrowedText?
        var body: BorrowedText?
        var thread: BorrowedText?
        var payload: BorrowedText
        var changes: BorrowedText?
        /// True if another one has taken its place in the meantime.
        var isRemoved = false
        /// Since when it should have been removed, in milliseconds since the epoch; nil if it should not.
        var staleSince: Int64?
    }

    /// A row of the table `center`.
    struct Center {
        var id: Int64
        /// Its position among the `NotificationCenters`.
        var position: Int
        var device: BorrowedText
        var app: BorrowedText
        var badge: Int?
    }

    /// A row of the table `event`.
    struct Event {
        var id: Int64
        var seq: UInt64
        var at: Int64
        var center: Int64
        var kind: JournalKind
        var identifier: BorrowedText
    }

    /// In the order of their ids.
    private(set) var centers: [Center] = []
    /// In the order of delivery.
    private(set) var notifications: [Notification] = []
    private(set) var events: [Event] = []
    /// Notifications to delete from the file.
    private(set) var removedOrders: [UInt64] = []
    /// Notifications to mark in the file.
    private(set) var staleOrders: [(order: UInt64, since: Int64)] = []
    private(set) var byteCount = 0
    private var texts = ScratchArena()
    /// Bytes that stay where they are until the transaction ends. A text among them is not copied.
    private var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// Ordinary input of the largest transaction has fewer messages. Of more, few may be shown.
    private static let mostExpected = 1 << 16

    /// Prepares for the rows of an input.
    ///
    /// - Parameters:
    ///   - input: bytes that stay where they are until the transaction ends.
    ///   - messages: about the number of notifications and journal lines. Arrays that grow step by step use several times their memory.
    @unsafe
    mutating func prepare(for input: UnsafeRawBufferPointer, messages: Int) {
        unsafe self.input = unsafe input
        let rows = min(messages, Self.mostExpected)
        notifications.reserveCapacity(rows)
        events.reserveCapacity(rows)
    }

    /// Forgets the input, which may go now.
    mutating func forgetInput() { unsafe input = unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

    /// True if there is nothing to write.
    var isEmpty: Bool {
        notifications.isEmpty && events.isEmpty && centers.isEmpty && removedOrders.isEmpty && staleOrders.isEmpty
    }

    /// Adds an app on a device. Its id must be greater than those before.
    mutating func addCenter(id: Int64, position: Int, device: BorrowedText, app: BorrowedText) {
        byteCount += MemoryLayout<Center>.stride
        centers.append(Center(id: id, position: position, device: copy(device), app: copy(app)))
    }

    mutating func setBadge(_ badge: Int?, ofCenter index: Int) { centers[index].badge = badge }

    /// Adds a notification. Its order must be greater than those before.
    mutating func add(_ message: DecodedMessage, order: UInt64, seq: UInt64, at: Int64, center: Int64) {
        let content = message.content
        byteCount += MemoryLayout<Notification>.stride
        notifications.append(
            Notification(
                order: order, center: center, seq: seq, at: at, target: message.target, badge: content.badge,
                identifier: message.identifier.map { copy($0) }, title: text(content.title),
                subtitle: text(content.subtitle), body: text(content.body), thread: text(content.thread),
                payload: copy(message.payload), changes: message.changes.isEmpty ? nil : copy(message.changes)))
    }

    /// Removes a notification, which need not be among these. O(log n).
    mutating func remove(order: UInt64) {
        if let position = position(of: order) {
            notifications[position].isRemoved = true
        } else {
            removedOrders.append(order)
        }
    }

    /// Marks a notification as stale, which need not be among these. O(log n).
    mutating func markStale(order: UInt64, since: Int64) {
        if let position = position(of: order) {
            notifications[position].staleSince = since
        } else {
            staleOrders.append((order, since))
        }
    }

    /// A notification among these; nil for any other.
    func notification(order: UInt64) -> Notification? { position(of: order).map { notifications[$0] } }

    private func position(of order: UInt64) -> Int? {
        var low = 0
        var high = notifications.count
        while low < high {
            let middle = low + (high - low) / 2
            if notifications[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low < notifications.count && notifications[low].order == order ? low : nil
    }

    /// Adds a journal line. Its id must be greater than those before.
    mutating func record(
        _ kind: JournalKind, id: Int64, seq: UInt64, at: Int64, center: Int64, identifier: BorrowedText
    ) {
        byteCount += MemoryLayout<Event>.stride
        events.append(Event(id: id, seq: seq, at: at, center: center, kind: kind, identifier: copy(identifier)))
    }

    /// Drops the notifications that were removed. Their texts stay until `removeAll`.
    mutating func dropRemoved() { notifications.removeAll(where: \.isRemoved) }

    /// Drops everything, and keeps the memory for reuse.
    mutating func removeAll() {
        centers.removeAll(keepingCapacity: true)
        notifications.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        removedOrders.removeAll(keepingCapacity: true)
        if !staleOrders.isEmpty { staleOrders.removeAll(keepingCapacity: true) }
        texts.reset()
        byteCount = 0
    }

    // MARK: - Texts

    private mutating func copy(_ text: BorrowedText) -> BorrowedText {
        byteCount += text.count
        // SOUND: what is in the input stays there. Any other text is valid for the duration of the call that passes it, and is copied.
        if let start = unsafe input.baseAddress, unsafe UnsafeRawPointer(text.start) >= start,
            unsafe UnsafeRawPointer(text.start) < start + input.count
        {
            return text
        }
        return unsafe texts.copy(UnsafeRawBufferPointer(text.buffer))
    }

    private mutating func text(_ string: JSONString?) -> BorrowedText? {
        guard let string else { return nil }
        guard string.hasEscapes else { return copy(string.raw) }
        byteCount += string.count
        return texts.text(string)
    }
}

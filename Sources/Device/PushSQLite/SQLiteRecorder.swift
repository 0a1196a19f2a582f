import PushDevices
import PushJSON
import PushModel

/// Writes the changes that deliveries make, in three steps: it collects the rows of a transaction, forgets notifications
/// that are removed before they are written, and writes the rest in `flush`.
///
/// It copies the texts of rows: those of a message are borrowed for the duration of its delivery, unless they are in the input that stays until
/// the transaction ends.
@safe  // SOUND: `input` is only compared with, and whoever sets it vouches for what it says.
struct SQLiteRecorder: DeliveryRecorder, ~Copyable {
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
    private struct NewCenter {
        var id: Int64
        /// Its position among the `NotificationCenters`.
        var position: Int
        var device: BorrowedText
        var app: BorrowedText
        var badge: Int?
    }

    /// A row of the table `event`.
    private struct Event {
        var id: Int64
        var seq: UInt64
        var at: Int64
        var center: Int64
        var kind: JournalKind
        var identifier: BorrowedText
    }

    /// The apps on devices, by position among the `NotificationCenters`.
    private var centers: [Center] = []
    /// Positions of the centers whose badge has not been written yet.
    private var changedBadges: [Int] = []
    var log: DeliveryLog?
    private let ids: RowIDs
    private let statements: Statements
    /// New apps on devices, in the order of their ids.
    private var newCenters: [NewCenter] = []
    /// New notifications, in the order of delivery.
    private var notifications: [Notification] = []
    private var events: [Event] = []
    /// Notifications to delete from the file.
    private var removedOrders: [UInt64] = []
    /// Notifications to mark in the file.
    private var staleOrders: [(order: UInt64, since: Int64)] = []
    private var pendingBytes = 0
    private var texts = ScratchArena()
    /// Bytes that stay where they are until the transaction ends. A text among them is not copied.
    private var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// Bytes of the rows of this transaction, as collected.
    private(set) var writtenBytes = 0

    /// Twice what an ordinary transaction of the largest size collects.
    private static let maximumPendingBytes = 64 << 20
    /// Ordinary input of the largest transaction has fewer messages. Of more, few may be shown.
    private static let mostExpected = 1 << 16

    private struct Center {
        var rowID: Int64
        /// The badge in the file.
        var badge: Int?
        var changedBadge: Int?
    }

    init(_ statements: Statements, _ ids: RowIDs) {
        self.statements = statements
        self.ids = ids
    }

    mutating func begin() {
        writtenBytes = 0
        unsafe input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }

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

    /// Adds the row id and the stored badge of the next center of the `NotificationCenters`.
    mutating func addCenter(id: Int64, badge: Int?) { centers.append(Center(rowID: id, badge: badge)) }

    /// Adds a center that is not in the file. Its row gets the badge that it has when it is written.
    mutating func addNewCenter(id: Int64, device: BorrowedText, app: BorrowedText) {
        pendingBytes += MemoryLayout<NewCenter>.stride
        newCenters.append(NewCenter(id: id, position: centers.count, device: copy(device), app: copy(app)))
        centers.append(Center(rowID: id))
    }

    func rowID(center: Int) -> Int64 { centers[center].rowID }

    /// Drops the centers, and rows that have not been written.
    mutating func removeAll() {
        centers.removeAll(keepingCapacity: true)
        changedBadges.removeAll()
        removePending()
    }

    /// Drops rows that have not been written, and keeps the memory for reuse.
    private mutating func removePending() {
        newCenters.removeAll(keepingCapacity: true)
        notifications.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        removedOrders.removeAll(keepingCapacity: true)
        if !staleOrders.isEmpty { staleOrders.removeAll(keepingCapacity: true) }
        texts.reset()
        pendingBytes = 0
    }

    /// Writes what has been collected if it takes much memory. Call it after each delivery, which cannot throw.
    mutating func flushIfLarge() throws {
        if pendingBytes > Self.maximumPendingBytes { try flush() }
    }

    // MARK: - Collecting

    mutating func add(
        order: UInt64, _ message: DecodedMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText
    ) {
        let content = message.content
        pendingBytes += MemoryLayout<Notification>.stride
        notifications.append(
            Notification(
                order: order, center: centers[center].rowID, seq: seq, at: at, target: message.target,
                badge: content.badge, identifier: message.identifier.map { copy($0) }, title: text(content.title),
                subtitle: text(content.subtitle), body: text(content.body), thread: text(content.thread),
                payload: copy(message.payload), changes: message.changes.isEmpty ? nil : copy(message.changes)))
    }

    /// Removes a notification, which need not have been collected. O(log n).
    mutating func remove(order: UInt64) {
        if let position = position(of: order) {
            notifications[position].isRemoved = true
        } else {
            removedOrders.append(order)
        }
    }

    /// Marks a notification as stale, which need not have been collected. O(log n).
    mutating func markStale(order: UInt64, since: Int64) {
        if let position = position(of: order) {
            notifications[position].staleSince = since
        } else {
            staleOrders.append((order, since))
        }
    }

    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText
    ) {
        record(event, seq: seq, at: at, center: center, identifier: identifier)
        log?.record(event, seq: seq, at: at, message, identifier: identifier)
    }

    /// Adds a journal line that is not observed.
    mutating func record(_ event: JournalKind, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText) {
        pendingBytes += MemoryLayout<Event>.stride
        events.append(
            Event(
                id: ids.next(.event), seq: seq, at: at, center: centers[center].rowID, kind: event,
                identifier: copy(identifier)))
    }

    /// Notes the badge of an app: only the last one within a transaction matters, and it is written at the end.
    mutating func setBadge(_ badge: Int, center: Int) {
        if centers[center].changedBadge == nil { changedBadges.append(center) }
        centers[center].changedBadge = badge
    }

    /// A notification that has not been written yet, valid until it is. Nil for any other.
    func pendingNotification(order: UInt64) -> Notification? { position(of: order).map { notifications[$0] } }

    private func position(of order: UInt64) -> Int? {
        var low = 0
        var high = notifications.count
        while low < high {
            let middle = low + (high - low) / 2
            if notifications[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low < notifications.count && notifications[low].order == order ? low : nil
    }

    private mutating func copy(_ text: BorrowedText) -> BorrowedText {
        pendingBytes += text.count
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
        pendingBytes += string.count
        return texts.text(string)
    }

    // MARK: - Writing

    /// Writes what has been collected. Call it before rows are read.
    mutating func flush() throws {
        guard
            !notifications.isEmpty || !events.isEmpty || !newCenters.isEmpty || !removedOrders.isEmpty
                || !staleOrders.isEmpty
        else { return }
        writtenBytes += pendingBytes
        // Whatever fails here ends the transaction.
        defer { removePending() }
        try writeCenters()
        for order in removedOrders.sorted() {
            statements.deleteNotification.bind(1, order)
            try statements.deleteNotification.run()
        }
        for (order, since) in staleOrders {
            statements.markStale.bind(1, since)
            statements.markStale.bind(2, order)
            try statements.markStale.run()
        }
        notifications.removeAll(where: \.isRemoved)
        try statements.notifications.insert(notifications) { statement, first, row in
            statement.bind(first, row.order)
            statement.bind(first + 1, row.center)
            statement.bind(first + 2, row.seq)
            statement.bind(first + 3, row.target)
            statement.bind(first + 4, row.identifier)
            statement.bind(first + 5, row.title)
            statement.bind(first + 6, row.subtitle)
            statement.bind(first + 7, row.body)
            statement.bind(first + 8, row.thread)
            statement.bind(first + 9, row.badge)
            statement.bind(first + 10, row.at)
            statement.bind(first + 11, row.payload)
            statement.bind(first + 12, row.changes)
            statement.bind(first + 13, row.staleSince.map { Int($0) })
        }
        try statements.events.insert(events) { statement, first, row in
            statement.bind(first, row.id)
            statement.bind(first + 1, row.seq)
            statement.bind(first + 2, row.at)
            statement.bind(first + 3, row.center)
            statement.bind(first + 4, BorrowedText(row.kind.name))
            statement.bind(first + 5, row.identifier)
        }
    }

    private mutating func writeCenters() throws {
        for index in newCenters.indices {
            let position = newCenters[index].position
            let badge = centers[position].changedBadge
            centers[position].badge = badge
            newCenters[index].badge = badge
        }
        try statements.centers.insert(newCenters) { statement, first, row in
            statement.bind(first, row.id)
            statement.bind(first + 1, row.device)
            statement.bind(first + 2, row.app)
            statement.bind(first + 3, row.badge)
        }
    }

    mutating func writeBadges() throws {
        // About the order of their rows: a page is then found and changed once.
        changedBadges.sort()
        for center in changedBadges where centers[center].changedBadge != centers[center].badge {
            statements.updateBadge.bind(1, centers[center].changedBadge)
            statements.updateBadge.bind(2, centers[center].rowID)
            try statements.updateBadge.run()
            centers[center].badge = centers[center].changedBadge
        }
        for center in changedBadges { centers[center].changedBadge = nil }
        changedBadges.removeAll(keepingCapacity: true)
    }

    struct Statements {
        fileprivate let centers: BatchInsertion
        fileprivate let notifications: BatchInsertion
        fileprivate let events: BatchInsertion
        fileprivate let deleteNotification: PreparedStatement
        fileprivate let updateBadge: PreparedStatement
        fileprivate let markStale: PreparedStatement

        init(_ database: Database) throws {
            centers = try BatchInsertion(database, StoreQuery.insertNewCenter, columns: 4)
            notifications = try BatchInsertion(database, StoreQuery.insertNotification, columns: 14)
            events = try BatchInsertion(database, StoreQuery.insertEvent, columns: 6)
            deleteNotification = try PreparedStatement(database, StoreQuery.deleteNotification)
            markStale = try PreparedStatement(database, "UPDATE notification SET stale_since = ? WHERE id = ?")
            updateBadge = try PreparedStatement(database, "UPDATE center SET badge = ? WHERE id = ?")
        }
    }
}

/// Inserts rows, several with one statement: SQLite then opens the table once, and finds its end once.
private struct BatchInsertion {
    /// Rows of a statement. More save little, and SQLite allows 999 parameters on older systems.
    private static let batchRows = 16

    private let one: PreparedStatement
    private let batch: PreparedStatement
    private let columns: Int

    /// - Parameter insertion: the statement, as far as its values.
    init(_ database: Database, _ insertion: String, columns: Int) throws {
        self.columns = columns
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        one = try PreparedStatement(database, insertion + " VALUES " + row)
        let rows = Array(repeating: row, count: Self.batchRows).joined(separator: ", ")
        batch = try PreparedStatement(database, insertion + " VALUES " + rows)
    }

    /// Inserts rows in order.
    ///
    /// - Parameter bind: binds a row's values, the first one at a given place.
    func insert<Row>(
        _ rows: [Row], _ bind: (_ statement: PreparedStatement, _ first: Int32, _ row: Row) -> Void
    ) throws {
        var next = 0
        while rows.count - next >= Self.batchRows {
            for place in 0..<Self.batchRows { bind(batch, Int32(1 + place * columns), rows[next + place]) }
            try batch.run()
            next += Self.batchRows
        }
        while next < rows.count {
            bind(one, 1, rows[next])
            try one.run()
            next += 1
        }
    }
}

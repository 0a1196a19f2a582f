import DeviceScreens
import GRDB
import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushStore

/// One connection's prepared statements, and the part of the store that is in memory.
///
/// Used only on the queue of its database. Statements that run once per notification are bound and stepped through
/// SQLite's own functions (`PreparedStatement`), so that texts go from the input to the database without a copy.
final class SQLiteSession: DeliverySession, ProgressKeeper, ObservedJournal {
    let rule: ReplacementRule?
    var lastSequence: UInt64 {
        get { progress.lastSequence }
        set { progress.lastSequence = newValue }
    }
    /// Bytes of the rows that this transaction wrote.
    var rowBytes: Int { recorder.writtenBytes }
    /// Bytes of this transaction's report, if it is stored.
    var reportBytes: Int { progress.reportBytes }
    private(set) var latestTime: Int64?

    /// If more than this is in memory, it is unloaded between two transactions.
    private var mostLoaded: Int
    private var hasJustForgotten = false
    private var keyReader: ReplacementKeyReader
    var centers = NotificationCenters(keeping: .order)
    var recorder: SQLiteRecorder
    private let selectCenter: PreparedStatement
    private let insertCenter: PreparedStatement
    private let selectNotifications: PreparedStatement
    private let selectShown: PreparedStatement
    private let selectDataVersion: PreparedStatement
    private let selectLastOrder: PreparedStatement
    private let selectApps: PreparedStatement
    let selectContent: PreparedStatement
    private let selectFilled: PreparedStatement
    let facts: [any StoredFact]
    private let ids: RowIDs
    private let devices: StoredDevices
    let activities: StoredActivities
    private let removalFact: StoredRemovals
    private let progress: StoredProgress
    private let parts: StoredParts
    /// Inserts a center with an id; nil until the store is one of a part.
    private var insertPlacedCenter: PreparedStatement?
    private let selectLatestTimes: [PreparedStatement]
    /// The database's data version at the last read; a commit by another process changes it.
    private var dataVersion: Int64?
    private let database: Database
    /// True if the notifications of a center can be found in the file. False until somebody has looked.
    private var hasIndex = false
    /// True if every notification in the file is in memory, too, so that none has to be loaded.
    private(set) var isComplete = false
    /// Devices of which everything in the file has been loaded.
    var completeDevices: Set<String> = []

    init(_ database: Database, replacing rule: ReplacementRule?, maximumLoaded: Int) throws {
        self.rule = rule
        mostLoaded = maximumLoaded
        keyReader = ReplacementKeyReader(rule)
        centers.replacement = rule
        self.database = database
        recorder = SQLiteRecorder(try SQLiteRecorder.Statements(database))
        selectCenter = try PreparedStatement(database, StoreQuery.center)
        insertCenter = try PreparedStatement(database, StoreQuery.insertCenter)
        selectNotifications = try PreparedStatement(database, StoreQuery.loaded)
        selectShown = try PreparedStatement(database, StoreQuery.shown)
        selectDataVersion = try PreparedStatement(database, "PRAGMA data_version")
        selectLastOrder = try PreparedStatement(database, StoreQuery.lastOrder)
        selectApps = try PreparedStatement(database, StoreQuery.appsSeen)
        selectContent = try PreparedStatement(database, StoreQuery.content)
        selectFilled = try PreparedStatement(database, StoreQuery.filledTables)
        ids = RowIDs(database)
        devices = StoredDevices(database, ids)
        activities = StoredActivities(database, ids)
        removalFact = StoredRemovals(database)
        progress = StoredProgress(database)
        parts = StoredParts(database)
        facts = [devices, activities, removalFact, progress, parts, StoredRedaction(database)]
        selectLatestTimes = try StoreQuery.latestTimes.map { try PreparedStatement(database, $0) }
    }

    /// Resumes from the stored state, which this or another process wrote.
    func begin() throws {
        let version = try selectDataVersion.firstInteger()
        if version != dataVersion { forget() }
        recorder.begin()
        ids.begin()
        try keepWithinBounds()
        var filled: FilledTables?
        if dataVersion == nil {
            let tables = try FilledTables(selectFilled)
            let lastOrder = UInt64(max(try selectLastOrder.firstInteger() ?? 0, 0))
            centers.continueOrder(after: lastOrder)
            isComplete = !tables.contains("notification")
            latestTime = try selectLatestTimes.compactMap { try $0.firstInteger() }.max()
            dataVersion = version
            filled = tables
        }
        for fact in facts {
            if fact.loadedCount > mostLoaded { fact.forget() }
            try fact.begin(filled)
        }
    }

    var registry: DeviceRegistry { devices.registry }
    var removals: LateRemovals { removalFact.waiting }

    /// Notifications and apps on devices in memory: both take about the same memory, and an app may have no
    /// notification.
    var loadedCount: Int { centers.count + centers.centerCount }

    /// Unloads what is in memory when it is too much, unless as much would be loaded again at once: then it is the
    /// working set of the input.
    func keepWithinBounds() throws {
        guard loadedCount > mostLoaded else {
            hasJustForgotten = false
            return
        }
        if hasJustForgotten {
            mostLoaded = 2 * loadedCount
        } else {
            try recorder.flush()
            forget()
        }
        hasJustForgotten.toggle()
    }

    func end() throws {
        for fact in facts { try fact.end() }
        try recorder.flush()
        try recorder.writeBadges()
    }

    /// Unloads what is in memory, because it no longer matches the database.
    func forget() {
        centers.removeAll()
        completeDevices.removeAll()
        recorder.removeAll()
        ids.forget()
        for fact in facts { fact.forget() }
        dataVersion = nil
        hasIndex = false
    }

    var mostOnAndroid: Int {
        get { centers.mostOnAndroid }
        set { centers.mostOnAndroid = newValue }
    }

    func isFull(for message: DecodedMessage) throws -> Bool {
        try loadKnown(device: message.device, app: message.app)
        return centers.isFull(for: message)
    }

    func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) throws -> Delivery {
        if message.isShown || message.badge != nil {
            try load(device: message.device, app: message.app, badge: message.badge)
        }
        let delivery = centers.deliver(message, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
        return delivery
    }

    func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) throws -> LiveActivities.Answer {
        try activities.apply(push, seq: seq, target: target, at: at)
    }

    func claim(activityToken: String, device: String, app: String, at: Int64) throws {
        try activities.claim(activityToken, device: device, app: app, at: at)
    }

    func dismissActivity(_ identifier: String, device: String, app: String?, at: Int64) throws -> LiveActivity? {
        try activities.dismiss(identifier, device: device, app: app, at: at)
    }

    func advance(to time: Int64) { activities.lastTime = time }

    func checkpoint(_ progress: InputProgress?, report: UnsafeRawBufferPointer) throws {
        if let progress {
            try self.progress.write(progress)
            for fact in facts { try fact.checkpoint() }
        }
        // SOUND: `report` stays for the duration of this call.
        try unsafe self.progress.write(report: report)
    }

    func part() throws -> PartMark? { try parts.part() }

    func setPart(_ part: PartMark) throws { try parts.setPart(part) }

    func offset(ofStream stream: String) throws -> String? { try parts.offset(ofStream: stream) }

    func setOffset(_ offset: StreamOffset) throws { try parts.setOffset(offset) }

    func setRowPlace(_ place: RowPlace) {
        ids.setPlace(place)
        recorder.ids = ids
        for fact in facts { fact.setPlace(place) }
        centers.continueOrder(after: UInt64(max(place.id, 1)) - 1)
    }

    func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) throws {
        if !centers.contains(device: message.device, app: message.app) {
            if isComplete { return }
            selectCenter.bind(1, message.device)
            selectCenter.bind(2, message.app)
            defer { selectCenter.reset() }
            guard try selectCenter.step() else { return }
        }
        try recorder.flush()
        try ensureIndex()
        selectShown.bind(1, message.device)
        selectShown.bind(2, message.app)
        defer { selectShown.reset() }
        while try selectShown.step() {
            try body(
                ShownNotification(
                    seq: UInt64(bitPattern: selectShown.integer(4)), order: UInt64(bitPattern: selectShown.integer(5)),
                    identifier: selectShown.text(0),
                    deliveredAt: selectShown.integer(1), payload: selectShown.text(2),
                    changes: selectShown.isNull(3) ? .empty : selectShown.text(3)))
        }
    }

    func remove(_ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64) throws -> UInt64? {
        try load(device: message.device, app: message.app)
        let newest = centers.remove(identifiers, askedBy: message, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
        return newest
    }

    func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?
    ) throws {
        try load(device: message.device, app: message.app)
        centers.removeLate(
            identifiers, askedBy: message, seq: seq, shownAt: shownAt, due: due, recorder: &recorder)
        try recorder.flushIfLarge()
    }

    func takeLateRemovals() -> [LateRemoval] { centers.takeLateRemovals() }

    func apps(of device: BorrowedText) throws -> [String] {
        selectApps.bind(1, device)
        return try selectApps.all { $0.string(0) }
    }

    func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64
    ) throws {
        try load(device: message.device, app: message.app)
        centers.record(event, for: message, about: subject, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
    }

    var log: DeliveryLog? {
        get { recorder.log }
        set { recorder.log = newValue }
    }

    /// Loads nothing: that would add an app that has shown nothing.
    func screen(for message: DecodedMessage) throws -> ScreenState {
        if let state = centers.state(device: message.device, app: message.app) {
            return ScreenState(count: state.count, badge: state.badge)
        }
        var state = ScreenState(count: 0, badge: nil)
        try forEachShown(for: message) { _ in state.count += 1 }
        selectCenter.bind(1, message.device)
        selectCenter.bind(2, message.app)
        defer { selectCenter.reset() }
        if try selectCenter.step(), !selectCenter.isNull(1) { state.badge = Int(selectCenter.integer(1)) }
        return state
    }

    /// Adds a notification from another store to its screen, as the newest one, replacing one with the same identifier.
    ///
    /// - Returns: the id and the center of its new row.
    func place(
        _ entry: NotificationCenters.Entry, device: BorrowedText, app: BorrowedText
    ) throws -> (order: UInt64, center: Int64) {
        try load(device: device, app: app)
        let (order, center, replaced) = centers.place(entry, device: device, app: app)
        if let replaced { recorder.remove(order: replaced) }
        try recorder.flushIfLarge()
        return (order, recorder.rowID(center: center))
    }

    /// Loads what the file has about an app on a device, or adds a row for it.
    ///
    /// - Parameter badge: the number that its icon is about to get, which saves changing the row.
    private func load(device: BorrowedText, app: BorrowedText, badge: Int? = nil) throws {
        guard !centers.contains(device: device, app: app) else { return }
        let insertCenter = try insertCenterStatement()
        insertCenter.bind(1, device)
        insertCenter.bind(2, app)
        insertCenter.bind(3, badge)
        try insertCenter.run()
        guard insertCenter.changedRows == 0 else {
            centers.restore(device: device, app: app, badge: nil)
            recorder.addCenter(id: insertCenter.lastInsertedRowID, badge: badge)
            return
        }
        guard try loadKnown(device: device, app: app) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index of table center does not fit it")
        }
    }

    /// Loads what the file has about an app on a device. False if it has nothing.
    @discardableResult
    func loadKnown(device: BorrowedText, app: BorrowedText) throws -> Bool {
        guard !centers.contains(device: device, app: app) else { return true }
        selectCenter.bind(1, device)
        selectCenter.bind(2, app)
        guard try selectCenter.step() else {
            selectCenter.reset()
            return false
        }
        let id = selectCenter.integer(0)
        let badge = selectCenter.isNull(1) ? nil : Int(selectCenter.integer(1))
        selectCenter.reset()
        centers.restore(device: device, app: app, badge: badge)
        recorder.addCenter(id: id, badge: badge)

        if isComplete { return true }
        try recorder.flush()
        try ensureIndex()
        selectNotifications.bind(1, id)
        while try selectNotifications.step() {
            var entry = NotificationCenters.Entry(
                order: UInt64(bitPattern: selectNotifications.integer(0)),
                seq: UInt64(bitPattern: selectNotifications.integer(1)),
                at: selectNotifications.integer(4),
                target: selectNotifications.isNull(2) ? nil : Int(selectNotifications.integer(2)),
                identifier: selectNotifications.isNull(3) ? nil : selectNotifications.text(3),
                customID: keyReader.customID(in: selectNotifications.text(5)))
            entry.isStale = !selectNotifications.isNull(6)
            centers.restore(entry, device: device, app: app)
        }
        return true
    }

    /// The statement that adds a center; that of a part's store gives it an id.
    private func insertCenterStatement() throws -> PreparedStatement {
        guard let id = try ids.next(.center) else { return insertCenter }
        let statement = try insertPlacedCenter ?? PreparedStatement(database, StoreQuery.insertPlacedCenter)
        insertPlacedCenter = statement
        statement.bind(4, id)
        return statement
    }

    /// Builds the index of notifications by center, if nobody has done so yet.
    private func ensureIndex() throws {
        if hasIndex { return }
        try StoreIndex.notifications.build(in: database)
        hasIndex = true
    }
}

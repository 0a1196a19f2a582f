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
    private(set) var mostLoaded: Int
    private var isLoadedLimited: Bool
    private var hasJustForgotten = false
    var keyReader: ReplacementKeyReader
    var centers = NotificationCenters(keeping: .order)
    var recorder: SQLiteRecorder
    let selectCenter: PreparedStatement
    let insertCenter: PreparedStatement
    let selectNotifications: PreparedStatement
    let countNotifications: PreparedStatement
    private let selectShown: PreparedStatement
    private let selectDataVersion: PreparedStatement
    private let selectLastOrder: PreparedStatement
    private let selectApps: PreparedStatement
    let selectContent: PreparedStatement
    private let selectFilled: PreparedStatement
    let facts: [any StoredFact]
    let ids: RowIDs
    private let devices: StoredDevices
    let activities: StoredActivities
    private let removalFact: StoredRemovals
    private let progress: StoredProgress
    /// Returns the report of this transaction, if it is stored.
    private var report: (() -> BorrowedText?)?
    private let parts: StoredParts
    /// Inserts a center with an id; nil until the store is one of a part.
    var insertPlacedCenter: PreparedStatement?
    private let selectLatestTimes: [PreparedStatement]
    /// The database's data version at the last read; a commit by another process changes it.
    private var dataVersion: Int64?
    let database: Database
    /// True if the notifications of a center can be found in the file. False until somebody has looked.
    var hasIndex = false
    /// True if every notification in the file is in memory, too, so that none has to be loaded.
    private(set) var isComplete = false
    /// The id of the next center, while every center in the file is in memory: then a new one is collected like other rows. Nil if some are in the
    /// file only, or others add rows.
    private var nextCenter: Int64?
    /// True during a transaction in which only this session adds centers.
    private var collectsCenters = false
    /// Devices of which everything in the file has been loaded.
    var completeDevices: Set<String> = []
    /// The positions of the centers in memory whose notifications are in the file only, and how many these are; -1 if that was not needed.
    var unloaded: [Int: Int] = [:]
    /// True if this session has written all notifications in the file, and no sender chose an identifier that may equal a generated one: then a
    /// notification with a generated one replaces none, whatever is in the file.
    private var areGeneratedUnique = false

    init(_ database: Database, replacing rule: ReplacementRule?, _ sizes: StoreSizes) throws {
        self.rule = rule
        mostLoaded = sizes.maximumLoaded
        isLoadedLimited = sizes.isLoadedLimited
        keyReader = ReplacementKeyReader(rule)
        centers.replacement = rule
        self.database = database
        recorder = SQLiteRecorder(try SQLiteRecorder.Statements(database))
        selectCenter = try PreparedStatement(database, StoreQuery.center)
        insertCenter = try PreparedStatement(database, StoreQuery.insertCenter)
        selectNotifications = try PreparedStatement(database, StoreQuery.loaded)
        countNotifications = try PreparedStatement(database, StoreQuery.countInCenter)
        selectShown = try PreparedStatement(database, StoreQuery.shown)
        selectDataVersion = try PreparedStatement(database, "PRAGMA data_version")
        selectLastOrder = try PreparedStatement(database, StoreQuery.lastOrder)
        selectApps = try PreparedStatement(database, StoreQuery.appsSeen)
        selectContent = try PreparedStatement(database, StoreQuery.content)
        selectFilled = try PreparedStatement(database, StoreQuery.filledTables)
        ids = RowIDs(database)
        devices = StoredDevices(database, ids)
        activities = StoredActivities(database)
        removalFact = StoredRemovals(database)
        progress = StoredProgress(database)
        parts = StoredParts(database)
        facts = [devices, activities, removalFact, progress, parts, StoredRedaction(database)]
        selectLatestTimes = try StoreQuery.latestTimes.map { try PreparedStatement(database, $0) }
    }

    /// Resumes from the stored state, which this or another process wrote.
    func begin() throws {
        let version = try selectDataVersion.firstInteger()
        if version != dataVersion {
            forget()
            areGeneratedUnique = false
        }
        recorder.begin()
        ids.begin()
        report = nil
        collectsCenters = false
        try keepWithinBounds()
        var filled: FilledTables?
        if dataVersion == nil {
            let tables = try FilledTables(selectFilled)
            let lastOrder = UInt64(max(try selectLastOrder.firstInteger() ?? 0, 0))
            centers.continueOrder(after: lastOrder)
            isComplete = !tables.contains("notification")
            nextCenter = tables.contains("center") ? nil : 1
            if isComplete { areGeneratedUnique = true }
            latestTime = try selectLatestTimes.compactMap { try $0.firstInteger() }.max()
            dataVersion = version
            filled = tables
        }
        for fact in facts {
            if fact.loadedCount > mostLoaded { fact.forget() }
            try fact.begin(filled)
        }
    }

    /// Changes how much is kept, from the next transaction on.
    func keep(_ sizes: StoreSizes) {
        mostLoaded = sizes.maximumLoaded
        isLoadedLimited = sizes.isLoadedLimited
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
        if hasJustForgotten, !isLoadedLimited {
            mostLoaded = 2 * loadedCount
        } else {
            try recorder.flush()
            forget()
        }
        hasJustForgotten.toggle()
    }

    /// Call after `begin` for deliveries: nothing else adds rows of centers in their transaction.
    func collectCenters() { collectsCenters = true }

    /// The id of a new center whose row is collected; nil to insert it at once.
    func takeCenterID() -> Int64? {
        guard collectsCenters, let next = nextCenter else { return nil }
        nextCenter = next + 1
        return next
    }

    /// True if a center that is not in memory is not in the file either.
    var knowsAllCenters: Bool { collectsCenters && nextCenter != nil }

    func end() throws {
        if !collectsCenters { nextCenter = nil }
        for fact in facts { try fact.end() }
        try recorder.flush()
        try recorder.writeBadges()
        if let report { try progress.write(report: report()) }
    }

    /// Unloads what is in memory, because it no longer matches the database.
    func forget() {
        centers.removeAll()
        completeDevices.removeAll()
        unloaded.removeAll()
        recorder.removeAll()
        ids.forget()
        for fact in facts { fact.forget() }
        dataVersion = nil
        nextCenter = nil
        hasIndex = false
    }

    var mostOnAndroid: Int {
        get { centers.mostOnAndroid }
        set { centers.mostOnAndroid = newValue }
    }

    func isFull(for message: DecodedMessage) throws -> Bool {
        guard message.platform == .android else { return false }
        let needsAll = self.needsAll(message)
        guard try loadKnown(device: message.device, app: message.app, needsAll: needsAll, counts: true) else {
            return false
        }
        guard let position = unloadedPosition(message.device, message.app) else { return centers.isFull(for: message) }
        return try message.isShown && !message.isUnlisted && unloadedCount(position) >= mostOnAndroid
    }

    /// True if a message cannot be delivered without the other notifications of its app.
    private func needsAll(_ message: DecodedMessage) -> Bool {
        !areGeneratedUnique || !NotificationCenters.needsNone(message)
    }

    func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) throws -> Delivery {
        if let chosen = message.identifier, GeneratedIdentifier.mayEqual(chosen) { areGeneratedUnique = false }
        let isAndroid = message.platform == .android
        if message.isShown || message.badge != nil {
            try load(
                device: message.device, app: message.app, badge: message.badge, needsAll: needsAll(message),
                counts: isAndroid)
        }
        let delivery: Delivery
        if let position = unloadedPosition(message.device, message.app) {
            let isFull = try isAndroid && unloadedCount(position) >= mostOnAndroid
            delivery = centers.deliverUnkept(message, seq: seq, at: at, isFull: isFull, recorder: &recorder)
            if delivery.outcome == .delivered, let count = unloaded[position], count >= 0 {
                unloaded[position] = count + 1
            }
        } else {
            delivery = centers.deliver(message, seq: seq, at: at, recorder: &recorder)
        }
        try recorder.flushIfLarge()
        return delivery
    }

    func prepare(for input: UnsafeRawBufferPointer, messages: Int) {
        // SOUND: passes on what the caller vouches for.
        unsafe recorder.prepare(for: input, messages: messages)
    }

    func prefetch(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ range: Range<Int>) {
        // SOUND: passes the messages on.
        unsafe centers.prefetch(messages, range)
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

    func checkpoint(_ progress: InputProgress?, report: @escaping () -> BorrowedText?) throws {
        self.report = report
        guard let progress else { return }
        try self.progress.write(progress)
        for fact in facts { try fact.checkpoint() }
    }

    func part() throws -> PartMark? { try parts.part() }

    func setPart(_ part: PartMark) throws { try parts.setPart(part) }

    func offset(ofStream stream: String) throws -> String? { try parts.offset(ofStream: stream) }

    func setOffset(_ offset: StreamOffset) throws { try parts.setOffset(offset) }

    func setPlaceOfDevices(_ place: RowPlace) {
        // Rows that have places have ids by them.
        nextCenter = nil
        ids.setPlace(place)
        for fact in facts { fact.setPlace(place) }
    }

    func setRowPlace(_ place: RowPlace) {
        setPlaceOfDevices(place)
        recorder.ids = ids
        centers.continueOrder(after: UInt64(max(place.id, 1)) - 1)
    }

    func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) throws {
        if !centers.contains(device: message.device, app: message.app) {
            if isComplete || knowsAllCenters { return }
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
        // In the order of their rows, too: those were added by this session.
        if knowsAllCenters { return centers.apps(of: device).map(\.string) }
        try recorder.flushCenters()
        selectApps.bind(1, device)
        return try selectApps.all { $0.string(0) }
    }

    func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64
    ) throws {
        try load(device: message.device, app: message.app, needsAll: false)
        centers.record(event, for: message, about: subject, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
    }

    var log: DeliveryLog? {
        get { recorder.log }
        set { recorder.log = newValue }
    }

    /// Loads nothing: that would add an app that has shown nothing.
    func screen(for message: DecodedMessage) throws -> ScreenState {
        let known = centers.state(device: message.device, app: message.app)
        if let known, !isUnloaded(message.device, message.app) {
            return ScreenState(count: known.count, badge: known.badge)
        }
        var state = ScreenState(count: 0, badge: known?.badge)
        try forEachShown(for: message) { _ in state.count += 1 }
        if known != nil { return state }
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
        // Its identifier may be any.
        areGeneratedUnique = false
        let (order, center, replaced) = centers.place(entry, device: device, app: app)
        if let replaced { recorder.remove(order: replaced) }
        try recorder.flushIfLarge()
        return (order, recorder.rowID(center: center))
    }
}

/// The notifications that events look for on the screens of devices.
extension SQLiteSession {
    func appsShowing(on device: BorrowedText) throws -> [String] {
        try loadAll(of: device)
        return centers.appsShowing(on: device) { recorder.rowID(center: $0) }
    }

    func newest(on device: BorrowedText, _ query: NotificationQuery) throws -> FoundNotification? {
        if let app = query.app {
            try loadKnown(device: device, app: app)
        } else {
            try loadAll(of: device)
        }
        return centers.newest(on: device, query)
    }

    /// Reads no row of an app that is in memory, so that the rows of the transaction stay together.
    func identifiers(for message: DecodedMessage) throws -> [String] {
        try loadKnown(device: message.device, app: message.app)
        var found: [String] = []
        centers.forEachShown(for: message) { found.append($0.identifier.string) }
        return found
    }

    func content(
        of identifier: String, for message: DecodedMessage
    ) throws -> (seq: UInt64, payload: String, changes: String)? {
        try loadKnown(device: message.device, app: message.app)
        guard let found = centers.content(of: identifier, device: message.device, app: message.app) else { return nil }
        if let (payload, changes) = recorder.pendingContent(order: found.order) {
            return (found.seq, payload.string, changes.string)
        }
        selectContent.bind(1, Int64(bitPattern: found.order))
        defer { selectContent.reset() }
        guard try selectContent.step() else { return nil }
        return (
            found.seq, selectContent.text(0).string, selectContent.isNull(1) ? "" : selectContent.text(1).string
        )
    }

    private func loadAll(of device: BorrowedText) throws {
        guard !isComplete, !completeDevices.contains(device.string) else { return }
        for app in try apps(of: device) { try BorrowedText.with(app) { _ = try loadKnown(device: device, app: $0) } }
        // Of an app that was in memory there may be newer notifications than these.
        centers.sortLists(of: device)
        completeDevices.insert(device.string)
    }
}

/// The part of the file that is in memory: apps on devices, and their notifications as far as a delivery needs them.
extension SQLiteSession {
    /// Loads what the file has about an app on a device, or adds a row for it.
    ///
    /// - Parameters:
    ///   - badge: the number that its icon is about to get, which saves changing the row.
    ///   - needsAll: false if its notifications may stay in the file.
    ///   - counts: true if their number is needed then.
    func load(
        device: BorrowedText, app: BorrowedText, badge: Int? = nil, needsAll: Bool = true, counts: Bool = false
    ) throws {
        guard try !loadRest(device: device, app: app, needsAll) else { return }
        if let id = takeCenterID() {
            centers.restore(device: device, app: app, badge: nil)
            recorder.addNewCenter(id: id, device: device, app: app)
            return
        }
        try recorder.flushCenters()
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
        guard try loadKnown(device: device, app: app, needsAll: needsAll, counts: counts) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index of table center does not fit it")
        }
    }

    /// True if the notifications of an app on a device are in the file only.
    func isUnloaded(_ device: BorrowedText, _ app: BorrowedText) -> Bool {
        unloadedPosition(device, app) != nil
    }

    /// The position of an app on a device whose notifications are in the file only; nil for any other.
    func unloadedPosition(_ device: BorrowedText, _ app: BorrowedText) -> Int? {
        guard !unloaded.isEmpty, let position = centers.position(device: device, app: app), unloaded[position] != nil
        else { return nil }
        return position
    }

    /// How many notifications an app on a device shows that are in the file only.
    func unloadedCount(_ position: Int) throws -> Int {
        if let known = unloaded[position], known >= 0 { return known }
        try recorder.flush()
        let count = try storedCount(recorder.rowID(center: position))
        unloaded[position] = count
        return count
    }

    /// How many notifications of an app on a device are in the file.
    private func storedCount(_ id: Int64) throws -> Int {
        try ensureIndex()
        countNotifications.bind(1, id)
        defer { countNotifications.reset() }
        return try countNotifications.step() ? Int(countNotifications.integer(0)) : 0
    }

    /// Loads what is missing of an app on a device that is in memory. False if it is not.
    private func loadRest(device: BorrowedText, app: BorrowedText, _ needsAll: Bool) throws -> Bool {
        guard let position = centers.position(device: device, app: app) else { return false }
        if needsAll, !unloaded.isEmpty, unloaded.removeValue(forKey: position) != nil {
            try recorder.flush()
            try loadNotifications(recorder.rowID(center: position), device: device, app: app)
        }
        return true
    }

    /// Loads what the file has about an app on a device. False if it has nothing.
    ///
    /// - Parameters:
    ///   - needsAll: false if its notifications may stay in the file.
    ///   - counts: true if their number is needed then.
    @discardableResult
    func loadKnown(
        device: BorrowedText, app: BorrowedText, needsAll: Bool = true, counts: Bool = false
    ) throws -> Bool {
        if try loadRest(device: device, app: app, needsAll) { return true }
        if knowsAllCenters { return false }
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
        if needsAll {
            try loadNotifications(id, device: device, app: app)
        } else {
            // No row of it waits to be written yet.
            unloaded[centers.centerCount - 1] = counts ? try storedCount(id) : -1
        }
        return true
    }

    /// Loads the notifications of an app on a device that is in memory without them. None of its rows waits to be written.
    private func loadNotifications(_ id: Int64, device: BorrowedText, app: BorrowedText) throws {
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
    func ensureIndex() throws {
        if hasIndex { return }
        try StoreIndex.notifications.build(in: database)
        hasIndex = true
    }
}

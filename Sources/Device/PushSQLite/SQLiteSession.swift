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

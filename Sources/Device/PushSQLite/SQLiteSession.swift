import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// One connection's prepared statements, and the part of the store that is in memory.
///
/// Used only on the thread of its database. Statements that run once per notification are bound and stepped through
/// SQLite's own functions (`PreparedStatement`), so that texts go from the input to the database without a copy.
final class SQLiteSession: DeliverySession, ProgressKeeper {
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

    /// If more than this is in memory of one kind, everything is unloaded between two transactions.
    private(set) var mostLoaded: Int
    private var isLoadedLimited: Bool
    private var hasJustForgotten = false
    private var keyReader: ReplacementKeyReader
    private var centers = NotificationCenters(keeping: .nothing)
    private var recorder: SQLiteRecorder
    private let selectCenters: PreparedStatement
    private let selectNotifications: PreparedStatement
    private let selectDataVersion: PreparedStatement
    private let selectLastOrder: PreparedStatement
    private let selectContent: PreparedStatement
    private let selectFilled: PreparedStatement
    private let selectLatestTime: PreparedStatement
    let facts: [any StoredFact]
    let registry: DeviceRegistry
    private let devices: StoredDevices
    let activities: StoredActivities
    private let removalFact: StoredRemovals
    private let progress: StoredProgress
    /// What is in memory; every device is touched before it is read or changed.
    private let loaded = LoadedDevices()
    private let ids: RowIDs
    private let indexes: BuiltIndexes
    /// Returns the report of this transaction, if it is stored.
    private var report: (() -> BorrowedText?)?
    /// The database's data version at the last read; a commit by another process changes it.
    private var dataVersion: Int64?

    init(_ database: Database, replacing rule: ReplacementRule?, _ sizes: StoreSizes) throws {
        self.rule = rule
        mostLoaded = sizes.maximumLoaded
        isLoadedLimited = sizes.isLoadedLimited
        keyReader = ReplacementKeyReader(rule)
        centers.replacement = rule
        ids = RowIDs(database)
        indexes = BuiltIndexes(database)
        recorder = SQLiteRecorder(try SQLiteRecorder.Statements(database), ids)
        selectCenters = try PreparedStatement(database, StoreQuery.centersOnDevice)
        selectNotifications = try PreparedStatement(database, StoreQuery.notificationsOnDevice)
        selectDataVersion = try PreparedStatement(database, StoreQuery.dataVersion)
        selectLastOrder = try PreparedStatement(database, StoreQuery.lastOrder)
        selectContent = try PreparedStatement(database, StoreQuery.content)
        selectFilled = try PreparedStatement(database, StoreQuery.filledTables)
        selectLatestTime = try PreparedStatement(database, StoreQuery.latestTime)
        devices = StoredDevices(database, loaded, ids, indexes)
        registry = DeviceRegistry(rows: devices)
        devices.registry = registry
        activities = StoredActivities(database, loaded)
        removalFact = StoredRemovals(database)
        progress = StoredProgress(database)
        facts = [devices, activities, removalFact, progress, StoredRedaction(database)]
        loaded.hasScreen = { [unowned self] in centers.contains(device: $0) }
        loaded.load = { [unowned self] device in
            try load(device)
            for fact in facts { try fact.load(device) }
        }
    }

    /// Resumes from the stored state, which this or another process wrote.
    func begin() throws {
        let version = try selectDataVersion.firstInteger()
        if version != dataVersion { forget() }
        recorder.begin()
        report = nil
        try keepWithinBounds()
        var filled: FilledTables?
        if dataVersion == nil {
            let tables = try FilledTables(selectFilled)
            loaded.begin(areAll: !tables.haveDevices)
            let lastOrder = UInt64(max(try selectLastOrder.firstInteger() ?? 0, 0))
            centers.continueOrder(after: lastOrder)
            latestTime = try selectLatestTime.first { $0.optionalInteger(0).map { Int64($0) } } ?? nil
            dataVersion = version
            filled = tables
        }
        try ids.begin(filled)
        for fact in facts { try fact.begin(filled) }
    }

    /// Changes how much is kept, from the next transaction on.
    func keep(_ sizes: StoreSizes) {
        mostLoaded = sizes.maximumLoaded
        isLoadedLimited = sizes.isLoadedLimited
    }

    var removals: LateRemovals { removalFact.waiting }

    /// Notifications and apps on devices in memory: both take about the same memory, and an app may have no
    /// notification.
    var loadedCount: Int { centers.count + centers.centerCount }

    /// Unloads what is in memory when it is too much, unless as much would be loaded again at once: then it is the
    /// working set of the input.
    func keepWithinBounds() throws {
        let count = facts.reduce(max(loadedCount, loaded.count)) { max($0, $1.loadedCount) }
        guard count > mostLoaded else {
            hasJustForgotten = false
            return
        }
        if hasJustForgotten, !isLoadedLimited {
            mostLoaded = 2 * count
        } else {
            try recorder.flush()
            try recorder.writeBadges()
            forget()
        }
        hasJustForgotten.toggle()
    }

    func end() throws {
        for fact in facts { try fact.end() }
        try recorder.flush()
        try recorder.writeBadges()
        if let report { try progress.write(report: report()) }
    }

    /// Unloads what is in memory, because it no longer matches the database.
    func forget() {
        loaded.forget()
        centers.removeAll()
        recorder.removeAll()
        indexes.forget()
        for fact in facts { fact.forget() }
        dataVersion = nil
    }

    var mostOnAndroid: Int {
        get { centers.mostOnAndroid }
        set { centers.mostOnAndroid = newValue }
    }

    func isFull(for message: DecodedMessage) throws -> Bool {
        guard message.platform == .android else { return false }
        try loaded.touch(message.device)
        return centers.isFull(for: message)
    }

    func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) throws -> Delivery {
        if message.isShown || message.badge != nil { try addCenter(device: message.device, app: message.app) }
        let delivery = centers.deliver(message, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
        return delivery
    }

    func prepare(for input: UnsafeRawBufferPointer, messages: Int) {
        // SOUND: passes on what the caller vouches for.
        unsafe recorder.prepare(for: input, messages: messages)
    }

    func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) throws -> LiveActivities.Answer {
        try activities.apply(push, seq: seq, target: target, at: at)
    }

    func claim(
        _ activityTokens: [String], of known: [String], device: String, app: String, at: Int64
    ) throws -> [String] {
        try activities.claim(activityTokens, of: known, device: device, app: app, at: at)
    }

    func dismissActivities(_ identifier: String?, device: String, app: String?, at: Int64) throws -> [LiveActivity] {
        try activities.dismiss(identifier, device: device, app: app, at: at)
    }

    func advance(to time: Int64) { activities.lastTime = time }

    func checkpoint(_ progress: InputProgress?, report: @escaping () -> BorrowedText?) throws {
        self.report = report
        guard let progress else { return }
        try self.progress.write(progress)
        try devices.checkpoint()
    }

    func part() throws -> PartMark? { try progress.part() }

    func setPart(_ part: PartMark) throws { try progress.setPart(part) }

    func offset(ofStream stream: String) throws -> String? { try progress.offset(ofStream: stream) }

    func setOffset(_ offset: StreamOffset) throws { try progress.setOffset(offset) }

    func setPlaceOfDevices(_ place: RowPlace) {
        ids.setPlace(place)
        for fact in facts { fact.setPlace(place) }
    }

    func setRowPlace(_ place: RowPlace) {
        setPlaceOfDevices(place)
        centers.continueOrder(after: UInt64(max(place.id, 1)) - 1)
    }

    func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) throws {
        try loaded.touch(message.device)
        var shown: [(seq: UInt64, order: UInt64, identifier: String)] = []
        centers.forEachShown(for: message) { shown.append(($0.seq, $0.order, $0.identifier.string)) }
        for (seq, order, identifier) in shown {
            try BorrowedText.with(identifier) { identifier in
                try withContent(order: order) { payload, changes, deliveredAt in
                    try body(
                        ShownNotification(
                            seq: seq, order: order, identifier: identifier, deliveredAt: deliveredAt, payload: payload,
                            changes: changes))
                }
            }
        }
    }

    func remove(_ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64) throws -> UInt64? {
        try loaded.touch(message.device)
        let newest = centers.remove(identifiers, askedBy: message, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
        return newest
    }

    func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?
    ) throws {
        try loaded.touch(message.device)
        centers.removeLate(
            identifiers, askedBy: message, seq: seq, shownAt: shownAt, due: due, recorder: &recorder)
        try recorder.flushIfLarge()
    }

    func takeLateRemovals() -> [LateRemoval] { centers.takeLateRemovals() }

    func apps(of device: BorrowedText) throws -> [String] {
        try loaded.touch(device)
        return centers.apps(of: device).map(\.string)
    }

    func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64
    ) throws {
        try addCenter(device: message.device, app: message.app)
        centers.record(event, for: message, about: subject, seq: seq, at: at, recorder: &recorder)
        try recorder.flushIfLarge()
    }

    var log: DeliveryLog? {
        get { recorder.log }
        set { recorder.log = newValue }
    }

    func screen(for message: DecodedMessage) throws -> ScreenState {
        try loaded.touch(message.device)
        return centers.screen(for: message)
    }
}

/// The notifications that events look for on the screens of devices.
extension SQLiteSession {
    func appsShowing(on device: BorrowedText) throws -> [String] {
        try loaded.touch(device)
        return centers.appsShowing(on: device)
    }

    func newest(on device: BorrowedText, _ query: NotificationQuery) throws -> FoundNotification? {
        try loaded.touch(device)
        return centers.newest(on: device, query)
    }

    /// Reads no row, unlike `forEachShown`.
    func identifiers(for message: DecodedMessage) throws -> [String] {
        try loaded.touch(message.device)
        var found: [String] = []
        centers.forEachShown(for: message) { found.append($0.identifier.string) }
        return found
    }

    func content(
        of identifier: String, for message: DecodedMessage
    ) throws -> (seq: UInt64, payload: String, changes: String)? {
        try loaded.touch(message.device)
        guard let found = centers.content(of: identifier, device: message.device, app: message.app) else { return nil }
        return try withContent(order: found.order) { payload, changes, _ in
            (found.seq, payload.string, changes.string)
        }
    }

    /// Passes what is kept of a notification in the file only, or is about to be written: its payload, what an extension changed, and when it
    /// was delivered. Nil if there is none.
    private func withContent<Result>(
        order: UInt64, _ body: (_ payload: BorrowedText, _ changes: BorrowedText, _ deliveredAt: Int64) throws -> Result
    ) throws -> Result? {
        if let row = recorder.pendingNotification(order: order) {
            return try body(row.payload, row.changes ?? .empty, row.at)
        }
        return try selectContent.with(order).first { try body($0.text(0), $0.text(1), $0.integer(2)) }
    }
}

/// Centers: apps on devices that have shown something.
extension SQLiteSession {
    /// The position of an app on a device, which gets a row unless it has one.
    @discardableResult
    private func addCenter(device: BorrowedText, app: BorrowedText) throws -> Int {
        try loaded.touch(device)
        if let known = centers.position(device: device, app: app) { return known }
        centers.restore(device: device, app: app, badge: nil)
        recorder.addNewCenter(id: ids.next(.center), device: device, app: app)
        return centers.centerCount - 1
    }

    /// Loads the apps that have shown something on a device, and their notifications. None of its rows waits to be written.
    private func load(_ device: BorrowedText) throws {
        selectCenters.bind(1, device)
        var hasCenters = false
        while try selectCenters.step() {
            let badge = selectCenters.optionalInteger(3)
            centers.restore(device: device, app: selectCenters.text(2), badge: badge)
            recorder.addCenter(id: selectCenters.integer(0), badge: badge)
            hasCenters = true
        }
        guard hasCenters else { return }
        try indexes.ensure(.notifications)
        selectNotifications.bind(1, device)
        while try selectNotifications.step() {
            var entry = NotificationCenters.Entry(
                order: UInt64(bitPattern: selectNotifications.integer(0)),
                seq: UInt64(bitPattern: selectNotifications.integer(1)),
                at: selectNotifications.integer(4), target: selectNotifications.optionalInteger(2),
                identifier: selectNotifications.isNull(3) ? nil : selectNotifications.text(3),
                customID: keyReader.customID(in: selectNotifications.text(5)))
            entry.isStale = !selectNotifications.isNull(6)
            centers.restore(entry, device: device, app: selectNotifications.text(7))
        }
    }
}

/// Contents of another store.
extension SQLiteSession {
    /// Adds an app on a device, and the number on its icon; nil leaves the existing one.
    func addScreen(device: BorrowedText, app: BorrowedText, badge: Int?) throws {
        let center = try addCenter(device: device, app: app)
        guard let badge else { return }
        centers.restore(device: device, app: app, badge: badge)
        recorder.setBadge(badge, center: center)
    }

    /// Adds a notification from another store to its screen, as the newest one, replacing one with the same identifier.
    ///
    /// - Returns: the id and the center of its new row.
    func place(
        _ entry: NotificationCenters.Entry, device: BorrowedText, app: BorrowedText
    ) throws -> (order: UInt64, center: Int64) {
        try addCenter(device: device, app: app)
        let (order, center, replaced) = centers.place(entry, device: device, app: app)
        if let replaced { recorder.remove(order: replaced) }
        try recorder.flushIfLarge()
        return (order, recorder.rowID(center: center))
    }

    /// Adds a journal line after the existing ones.
    func add(_ entry: JournalEntry, device: BorrowedText, app: BorrowedText, identifier: BorrowedText) throws {
        let center = try addCenter(device: device, app: app)
        recorder.record(entry.kind, seq: entry.seq, at: entry.at, center: center, identifier: identifier)
        try recorder.flushIfLarge()
    }
}

/// The devices of which everything in the file is in memory. A device is loaded whole, when it is first touched, and all are let go together.
///
/// Nothing else knows what is loaded: whatever reads or changes a device in memory touches it first.
final class LoadedDevices {
    private struct Name: Hashable {
        let text: BorrowedText

        static func == (left: Self, right: Self) -> Bool { left.text == right.text }

        func hash(into hasher: inout Hasher) {
            // SOUND: the text is in `texts`, or is borrowed for the duration of a lookup.
            unsafe hasher.combine(bytes: text.bytes)
        }
    }

    /// True while every device of the file is in memory, as in a new store, so that none has to be loaded.
    private(set) var areAll = false
    /// Loads what each table has about a device.
    var load: (_ device: BorrowedText) throws -> Void = { _ in }
    /// True if a device has a screen in memory. It was touched before, and need not be kept here.
    var hasScreen: (_ device: BorrowedText) -> Bool = { _ in false }
    /// The other devices that were touched.
    private var names: Set<Name> = []
    private var texts = ScratchArena()
    /// The questions whose answers have been touched: devices that are not in memory do not change.
    private var answered: Set<[String]> = []
    /// More are asked again.
    private static let mostAnswered = 1 << 16

    /// How many have been touched that had no screen.
    var count: Int { names.count }

    func begin(areAll: Bool) { self.areAll = areAll }

    func forget() {
        areAll = false
        names.removeAll(keepingCapacity: true)
        texts.reset()
        answered.removeAll()
    }

    /// Has a device in memory, with everything that the file has about it.
    func touch(_ device: BorrowedText) throws {
        if areAll || hasScreen(device) || names.contains(Name(text: device)) { return }
        try load(device)
        // SOUND: the text is copied within the call.
        if !hasScreen(device) { names.insert(Name(text: unsafe texts.copy(device.bytes))) }
    }

    func touch(_ device: String) throws {
        if !areAll { try BorrowedText.with(device) { try touch($0) } }
    }

    /// Touches the devices whose names a statement returns for some values.
    func touch(answersTo question: PreparedStatement, _ values: String...) throws {
        if areAll { return }
        if answered.count >= Self.mostAnswered { answered.removeAll(keepingCapacity: true) }
        guard answered.insert([question.sql] + values).inserted else { return }
        question.bind(values)
        for device in try question.all({ $0.string(0) }) { try touch(device) }
    }
}

/// The ids of new rows: each gets one more than the last row of its table. In the store of a part they follow from places in the original
/// input: a row gets the place of what caused it, if that is greater.
final class RowIDs {
    enum Table: Int, CaseIterable {
        case center, event, device, installation, held
    }

    private let database: Database
    private let select = Prepared(
        "SELECT " + Table.allCases.map { "coalesce((SELECT max(id) FROM \($0)), 0)" }.joined(separator: ", "))
    /// The greatest id of each table.
    private var last = Table.allCases.map { _ in Int64(0) }
    /// Where the next rows belong, in the store of a part; 0 in any other.
    private var place: Int64 = 0

    init(_ database: Database) { self.database = database }

    /// Begins a transaction.
    ///
    /// - Parameter filled: nil if nobody else has written since the last transaction.
    func begin(_ filled: FilledTables?) throws {
        place = 0
        guard filled != nil else { return }
        let row = try select(database)
        last = try row.first { row in last.indices.map { row.integer(Int32($0)) } } ?? last
    }

    func setPlace(_ place: RowPlace) { self.place = place.id }

    /// The id of the next row of a table.
    ///
    /// - Parameter birth: the place of what caused the row; 0 for the current one.
    func next(_ table: Table, birth: Int64 = 0) -> Int64 {
        let id = max(birth == 0 ? place : birth, last[table.rawValue] &+ 1)
        last[table.rawValue] = id
        return id
    }
}

import GRDB
import PayloadJSON
import PushDecoding
package import PushDevices
package import PushModel
package import PushStore
import RecordFraming

/// Several stores that are read as if they were one, without merging their files.
///
/// The rows of parts (`PartMark`) are in the order of the original input, and those of other stores one store after the other. Holds one row of
/// each store. No device may be in two of them.
package final class PartedStore: ReadableStore {
    let stores: [SQLiteStore]
    /// True if ids are places in one original input.
    private let areParts: Bool
    private var isAtOneMoment = false

    /// - Throws: `StoreError` if the stores do not fit together.
    init(_ stores: [SQLiteStore]) throws {
        let marked = try stores.compactMap { store in try store.part().map { (store: store, mark: $0) } }
        areParts = marked.count == stores.count
        self.stores = areParts ? marked.sorted { $0.mark.part < $1.mark.part }.map(\.store) : stores
        try PartSet.checkRedaction(stores)
        if areParts {
            try PartSet.check(marked)
        } else {
            try atOneMoment { try PartSet.checkDevices(stores) }
        }
    }

    /// Opens stores to read them.
    ///
    /// - Parameters:
    ///   - paths: files, and folders with stores; one file is opened by itself.
    ///   - device: what was typed as the only device to show, so that its part alone is opened if the parts are known by their numbers.
    ///   - isByDevice: true if devices will be looked up; see `SQLiteStore.openByDevice`.
    /// - Throws: `StoreError`.
    package static func open(
        _ paths: [String], device: String? = nil, isByDevice: Bool = false
    ) throws -> any ReadableStore {
        let files = try PartSet.files(paths)
        let open = { path in
            isByDevice ? try SQLiteStore.openByDevice(path: path) : try SQLiteStore(path: path, access: .readOnly)
        }
        if files.count == 1 { return try open(files[0]) }
        if let device, let only = try part(with: device, among: files) { return try open(only) }
        return try PartedStore(PartSet.opening(files, open))
    }

    /// True if a path names a database, or a folder with one. Call it before anything is open.
    package static func isStore(_ path: String) -> Bool { PartSet.isStore(path) }

    /// Deletes from each of several stores; see `SQLiteStore.prune`. All are opened before anything is deleted.
    ///
    /// - Parameters:
    ///   - paths: files, and folders with stores.
    ///   - isRehearsal: only counts.
    ///   - compacts: returns free space to the file system.
    ///   - progress: counts what is deleted.
    /// - Throws: `StoreError`.
    package static func prune(
        _ paths: [String], _ pruning: Pruning, isRehearsal: Bool, compacts: Bool, _ progress: PruningProgress
    ) throws -> Pruning.Summary {
        let stores = try PartSet.opening(PartSet.files(paths)) { try SQLiteStore(path: $0, access: .existing) }
        for store in stores {
            _ = try isRehearsal ? store.rehearse(pruning, progress) : store.prune(pruning, progress)
            if compacts { try store.compact() }
        }
        return progress.summary
    }

    /// The part that has a device whose whole name was typed; nil when that cannot be told without reading all of them. Of the files that
    /// have the part's number in their names, the first is opened first.
    private static func part(with typed: String, among files: [String]) throws -> String? {
        let device = DeviceToken.canonical(typed)
        var hint: String?
        var rest = files[...]
        while let path = hint ?? rest.popFirst() {
            hint = nil
            let store = try SQLiteStore(path: path, access: .readOnly)
            guard let mark = try store.part(), try store.redaction == nil else { return nil }
            let number = BorrowedText.with(device) { RecordPlace.part(of: $0, among: mark.parts) }
            if mark.part == number {
                return try store.devices(from: device, to: "").first == device ? path : nil
            }
            let next = rest.firstIndex { Self.number(in: $0) == number }
            if let next { hint = rest.remove(at: next) }
        }
        return nil
    }

    /// The last number in the name of a file: 3 for `parts/part-00003.db`.
    private static func number(in path: String) -> Int? {
        let name = path.split(separator: "/").last ?? ""
        let digits = name.reversed().drop { !$0.isWholeNumber }.prefix { $0.isWholeNumber }
        return Int(String(digits.reversed()))
    }

    // MARK: - Reading

    package func atOneMoment(_ body: () throws -> Void) throws {
        if isAtOneMoment { return try body() }
        isAtOneMoment = true
        defer { isAtOneMoment = false }
        try StoreMoment.of(stores, body)
    }

    private func merge<Value>(
        hasSharedBatches: Bool = true, newestFirst: Bool = false,
        _ rows: (Database) throws -> RowSource<Value>, _ body: (Value) throws -> Void
    ) throws {
        try atOneMoment {
            let sources = try stores.map { try $0.reading(rows) }
            defer { for source in sources { source.close() } }
            let order = RowMerge<Value>.Order(
                isByPlace: areParts, hasSharedBatches: hasSharedBatches, isNewestFirst: newestFirst)
            var merge = try RowMerge(sources, order)
            while let next = try merge.next() { try body(next.row.value) }
        }
    }

    package func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try forEachNotification(device: device, app: app, newestFirst: false, body)
    }

    package func forEachNotification(
        device: String?, app: String?, newestFirst: Bool, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try merge(
            newestFirst: newestFirst,
            { try SQLiteStore.notificationRows($0, device: device, app: app, newestFirst: newestFirst) }, body)
    }

    package func forEachScreen(
        device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void
    ) throws {
        try merge({ try SQLiteStore.screenRows($0, device: device, app: app) }, { try body($0()) })
    }

    package func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        try merge({ try SQLiteStore.eventRows($0, device: device) }, body)
    }

    package func forEachLiveActivity(device: String?, app: String?, _ body: (LiveActivity) throws -> Void) throws {
        let time = try lastRecordTime ?? 0
        try merge({ try SQLiteStore.activityRows($0, device: device, app: app, at: time) }, body)
    }

    package func forEachCenter(_ body: (CenterSummary) throws -> Void) throws {
        try merge({ try SQLiteStore.centerRows($0) }, body)
    }

    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        try merge({ try SQLiteStore.badgeRows($0) }, { try body($0.device, $0.app, $0.badge) })
    }

    package func forEachRegisteredApp(device: String?, _ body: (RegisteredApp) throws -> Void) throws {
        try merge(hasSharedBatches: false, { try SQLiteStore.registeredRows($0, device: device) }, body)
    }

    package func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws {
        try merge(hasSharedBatches: false, { try SQLiteStore.deadTokenRows($0, since: since) }, body)
    }

    package func forEachHeld(_ body: (QueuedMessage) throws -> Void) throws {
        try merge({ try SQLiteStore.heldRows($0) }, body)
    }

    package func forEachRecord(of kind: DeviceRecord.Kind, _ body: (DeviceRecord) throws -> Void) throws {
        try merge(hasSharedBatches: kind != .installation, { try SQLiteStore.recordRows($0, kind) }, body)
    }

    package func device(named typed: String) throws -> String {
        try DeviceNameError.only(typed) { beginning, end in
            let found = Set(try stores.flatMap { try $0.devices(from: beginning, to: end) })
            return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    package func lockedDevices() throws -> Set<String> {
        try stores.reduce(into: []) { $0.formUnion(try $1.lockedDevices()) }
    }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] {
        for store in stores {
            let found = try store.badges(on: device)
            if !found.isEmpty { return found }
        }
        return []
    }

    package func devicesHidingPreviews() throws -> Set<String> {
        try stores.reduce(into: []) { $0.formUnion(try $1.devicesHidingPreviews()) }
    }

    package func registered(on device: String) throws -> [RegisteredApp] {
        for store in stores {
            let found = try store.registered(on: device)
            if !found.isEmpty { return found }
        }
        return []
    }

    package var lastSequence: UInt64 {
        get throws { try stores.map { try $0.lastSequence }.max() ?? 0 }
    }

    package var lastRecordTime: Int64? {
        get throws { try stores.compactMap { try $0.lastRecordTime }.max() }
    }

    /// The same in all stores.
    package var redaction: StoreRedaction? {
        get throws { try stores.first?.redaction }
    }

    /// The last one of a stream that is in several parts.
    package func streamOffsets() throws -> [StreamOffset] {
        try StreamOffset.joined(stores.map { try $0.streamOffsets() }, takingLast: true)
    }
}

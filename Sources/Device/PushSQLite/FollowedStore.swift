import Dispatch
package import PushModel
package import PushStore
import PushSystem

/// A store in a file that is looked at while others write to it, delete it, and put another one in its place: it is opened again then. Changes
/// nothing.
///
/// While the file is gone, or not a store yet, nothing of it is open, so that nobody who writes a new one is in the way of an old log.
package final class FollowedStore: WatchedStore {
    private let path: String
    private let buildIndexes: (_ path: String) -> Void
    /// Nil while there is none.
    private var store: SQLiteStore?
    /// Of the file that is open.
    private var file: FileIdentity?
    /// How often it was opened.
    private var openings: Int64 = 0
    /// How often the version of a file without indexes is still asked before they are built; nil if they are not missing.
    private var turnsUntilIndexes: Int?

    /// Two seconds at five per second: sorting would slow down the first page.
    package static let turnsBeforeIndexes = 10

    /// - Parameter buildIndexes: called for a large file without the indexes by device, from `version`, some time after it was opened.
    ///   They are built by another thread unless this says otherwise: sorting a million rows takes a second or two, and until then what is
    ///   asked for is found by reading all rows.
    /// - Throws: `StoreError`.
    package init(path: String, buildIndexes: @escaping (_ path: String) -> Void = buildInBackground) throws {
        self.path = path
        self.buildIndexes = buildIndexes
        try open()
    }

    /// Whatever is in the way, a reader needs no index. Its commit changes `version`.
    package static func buildInBackground(_ path: String) {
        DispatchQueue(label: "pushpipe.indexes").async { try? SQLiteStore.buildIndexes(at: path) }
    }

    private func open() throws {
        store = nil
        // Before the file is opened: one that is replaced in between is opened once more.
        file = Self.identity(of: path)
        let opened = try SQLiteStore(path: path, access: .readOnly)
        store = opened
        openings += 1
        turnsUntilIndexes = try opened.missesIndexes() ? Self.turnsBeforeIndexes : nil
    }

    private static func identity(of path: String) -> FileIdentity? { (try? FileStatus(path))?.identity }

    /// A number that changes when another process has written to the store, and when there is another file. Opens that. Ask a few times a
    /// second.
    ///
    /// - Throws: `StoreError`, as long as there is no store.
    package func version() throws -> Int64 {
        if store == nil || Self.identity(of: path) != file { try open() }
        if let turns = turnsUntilIndexes {
            turnsUntilIndexes = turns - 1
            if turns <= 1 {
                // The attempt may fail while another process writes, so there is another one if they are still missing then.
                turnsUntilIndexes = try opened().missesIndexes() ? Self.turnsBeforeIndexes : nil
                if turnsUntilIndexes != nil { buildIndexes(path) }
            }
        }
        return openings << 32 ^ (try opened().dataVersion())
    }

    private func opened() throws -> SQLiteStore {
        guard let store else {
            throw StoreError(
                code: .moved, path: path, message: "was deleted or moved; it is shown again as soon as there is one")
        }
        return store
    }

    package func part() throws -> PartMark? { try opened().part() }

    // MARK: - NotificationStore

    package func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        try opened().forEachNotification(device: device, app: app, body)
    }

    package func forEachScreen(
        device: String?, app: String?, _ body: ([DeliveredNotification]) throws -> Void
    ) throws {
        try opened().forEachScreen(device: device, app: app, body)
    }

    package func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        try opened().forEachEvent(device: device, body)
    }

    package func forEachLiveActivity(
        device: String?, app: String?, _ body: (LiveActivity) throws -> Void
    ) throws {
        try opened().forEachLiveActivity(device: device, app: app, body)
    }

    // MARK: - BrowsableStore

    package func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary] {
        try opened().apps(matching: search, offset: offset, limit: limit)
    }

    package func apps(on device: String) throws -> [CenterSummary] { try opened().apps(on: device) }

    package func newest(
        on device: String, app: String?, before place: UInt64, limit: Int
    ) throws -> [PlacedNotification] {
        try opened().newest(on: device, app: app, before: place, limit: limit)
    }

    package func journal(_ query: JournalQuery) throws -> [PlacedEntry] { try opened().journal(query) }

    package func journalPlaces() throws -> Range<UInt64> { try opened().journalPlaces() }

    package func hasLostLines() throws -> Bool { try opened().hasLostLines() }

    package func lockedDevices() throws -> Set<String> { try opened().lockedDevices() }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] { try opened().badges(on: device) }

    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        try opened().forEachBadge(body)
    }

    package func registered(on device: String) throws -> [RegisteredApp] { try opened().registered(on: device) }

    package func devicesHidingPreviews() throws -> Set<String> { try opened().devicesHidingPreviews() }
}

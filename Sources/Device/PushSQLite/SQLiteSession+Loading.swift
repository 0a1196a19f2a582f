import DeviceScreens
import GRDB
import PayloadJSON
import PushDecoding
import PushStore

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

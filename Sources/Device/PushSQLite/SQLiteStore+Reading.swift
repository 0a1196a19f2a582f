import GRDB
import PayloadJSON
import PushDecoding
import PushModel
package import PushStore

extension SQLiteStore {
    /// Counts the marked rows, which an index of their own lists, and the removals that are not due yet.
    package func staleCount() throws -> StaleCount {
        try reading { database in
            StaleCount(
                shown: Int(try PreparedStatement(database, StoreQuery.staleCount).firstInteger() ?? 0),
                pending: Int(try PreparedStatement(database, StoreQuery.removalCount).firstInteger() ?? 0))
        }
    }

    /// A device's name as the screens have it: a token of APNs may be written in either case.
    static func nameOnScreens(_ device: String?, _ database: Database) throws -> String? {
        guard let device else { return nil }
        let token = DeviceToken.canonical(device)
        guard token != device else { return device }
        let exact = try PreparedStatement(database, StoreQuery.centersOfDevice(hasApp: false), device)
        return try exact.firstInteger() == nil ? token : device
    }

    static func notification(_ row: PreparedStatement) -> DeliveredNotification {
        DeliveredNotification(
            seq: UInt64(bitPattern: row.integer(0)), device: row.string(1), app: row.string(2),
            identifier: row.string(3), content: content(row, from: 4), deliveredAt: row.integer(9),
            payload: row.string(10), changes: row.optionalString(11))
    }

    static func content(_ row: PreparedStatement, from column: Int32) -> ShownContent {
        ShownContent(
            title: row.optionalString(column), subtitle: row.optionalString(column + 1),
            body: row.optionalString(column + 2), thread: row.optionalString(column + 3),
            badge: row.optionalInteger(column + 4))
    }

    /// The progress of a file; nil when it was never started.
    package func progress(of path: String) throws -> InputProgress? {
        let sql =
            """
            SELECT offset, digest, digest_rest, framing, is_dropping, records, clock_offset, file_records FROM input WHERE path = ?
            """
        return try reading { database in
            try PreparedStatement(database, sql, path).first { row in
                var found = InputProgress(path: path)
                found.offset = UInt64(bitPattern: row.integer(0))
                found.digest = InputDigest(words: (row.integer(1), row.integer(2)))
                found.framing = row.string(3)
                found.isDropping = row.integer(4) != 0
                found.records = UInt64(bitPattern: row.integer(5))
                found.clockOffset = row.integer(6)
                found.fileRecords = UInt64(bitPattern: row.integer(7))
                return found
            }
        }
    }

    /// The report of the last transaction, if it is unknown whether it was read.
    package func lastReport() throws -> [UInt8] {
        try reading { database in
            // SOUND: the column is copied before the next step.
            try PreparedStatement(database, "SELECT lines FROM last_report").first { unsafe [UInt8]($0.text(0).buffer) }
                ?? []
        }
    }

    package var lastSequence: UInt64 {
        get throws {
            try reading { UInt64(max(try PreparedStatement($0, StoreQuery.lastSequence).firstInteger() ?? 0, 0)) }
        }
    }

    package var lastRecordTime: Int64? {
        get throws {
            try reading { try PreparedStatement($0, StoreQuery.lastRecordTime).firstInteger() }
        }
    }

    // MARK: - Snapshots

    /// Everything that `body` reads is from one snapshot, even while another process writes.
    package func atOneMoment(_ body: () throws -> Void) throws {
        try reading { _ in try body() }
    }

    /// The result of `body`, which reads from one snapshot.
    func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let moment { return try body(moment) }
        do {
            return try queue.read { database in
                moment = database
                defer { moment = nil }
                do { return try body(database) } catch let error as DatabaseError {
                    throw StoreError(error, path: path, on: database)
                }
            }
        } catch let error as DatabaseError {
            // The read transaction could not begin.
            throw StoreError(error, path: path)
        }
    }
}

extension PreparedStatement {
    /// Binds copies of texts in order. Nil texts have no parameter in the statement.
    func bind(_ texts: [String?]) {
        for (index, text) in texts.compactMap(\.self).enumerated() { bind(Int32(index + 1), copying: text) }
    }
}

import PushDevices

/// The statements that read a store or find rows to change, in one place: a test asks SQLite for the plan of each.
package enum StoreQuery {
    // MARK: - Delivery

    /// The notifications of a device, loaded with it.
    package static let notificationsOnDevice = """
        SELECT n.id, n.seq, n.target, n.chosen_identifier, n.delivered_at, n.payload, n.stale_since, c.app
        FROM center c CROSS JOIN notification n ON n.center = c.id WHERE c.device = ? ORDER BY n.id
        """
    /// The rest of a notification, for an extension, and for a tap.
    package static let content = "SELECT payload, changes, delivered_at FROM notification WHERE id = ?"
    package static let staleCount = "SELECT count(*) FROM notification WHERE stale_since IS NOT NULL"
    package static let removalCount = "SELECT count(*) FROM removal"
    /// One column per table, in the order of `StoreSchema.tables`: 1 if it has rows.
    package static let filledTables =
        "SELECT " + StoreSchema.tables.map { "EXISTS (SELECT 1 FROM \($0.name))" }.joined(separator: ", ")
    package static let lastOrder = "SELECT coalesce(max(id), 0) FROM notification"
    /// The time of the newest notification or of the last journal line, whichever is later; null if there is neither.
    package static let latestTime = """
        SELECT max(at) FROM (
            SELECT delivered_at AS at FROM notification WHERE id = (SELECT max(id) FROM notification)
            UNION ALL SELECT at FROM event WHERE id = (SELECT max(id) FROM event)
        )
        """
    package static let part = "SELECT part, parts, is_complete FROM part"
    package static let streamOffsets = "SELECT stream, offset FROM stream_offset ORDER BY stream"
    package static let lastSequence = "SELECT last_sequence FROM progress"
    /// An insertion as far as the values. What fails ends the transaction, so that SQLite need not copy pages to undo a statement of many rows.
    package static let insertNewCenter = "INSERT OR FAIL INTO center (id, device, app, badge)"
    /// An insertion as far as the values.
    package static let insertNotification = """
        INSERT OR FAIL INTO notification (
            id, center, seq, target, chosen_identifier, title, subtitle, body, thread, badge, delivered_at, payload,
            changes, stale_since
        )
        """
    /// An insertion as far as the values.
    package static let insertEvent = "INSERT OR FAIL INTO event (id, seq, at, center, kind, identifier)"
    /// One row if an index exists.
    package static let index = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?"
    package static let deleteNotification = "DELETE FROM notification WHERE id = ?"

    /// A generated identifier is not stored.
    static let identifier = "coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, ''))"

    // MARK: - Devices

    package static let devicesSubscribed = """
        SELECT d.device FROM subscription s CROSS JOIN installation i ON i.id = s.installation
        CROSS JOIN device d ON d.id = i.device WHERE s.topic = ?
        """
    /// An app that is subscribed to several topics is there several times.
    package static let devicesWithTopics = """
        SELECT d.device FROM subscription s CROSS JOIN installation i ON i.id = s.installation
        CROSS JOIN device d ON d.id = i.device
        """
    package static let deleteSubscriptions = "DELETE FROM subscription WHERE installation = ?"
    package static let rateWindows = "SELECT name, start, count FROM rate_window WHERE kind = ?"
    package static let device = "SELECT id, platform, online, focus FROM device WHERE device = ?"
    package static let updateDevice = "UPDATE device SET platform = ?2, online = ?3, focus = ?4 WHERE id = ?1"
    /// The columns of an app on a device that can change, and their parameters, from the second on.
    static let stateOfApp = DeviceRecord.Kind.ofApp.dropFirst().map(\.name).joined(separator: ", ")
    static let marksOfState = DeviceRecord.Kind.ofApp.indices.dropFirst().map { "?\($0 + 1)" }.joined(separator: ", ")
    package static let updateApp = "UPDATE installation SET (\(stateOfApp)) = (\(marksOfState)) WHERE id = ?1"
    package static let appsOfDevice =
        "SELECT id, \(DeviceRecord.Kind.namesOfApp()) FROM installation WHERE device = ? ORDER BY id"
    package static let appOfDevice =
        "SELECT i.id FROM device d CROSS JOIN installation i ON i.device = d.id WHERE d.device = ? AND i.app = ?"
    package static let heldOnDevice =
        "SELECT \(DeviceRecord.Kind.held.columnNames) FROM held WHERE device = ? ORDER BY id"
    /// All columns of a device record.
    package static func deviceRecords(_ kind: DeviceRecord.Kind) -> String {
        kind == .installation ? registeredApps() : "SELECT \(kind.columnNames) FROM \(kind.name) ORDER BY id"
    }
    /// The columns of a record of an app, and the id of its device.
    package static func registeredApps(ofDevice: Bool = false) -> String {
        let columns = DeviceRecord.Kind.installation.columns.map {
            (DeviceRecord.Kind.ofDevice.contains($0.name) ? "d." : "i.") + $0.name
        }
        return """
            SELECT \(columns.joined(separator: ", ")), i.device
            FROM \(ofDevice ? "device d CROSS JOIN installation i" : "installation i CROSS JOIN device d") ON d.id = i.device
            \(ofDevice ? "WHERE d.device = ?1 " : "")ORDER BY i.id
            """
    }
    /// Devices with an app whose details name when it shows texts, or that it is in the scheduled summary (`AppText`).
    package static let devicesSeenDifferently = """
        SELECT d.device FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE instr(i.details, '"previews":"') > 0 OR instr(i.details, '"summary":true') > 0
        """
    package static let deadTokens = """
        SELECT d.device, i.app, d.platform, i.unregistered_at, i.canonical
        FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE i.unregistered_at >= ?1 OR (i.unregistered_at IS NULL AND i.canonical IS NOT NULL) ORDER BY i.id
        """
    package static let nextExpiry = "SELECT expires_at FROM held ORDER BY expires_at LIMIT 1"
    package static let devicesWithExpired = "SELECT device FROM held WHERE expires_at <= ? ORDER BY expires_at"
    package static let nextTokenDue =
        "SELECT token_due FROM installation WHERE token_due IS NOT NULL AND token_due > ? ORDER BY token_due LIMIT 1"
    package static let devicesWithTokenDue = """
        SELECT d.device FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE i.token_due IS NOT NULL AND i.token_due <= ? ORDER BY i.token_due
        """

    // MARK: - Live Activities

    /// A query as far as the conditions.
    package static let liveActivity = "SELECT id, \(DeviceRecord.Kind.liveActivity.columnNames) FROM live_activity"
    package static let liveActivitiesOfDevice = liveActivity + " WHERE device = ? ORDER BY id"
    package static let devicesOfChannel = "SELECT device FROM live_activity WHERE channel = ?"
    package static let devicesWithActivityToken = "SELECT device FROM live_activity WHERE token = ? AND app = ?"
    package static let devicesWithoutActivityToken =
        "SELECT device FROM live_activity WHERE app = ? AND has_own_token = 0"
    package static let everyLiveActivity = liveActivity + " ORDER BY id"
    package static let lastRecordTime = "SELECT at FROM last_record WHERE id = 1"

    // MARK: - Viewing

    /// Notifications in full.
    private static let notification = """
        SELECT n.seq, c.device, c.app, \(identifier), n.title, n.subtitle, n.body, n.thread, n.badge, n.delivered_at,
            n.payload, n.changes
        FROM notification n CROSS JOIN center c ON c.id = n.center
        """

    /// Every notification in the order of delivery: a full scan of the table.
    package static func everyNotification(newestFirst: Bool = false) -> String {
        notification + " ORDER BY n.id" + (newestFirst ? " DESC" : "")
    }

    package static let oneNotification = notification + " WHERE n.id = ?"

    /// The ids of the notifications of some apps on some devices, in the order of delivery, or the newest first. Sorts only ids; rows are
    /// fetched by id.
    package static func notificationIDs(hasDevice: Bool, hasApp: Bool, newestFirst: Bool = false) -> String {
        "SELECT id FROM notification\(ofCenters(hasDevice, hasApp)) ORDER BY id" + (newestFirst ? " DESC" : "")
    }

    /// The notifications of each screen, oldest first: center and id.
    package static func screens(hasDevice: Bool, hasApp: Bool) -> String {
        "SELECT center, id FROM notification\(ofCenters(hasDevice, hasApp)) ORDER BY center, id"
    }

    /// The condition that rows are of some apps on some devices. SQLite finds them in the index by center if there is one, and otherwise reads
    /// all rows once.
    private static func ofCenters(_ hasDevice: Bool, _ hasApp: Bool) -> String {
        hasDevice || hasApp ? " WHERE center IN (\(centersOfDevice(hasDevice: hasDevice, hasApp: hasApp)))" : ""
    }

    /// Devices whose names have a prefix, sorted. Binds the prefix, and a text after every name with it.
    package static let devicesBeginning = """
        SELECT device FROM center WHERE device >= ?1 AND device < ?2
        UNION SELECT device FROM device WHERE device >= ?1 AND device < ?2 ORDER BY 1
        """

    /// One row if an app is on a device, or on any for null.
    package static let hasApp = """
        SELECT 1 FROM center WHERE app = ?1 AND (?2 IS NULL OR device = ?2)
        UNION ALL SELECT 1 FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE i.app = ?1 AND (?2 IS NULL OR d.device = ?2) LIMIT 1
        """

    /// Devices whose text of conditions (`DeviceCondition`) names a lock.
    package static let lockedDevices = "SELECT device FROM device WHERE instr(focus, '\"locked\"') > 0"

    /// One notification as a user sees it. The payload is left out if it is one of APNs alone: nothing of it is read with the screen.
    package static let card = """
        SELECT n.seq, \(identifier), n.title, n.subtitle, n.body, n.thread, n.badge, n.delivered_at,
            CASE WHEN instr(n.payload, '"aps"') = 0 OR instr(n.payload, '"android') > 0 THEN n.payload ELSE '' END
        FROM notification n WHERE n.id = ?
        """
    package static let centerNames = "SELECT device, app FROM center WHERE id = ?"

    /// Some apps on devices in the order in which they were first seen, with the number of their notifications and the time of the newest one.
    ///
    /// - Parameter selection: its columns are those of `centers`, and its parameters are numbered.
    package static func summaries(of selection: String = centers) -> String {
        """
        SELECT c.device, c.app, c.badge, coalesce(n.count, 0),
            (SELECT delivered_at FROM notification WHERE id = n.newest)
        FROM (\(selection)) c LEFT JOIN (
            SELECT center, count(*) AS count, max(id) AS newest FROM notification
            WHERE center IN (SELECT id FROM (\(selection))) GROUP BY center
        ) n ON n.center = c.id ORDER BY c.id
        """
    }

    package static let centers = "SELECT id, device, app, badge FROM center ORDER BY id"

    package static func events(hasDevice: Bool) -> String {
        """
        SELECT e.seq, e.at, c.device, c.app, e.kind, e.identifier
        FROM event e CROSS JOIN center c ON c.id = e.center\(ofCenters(hasDevice, false)) ORDER BY e.id
        """
    }

    // MARK: - Browsing

    /// A part of the centers, as `centers`. The third and fourth bind what occurs in a name, and are null for all.
    package static let centersInPart = """
        SELECT id, device, app, badge FROM center WHERE ?3 IS NULL OR instr(lower(device), ?3) OR instr(lower(app), ?3)
        ORDER BY id LIMIT ?1 OFFSET ?2
        """
    package static let centersOnDevice = "SELECT id, device, app, badge FROM center WHERE device = ?1 ORDER BY id"
    package static let centerCount = """
        SELECT count(*) FROM center WHERE ?1 IS NULL OR instr(lower(device), ?1) OR instr(lower(app), ?1)
        """
    /// Registered apps without a center, in parts.
    package static let appsWithoutCenter = """
        SELECT d.device, i.app FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE NOT EXISTS (SELECT 1 FROM center c WHERE c.device = d.device AND (i.app = '' OR c.app = i.app))
            AND (?3 IS NULL OR instr(lower(d.device), ?3) OR instr(lower(i.app), ?3))
        ORDER BY i.id LIMIT ?1 OFFSET ?2
        """
    /// The ids of a center's notifications before one, newest first.
    package static let idsInCenter = "SELECT id FROM notification WHERE center = ? AND id < ? ORDER BY id DESC LIMIT ?"

    /// Lines of one center, or of all. Binds the places before and after, how many, an app or null, an identifier or null, and the center.
    package static func journal(ofCenter: Bool, newestFirst: Bool) -> String {
        """
        SELECT e.id, e.seq, e.at, c.device, c.app, e.kind, e.identifier FROM event e CROSS JOIN center c ON c.id = e.center
        WHERE \(ofCenter ? "e.center = ?6 AND " : "")e.id < ?1 AND e.id > ?2 AND (?4 IS NULL OR c.app = ?4)
            AND (?5 IS NULL OR e.identifier = ?5)
        ORDER BY e.id\(newestFirst ? " DESC" : "") LIMIT ?3
        """
    }
    package static let journalEnds = "SELECT (SELECT min(id) FROM event), (SELECT max(id) FROM event)"
    /// True if another connection has committed since the last time: the number changes.
    package static let dataVersion = "PRAGMA data_version"

    // MARK: - Pruning

    /// A limited number of rows of a table after an id, of some apps on some devices: id, center, time. Those of a device are found in the index
    /// by center.
    package static func rows(of table: PrunedTable, hasDevice: Bool, hasApp: Bool) -> String {
        let condition =
            hasDevice || hasApp
            ? "\(hasDevice ? "" : "+")center IN (\(centersOfDevice(hasDevice: hasDevice, hasApp: hasApp))) AND " : ""
        return "SELECT id, center, \(table.time) FROM \(table.name) WHERE \(condition)id > ? ORDER BY id LIMIT ?"
    }

    package static func delete(from table: PrunedTable) -> String { "DELETE FROM \(table.name) WHERE id = ?" }

    /// A center's newest notification after a number of newer ones.
    package static let newestAfter = "SELECT id FROM notification WHERE center = ? ORDER BY id DESC LIMIT 1 OFFSET ?"

    package static func centersOfDevice(hasDevice: Bool = true, hasApp: Bool) -> String {
        "SELECT id FROM center WHERE " + names(hasDevice, hasApp).joined(separator: " AND ")
    }

    private static func names(_ hasDevice: Bool, _ hasApp: Bool) -> [String] {
        (hasDevice ? ["device = ?"] : []) + (hasApp ? ["app = ?"] : [])
    }

    /// A limited number of centers after an id: id, and 1 if the center has nothing but its names.
    package static func emptyCenters(hasDevice: Bool, hasApp: Bool) -> String {
        """
        SELECT id, badge IS NULL AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.center = center.id)
            AND NOT EXISTS (SELECT 1 FROM event e WHERE e.center = center.id)
        FROM center WHERE \((names(hasDevice, hasApp) + ["id > ?"]).joined(separator: " AND ")) ORDER BY id LIMIT ?
        """
    }

    /// Live Activities that left the lock screen before a time.
    package static func activitiesGone(hasDevice: Bool, hasApp: Bool) -> String {
        let conditions = names(hasDevice, hasApp) + ["coalesce(dismissed_at, started_at + 43200000) < ?"]
        return "FROM live_activity WHERE " + conditions.joined(separator: " AND ")
    }

    package static let deleteCenter = "DELETE FROM center WHERE id = ?"
}

/// The tables that pruning deletes from.
package enum PrunedTable: CaseIterable {
    case notifications
    case events

    var name: String { self == .notifications ? "notification" : "event" }
    var time: String { self == .notifications ? "delivered_at" : "at" }
}

import PushStore

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
    package static let removals = "SELECT id, seq, due, device, app, identifier FROM removal ORDER BY id"
    package static let insertRemoval =
        "INSERT INTO removal (id, seq, due, device, app, identifier) VALUES (?, ?, ?, ?, ?, ?)"
    package static let deleteRemoval = "DELETE FROM removal WHERE id = ?"
    package static let removalCount = "SELECT count(*) FROM removal"
    /// One column per table, in the order of `StoreSchema.tables`: 1 if it has rows.
    package static let filledTables =
        "SELECT " + StoreSchema.tables.map { "EXISTS (SELECT 1 FROM \($0.name))" }.joined(separator: ", ")
    package static let lastOrder = "SELECT coalesce(max(id), 0) FROM notification"
    /// The times of the newest notification and of the last journal line; either may exist without the other.
    package static let latestTimes = [
        "SELECT delivered_at FROM notification WHERE id = (SELECT max(id) FROM notification)",
        "SELECT at FROM event WHERE id = (SELECT max(id) FROM event)",
    ]
    package static let part = "SELECT part, parts, is_complete FROM part"
    package static let streamOffsets = "SELECT stream, offset FROM stream_offset ORDER BY stream"
    package static let lastSequence = "SELECT last_sequence FROM progress"
    /// As far as the values. What fails ends the transaction, so that SQLite need not copy pages to undo a statement of many rows.
    package static let insertNewCenter = "INSERT OR FAIL INTO center (id, device, app, badge)"
    /// As far as the values, as before.
    package static let insertNotification = """
        INSERT OR FAIL INTO notification (
            id, center, seq, target, chosen_identifier, title, subtitle, body, thread, badge, delivered_at, payload,
            changes, stale_since
        )
        """
    /// As far as the values, as before.
    package static let insertEvent = "INSERT OR FAIL INTO event (id, seq, at, center, kind, identifier)"
    /// One row if an index exists.
    package static let index = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?"
    package static let deleteNotification = "DELETE FROM notification WHERE id = ?"

    /// A generated identifier is not stored.
    private static let identifier = "coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, ''))"

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
    package static let updateApp = """
        UPDATE installation SET state = ?2, authorization = ?3, alerts = ?4, logged_in = ?5, registration = ?6,
            unregistered_at = ?7, canonical = ?8, deleted_count = ?9, token_standing = ?10, token_since = ?11, token_due = ?12,
            details = ?13
        WHERE id = ?1
        """
    package static let appsOfDevice = """
        SELECT id, app, state, authorization, alerts, logged_in, registration, unregistered_at, canonical, deleted_count,
            token_standing, token_since, details
        FROM installation WHERE device = ? ORDER BY id
        """
    package static let appOfDevice =
        "SELECT i.id FROM device d CROSS JOIN installation i ON i.device = d.id WHERE d.device = ? AND i.app = ?"
    private static let heldColumns = """
        seq, target, accepted_at, expires_at, collapse_key, provider, gateway, platform, topic, collapse_id, push_type,
        bytes, byte_limit, is_background, payload, device, app
        """
    package static let heldOnDevice = "SELECT \(heldColumns) FROM held WHERE device = ? ORDER BY id"
    package static let everyHeld = "SELECT \(heldColumns) FROM held ORDER BY id"
    package static func registeredApps(ofDevice: Bool = false) -> String {
        """
        SELECT d.device, i.app, d.platform, d.online, i.state, i.authorization, i.alerts, i.logged_in, i.registration,
            i.unregistered_at, i.canonical, i.token_standing, i.token_since, i.details, d.focus, i.device
        FROM \(ofDevice ? "device d CROSS JOIN installation i" : "installation i CROSS JOIN device d") ON d.id = i.device
        \(ofDevice ? "WHERE d.device = ?1 " : "")ORDER BY i.id
        """
    }
    /// Devices with an app whose details name when it shows texts (`AppText`).
    package static let devicesHidingPreviews = """
        SELECT d.device FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE instr(i.details, '"previews":"') > 0
        """
    package static let deadTokens = """
        SELECT d.device, i.app, d.platform, i.unregistered_at, i.canonical
        FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE i.unregistered_at >= ?1 OR (i.unregistered_at IS NULL AND i.canonical IS NOT NULL) ORDER BY i.id
        """
    /// All columns of `DeviceRecord`.
    package static func deviceRecords(_ kind: DeviceRecord.Kind) -> String {
        guard kind == .installation else { return "SELECT \(kind.columnNames) FROM \(kind.name) ORDER BY id" }
        let columns = kind.columns.map { (DeviceRecord.Kind.ofDevice.contains($0.name) ? "d." : "i.") + $0.name }
        return
            "SELECT \(columns.joined(separator: ", ")) FROM installation i CROSS JOIN device d ON d.id = i.device ORDER BY i.id"
    }

    package static let nextExpiry = "SELECT expires_at FROM held ORDER BY expires_at LIMIT 1"
    package static let devicesWithExpired = "SELECT device FROM held WHERE expires_at <= ? ORDER BY expires_at"
    package static let nextTokenDue =
        "SELECT token_due FROM installation WHERE token_due IS NOT NULL AND token_due > ? ORDER BY token_due LIMIT 1"
    package static let devicesWithTokenDue = """
        SELECT d.device FROM installation i CROSS JOIN device d ON d.id = i.device
        WHERE i.token_due IS NOT NULL AND i.token_due <= ? ORDER BY i.token_due
        """

    // MARK: - Live Activities

    /// As far as the conditions.
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

    /// The ids of the notifications of some apps on some devices, in the order of delivery, or the newest first.
    ///
    /// Sorts only ids, from the indexes alone; rows are fetched by id. With the rows in the statement, SQLite would
    /// read every notification rather than sort those of one app.
    ///
    /// Without the index reads every notification, in order.
    package static func notificationIDs(
        hasDevice: Bool, hasApp: Bool, hasIndex: Bool = true, newestFirst: Bool = false
    ) -> String {
        let tables =
            hasIndex
            ? "center c CROSS JOIN notification n ON n.center = c.id"
            : "notification n CROSS JOIN center c ON c.id = n.center"
        return "SELECT n.id FROM \(tables) \(filter(hasDevice, hasApp)) ORDER BY n.id"
            + (newestFirst ? " DESC" : "")
    }

    /// Screens, the one with the oldest notification first: id, device, app, and that notification's id, null for an
    /// empty screen.
    package static func screens(hasDevice: Bool, hasApp: Bool) -> String {
        """
        SELECT c.id, c.device, c.app, (SELECT min(n.id) FROM notification n WHERE n.center = c.id) AS oldest
        FROM center c \(filter(hasDevice, hasApp)) ORDER BY oldest
        """
    }

    /// Devices whose names have a prefix, sorted. Binds the prefix, and a text after every name with it.
    package static let devicesBeginning = """
        SELECT device FROM center WHERE device >= ?1 AND device < ?2
        UNION SELECT device FROM device WHERE device >= ?1 AND device < ?2 ORDER BY 1
        """

    /// Devices whose text of conditions (`DeviceCondition`) names a lock.
    package static let lockedDevices = "SELECT device FROM device WHERE instr(focus, '\"locked\"') > 0"

    /// The payload is left out if it is one of APNs alone: nothing of it is read with the screen.
    private static let card = """
        SELECT n.seq, \(identifier), n.title, n.subtitle, n.body, n.thread, n.badge, n.delivered_at,
            CASE WHEN instr(n.payload, '"aps"') = 0 OR instr(n.payload, '"android') > 0 THEN n.payload ELSE '' END
        FROM notification n
        """
    /// The notifications of a screen as a user sees them, oldest first.
    package static let cards = card + " WHERE n.center = ? ORDER BY n.id"

    /// The parts of screens, oldest first, where there is no index: a center and a notification.
    package static func screenParts(hasDevice: Bool, hasApp: Bool) -> String {
        """
        SELECT c.id, n.id FROM notification n CROSS JOIN center c ON c.id = n.center
        \(filter(hasDevice, hasApp)) ORDER BY n.id
        """
    }
    /// One notification as a user sees it.
    package static let oneCard = card + " WHERE n.id = ?"
    package static let centerNames = "SELECT device, app FROM center WHERE id = ?"

    /// Apps on devices, in the order in which they were first seen. Counts in the index; of the rows reads only the
    /// newest.
    package static let summaries = """
        SELECT c.device, c.app, c.badge, (SELECT count(*) FROM notification n WHERE n.center = c.id),
            (SELECT n.delivered_at FROM notification n WHERE n.center = c.id ORDER BY n.id DESC LIMIT 1)
        FROM center c ORDER BY c.id
        """
    /// The same without the index: sorts the ids of all notifications by center. `delivered_at` is that of the greatest
    /// id, as SQLite promises.
    package static let summariesWithoutIndex = """
        SELECT c.device, c.app, c.badge, coalesce(s.count, 0), s.latest FROM center c LEFT JOIN (
            SELECT center, count(*) AS count, max(id), delivered_at AS latest FROM notification GROUP BY center
        ) s ON s.center = c.id ORDER BY c.id
        """

    package static let centers = "SELECT device, app, badge FROM center ORDER BY id"

    /// Without the index reads every line, in order.
    package static func events(hasDevice: Bool, hasIndex: Bool = true) -> String {
        """
        SELECT e.seq, e.at, c.device, c.app, e.kind, e.identifier
        FROM \(hasDevice && hasIndex ? "center c CROSS JOIN event e ON e.center = c.id" : "event e CROSS JOIN center c ON c.id = e.center")
        \(filter(hasDevice, false)) ORDER BY e.id
        """
    }

    private static func filter(_ hasDevice: Bool, _ hasApp: Bool) -> String {
        let conditions = (hasDevice ? ["c.device = ?"] : []) + (hasApp ? ["c.app = ?"] : [])
        return conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }

    // MARK: - Browsing

    /// A part of the centers, as `centers`. The third and fourth bind what occurs in a name, and are null for all.
    package static let centersInPart = """
        SELECT id, device, app, badge FROM center WHERE ?3 IS NULL OR instr(lower(device), ?3) OR instr(lower(app), ?3)
        ORDER BY id LIMIT ?1 OFFSET ?2
        """
    package static let centersOnDevice = "SELECT id, device, app, badge FROM center WHERE device = ? ORDER BY id"
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
    /// Id, count, greatest id and its time for each of the selected centers that has notifications. Reads all notifications once, as there is
    /// no index; groups only those of the selected centers. Binds what the selection binds.
    package static func countsWithoutIndex(of selection: String) -> String {
        """
        SELECT n.center, count(*), max(n.id), n.delivered_at FROM notification n
        WHERE n.center IN (SELECT id FROM (\(selection))) GROUP BY n.center
        """
    }
    package static let countInCenter = "SELECT count(*) FROM notification WHERE center = ?"
    package static let latestInCenter =
        "SELECT delivered_at FROM notification WHERE center = ? ORDER BY id DESC LIMIT 1"
    /// The ids of a center's notifications before one, newest first.
    package static let idsInCenter = "SELECT id FROM notification WHERE center = ? AND id < ? ORDER BY id DESC LIMIT ?"

    private static let line = "SELECT e.id, e.seq, e.at, c.device, c.app, e.kind, e.identifier"
    /// Lines of one center. Binds the center, the places before and after, how many, and an identifier or null.
    package static func journalOfCenter(newestFirst: Bool) -> String {
        """
        \(line) FROM event e CROSS JOIN center c ON c.id = e.center
        WHERE e.center = ?1 AND e.id < ?2 AND e.id > ?3 AND (?5 IS NULL OR e.identifier = ?5)
        ORDER BY e.id\(newestFirst ? " DESC" : "") LIMIT ?4
        """
    }
    /// Lines of all centers. Binds the places before and after, how many, an app or null, and an identifier or null.
    package static func journal(newestFirst: Bool) -> String {
        """
        \(line) FROM event e CROSS JOIN center c ON c.id = e.center
        WHERE e.id < ?1 AND e.id > ?2 AND (?4 IS NULL OR c.app = ?4) AND (?5 IS NULL OR e.identifier = ?5)
        ORDER BY e.id\(newestFirst ? " DESC" : "") LIMIT ?3
        """
    }
    package static let journalEnds = ["SELECT min(id) FROM event", "SELECT max(id) FROM event"]
    /// True if another connection has committed since the last time: the number changes.
    package static let dataVersion = "PRAGMA data_version"

    // MARK: - Pruning

    /// A limited number of rows of a table after an id: id, center, time, and 1 if they are of the selected app.
    package static func rows(of table: PrunedTable, hasApp: Bool) -> String {
        "SELECT id, center, \(table.time), \(ofApp(table, hasApp)) FROM \(table.name) WHERE id > ?1 ORDER BY id LIMIT ?2"
    }

    /// The same for one center.
    package static func rowsOfCenter(of table: PrunedTable) -> String {
        "SELECT id, center, \(table.time), 1 FROM \(table.name) WHERE center = ? AND id > ? ORDER BY id LIMIT ?"
    }

    private static func ofApp(_ table: PrunedTable, _ hasApp: Bool) -> String {
        hasApp ? "coalesce((SELECT app = ?3 FROM center WHERE center.id = \(table.name).center), 0)" : "1"
    }

    package static func delete(from table: PrunedTable) -> String { "DELETE FROM \(table.name) WHERE id = ?" }

    /// A center's newest notification after a number of newer ones.
    package static let newestAfter = "SELECT id FROM notification WHERE center = ? ORDER BY id DESC LIMIT 1 OFFSET ?"

    package static func centersOfDevice(hasApp: Bool) -> String {
        "SELECT id FROM center WHERE device = ?\(hasApp ? " AND app = ?" : "")"
    }

    /// A limited number of centers after an id: id, and 1 if the center has nothing but its names.
    package static func emptyCenters(hasApp: Bool) -> String {
        "SELECT id, \(isEmpty)\(hasApp ? " AND app = ?3" : "") FROM center WHERE id > ?1 ORDER BY id LIMIT ?2"
    }

    package static let isCenterEmpty = "SELECT \(isEmpty) FROM center WHERE id = ?"
    /// Live Activities that left the lock screen before a time.
    package static func activitiesGone(hasDevice: Bool, hasApp: Bool) -> String {
        "FROM live_activity WHERE coalesce(dismissed_at, started_at + 43200000) < ?1"
            + (hasDevice ? " AND device = ?2" : "") + (hasApp ? " AND app = ?3" : "")
    }

    package static let deleteCenter = "DELETE FROM center WHERE id = ?"

    private static let isEmpty = """
        badge IS NULL AND NOT EXISTS (SELECT 1 FROM notification n WHERE n.center = center.id)
        AND NOT EXISTS (SELECT 1 FROM event e WHERE e.center = center.id)
        """
}

/// The tables that pruning deletes from.
package enum PrunedTable: CaseIterable {
    case notifications
    case events

    var name: String { self == .notifications ? "notification" : "event" }
    var time: String { self == .notifications ? "delivered_at" : "at" }
}

import GRDB

/// Tables, views and migrations.
enum StoreSchema {
    /// "push" in ASCII: marks a database as a store of this package.
    static let applicationID = 0x7075_7368

    static func prepare(_ queue: DatabaseQueue, path: String, access: SQLiteStore.Access) throws {
        let (identifier, isEmpty) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                // A run that was killed while it created the file may have left only the list of migrations, which
                // comes first.
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") ?? 0 == 0
            )
        }
        guard identifier == applicationID || (isEmpty && identifier == 0 && access == .readWrite) else {
            let message =
                isEmpty ? "an empty file, not a pushpipe store" : "an SQLite database, but not a pushpipe store"
            throw StoreError(code: .notAStore, path: path, message: message)
        }
        try StoreTables.check(queue, path: path)
        guard access != .readOnly else { return }
        // Not earlier: the mode stays in the file, and another program's database must not be changed.
        let mode = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        guard mode == "wal" else {
            throw StoreError(
                code: .cannotOpen, path: path, message: "the file system has no room for a write-ahead log")
        }
        try migrator.migrate(queue)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 screens and journal") { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: first)
        }
        migrator.registerMigration("2 changes by extensions") { try $0.execute(sql: second) }
        migrator.registerMigration("3 progress of inputs") { try $0.execute(sql: third) }
        migrator.registerMigration("4 devices") { try $0.execute(sql: fourth) }
        migrator.registerMigration("5 redaction") { try $0.execute(sql: fifth) }
        migrator.registerMigration("6 live activities") { try $0.execute(sql: sixth) }
        migrator.registerMigration("7 topics and rates") { try $0.execute(sql: seventh) }
        // The Focus that is on at a device, as JSON.
        migrator.registerMigration("8 focus") { try $0.execute(sql: "ALTER TABLE device ADD COLUMN focus TEXT") }
        // Records of each file. Before, only those of the run were kept, which are the same for its first file.
        migrator.registerMigration("9 records of inputs") { database in
            try database.execute(
                sql: """
                    ALTER TABLE input ADD COLUMN file_records INTEGER NOT NULL DEFAULT 0;
                    UPDATE input SET file_records = records;
                    """)
        }
        migrator.registerMigration("10 parts") { try $0.execute(sql: tenth) }
        migrator.registerMigration("11 late removals") { try $0.execute(sql: eleventh) }
        return migrator
    }

    /// Removals that extensions have asked for and that are not due yet; without an identifier, of all notifications of an app. Since
    /// when a notification on the screen should have been removed. Times are milliseconds since the epoch.
    private static let eleventh = """
        CREATE TABLE removal (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            due INTEGER NOT NULL,
            device TEXT NOT NULL,
            app TEXT NOT NULL,
            identifier TEXT
        ) STRICT;
        ALTER TABLE notification ADD COLUMN stale_since INTEGER;
        CREATE INDEX notification_stale ON notification (id) WHERE stale_since IS NOT NULL;
        CREATE VIEW stale_duplicates AS
        SELECT
            c.device AS device,
            c.app AS app,
            coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, '')) AS identifier,
            \(rfc3339("n.stale_since")) AS since
        FROM notification n JOIN center c ON c.id = n.center
        WHERE n.stale_since IS NOT NULL
        ORDER BY n.id;
        """

    /// Present in a store that holds one part of a divided input: which one, and whether it was read to its end. The last offset of
    /// each stream of an engine, a number or Redis' two numbers.
    private static let tenth = """
        CREATE TABLE part (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            part INTEGER NOT NULL,
            parts INTEGER NOT NULL,
            is_complete INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE stream_offset (
            stream TEXT PRIMARY KEY,
            offset TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The topics of apps, from the details of their rows; an empty topic for an app that is subscribed to none. The windows
    /// in which a run counts pushes, times in milliseconds since the epoch.
    private static let seventh = """
        CREATE TABLE subscription (
            topic TEXT NOT NULL,
            installation INTEGER NOT NULL REFERENCES installation,
            PRIMARY KEY (topic, installation)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX subscription_by_installation ON subscription (installation);
        CREATE TABLE rate_window (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            start INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// Milliseconds since the epoch as text, in integer arithmetic: a fraction in a double would sometimes lose a
    /// millisecond.
    private static func rfc3339(_ column: String) -> String {
        let fraction = "(\(column) % 1000 + 1000) % 1000"
        return
            "strftime('%Y-%m-%dT%H:%M:%S', (\(column) - \(fraction)) / 1000, 'unixepoch') || printf('.%03dZ', \(fraction))"
    }

    /// `notification.id` is the order of delivery. Times are milliseconds since the epoch; the views show RFC 3339.
    ///
    /// The indexes by center are in `StoreIndex`, and not here: they are built when first needed. Stores of earlier versions
    /// have them from the start.
    private static let first = """
        CREATE TABLE center (
            id INTEGER PRIMARY KEY,
            device TEXT NOT NULL,
            app TEXT NOT NULL,
            badge INTEGER,
            UNIQUE (device, app)
        ) STRICT;
        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,
            center INTEGER NOT NULL REFERENCES center,
            seq INTEGER NOT NULL,
            target INTEGER,
            chosen_identifier TEXT,
            title TEXT,
            subtitle TEXT,
            body TEXT,
            thread TEXT,
            badge INTEGER,
            delivered_at INTEGER NOT NULL,
            payload TEXT NOT NULL
        ) STRICT;
        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            at INTEGER NOT NULL,
            center INTEGER NOT NULL REFERENCES center,
            kind TEXT NOT NULL,
            identifier TEXT NOT NULL
        ) STRICT;
        CREATE TABLE progress (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            last_sequence INTEGER NOT NULL
        ) STRICT;
        INSERT INTO progress VALUES (1, 0);

        CREATE VIEW on_screen AS
        SELECT
            c.device AS device,
            c.app AS app,
            coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, '')) AS identifier,
            n.title AS title,
            n.subtitle AS subtitle,
            n.body AS body,
            n.thread AS thread,
            n.badge AS badge,
            \(rfc3339("n.delivered_at")) AS delivered_at,
            n.payload AS payload
        FROM notification n JOIN center c ON c.id = n.center
        ORDER BY n.id;
        CREATE VIEW events AS
        SELECT
            e.seq AS seq,
            \(rfc3339("e.at")) AS at,
            c.device AS device,
            c.app AS app,
            e.kind AS kind,
            e.identifier AS identifier
        FROM event e JOIN center c ON c.id = e.center
        ORDER BY e.id;
        CREATE VIEW badges AS
        SELECT device, app, badge FROM center WHERE badge IS NOT NULL ORDER BY id;
        """

    /// `changes`: the members of the content that a service extension changed, as a JSON object.
    private static let second = """
        ALTER TABLE notification ADD COLUMN changes TEXT;
        CREATE VIEW extension_changes AS
        SELECT
            c.device AS device,
            c.app AS app,
            coalesce(n.chosen_identifier, 'push-' || n.seq || coalesce('.' || n.target, '')) AS identifier,
            n.changes AS changes
        FROM notification n JOIN center c ON c.id = n.center
        WHERE n.changes IS NOT NULL
        ORDER BY n.id;
        """

    /// Devices, the apps on them, and the messages that their providers have queued. `target` is -1 for a request with
    /// one target; `clock_offset` is by how much events have advanced the clock of a run.
    private static let fourth = """
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            device TEXT NOT NULL UNIQUE,
            platform TEXT NOT NULL,
            online INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE installation (
            id INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device,
            app TEXT NOT NULL,
            state TEXT NOT NULL,
            authorization TEXT NOT NULL,
            alerts INTEGER NOT NULL,
            logged_in INTEGER,
            registration TEXT NOT NULL,
            unregistered_at INTEGER,
            canonical TEXT,
            deleted_count INTEGER NOT NULL,
            token_standing TEXT NOT NULL,
            token_since INTEGER NOT NULL,
            token_due INTEGER,
            details TEXT,
            UNIQUE (device, app)
        ) STRICT;
        CREATE INDEX installation_by_due ON installation (token_due) WHERE token_due IS NOT NULL;
        CREATE TABLE held (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            target INTEGER NOT NULL,
            device TEXT NOT NULL,
            app TEXT NOT NULL,
            accepted_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            collapse_key TEXT,
            provider TEXT NOT NULL,
            gateway TEXT,
            platform TEXT NOT NULL,
            topic TEXT NOT NULL,
            collapse_id TEXT,
            push_type TEXT,
            bytes INTEGER NOT NULL,
            byte_limit INTEGER NOT NULL,
            is_background INTEGER NOT NULL,
            payload TEXT NOT NULL,
            UNIQUE (seq, target)
        ) STRICT;
        CREATE INDEX held_by_app ON held (device, app, id);
        CREATE INDEX held_by_expiry ON held (expires_at, device);
        ALTER TABLE input ADD COLUMN clock_offset INTEGER NOT NULL DEFAULT 0;

        CREATE VIEW devices AS
        SELECT
            d.device AS device,
            i.app AS app,
            d.platform AS platform,
            d.online AS online,
            i.state AS state,
            i.authorization AS authorization,
            i.alerts AS alerts,
            i.logged_in AS logged_in,
            i.registration AS registration,
            CASE WHEN i.unregistered_at IS NOT NULL THEN \(rfc3339("i.unregistered_at")) END AS unregistered_at,
            i.canonical AS canonical,
            i.token_standing AS token
        FROM device d JOIN installation i ON i.device = d.id
        ORDER BY d.id, i.id;
        CREATE VIEW held_messages AS
        SELECT
            seq,
            device,
            topic,
            provider,
            collapse_key,
            \(rfc3339("accepted_at")) AS accepted_at,
            \(rfc3339("expires_at")) AS expires_at,
            payload
        FROM held ORDER BY id;
        """

    /// The progress of each file, and the report of the last transaction, which may not have been read.
    private static let third = """
        CREATE TABLE input (
            path TEXT PRIMARY KEY,
            offset INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            digest_rest INTEGER NOT NULL,
            framing TEXT NOT NULL,
            records INTEGER NOT NULL,
            is_dropping INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE last_report (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            lines TEXT NOT NULL
        ) STRICT;
        """

    /// Live Activities. `last_record` has the time of the last record, and exists once there is an activity: states follow
    /// from times. The limits of 8 and 4 hours are those of `LiveActivity`.
    private static let sixth = """
        CREATE TABLE live_activity (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            device TEXT NOT NULL,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            token TEXT NOT NULL,
            has_own_token INTEGER NOT NULL,
            channel TEXT,
            attributes_type TEXT,
            attributes TEXT,
            content_state TEXT,
            timestamp INTEGER,
            stale_at INTEGER,
            relevance_score TEXT,
            alert_title TEXT,
            alert_body TEXT,
            started_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            ended_at INTEGER,
            dismissed_at INTEGER,
            hour_start INTEGER NOT NULL,
            hour_count INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX live_activity_by_app ON live_activity (device, app);
        CREATE INDEX live_activity_by_channel ON live_activity (channel) WHERE channel IS NOT NULL;
        CREATE TABLE last_record (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            at INTEGER NOT NULL
        ) STRICT;

        CREATE VIEW live_activities AS
        SELECT
            device,
            app,
            identifier,
            CASE
                WHEN coalesce(dismissed_at, started_at + 43200000) <= now THEN 'dismissed'
                WHEN coalesce(ended_at, started_at + 28800000) <= now THEN 'ended'
                WHEN stale_at <= now THEN 'stale'
                ELSE 'active'
            END AS state,
            attributes_type,
            attributes,
            content_state,
            CAST(relevance_score AS REAL) AS relevance_score,
            channel,
            alert_title,
            alert_body,
            \(rfc3339("started_at")) AS started_at,
            \(rfc3339("updated_at")) AS updated_at,
            CASE WHEN stale_at IS NOT NULL THEN \(rfc3339("stale_at")) END AS stale_at,
            \(rfc3339("coalesce(ended_at, started_at + 28800000)")) AS ends_at,
            \(rfc3339("coalesce(dismissed_at, started_at + 43200000)")) AS dismissed_at,
            token
        FROM live_activity, (SELECT coalesce((SELECT at FROM last_record), 0) AS now)
        ORDER BY id;
        """

    /// Present when texts have been replaced by digests: which ones, and a mark of the key, so that nothing redacted
    /// differently is added.
    private static let fifth = """
        CREATE TABLE redaction (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            parts TEXT NOT NULL,
            key_mark TEXT NOT NULL
        ) STRICT;
        """
}

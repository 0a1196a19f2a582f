import PushDevices

/// The tables of what is on the screens of apps, and of the journal. `SQLiteSession` reads and writes them.
final class StoredScreens: StoredFact {
    static let tables = [StoredTable("center"), StoredTable("notification"), StoredTable("event")]

    /// `notification.id` is the order of delivery. `changes` has the members of the content that a service extension changed, as a JSON
    /// object; `stale_since` is when the notification should have been removed. Times are milliseconds since the epoch; the views show
    /// RFC 3339.
    ///
    /// The indexes by center are in `StoreIndex`, and not here: they are built when first needed.
    static let schema = """
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
            payload TEXT NOT NULL,
            changes TEXT,
            stale_since INTEGER
        ) STRICT;
        CREATE INDEX notification_stale ON notification (id) WHERE stale_since IS NOT NULL;
        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            seq INTEGER NOT NULL,
            at INTEGER NOT NULL,
            center INTEGER NOT NULL REFERENCES center,
            kind TEXT NOT NULL,
            identifier TEXT NOT NULL
        ) STRICT;

        CREATE VIEW on_screen AS
        SELECT
            n.seq AS seq,
            \(named),
            n.title AS title,
            n.subtitle AS subtitle,
            n.body AS body,
            n.thread AS thread,
            n.badge AS badge,
            \(StoreSchema.rfc3339("n.delivered_at")) AS delivered_at,
            n.payload AS payload
        FROM notification n JOIN center c ON c.id = n.center
        ORDER BY n.id;
        CREATE VIEW events AS
        SELECT
            e.seq AS seq,
            \(StoreSchema.rfc3339("e.at")) AS at,
            c.device AS device,
            c.app AS app,
            e.kind AS kind,
            e.identifier AS identifier
        FROM event e JOIN center c ON c.id = e.center
        ORDER BY e.id;
        CREATE VIEW badges AS
        SELECT device, app, badge FROM center WHERE badge IS NOT NULL ORDER BY id;
        CREATE VIEW extension_changes AS
        SELECT
            \(named),
            n.changes AS changes
        FROM notification n JOIN center c ON c.id = n.center
        WHERE n.changes IS NOT NULL
        ORDER BY n.id;
        CREATE VIEW stale_duplicates AS
        SELECT
            \(named),
            \(StoreSchema.rfc3339("n.stale_since")) AS since
        FROM notification n JOIN center c ON c.id = n.center
        WHERE n.stale_since IS NOT NULL
        ORDER BY n.id;
        """

    /// The columns of views that name a notification.
    private static let named = "c.device AS device, c.app AS app, \(StoreQuery.identifier) AS identifier"
}

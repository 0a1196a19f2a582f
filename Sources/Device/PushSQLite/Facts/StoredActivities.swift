import PushDecoding
import PushDevices
import PushJSON
public import PushModel

/// The Live Activities of a store: statements, and what is in memory.
///
/// The activities of a device are loaded with the device. Changes are written at the end of the transaction.
final class StoredActivities: StoredFact {
    static let tables = [
        StoredTable("live_activity", record: .liveActivity), StoredTable("last_record"),
    ]

    /// Live Activities. `last_record` has the time of the last record, and has a row once there is an activity: states follow
    /// from times. The limits of 8 and 4 hours are those of `LiveActivity`. `start_token` is the token that has started the activity, if
    /// it is not its own.
    static let schema = """
        CREATE TABLE live_activity (
            id INTEGER PRIMARY KEY,
            \(DeviceRecord.Kind.liveActivity.definitions)
        ) STRICT;
        CREATE INDEX live_activity_by_app ON live_activity (device, app);
        CREATE INDEX live_activity_by_channel ON live_activity (channel) WHERE channel IS NOT NULL;
        CREATE INDEX live_activity_by_token ON live_activity (token, app);
        CREATE INDEX live_activity_without_token ON live_activity (app) WHERE has_own_token = 0;
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
            \(StoreSchema.rfc3339("started_at")) AS started_at,
            \(StoreSchema.rfc3339("updated_at")) AS updated_at,
            CASE WHEN stale_at IS NOT NULL THEN \(StoreSchema.rfc3339("stale_at")) END AS stale_at,
            \(StoreSchema.rfc3339("coalesce(ended_at, started_at + 28800000)")) AS ends_at,
            \(StoreSchema.rfc3339("coalesce(dismissed_at, started_at + 43200000)")) AS dismissed_at,
            token
        FROM live_activity, (SELECT coalesce((SELECT at FROM last_record), 0) AS now)
        ORDER BY id;
        """

    /// The time of the last record, in milliseconds since the epoch.
    var lastTime: Int64?
    private var activities = LiveActivities(keepsChanges: true)
    /// True if the file has activities, or is going to.
    private var hasRows = false
    private let database: Database
    private let loaded: LoadedDevices
    private let selectOfDevice = Prepared(StoreQuery.liveActivitiesOfDevice)
    private let selectOfChannel = Prepared(StoreQuery.devicesOfChannel)
    private let selectWithToken = Prepared(StoreQuery.devicesWithActivityToken)
    private let selectWithoutToken = Prepared(StoreQuery.devicesWithoutActivityToken)
    private let replace = Prepared(DeviceRecord.Kind.liveActivity.insertion(hasID: true))
    private let updateTime = Prepared("INSERT INTO last_record VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = ?1")
    private let selectTime = Prepared(StoreQuery.lastRecordTime)
    private let delete = Prepared("DELETE FROM live_activity WHERE device = ? AND app = ? AND identifier = ?")
    private let insert = Prepared(DeviceRecord.Kind.liveActivity.insertion())

    init(_ database: Database, _ loaded: LoadedDevices) {
        self.database = database
        self.loaded = loaded
    }

    /// Activities in memory.
    var loadedCount: Int { activities.count }

    func begin(_ filled: FilledTables?) {
        if let filled { hasRows = filled.contains("live_activity") }
        lastTime = nil
    }

    func load(_ device: BorrowedText) throws {
        guard hasRows else { return }
        let rows = try selectOfDevice(database)
        rows.bind(1, device)
        while try rows.step() { activities.restore(Self.activity(rows)) }
    }

    func forget() { activities.removeAll() }

    func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) throws -> LiveActivities.Answer {
        try loaded.touch(push.device)
        if let channel = push.channel {
            try loaded.touch(answersTo: selectOfChannel(database), channel)
        } else if push.mayBeOfOtherDevice {
            try loaded.touch(answersTo: selectWithToken(database), push.token, push.app)
            try loaded.touch(answersTo: selectWithoutToken(database), push.app)
        }
        hasRows = true
        return activities.apply(push, seq: seq, target: target, at: at)
    }

    func claim(
        _ tokens: [String], of known: [String], device: String, app: String, at: Int64
    ) throws -> [String] {
        guard hasRows else { return [] }
        try loaded.touch(device)
        return activities.claim(tokens, of: known, device: device, app: app, at: at)
    }

    func dismiss(_ identifier: String?, device: String, app: String?, at: Int64) throws -> [LiveActivity] {
        guard hasRows else { return [] }
        try loaded.touch(device)
        return activities.dismiss(identifier, device: device, app: app, at: at)
    }

    /// Writes what has changed, and the time that states follow from.
    func end() throws {
        try activities.saveChanges { activity in
            let replace = try replace(database)
            try replace.run(
                activity.seq, activity.device, activity.app, activity.identifier, activity.token,
                activity.hasOwnToken, activity.channel, activity.attributesType, activity.attributes,
                activity.contentState, activity.timestamp, activity.staleAt, activity.relevanceScore,
                activity.alertTitle, activity.alertBody, activity.startedAt, activity.updatedAt, activity.endedAt,
                activity.dismissedAt, activity.hourStart, activity.hourCount, activity.startToken, activity.row)
            activity.row = activity.row ?? replace.lastInsertedRowID
        }
        if let lastTime, hasRows { try updateTime(database).run(lastTime) }
    }

    /// Takes the time of the last record from another store, unless this one's is later.
    func continueTime(after time: Int64) throws {
        lastTime = max(time, try selectTime(database).firstInteger() ?? time)
        hasRows = true
    }

    func add(_ record: DeviceRecord) throws {
        try record.run(delete(database), ["device", "app", "identifier"])
        try record.run(insert(database))
        hasRows = true
    }

    // MARK: - Rows

    static func activity(_ row: PreparedStatement) -> LiveActivity {
        var activity = LiveActivity(
            seq: UInt64(bitPattern: row.integer(1)), device: row.string(2), app: row.string(3),
            identifier: row.string(4), token: row.string(5), hasOwnToken: row.integer(6) != 0,
            startedAt: row.integer(16))
        activity.row = row.integer(0)
        activity.channel = row.optionalString(7)
        activity.attributesType = row.optionalString(8)
        activity.attributes = row.optionalString(9)
        activity.contentState = row.optionalString(10)
        activity.timestamp = row.optionalInteger(11).map { Int64($0) }
        activity.staleAt = row.optionalInteger(12).map { Int64($0) }
        activity.relevanceScore = row.optionalString(13)
        activity.alertTitle = row.optionalString(14)
        activity.alertBody = row.optionalString(15)
        activity.updatedAt = row.integer(17)
        activity.endedAt = row.optionalInteger(18).map { Int64($0) }
        activity.dismissedAt = row.optionalInteger(19).map { Int64($0) }
        activity.hourStart = row.integer(20)
        activity.hourCount = Int(row.integer(21))
        activity.startToken = row.optionalString(22)
        return activity
    }
}

extension DeviceRecord.Kind {
    package static let liveActivity = Self(
        name: "live_activity",
        columns: [
            .integer("seq"), .text("device"), .text("app"), .text("identifier"), .text("token"),
            .integer("has_own_token"), .text("channel", isOptional: true), .text("attributes_type", isOptional: true),
            .text("attributes", isOptional: true), .text("content_state", isOptional: true),
            .integer("timestamp", isOptional: true), .integer("stale_at", isOptional: true),
            .text("relevance_score", isOptional: true), .text("alert_title", isOptional: true),
            .text("alert_body", isOptional: true), .integer("started_at"), .integer("updated_at"),
            .integer("ended_at", isOptional: true), .integer("dismissed_at", isOptional: true),
            .integer("hour_start"), .integer("hour_count"), .text("start_token", isOptional: true),
        ])
}

extension SQLiteStore {
    package var lastRecordTime: Int64? {
        get throws {
            try reading { try PreparedStatement($0, StoreQuery.lastRecordTime).firstInteger() }
        }
    }

    /// Calls `body` for each Live Activity, in the order in which they began.
    public func forEachLiveActivity(
        device: String?, app: String?, _ body: (LiveActivity) throws -> Void
    ) throws {
        try reading { database in
            let time = try lastRecordTime ?? 0
            try PreparedStatement(database, StoreQuery.everyLiveActivity).forEachRow { row in
                var activity = StoredActivities.activity(row)
                guard device ?? activity.device == activity.device, app ?? activity.app == activity.app else { return }
                activity.state = activity.state(at: time)
                try body(activity)
            }
        }
    }
}

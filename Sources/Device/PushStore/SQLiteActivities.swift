import DeviceScreens
import GRDB
import PayloadJSON
import PushDecoding

/// The Live Activities of a store: statements, and what is in memory.
///
/// What an app on a device, or a channel, has is loaded with the first push to it. Changes are written at the end of the
/// transaction.
final class SQLiteActivities {
    /// The columns of a row besides its id, in the order of `bind` and `activity`: names, and whether they hold text.
    static let columns: [(name: String, isText: Bool)] = [
        ("seq", false), ("device", true), ("app", true), ("identifier", true), ("token", true),
        ("has_own_token", false), ("channel", true), ("attributes_type", true), ("attributes", true),
        ("content_state", true), ("timestamp", false), ("stale_at", false), ("relevance_score", true),
        ("alert_title", true), ("alert_body", true), ("started_at", false), ("updated_at", false),
        ("ended_at", false), ("dismissed_at", false), ("hour_start", false), ("hour_count", false),
    ]
    static let columnNames = columns.map(\.name).joined(separator: ", ")

    /// The time of the last record, in milliseconds since the epoch.
    var lastTime: Int64?
    private var activities = LiveActivities(keepsChanges: true)
    private var loadedPlaces: Set<LiveActivities.Place> = []
    private var loadedChannels: Set<String> = []
    private var loadedRows: Set<Int64> = []
    /// Whether the file has activities; nil until somebody has looked.
    private var hasRows: Bool?
    private let selectAny: PreparedStatement
    private let selectOfApp: PreparedStatement
    private let selectOfChannel: PreparedStatement
    private let replace: PreparedStatement
    private let updateTime: PreparedStatement
    private let selectTime: PreparedStatement

    private let ids: RowIDs

    init(_ database: Database, _ ids: RowIDs) throws {
        self.ids = ids
        selectAny = try PreparedStatement(database, StoreQuery.anyLiveActivity)
        selectOfApp = try PreparedStatement(database, StoreQuery.liveActivitiesOfApp)
        selectOfChannel = try PreparedStatement(database, StoreQuery.liveActivitiesOfChannel)
        replace = try PreparedStatement(
            database,
            """
            INSERT OR REPLACE INTO live_activity (id, \(Self.columnNames))
            VALUES (?\(String(repeating: ", ?", count: Self.columns.count)))
            """)
        selectTime = try PreparedStatement(database, StoreQuery.lastRecordTime)
        updateTime = try PreparedStatement(
            database, "INSERT INTO last_record VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = ?1")
    }

    /// Activities in memory.
    var loadedCount: Int { activities.count }

    func begin(forgetting: Bool) throws {
        if forgetting { forget() }
        lastTime = nil
    }

    /// Unloads what is in memory, because it no longer matches the database.
    func forget() {
        activities.removeAll()
        loadedPlaces.removeAll()
        loadedChannels.removeAll()
        loadedRows.removeAll()
        hasRows = nil
    }

    func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) throws -> LiveActivities.Answer {
        if let channel = push.channel {
            if loadedChannels.insert(channel).inserted {
                selectOfChannel.bind(1, copying: channel)
                try load(selectOfChannel)
            }
        } else if loadedPlaces.insert(LiveActivities.Place(device: push.device, app: push.app)).inserted {
            selectOfApp.bind(1, copying: push.device)
            selectOfApp.bind(2, copying: push.app)
            try load(selectOfApp)
        }
        hasRows = true
        activities.rowPlace = ids.place?.id ?? 0
        return activities.apply(push, seq: seq, target: target, at: at)
    }

    private func load(_ select: PreparedStatement) throws {
        while try select.step() {
            guard loadedRows.insert(select.integer(0)).inserted else { continue }
            activities.restore(Self.activity(select))
        }
    }

    /// Writes what has changed, and the time that states follow from.
    func write() throws {
        try activities.saveChanges { activity in
            if activity.row == nil { activity.row = try ids.next(.liveActivity, birth: activity.birth) }
            Self.bind(activity, to: replace)
            try replace.run()
            let row = activity.row ?? replace.lastInsertedRowID
            activity.row = row
            loadedRows.insert(row)
        }
        guard let lastTime else { return }
        if hasRows == nil { hasRows = try selectAny.firstInteger() == 1 }
        guard hasRows == true else { return }
        updateTime.bind(1, lastTime)
        try updateTime.run()
    }

    func continueTime(after time: Int64) throws {
        lastTime = max(time, try selectTime.firstInteger() ?? time)
        hasRows = true
    }

    // MARK: - Rows

    /// Binds the id and all columns, from the first parameter on.
    static func bind(_ activity: LiveActivity, to row: PreparedStatement) {
        row.bind(1, activity.row.map { Int($0) })
        row.bind(2, activity.seq)
        row.bind(3, copying: activity.device)
        row.bind(4, copying: activity.app)
        row.bind(5, copying: activity.identifier)
        row.bind(6, copying: activity.token)
        row.bind(7, activity.hasOwnToken ? 1 : 0 as Int64)
        row.bind(8, copying: activity.channel)
        row.bind(9, copying: activity.attributesType)
        row.bind(10, copying: activity.attributes)
        row.bind(11, copying: activity.contentState)
        row.bind(12, activity.timestamp.map { Int($0) })
        row.bind(13, activity.staleAt.map { Int($0) })
        row.bind(14, copying: activity.relevanceScore)
        row.bind(15, copying: activity.alertTitle)
        row.bind(16, copying: activity.alertBody)
        row.bind(17, activity.startedAt)
        row.bind(18, activity.updatedAt)
        row.bind(19, activity.endedAt.map { Int($0) })
        row.bind(20, activity.dismissedAt.map { Int($0) })
        row.bind(21, activity.hourStart)
        row.bind(22, Int64(activity.hourCount))
    }

    /// The activity of a row of `StoreQuery.liveActivity`.
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
        return activity
    }
}

import PushJSON
import PushModel
import PushSystem
import TestSupport

@testable import PushDevices
@testable import PushSQLite

/// Rows that records cause, for one store of a whole input and for stores of its parts.
struct PartedInput {
    /// What causes rows, and where they stand in one store: in the order of this list.
    struct Step {
        /// Number of the record that causes the row.
        var record: Int
        /// Whether time triggered it, before the record.
        var isTriggeredByTime = false
        /// Nil for a record without targets.
        var target: Int?
        var row: Row
    }

    enum Row {
        case notification(DeliveredNotification)
        case event(JournalEntry)
        case record(DeviceRecord)
        case badge(device: String, app: String, Int)

        var device: String {
            switch self {
            case .notification(let notification): notification.device
            case .event(let entry): entry.device
            case .badge(let device, _, _): device
            case .record(let record):
                if case .text(let device)? = record.values["device"] { device } else { "" }
            }
        }
    }

    var steps: [Step] = []
    var records = 0

    /// A part's number, as `pushpipe run` and `partition` find it.
    static func part(of device: String, among parts: Int) -> Int {
        var hash = FNV1a()
        hash.add(device.utf8)
        return Int(hash.value % UInt64(parts))
    }

    // MARK: - Random rows

    init() {}

    /// Deliveries, requests with several targets, batches that time triggers, registrations, queued messages.
    init(seed: UInt64, records: Int) {
        var generator = SeededGenerator(seed: seed)
        self.records = records
        let devices = (0..<40).map { "device-\($0)" }
        for record in 1...records {
            if generator.below(8) == 0 { add(batchAt: record, devices, &generator) }
            switch generator.below(10) {
            case 0, 1: add(registrationAt: record, generator.pick(devices), &generator)
            case 2: add(activityAt: record, generator.pick(devices))
            case 3:
                // A device may be the target twice.
                for target in 0..<(2 + generator.below(6)) {
                    add(deliveryAt: record, target: target, generator.pick(devices), &generator)
                }
            default: add(deliveryAt: record, target: nil, generator.pick(devices), &generator)
            }
        }
    }

    private mutating func add(
        deliveryAt record: Int, target: Int?, _ device: String, _ generator: inout SeededGenerator
    ) {
        let app = generator.pick(["org.example.news", "org.example.mail"])
        let identifier = "push-\(record)" + (target.map { ".\($0)" } ?? "")
        func step(_ row: Row) { steps.append(Step(record: record, target: target, row: row)) }
        if generator.below(4) == 0 { step(.badge(device: device, app: app, generator.below(9))) }
        if generator.below(6) == 0 {
            return step(.record(Self.held(seq: record, target: target ?? -1, device, app)))
        }
        let chosen = generator.below(3) == 0 ? "id\(generator.below(3))" : identifier
        step(
            .notification(
                DeliveredNotification(
                    seq: UInt64(record), device: device, app: app, identifier: chosen,
                    content: ShownContent(title: nil, subtitle: nil, body: "text \(record)", thread: nil, badge: nil),
                    deliveredAt: Int64(record), payload: #"{"aps":{"alert":"text \#(record)"}}"#)))
        step(.event(Self.line(.delivered, seq: record, at: record, device, app, chosen)))
    }

    /// What time does on any number of devices: lines about earlier messages, in their order.
    private mutating func add(batchAt record: Int, _ devices: [String], _ generator: inout SeededGenerator) {
        var lines: [JournalEntry] = []
        for _ in 0..<generator.below(900) {
            let seq = 1 + generator.below(record)
            let app = generator.pick(["org.example.news", "org.example.mail", "org.example.other"])
            lines.append(Self.line(.expired, seq: seq, at: record, generator.pick(devices), app, "push-\(seq)"))
        }
        lines.sort { ($0.seq, $0.device, $0.app) < ($1.seq, $1.device, $1.app) }
        steps += lines.map { Step(record: record, isTriggeredByTime: true, row: .event($0)) }
    }

    private mutating func add(registrationAt record: Int, _ device: String, _ generator: inout SeededGenerator) {
        let app = "org.example.app\(record)"
        let values: [String: DeviceRecord.Value] = [
            "device": .text(device), "platform": .text("ios"), "online": .integer(1), "app": .text(app),
            "state": .text("background"), "authorization": .text("authorized"), "alerts": .integer(1),
            "registration": .text("registered"), "deleted_count": .integer(0), "token_standing": .text("confirmed"),
            "token_since": .integer(Int64(record)),
            "details": .text(#"{"topics":["t\#(generator.below(3))"]}"#),
        ]
        steps.append(Step(record: record, row: .record(DeviceRecord(kind: .installation, values: values))))
    }

    private mutating func add(activityAt record: Int, _ device: String) {
        let values: [String: DeviceRecord.Value] = [
            "seq": .integer(Int64(record)), "device": .text(device), "app": .text("org.example.match"),
            "identifier": .text("activity-\(record)"), "token": .text("t\(record)"), "has_own_token": .integer(0),
            "started_at": .integer(Int64(record)), "updated_at": .integer(Int64(record)), "hour_start": .integer(0),
            "hour_count": .integer(0),
        ]
        steps.append(Step(record: record, row: .record(DeviceRecord(kind: .liveActivity, values: values))))
    }

    static func held(seq: Int, target: Int, _ device: String, _ app: String) -> DeviceRecord {
        DeviceRecord(
            kind: .held,
            values: [
                "seq": .integer(Int64(seq)), "target": .integer(Int64(target)), "device": .text(device),
                "app": .text(app), "accepted_at": .integer(Int64(seq)), "expires_at": .integer(Int64(seq) + 1000),
                "provider": .text("apns"), "platform": .text("ios"), "topic": .text(app), "bytes": .integer(10),
                "byte_limit": .integer(4096), "is_background": .integer(0), "payload": .text("{}"),
            ])
    }

    static func line(
        _ kind: JournalKind, seq: Int, at: Int, _ device: String, _ app: String, _ identifier: String
    ) -> JournalEntry {
        JournalEntry(seq: UInt64(seq), at: Int64(at), device: device, app: app, kind: kind, identifier: identifier)
    }

    // MARK: - Stores

    /// The store of the whole input.
    func makeStore(_ path: String) throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        try store.importing { importer in
            for step in steps { try importer.add(step.row) }
            importer.continueNumbers(after: UInt64(records))
            try importer.continueTime(after: Int64(records))
        }
        return store
    }

    /// The stores of all parts: `part-00000.db` and so on.
    func makeParts(_ count: Int, in folder: TemporaryFolder, isComplete: Bool = true) throws -> [String] {
        try (0..<count).map { part in
            let name = "part-0000\(part).db"
            var places = RowPlaces()
            let store = try SQLiteStore(path: folder(name))
            try store.importing { importer in
                for step in steps where Self.part(of: step.row.device, among: count) == part {
                    try importer.add(step.row)
                    places.note(step)
                }
                importer.continueNumbers(after: UInt64(records))
                try importer.continueTime(after: Int64(records))
            }
            let mark = "INSERT INTO part VALUES (1, \(part), \(count), \(isComplete ? 1 : 0));"
            _ = try folder.sqlite3(name, sql: "BEGIN;\n" + places.sql + mark + "\nCOMMIT;")
            return folder(name)
        }
    }
}

extension StoreImporter {
    fileprivate func add(_ row: PartedInput.Row) throws {
        switch row {
        case .notification(let notification): try add(notification)
        case .event(let entry): try add(entry)
        case .record(let record): try add(record)
        case .badge(let device, let app, let badge): try addScreen(device: device, app: app, badge: badge)
        }
    }
}

/// The places of the rows of a part, in the order in which a store numbers them from 1.
private struct RowPlaces {
    private var places: [String: [Int]] = [:]
    private var known: Set<[String]> = []

    mutating func note(_ step: PartedInput.Step) {
        switch step.row {
        case .notification(let notification):
            noteCenter(notification.device, notification.app, step)
            note("notification", step)
        case .event(let entry):
            noteCenter(entry.device, entry.app, step)
            note("event", step)
        case .badge(let device, let app, _): noteCenter(device, app, step)
        case .record(let record):
            let isDevice = record.kind == .installation
            if isDevice, known.insert(["device", step.row.device]).inserted { note("device", step) }
            note(record.kind.name, step)
        }
    }

    private mutating func noteCenter(_ device: String, _ app: String, _ step: PartedInput.Step) {
        if known.insert(["center", device, app]).inserted { note("center", step) }
    }

    private mutating func note(_ table: String, _ step: PartedInput.Step) {
        let low = step.target.map { $0 << 8 } ?? 1
        let place = step.record << 29 | (step.isTriggeredByTime ? 0 : 1) << 28 | low
        places[table, default: []].append(max(place, (places[table]?.last ?? 0) + 1))
    }

    /// Renumbers the rows, the last ones first, so that no two have the same id.
    var sql: String {
        let references = [
            "center": [("notification", "center"), ("event", "center")], "device": [("installation", "device")],
            "installation": [("subscription", "installation")],
        ]
        var lines = ""
        for (table, places) in places {
            lines += "CREATE TEMP TABLE new_\(table) (old INTEGER PRIMARY KEY, new INTEGER);\n"
            for (index, place) in places.enumerated() {
                lines += "INSERT INTO new_\(table) VALUES (\(index + 1), \(place));\n"
            }
            for (other, column) in references[table] ?? [] {
                lines += "UPDATE \(other) SET \(column) = (SELECT new FROM new_\(table) WHERE old = \(column));\n"
            }
            // Negative meanwhile: no id may be there twice.
            lines += "UPDATE \(table) SET id = -(SELECT new FROM new_\(table) WHERE old = id);\n"
            lines += "UPDATE \(table) SET id = -id;\n"
        }
        return lines
    }
}

/// All of a store's contents, as lines.
func export(_ store: SQLiteStore) throws -> String {
    var out = ByteBuffer()
    try StoreExport(.stateAndJournal).write(store, redaction: store.redaction) { $0(&out) }
    return String(decoding: out.bytes, as: UTF8.self)
}

import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// Devices under test: takes records and returns their outcomes.
final class Screens {
    private(set) var centers: NotificationCenters
    var recorder = LogRecorder()
    private var decoder: RecordDecoder
    private var batch = MessageBatch()
    private(set) var lastSequence: UInt64 = 0

    /// - Parameter replacementKey: the member of the payload by which an extension replaces.
    convenience init(
        replacementKey: String? = nil, keeping: NotificationCenters.Keeping = .everything, nextOrder: UInt64 = 1
    ) {
        self.init(
            replacing: replacementKey.map { ReplacementRule(key: $0) }, keeping: keeping, nextOrder: nextOrder)
    }

    /// - Parameter rule: how an extension finds what a new notification replaces.
    init(
        replacing rule: ReplacementRule?, keeping: NotificationCenters.Keeping = .everything, nextOrder: UInt64 = 1
    ) {
        var options = DecodingOptions()
        options.replacement = rule
        decoder = RecordDecoder(options: options)
        centers = NotificationCenters(keeping: keeping, nextOrder: nextOrder)
        centers.replacement = rule
    }

    /// Delivers the messages of one record, which gets the next number; the clock is at that number of milliseconds.
    @discardableResult
    func send(_ record: String) throws -> [Delivery] {
        lastSequence += 1
        let bytes = Array(record.utf8)
        return try bytes.withUnsafeBytes { text in
            batch.removeAll()
            decoder.decode(text, record: 0, into: &batch)
            return try batch.messages.map { message in
                guard case .accepted = message.verdict else { throw NotAccepted(record: record) }
                return centers.deliver(message, seq: lastSequence, at: Int64(lastSequence), recorder: &recorder)
            }
        }
    }

    /// Delivers a record that was queued: later ones have been delivered already.
    func sendQueued(_ record: String, seq: UInt64) throws {
        let bytes = Array(record.utf8)
        try bytes.withUnsafeBytes { text in
            batch.removeAll()
            decoder.decode(text, record: 0, into: &batch)
            guard let message = batch.messages.first else { throw NotAccepted(record: record) }
            _ = centers.deliver(message, seq: seq, at: Int64(lastSequence))
        }
    }

    /// Delivers a record with one message.
    @discardableResult
    func sendOne(_ record: String) throws -> Delivery {
        let deliveries = try send(record)
        guard deliveries.count == 1 else { throw NotAccepted(record: record) }
        return deliveries[0]
    }

    /// The notifications on the screens, newest last.
    func notifications(device: String? = nil, app: String? = nil) -> [DeliveredNotification] {
        centers.notifications(device: device, app: app)
    }

    /// The notifications on the screens, newest last, as `identifier: body`.
    func lines(device: String? = nil, app: String? = nil) -> [String] {
        notifications(device: device, app: app).map { "\($0.identifier): \($0.content.body ?? "-")" }
    }

    /// What the app that a record is for shows, oldest first.
    func shown(for record: String) throws -> [(seq: UInt64, order: UInt64, identifier: String)] {
        try Array(record.utf8).withUnsafeBytes { text in
            batch.removeAll()
            decoder.decode(text, record: 0, into: &batch)
            guard let message = batch.messages.first else { throw NotAccepted(record: record) }
            var found: [(seq: UInt64, order: UInt64, identifier: String)] = []
            centers.forEachShown(for: message) { found.append(($0.seq, $0.order, $0.identifier.string)) }
            return found
        }
    }

    var count: Int { centers.count }

    func takeLateRemovals() -> [LateRemoval] { centers.takeLateRemovals() }

    func badge(device: String = "ab", app: String = "org.example.news") -> Int? {
        centers.badge(device: device, app: app)
    }

    func contains(device: String, app: String) -> Bool {
        withBorrowed(device) { device in withBorrowed(app) { app in centers.contains(device: device, app: app) } }
    }

    /// Restores state that another store kept.
    func restore(_ body: (inout NotificationCenters) -> Void) { body(&centers) }
}

/// The test's own record was refused.
struct NotAccepted: Error {
    var record: String
}

/// Records every call, in order.
struct LogRecorder: DeliveryRecorder {
    enum Line: Equatable {
        case added(order: UInt64, seq: UInt64, at: Int64, center: Int, identifier: String)
        case removed(order: UInt64)
        case badge(Int, center: Int)
        case event(JournalKind, seq: UInt64, at: Int64, center: Int, identifier: String)
    }

    var lines: [Line] = []

    mutating func add(
        order: UInt64, _ message: DecodedMessage, seq: UInt64, at: Int64, center: Int, identifier: BorrowedText
    ) {
        lines.append(.added(order: order, seq: seq, at: at, center: center, identifier: identifier.string))
    }

    mutating func remove(order: UInt64) { lines.append(.removed(order: order)) }

    mutating func setBadge(_ badge: Int, center: Int) { lines.append(.badge(badge, center: center)) }

    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText
    ) {
        lines.append(.event(event, seq: seq, at: at, center: center, identifier: identifier.string))
    }
}

/// An APNs envelope. Texts are inserted unescaped, so they must need no escapes.
func apns(
    device: String = "ab", app: String = "org.example.news", collapseID: String? = nil, body: String? = "Text",
    badge: Int? = nil, customID: String? = nil, isMutable: Bool = false
) -> String {
    let aps = [
        body.map { "\"alert\":{\"body\":\"\($0)\"}" }, badge.map { "\"badge\":\($0)" },
        isMutable ? "\"mutable-content\":1" : nil,
    ].compactMap(\.self).joined(separator: ",")
    let headers = "\"apns-topic\":\"\(app)\"" + (collapseID.map { ",\"apns-collapse-id\":\"\($0)\"" } ?? "")
    let custom = customID.map { ",\"story\":\"\($0)\"" } ?? ""
    return "{\"device\":\"\(device)\",\"headers\":{\(headers)},\"payload\":{\"aps\":{\(aps)}\(custom)}}"
}

/// A GCM request to an Android device.
func gcm(to device: String = "ab", tag: String? = nil, body: String? = "Text", collapseKey: String? = nil) -> String {
    let tag = tag.map { ",\"tag\":\"\($0)\"" } ?? ""
    let key = collapseKey.map { ",\"collapse_key\":\"\($0)\"" } ?? ""
    let content = body.map { "\"notification\":{\"body\":\"\($0)\"\(tag)}" } ?? "\"data\":{\"k\":\"v\"}"
    return "{\"to\":\"\(device)\"\(key),\"restricted_package_name\":\"org.example.news\",\(content)}"
}

/// Passes a string's UTF-8 bytes, borrowed for the duration of the call.
func withBorrowed<Result>(_ string: String, _ body: (BorrowedText) throws -> Result) rethrows -> Result {
    var copy = string
    return try copy.withUTF8 { buffer in
        try body(buffer.baseAddress.map { BorrowedText(start: $0, count: buffer.count) } ?? .empty)
    }
}

import PushDecoding
import PushDevices
import PushModel
import PushSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
    import TestSupport
#endif

// MARK: - Deliveries

extension DeliveryStore {
    /// Delivers records in one transaction, numbered from the last one.
    @discardableResult
    func run(_ records: [String], replacementKey: String? = nil) throws -> [Delivery] {
        try run(records, replacing: replacementKey.map { ReplacementRule(key: $0) })
    }

    /// The same for an extension that follows a rule.
    @discardableResult
    func run(_ records: [String], replacing rule: ReplacementRule?) throws -> [Delivery] {
        var deliveries: [Delivery] = []
        try transaction(replacing: rule) { session in
            deliveries = try session.deliverAll(records, replacing: rule)
        }
        return deliveries
    }

    /// The notifications on the screens, newest last, as `identifier: body`.
    func lines(device: String? = nil) throws -> [String] {
        try notifications(device: device).map { "\($0.identifier): \($0.content.body ?? "-")" }
    }

    var lastSequence: UInt64 {
        get throws {
            var last: UInt64 = 0
            try transaction(replacing: nil) { last = $0.progress.lastSequence }
            return last
        }
    }
}

extension StoreTransaction {
    /// Delivers records; the clock advances a second per number.
    @discardableResult
    func deliverAll(_ records: [String], replacing rule: ReplacementRule? = nil) throws -> [Delivery] {
        var deliveries: [Delivery] = []
        for record in records {
            deliveries += try deliver(
                record, at: Int64(progress.lastSequence + 1) * 1000, replacing: rule)
        }
        return deliveries
    }

    /// Delivers the messages of one record.
    @discardableResult
    func deliver(_ record: String, at time: Int64, replacing rule: ReplacementRule? = nil) throws -> [Delivery] {
        var options = DecodingOptions()
        options.replacement = rule
        var decoder = RecordDecoder(options: options)
        var batch = MessageBatch()
        progress.lastSequence += 1
        let bytes = Array(record.utf8)
        return try bytes.withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            return try batch.messages.map { message in
                guard case .accepted = message.verdict else { throw NotAccepted(record: record) }
                return try screens.deliver(message, seq: progress.lastSequence, at: time)
            }
        }
    }
}

/// Passes the message of a record to `body`.
func withMessage(of record: String, _ body: (DecodedMessage) throws -> Void) throws {
    var decoder = RecordDecoder(options: DecodingOptions())
    var batch = MessageBatch()
    try Array(record.utf8).withUnsafeBytes { text in
        decoder.decode(text, record: 0, into: &batch)
        for message in batch.messages { try body(message) }
    }
}

/// The test's own record was refused.
struct NotAccepted: Error {
    var record: String
}

/// Thrown in the middle of a transaction.
struct Interruption: Error {}

/// An APNs envelope for one app. Texts are inserted as they are, already escaped for JSON.
func apns(
    device: String = "ab", app: String = "org.example.news", collapseID: String? = nil, body: String? = "Text",
    badge: Int? = nil, ids: [String: String] = [:], isMutable: Bool = false
) -> String {
    let aps = [
        body.map { "\"alert\":{\"body\":\"\($0)\"}" }, badge.map { "\"badge\":\($0)" },
        isMutable ? "\"mutable-content\":1" : nil,
    ].compactMap(\.self).joined(separator: ",")
    let headers = "\"apns-topic\":\"\(app)\"" + (collapseID.map { ",\"apns-collapse-id\":\"\($0)\"" } ?? "")
    let custom = ids.sorted { $0.key < $1.key }.map { ",\"\($0.key)\":\"\($0.value)\"" }.joined()
    return "{\"device\":\"\(device)\",\"headers\":{\(headers)},\"payload\":{\"aps\":{\(aps)}\(custom)}}"
}

// MARK: - Files

typealias TemporaryFolder = TestFolder

extension TestFolder {
    /// The path of a file in it.
    func callAsFunction(_ name: String = "store.db") -> String { path(name) }

    func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self(name)).map { Array($0) }
    }

    /// Runs the `sqlite3` command-line tool, and returns its lines, with values as SQL literals.
    ///
    /// Bypasses this package, because a store must be readable without it.
    func sqlite3(_ name: String = "store.db", sql: String) throws -> [String] {
        let script = "query-\(UInt64.random(in: .min ... .max)).sql"
        try write(".mode quote\n" + sql + "\n", to: script)
        guard let pipe = popen("exec sqlite3 -batch -bail '\(self(name))' < '\(self(script))' 2>&1", "r") else {
            throw ToolFailure(output: "cannot be started")
        }
        var output: [UInt8] = []
        while case let byte = getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
        let status = pclose(pipe)
        let text = String(decoding: output, as: UTF8.self)
        guard status == 0 else { throw ToolFailure(output: text) }
        return text.split(separator: "\n").map(String.init)
    }
}

/// The `sqlite3` tool is missing, or failed.
struct ToolFailure: Error {
    var output: String
}

/// The permission bits of a file.
func permissions(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

package import PushJSON

/// A line of the report: the outcome of a message or an event, as a value to keep and compare.
///
/// It has the values of the line that `pushpipe run` writes; `Documentation/reference/report.md` has its keys.
public struct PushReport: Sendable, Equatable {
    /// Number of the record, from 1.
    public let seq: UInt64
    /// The outcome.
    public let outcome: Outcome
    /// HTTP status of the provider's answer; nil without an answer.
    public let status: Int?
    /// The provider's word for a refusal, or why nothing was delivered; nil for plain delivery.
    public let reason: String?
    /// The service that answers; nil for an event.
    public let provider: Provider?
    /// Token, registration id, topic or condition; nil for an event that names none.
    public let device: String?
    /// The bundle identifier or package name; nil if the request names none.
    public let app: String?
    /// The identifier of a notification that is, or was, on a screen.
    public let identifier: String?
    /// `seq` of the replaced notification.
    public let replaces: UInt64?
    /// The bytes that count towards the budget; 0 for an event.
    public let byteCount: Int
    /// The budget in bytes; 0 for an event.
    public let byteLimit: Int
    /// Facts about the record, in the order they were found.
    public let findings: [Finding]
    /// Why the record contains no message; nil unless the outcome is `malformed`.
    public let decodeFailure: DecodeFailure?
    /// The name of the event; nil for a message.
    public let event: String?
    /// `seq` of the record that contained the message, if it was queued since.
    public let original: UInt64?
    /// The app's actions, in order.
    public let steps: [String]
    /// Why a shown notification makes no sound; nil if it makes one.
    public let quiet: String?
    /// Since when the token has been invalid, in milliseconds since the epoch.
    public let timestamp: Int64?
    /// The token that the provider should use from now on.
    public let canonical: String?
    /// Number of dropped messages that the app is told about.
    public let totalDeleted: Int?
    /// Why no service extension was started.
    public let extensionObstacle: String?
    /// The line as JSON, without a line break.
    public let json: String

    /// The app's reaction to a message, if the line is about one.
    package var reaction: DeviceEvent.Reaction? { event.flatMap(DeviceEvent.Reaction.init) }

    /// True if the line is about a notification that the app posted by itself.
    package var isOfOwnNotification: Bool { reaction == .posted || event == DeviceEvent.Name.post.rawValue }

    /// Reads a line of a report; nil if its outcome is unknown, or its `seq` is not a whole number from 0.
    package init?(_ line: JSONView) {
        func text(_ key: StaticString) -> String? { line[key]?.string?.string }
        func number<Number: BinaryInteger>(_ key: StaticString) -> Number? {
            line[key]?.int64.flatMap { Number(exactly: $0) }
        }
        guard let outcome = text("outcome").flatMap(Outcome.init(name:)) else { return nil }
        self.outcome = outcome
        guard let seq: UInt64 = number("seq") ?? (line["seq"] == nil ? 0 : nil) else { return nil }
        self.seq = seq
        status = number("status")
        reason = text("reason")
        let provider = text("provider")
        self.provider = Provider.allCases.first { $0.description == provider }
        device = text("device")
        app = text("topic") ?? text("app")
        identifier = text("identifier")
        replaces = number("replaces")
        byteCount = number("bytes") ?? 0
        byteLimit = number("limit") ?? 0
        findings = line["findings"]?.elements.map(Finding.init) ?? []
        decodeFailure = line["error"].map(DecodeFailure.init)
        event = text("event")
        original = number("original")
        steps = line["steps"]?.elements.map { $0.string?.string ?? "" } ?? []
        quiet = text("quiet")
        timestamp = number("timestamp")
        canonical = text("canonical")
        totalDeleted = number("total_deleted")
        extensionObstacle = text("extension_not_started")
        json = line.text.string
    }

    /// Reads a line that `pushpipe run` wrote; nil if the text is not one.
    public init?(json: String) {
        guard let report = Array(json.utf8).withJSON({ PushReport($0) }) ?? nil else { return nil }
        self = report
    }

    /// The lines of a report in NDJSON.
    package static func list(_ report: [UInt8]) -> [PushReport] {
        report.split(separator: UInt8(ascii: "\n")).compactMap { line in Array(line).withJSON { PushReport($0) } ?? nil
        }
    }
}

extension PushReport: CustomStringConvertible {
    /// `rejected (413 PayloadTooLarge)`.
    public var description: String {
        let details = [event, status.flatMap { $0 == 200 ? nil : String($0) }, reason, decodeFailure?.description]
            .compactMap(\.self)
        return "\(outcome)" + (details.isEmpty ? "" : " (\(details.joined(separator: " ")))")
    }
}

extension Finding {
    fileprivate init(_ json: JSONView) {
        func text(_ key: StaticString) -> String { json[key]?.string?.string ?? "" }
        self.init(
            rule: text("rule"), severity: Severity(rawValue: text("severity")) ?? .info, pointer: text("pointer"),
            message: text("message"))
    }
}

extension DecodeFailure {
    fileprivate init(_ json: JSONView) {
        func number(_ key: StaticString) -> Int { json[key]?.int64.flatMap { Int(exactly: $0) } ?? 0 }
        self.init(
            rule: json["rule"]?.string?.string ?? "", message: json["message"]?.string?.string ?? "",
            offset: number("offset"))
        position = TextPosition(line: number("line"), column: number("column"))
        cause = json["cause"]?.string?.string
        isFixable = json["fixable"]?.kind == .true
    }
}

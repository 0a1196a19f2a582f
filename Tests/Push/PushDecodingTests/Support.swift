import PushDecoding
import PushJSON
import PushModel
import Testing

// MARK: - Reading records

/// One message of a record after acceptance, in values that outlive it.
struct Reading {
    enum Verdict: Equatable {
        case accepted, malformed
        case rejected(Rejection)
        case suppressed(String)
        case event
    }

    let target: Int?
    let provider: Provider
    let gateway: Gateway?
    let platform: Platform
    let device: String
    let topic: String
    let app: String
    let payload: String
    let bytes: Int
    let limit: Int
    let identifier: String?
    let customID: String?
    let shown: ShownContent
    let isShown: Bool
    let startsServiceExtension: Bool
    let pushType: PushType?
    let verdict: Verdict
    let findings: [Finding]
    let decodeFailure: DecodeFailure?

    init(_ index: Int, of batch: borrowing MessageBatch) {
        let message = batch.messages[index]
        target = message.target
        provider = message.provider
        gateway = message.gateway
        platform = message.platform
        device = message.device.string
        topic = message.topic.string
        app = message.app.string
        payload = message.payload.string
        bytes = message.byteCount
        limit = message.byteLimit
        identifier = message.identifier?.string
        customID = message.content.customID?.string
        shown = ShownContent(message.content)
        isShown = message.isShown
        startsServiceExtension = message.startsServiceExtension
        pushType = message.headers.pushType
        verdict =
            switch message.verdict {
            case .accepted: .accepted
            case .malformed: .malformed
            case .rejected(let rejection): .rejected(rejection)
            case .suppressed(let reason): .suppressed(reason.description)
            // Set by stages that know the device, which these tests do not run.
            case .fannedOut, .held, .expired, .discarded, .refused, .withheld: .suppressed("")
            case .event: .event
            }
        findings = batch.findings.filter { $0.message == index }.map(\.finding)
        decodeFailure = batch.decodeFailures.first { $0.message == index }?.decodeFailure
    }

    /// The provider's reason for a rejection.
    var reason: String? {
        if case .rejected(let rejection) = verdict { rejection.reason } else { nil }
    }

    /// HTTP status of a rejection.
    var status: Int? {
        if case .rejected(let rejection) = verdict { rejection.row.status } else { nil }
    }

    var isAccepted: Bool { verdict == .accepted }

    var errors: [Finding] { findings.filter { $0.severity == .error } }

    var rules: [String] { findings.map(\.rule) }
}

/// Decodes one record and runs acceptance on each of its messages, as the pipeline does.
func readAll(_ record: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> [Reading] {
    var decoder = RecordDecoder(options: options)
    var batch = MessageBatch()
    let acceptance = Acceptance(budget: options.budget)
    // Messages borrow from the bytes and from the decoder.
    return record.withUnsafeBytes { bytes in
        decoder.decode(bytes, record: 0, into: &batch)
        for index in batch.messages.indices { acceptance.check(index, in: &batch) }
        let readings = batch.messages.indices.map { Reading($0, of: batch) }
        withExtendedLifetime(decoder) {}
        return readings
    }
}

func readAll(_ record: String, _ adjust: (inout DecodingOptions) -> Void = { _ in }) -> [Reading] {
    var options = DecodingOptions()
    adjust(&options)
    return readAll(Array(record.utf8), options)
}

/// Reads a record that must contain exactly one message.
func read(
    _ record: String, _ adjust: (inout DecodingOptions) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Reading {
    let readings = readAll(record, adjust)
    try #require(readings.count == 1, "\(record)", sourceLocation: sourceLocation)
    return readings[0]
}

// MARK: - Expectations

/// A rejection in the provider's words, and the JSON Pointer to its cause.
struct Refusal: Equatable, Sendable, CustomStringConvertible {
    var reason: String
    var status: Int
    var pointer: String

    init(_ reason: String, _ status: Int, at pointer: String) {
        self.reason = reason
        self.status = status
        self.pointer = pointer
    }

    /// Nil for a message that is not rejected.
    init?(_ reading: Reading) {
        guard let reason = reading.reason, let status = reading.status else { return nil }
        self.init(reason, status, at: reading.errors.first?.pointer ?? "no finding")
    }

    var description: String { "\(reason) \(status) at \"\(pointer)\"" }
}

/// The rejection of the only message in a record; nil when it is accepted.
func refusal(
    of record: String, _ adjust: (inout DecodingOptions) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Refusal? {
    Refusal(try read(record, adjust, sourceLocation: sourceLocation))
}

// MARK: - Records

/// An APNs request that is valid except for what a test puts into it.
func request(
    _ headers: String = "", device: String = "\"ab12\"", payload: String = #"{"aps":{"alert":"x"}}"#
) -> String {
    let more = headers.isEmpty ? "" : "," + headers
    return #"{"device":\#(device),"headers":{"apns-topic":"org.example.news"\#(more)},"payload":\#(payload)}"#
}

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

/// A text as a JSON string, for JSON inside JSON.
func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

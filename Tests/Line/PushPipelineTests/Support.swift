import Foundation
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushWorkload
import TestSupport

// MARK: - Reports

/// A report in values that outlive it.
struct Reported: Equatable {
    var seq: UInt64
    var target: Int?
    var outcome: Outcome
    var device: String
    var identifier: String?
    var replaces: UInt64?
    var bytes: Int
    var limit: Int
    var rules: [String]
    var error: String?
    /// The line as `NDJSONReport` writes it.
    var line: String

    init(_ report: borrowing RecordReport) {
        seq = report.seq
        target = report.message.target
        outcome = report.outcome
        device = report.message.device.string
        identifier = report.identifier
        replaces = report.replaces
        bytes = report.message.byteCount
        limit = report.message.byteLimit
        rules = report.findings.map(\.rule)
        error = report.decodeFailure?.rule
        var out = ByteBuffer()
        NDJSONReport().append(report, to: &out)
        line = String(decoding: out.bytes, as: UTF8.self)
    }
}

extension Pipeline {
    /// Processes a whole input, and returns its reports.
    func reports(_ input: String) throws -> [Reported] {
        var found: [Reported] = []
        try process(input) { found.append(Reported($0)) }
        return found
    }

    /// Feeds an input in pieces of these sizes, and returns its reports.
    func reports(_ bytes: [UInt8], pieces: [Int]) throws -> [Reported] {
        var found: [Reported] = []
        var position = 0
        var sizes = pieces[...]
        while position < bytes.count {
            let size = min(max(sizes.popFirst() ?? bytes.count, 1), bytes.count - position)
            try bytes[position..<position + size].withUnsafeBytes { piece in
                try feed(piece) { found.append(Reported($0)) }
            }
            position += size
        }
        try finish { found.append(Reported($0)) }
        return found
    }
}

/// A configuration whose reports do not depend on the day.
func configuration(_ change: (inout PipelineConfiguration) -> Void = { _ in }) -> PipelineConfiguration {
    var configuration = PipelineConfiguration()
    configuration.clock = .fixed(milliseconds: 1_000_000)
    change(&configuration)
    return configuration
}

/// An APNs request. The collapse id is its identifier on the device.
func apns(_ body: String, device: String = "ab54", collapse: String? = nil) -> String {
    let header = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
    return #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"\#(header)},"payload":\#(payload(body))}"#
}

/// The payload of `apns`.
func payload(_ body: String) -> String { #"{"aps":{"alert":{"body":"\#(body)"}}}"# }

/// The bytes of a generated workload.
func workload(_ count: Int, seed: UInt64, malformedRate: String = "0", eventRate: String = "0") throws -> [UInt8] {
    let configuration = try WorkloadConfiguration(
        count: count, seed: seed, devices: 20, replaceRate: WorkloadRate(parsing: "0.4"),
        malformedRate: WorkloadRate(parsing: malformedRate), eventRate: WorkloadRate(parsing: eventRate))
    var generator = WorkloadGenerator(configuration)
    var bytes: [UInt8] = []
    while generator.appendRecord(to: &bytes) {}
    return bytes
}

/// A line of a report as Foundation reads it; nil when it is not a JSON object.
func object(_ line: String) -> [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
}

/// The names of an object's members, in their order.
func names(_ line: String) -> [String] {
    var scanner = JSONScanner()
    var tape = JSONTape()
    var line = line
    return line.withUTF8 { text in
        let bytes = UnsafeRawBufferPointer(text)
        guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return [] }
        var names: [String] = []
        var members = root.members
        while let (key, _) = members.next() { names.append(key.string) }
        return names
    }
}

// MARK: - Stored reports

extension Pipeline {
    /// Processes an open file as `run` does with a store: its NDJSON report is stored with the deliveries.
    func process(
        fileDescriptor descriptor: Int32, source: InputSource? = nil, progress: InputProgress?,
        isStopped: @escaping () -> Bool, text: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try process(
            fileDescriptor: descriptor, source: source, progress: progress, isStopped: isStopped,
            composer: { NDJSONReport().append($0, to: &$1) }, isStored: true, text: { try unsafe text($0.bytes) },
            flush: {})
    }
}

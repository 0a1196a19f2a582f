import Benchmark
import Foundation
import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushWorkload

/// Generated records in memory, and the stages that process them. Everything is reused between iterations, as in a
/// pipeline, so that no iteration measures memory allocation.
///
/// Each method processes all records once.
final class Workbench {
    /// Records, by which the figures of an iteration are divided.
    static let recordCount = BenchmarkScalingFactor.kilo.rawValue

    /// The kind of records.
    let name: String
    /// The records, one per line.
    let bytes: UnsafeRawBufferPointer
    private var records: [UnsafeRawBufferPointer] = []

    // Changed once per record, by code that never calls back here: a check of exclusive access would be measured without
    // checking anything.
    @exclusivity(unchecked) private var scanner = JSONScanner()
    @exclusivity(unchecked) private var tape = JSONTape()
    @exclusivity(unchecked) private var decoder = RecordDecoder(options: DecodingOptions())
    @exclusivity(unchecked) private var batch = MessageBatch()
    @exclusivity(unchecked) private var output = ByteBuffer(capacity: 1 << 20)  // 1 MiB

    /// Generates the records.
    ///
    /// - Parameter recordBytes: the size of every record; nil draws from the default mixture of providers and sizes.
    init(_ name: String, recordBytes: Int? = nil) throws {
        self.name = name
        // Few devices, so that most records are for a known device, as in a run that has lasted for a while.
        let configuration = try WorkloadConfiguration(
            count: Self.recordCount, devices: 100, recordBytes: recordBytes)
        var generator = WorkloadGenerator(configuration)
        var lines: [UInt8] = []
        var ends: [Int] = []
        while generator.appendRecord(to: &lines) { ends.append(lines.count) }

        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: lines.count, alignment: 1)
        copy.copyBytes(from: lines)
        bytes = UnsafeRawBufferPointer(copy)
        var start = 0
        for end in ends {
            records.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end - 1]))
            start = end
        }
    }

    deinit { bytes.deallocate() }

    /// Scans the records and nothing else. Returns how many are not JSON.
    func scan() -> Int {
        var faults = 0
        for record in records where scanner.scan(record, into: &tape) != nil { faults += 1 }
        return faults
    }

    /// Refills the batch. Returns how many records are malformed.
    func decode() -> Int {
        batch.removeAll()
        for (index, record) in records.enumerated() { decoder.decode(record, record: index, into: &batch) }
        return batch.decodeFailures.count
    }

    /// Checks the batch, once after it was filled, against budgets and providers' rules.
    func check() {
        let acceptance = Acceptance(budget: nil)
        for index in batch.messages.indices { acceptance.check(index, in: &batch) }
    }

    /// Delivers the batch's accepted messages in one transaction.
    func deliver(to store: any DeliveryStore, each body: (Int, Delivery) -> Void = { _, _ in }) throws {
        try store.transaction(replacing: nil) { session in
            let messages = batch.messages
            for index in messages.indices {
                guard case .accepted = messages[index].verdict else { continue }
                let seq = UInt64(messages[index].record + 1)
                body(index, try session.screens.deliver(messages[index], seq: seq, at: Int64(seq)))
            }
        }
    }

    /// Delivers the batch's accepted messages, about one per record, to an empty store. Valid until the batch is filled
    /// again.
    func reports() throws -> [RecordReport] {
        guard let messages = batch.messages.baseAddress else { return [] }
        var reports: [RecordReport] = []
        try deliver(to: MemoryStore(keepsJournal: false)) { index, delivery in
            reports.append(
                RecordReport(
                    seq: UInt64(messages[index].record + 1), outcome: delivery.outcome, replaces: delivery.replaces,
                    borrowing: messages + index, findings: [], decodeFailure: nil))
        }
        return reports
    }

    /// Writes one report line per message.
    func write(_ reports: [RecordReport]) {
        output.removeAll()
        for report in reports { NDJSONReport().append(report, to: &output) }
    }

    /// Processes the bytes in a whole pipeline, including report lines.
    func process(with pipeline: Pipeline) throws {
        output.removeAll()
        try pipeline.feed(bytes) { NDJSONReport().append($0, to: &output) }
        try pipeline.finish { NDJSONReport().append($0, to: &output) }
    }
}

/// Passes the path of a file that does not exist yet to `body`, and then removes the file and those beside it.
func withTemporaryFile(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "pushpipe-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("store.sqlite").path)
}

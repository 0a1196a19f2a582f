import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSQLite
import PushSystem
import TestSupport
import Testing

/// Whatever a store has, its export can be imported, and the import exports the same bytes.
struct RoundTripTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(name: "pushpipe-round") }

    private func export(_ store: SQLiteStore) throws -> String {
        var out = ByteBuffer()
        try store.export(.stateAndJournal, isCSV: false, hiding: nil) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private func imported(_ export: String, _ name: String) throws -> SQLiteStore {
        try folder.write(export, to: "\(name).ndjson")
        let store = try SQLiteStore(path: folder.path("\(name).db"))
        let file = try FileDescriptor.open(folder.path("\(name).ndjson"), .readOnly)
        defer { file.close() }
        try store.importing { importer in
            var counts = ImportCounts()
            try importer.add(exportFrom: file, &counts)
        }
        return store
    }

    private static let numbers = [
        "0", "-1", "1e308", "0.5", "17179869183", "17179869184", "253402300799", "9007199254740993",
        "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551616",
    ]

    /// A record in which some numbers are others, or some bytes are.
    private func mutated(_ record: String, _ random: inout SeededGenerator) -> String {
        if random.below(4) > 0 { return record }
        if random.below(2) == 0 {
            return record.split(separator: ":", omittingEmptySubsequences: false).map { part in
                guard part.first?.isNumber ?? false, random.below(2) == 0 else { return String(part) }
                return random.pick(Self.numbers) + part.drop { $0.isNumber || $0 == "." }
            }.joined(separator: ":")
        }
        var bytes = Array(record.utf8)
        guard !bytes.isEmpty else { return record }
        bytes[random.below(bytes.count)] = random.pick(Array(#"0987654321"{}[],:-e."#.utf8))
        return String(decoding: bytes, as: UTF8.self).replacing("\n", with: " ")
    }

    @Test(arguments: Effort.some(Array(1...60 as ClosedRange<UInt64>), fast: 2), [false, true])
    func `any stream can be exported, imported and exported again`(seed: UInt64, isPart: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var records: [String] = []
        for record in try mixedRecords(120, seed: seed) { records.append(mutated(record, &random)) }
        if isPart {
            records = records.enumerated().map { index, record in
                #"{"place":{"seq":\#(random.below(30) == 0 ? random.pick(Self.numbers) : "\(index + 1)")},"record":\#(record)}"#
            }
            records.insert(partHeader(0, of: 1), at: 0)
            records.append(#"{"place":{"seq":\#(random.pick(Self.numbers)),"end":true}}"#)
        }
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        let store = try SQLiteStore(path: folder.path("first.db"))
        // A place that is out of order ends the run; what came before is in the store.
        do { _ = try partLines(records.joined(separator: "\n"), configuration, store) } catch is PlainError {}
        let first = try export(store)
        #expect(try export(imported(first, "second")) == first)
    }
}

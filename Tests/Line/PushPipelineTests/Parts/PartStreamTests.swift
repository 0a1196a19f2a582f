import PushDevices
import PushFraming
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Records that say where an engine has them.
struct PartStreamTests {
    private let folder: TestFolder
    private let configuration: PipelineConfiguration

    init() throws {
        folder = try TestFolder(name: "pushpipe-streams")
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        configuration.resumes = true
        self.configuration = configuration
    }

    @Test func `a stream that comes again from its first line is continued`() throws {
        func line(_ seq: Int, _ rest: String) -> String {
            #"{"place":{"stream":"p/0","offset":\#(seq),"seq":\#(seq)\#(rest)}"#
        }
        let header = partHeader(0, of: 1)
        let records = (1...3).map { line($0, #"},"record":{"device":"dd","payload":{"aps":{"alert":"\#($0)"}}}"#) }
        let store = try SQLiteStore(path: folder.path("again.db"))
        _ = try partLines(([header] + records[..<2]).joined(separator: "\n"), configuration, store)
        let second = try partLines(([header] + records).joined(separator: "\n"), configuration, store)
        #expect(second.lines.count == 1)
        #expect(second.summary.skippedRecords == 2)
        #expect(try store.notifications().compactMap(\.content.body).sorted() == ["1", "2", "3"])
        #expect(try store.streamOffsets().map(\.offset) == ["3"])
    }

    @Test func `offsets are numbers of any length, and others are malformed`() throws {
        let long = "49590338271490256608559692538361571095921575989136588898"
        func record(_ offset: String) -> String {
            #"{"place":{"stream":"k","offset":"\#(offset)"},"record":{"device":"ab","payload":{"aps":{"alert":"a"}}}}"#
        }
        let store = try SQLiteStore(path: folder.path("long.db"))
        _ = try partLines([record("9" + long), record("10" + long)].joined(separator: "\n"), configuration, store)
        let second = try partLines(
            [record("9" + long), record("10" + long), record("11" + long)].joined(separator: "\n"), configuration, store
        )
        #expect(second.summary.skippedRecords == 2)
        #expect(second.lines.count == 1)
        for offset in ["a9", "", "-", "1-", "1-2-3", "0/9000000", "１"] {
            let lines = try partLines(record(offset), configuration, MemoryStore()).lines
            #expect(lines.map { $0.text.contains("place.offset is neither") } == [true], "\(offset)")
        }
    }
}

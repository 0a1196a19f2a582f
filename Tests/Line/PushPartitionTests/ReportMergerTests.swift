import PushJSON
import PushPartition
import PushSystem
import TestSupport
import Testing

/// Reports of parts become the report of one run.
struct ReportMergerTests {
    private func merge(_ reports: [String], pieceBytes: Int = 64) throws -> String {
        let (merged, problems) = try mergeAll(reports, pieceBytes: pieceBytes)
        #expect(problems.isEmpty)
        return merged
    }

    /// The lines that are written, and the problems that are reported.
    private func mergeAll(_ reports: [String], pieceBytes: Int = 64) throws -> (text: String, problems: [String]) {
        var files: [String: String] = [:]
        for (part, report) in reports.enumerated() { files["\(part).ndjson"] = report }
        let folder = try TestFolder(files)
        var descriptors: [FileDescriptor] = []
        defer { for descriptor in descriptors { descriptor.close() } }
        var parts: [ReportPart] = []
        for part in reports.indices {
            let descriptor = try FileDescriptor.open(folder.path("\(part).ndjson"), .readOnly)
            descriptors.append(descriptor)
            parts.append(ReportPart("part \(part)", descriptor, position: part, pieceBytes: pieceBytes))
        }
        var merged = ""
        var merger = try ReportMerger(parts)
        try merger.merge { merged += $0.string }
        #expect(merger.problemCount == merger.problems.count)
        return (merged, merger.problems.map(\.description))
    }

    private func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// Deals lines out and expects them back in their order.
    private func check(_ lines: [(part: Int, line: String)], parts: Int = 3) throws {
        let reports = (0..<parts).map { part in text(lines.filter { $0.part == part }.map(\.line)) }
        #expect(try merge(reports) == text(lines.map(\.line)))
    }

    private static func message(_ seq: Int, _ rest: String = "", _ device: String = "ab") -> String {
        #"{"seq":\#(seq)\#(rest),"provider":"apns","device":"\#(device)","outcome":"delivered"}"#
    }

    @Test func linesAreInTheOrderOfRecords() throws {
        try check([
            (2, Self.message(1)), (0, Self.message(2)), (0, Self.message(3)), (1, Self.message(9)),
            (2, Self.message(10)),
        ])
    }

    @Test func targetsAreInTheirOrder() throws {
        try check([
            (2, Self.message(4, #","target":0"#)), (0, Self.message(4, #","target":1"#)),
            (2, Self.message(4, #","target":2"#)), (1, Self.message(4, #","target":10"#)),
        ])
    }

    @Test func consequencesFollowTheirTarget() throws {
        try check([
            (2, Self.message(4, #","target":0"#)), (2, Self.message(4, #","original":2"#)),
            (2, #"{"seq":4,"event":"token_disabled","device":"x","app":"a","outcome":"applied"}"#),
            (0, Self.message(4, #","target":1"#)), (0, Self.message(4, #","original":1"#)), (1, Self.message(5)),
        ])
    }

    @Test func aClockComesBeforeWhatItTriggers() throws {
        try check([
            (0, #"{"seq":7,"event":"clock","outcome":"applied"}"#), (1, Self.message(7, #","original":1"#)),
            (0, Self.message(7, #","original":2"#)), (2, Self.message(7, #","original":3"#)), (2, Self.message(9)),
        ])
    }

    @Test func whatAnAppDoesByItselfFollowsItsMessage() throws {
        func posted(_ seq: Int, _ rest: String = "", _ device: String = "ab", _ event: String = "posted") -> String {
            #"{"seq":\#(seq)\#(rest),"event":"\#(event)","device":"\#(device)","app":"a","outcome":"applied"}"#
        }
        try check([
            (2, Self.message(4, #","target":0"#)), (2, posted(4, #","target":0"#, "ab", "withdrawn")),
            (2, posted(4, #","target":0"#)), (0, Self.message(4, #","target":1"#)), (0, posted(4, #","target":1"#)),
            (2, Self.message(4, #","target":2"#)), (1, Self.message(5)), (1, posted(5)),
        ])
        // Of messages whose time has come.
        try check([
            (2, Self.message(9, #","original":2"#)), (2, posted(9, #","original":2"#)),
            (0, Self.message(9, #","original":3"#, "cd")), (0, posted(9, #","original":3"#, "cd")),
            (1, Self.message(9, "", "ef")), (1, posted(9, "", "ef")),
        ])
    }

    @Test func whatTimeTriggersComesFirst() throws {
        try check([
            (0, Self.message(7, #","original":2"#, "b")), (2, Self.message(7, #","original":3"#, "a")),
            (1, Self.message(7, #","original":3"#, "b")), (0, Self.message(7, #","original":5"#, "a")),
            (0, #"{"seq":7,"event":"token_deleted","device":"a","app":"a","outcome":"applied"}"#),
            (1, #"{"seq":7,"event":"token_deleted","device":"b","app":"a","outcome":"applied"}"#),
            (1, Self.message(7)), (1, Self.message(7, #","original":6"#)), (0, Self.message(8)),
        ])
    }

    @Test func aLineOfTwoReportsIsWrittenOnce() throws {
        let line = #"{"seq":3,"provider":"apns","device":"d","outcome":"delivered","status":200}"#
        let last = Self.message(4)
        let (merged, problems) = try mergeAll([text([line]), text([line, last])])
        #expect(merged == text([line, last]))
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("part 0: has a line about record 3, and part 1 has the same line") ?? false)
    }

    @Test func linesThatContradictEachOtherAreLeftOut() throws {
        let queued = #"{"seq":3,"original":1,"device":"d","topic":"a","outcome":"delivered"}"#
        let (merged, problems) = try mergeAll([
            text([Self.message(2), Self.message(3, "", "ab"), queued, Self.message(5)]),
            text([Self.message(3, "", "cd"), Self.message(4)]),
        ])
        #expect(merged == text([Self.message(2), Self.message(4), Self.message(5)]))
        #expect(problems.count == 1)
        #expect(problems.first?.contains("another line, so neither is written") ?? false)
    }

    @Test func formsOfOtherProgramsAreRead() throws {
        #expect(
            try merge([#"{ "provider":"apns", "seq" : 2 }"# + "\n", #"{"seq": 1}"# + "\n"])
                == "{\"seq\": 1}\n{ \"provider\":\"apns\", \"seq\" : 2 }\n")
    }

    @Test func longLinesAndEmptyReports() throws {
        let long = Self.message(2, #","x":"\#(String(repeating: "é", count: 9000))""#)
        try check([(0, Self.message(1)), (2, long), (0, Self.message(3))])
        #expect(try merge(["", ""]).isEmpty)
        #expect(try merge([]).isEmpty)
    }

    @Test(arguments: [
        ("{\"seq\":2}\n{\"seq\":1}\n", "part 1: line 2: record 1 comes after record 2"),
        ("{\"seq\":2}\n{\"seq\":3", "part 1: line 2: the line does not end"),
        ("{\"seq\":2}\n\n", "part 1: line 2: not a line of a report"),
    ])
    func theRestOfADamagedReportIsLeftOut(report: String, problem: String) throws {
        let (merged, problems) = try mergeAll(["{\"seq\":1}\n{\"seq\":4}\n", report])
        #expect(merged == "{\"seq\":1}\n{\"seq\":2}\n{\"seq\":4}\n")
        #expect(problems.count == 1 && problems[0].hasPrefix(problem))
    }

    @Test func aStoreIsNoReport() {
        let error = #expect(throws: PlainError.self) { _ = try merge(["{\"seq\":1}\n", "SQLite format 3\u{0}\n"]) }
        #expect(error?.message.hasPrefix("part 1: is a store, not a report") == true, "\(String(describing: error))")
    }

    @Test func aReportWithNothingButTheBeginningOfALineIsLeftOut() throws {
        let (merged, problems) = try mergeAll(["{\"seq\":1}\n", "{\"seq\":1"])
        #expect(merged == "{\"seq\":1}\n")
        #expect(problems == ["part 1: line 1: the line does not end: the report is incomplete"])
    }

    @Test func aLineThatIsNotJSONIsLeftOut() throws {
        let (merged, problems) = try mergeAll(["{\"seq\":1}\n", "{\"seq\":1,}\n{\"seq\":2}\n"])
        #expect(merged == "{\"seq\":1}\n")
        #expect(problems.count == 1 && problems[0].hasPrefix("part 1: line 1: not JSON"))
    }

    @Test(arguments: ["hello\n", "{\"seq\":99999999999999999999}\n"])
    func whatIsNoReportIsNamed(report: String) {
        #expect {
            _ = try merge(["{\"seq\":1}\n", report])
        } throws: { error in
            "\(error)".hasPrefix("part 1: line 1: not a line of a report")
        }
    }

    @Test func aFileWithoutLinesIsRefusedAtOnce() throws {
        let device = try FileDescriptor.open("/dev/zero", .readOnly)
        defer { device.close() }
        let part = ReportPart("zeros", device, position: 0, pieceBytes: 4096)
        let error = #expect(throws: PlainError.self) { _ = try ReportMerger([part]) }
        #expect(error?.message.hasPrefix("zeros: line 1: not a line of a report") == true)
    }

    @Test(arguments: [(0, true), (1, false)]) func aLineHasALimit(excess: Int, isRead: Bool) throws {
        let line = #"{"seq":1}"# + "\n"
        let folder = try TestFolder(["0.ndjson": line])
        let file = try FileDescriptor.open(folder.path("0.ndjson"), .readOnly)
        defer { file.close() }
        let part = ReportPart("0", file, position: 0, pieceBytes: 64, maximumLine: line.utf8.count - excess)
        if isRead {
            _ = try ReportMerger([part])
        } else {
            #expect(throws: PlainError.self) { _ = try ReportMerger([part]) }
        }
    }
}

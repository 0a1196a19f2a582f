import Foundation
import PushDevices
import PushPipeline
import PushRuns
import PushSQLite
import TestSupport
import Testing

struct SourceTests {
    private static let good = #"{"aps":{"alert":"Hello"}}"#

    /// The `source` of each report line, as JSON text; nil for a line without one.
    private func sources(
        _ files: [(String, String)], _ change: (inout RunJob) -> Void = { _ in }
    ) throws -> [String?] {
        let folder = try Folder(Dictionary(uniqueKeysWithValues: files))
        var job = RunJob(files.map { folder[$0.0] }, output: .ndjson)
        job.configuration.clock = .fixed(milliseconds: 0)
        change(&job)
        let streams = CollectedStreams()
        _ = try job.run(to: streams)
        return streams.text.split(separator: "\n").map { line -> String? in
            guard let start = line.range(of: #""source":"#)?.upperBound, let end = line[start...].firstIndex(of: "}")
            else {
                return nil
            }
            return String(line[start...end]).replacing("\(folder.path)/", with: "")
        }
    }

    private func source(_ file: String, _ record: Int, line: Int, column: Int = 1, offset: Int) -> String {
        #"{"file":"\#(file)","record":\#(record),"line":\#(line),"column":\#(column),"offset":\#(offset)}"#
    }

    @Test func `a good record of the only input has none`() throws {
        #expect(try sources([("a", Self.good + "\n" + Self.good)]) == [nil, nil])
    }

    @Test(arguments: [1, 4])
    func `a malformed record and one with a finding have one, after blank lines, a byte-order mark and CRLF`(
        jobs: Int
    ) throws {
        let text = "\u{FEFF}\(Self.good)\r\n\r\n{\"aps\":\r\n\n  {\"aps\":{},\"aps\":{\"alert\":\"ä\"}}\n"
        let found = try sources([("a", text)]) { $0.configuration.jobs = jobs }
        #expect(
            found == [
                nil, source("a", 2, line: 3, offset: 32), source("a", 3, line: 5, column: 1, offset: 42),
            ])
    }

    @Test func `every record of several inputs has one`() throws {
        let found = try sources([("a", Self.good + "\n"), ("b", "\n" + Self.good)])
        #expect(found == [source("a", 1, line: 1, offset: 0), source("b", 1, line: 2, offset: 1)])
    }

    @Test func `values of several lines begin where they begin`() throws {
        let text = "{\n \"aps\": {\"alert\": \"a\"}\n} {\"aps\":\n 1,}\n\n  {\n\"aps\": [}"
        let found = try sources([("a", text)])
        #expect(
            found == [
                nil, source("a", 2, line: 3, column: 3, offset: 27), source("a", 3, line: 6, column: 3, offset: 43),
            ])
    }

    @Test func `a record over the limit, and what follows it, are where they are`() throws {
        let long = "{\"aps\":{\"alert\":\"" + String(repeating: "x", count: 300_000) + "\"}}"
        let text = "\(Self.good)\n\(long)\n{\n"
        let found = try sources([("a", text)]) { $0.configuration.maximumRecordBytes = 1000 }
        #expect(
            found == [
                nil, source("a", 2, line: 2, offset: 26), source("a", 3, line: 3, offset: 27 + long.utf8.count),
            ])
    }

    @Test func `the column after a long text does not depend on where its bytes were cut`() throws {
        // Each é has two bytes, and they begin at an odd one, so every even piece ends inside one.
        let long = "{\"aps\":{\"alert\":\"" + String(repeating: "é", count: 300_000) + "\"}}"
        let text = "{\n\"aps\":{\"alert\":\"a\"}}\n \(long) {"
        let found = try sources([("a", text)]) { $0.configuration.maximumRecordBytes = 1000 }
        #expect(
            found == [
                nil, source("a", 2, line: 3, column: 2, offset: 24),
                source("a", 3, line: 3, column: 300_023, offset: 600_045),
            ])
    }

    @Test(arguments: [1, 3])
    func `places in a large input do not depend on how it is cut into chunks`(jobs: Int) throws {
        var (text, expected) = ("", [String]())
        for number in 1...40_000 {
            if number.isMultiple(of: 1000) {
                expected.append(source("a", number, line: number, offset: text.utf8.count))
                text += "{\n"
            } else {
                text += "{\"aps\":{\"alert\":\"\(number)\"}}\n"
            }
        }
        let found = try sources([("a", text)]) { $0.configuration.jobs = jobs }
        #expect(found.compactMap(\.self) == expected)
        #expect(found.count == 40_000)
    }

    @Test func `a resumed run goes on with the numbers of the file`() throws {
        let folder = try Folder(["a": Self.good + "\n", "b": "\n\(Self.good)\n{\n\(Self.good)\n"])
        var job = RunJob([folder["a"], folder["b"]], output: .ndjson)
        job.configuration.clock = .fixed(milliseconds: 0)
        let whole = CollectedStreams()
        _ = try job.run(to: whole)
        job.store = .sqlite(folder["s.db"])
        _ = try job.run(to: CollectedStreams())
        // The files have grown since.
        let more = try Folder()
        for (name, rest) in [("a", ""), ("b", "[1]\n\n{\n")] {
            let text = try folder.text(name) + rest
            try folder.write(text, to: name)
            try more.write(text, to: name)
        }
        job.resumes = true
        let resumed = CollectedStreams()
        _ = try job.run(to: resumed)
        var fresh = job
        fresh.inputs = [more["a"], more["b"]]
        (fresh.store, fresh.resumes) = (nil, false)
        let expected = CollectedStreams()
        _ = try fresh.run(to: expected)
        let end = expected.text.replacing(more.path, with: folder.path).split(separator: "\n").suffix(2)
        #expect(resumed.text.split(separator: "\n").suffix(2) == end)
        #expect(end.last?.contains(#""record":5,"line":7,"column":1,"offset":60}"#) == true)
    }

    @Test func `text for people has the place of the error itself`() throws {
        let folder = try Folder(["a": "\(Self.good)\n{\"aps\":1,}\n", "b": "{\n\n\"aps\": tru\n}"])
        let streams = CollectedStreams()
        _ = try RunJob([folder["a"], folder["b"]], output: .text).run(to: streams)
        let lines = streams.text.replacing(folder.path + "/", with: "").split(separator: "\n")
        #expect(lines.first?.hasSuffix("  a:1:1") == true)
        #expect(lines.contains { $0.contains("a:2:10: ") })
        // `"aps": tru` has 10 columns, and the line feed that is no `e` comes after them.
        #expect(lines.contains { $0.contains("b:3:11: ") })
    }
}

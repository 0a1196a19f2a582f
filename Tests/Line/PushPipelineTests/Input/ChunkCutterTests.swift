import PushFraming
import PushSystem
import TestSupport
import Testing

@testable import PushPipeline

/// Where a chunk ends because its arrays have many elements.
struct ChunkCutterTests {
    /// How many records each chunk of a text has.
    private func sizes(of lines: [String], elementLimit: Int = .max, mostRecords: Int = .max) -> [Int] {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        var cutter = ChunkCutter(configuration)
        cutter.elementLimit = elementLimit
        cutter.mostRecords = mostRecords
        // SOUND: the bytes live until the closure returns, and are copied.
        unsafe Array(lines.map { $0 + "\n" }.joined().utf8).withUnsafeBytes { unsafe cutter.input.append($0) }
        var sizes: [Int] = []
        while true {
            var chunk = RecordChunk()
            guard cutter.cut(into: &chunk, isEnd: true) else { return sizes }
            sizes.append(chunk.recordCount)
        }
    }

    /// An array has one element more than commas; those before its first bracket and after its last one are not in it.
    @Test func `a chunk ends with the record that reaches the limit`() {
        let two = #"{"a":1,"b":2,"ids":["x","y","z"],"c":3,"d":4}"#
        let none = #"{"a":1,"b":2,"c":3,"d":4,"e":5}"#
        #expect(sizes(of: [two, two, two], elementLimit: 4) == [2, 1])
        #expect(sizes(of: [none, two, none, none, two, none], elementLimit: 4) == [5, 1])
        #expect(sizes(of: [none, none, two, two], elementLimit: 1) == [3, 1])
        #expect(sizes(of: [none, none, none], elementLimit: 1) == [3])
    }

    /// A malformed record of two bytes takes as much memory until it is reported as a long one.
    @Test func `a chunk has only so many records`() {
        #expect(sizes(of: Array(repeating: "]", count: 7), mostRecords: 3) == [3, 3, 1])
        #expect(sizes(of: Array(repeating: "{}", count: 6), mostRecords: 3) == [3, 3])
    }

    @Test func `brackets that are no array's are counted as if they were`() {
        // Closed before it opens, never closed, and closed in a later record.
        #expect(sizes(of: [#"{"a":"],,["}"#, #"{"a":"[,,"}"#, #"{"b":"],,"}"#, "{}"], elementLimit: 1) == [4])
        // From the first to the last one, whatever is between them.
        #expect(sizes(of: [#"{"a":[1],"b":2,"c":[3]}"#, "{}", "{}"], elementLimit: 2) == [1, 2])
    }

    /// Against a count by splitting texts.
    @Test func `random records are cut where a simple count says`() {
        var generator = SeededGenerator(seed: 45)
        for _ in 0..<300 {
            let lines = (0..<generator.below(40)).map { _ in
                let pieces = (0..<generator.below(30)).map { _ in generator.pick(["[", "]", ",", "x", "1234567890"]) }
                return "{\(pieces.joined())}"
            }
            let limit = 1 + generator.below(12)
            var expected: [Int] = []
            var count = 0
            var elements = 0
            for line in lines {
                count += 1
                if let first = line.firstIndex(of: "["), let last = line.lastIndex(of: "]"), first < last {
                    elements += line[first..<last].count { $0 == "," }
                }
                guard elements >= limit else { continue }
                expected.append(count)
                count = 0
                elements = 0
            }
            if count > 0 { expected.append(count) }
            #expect(sizes(of: lines, elementLimit: limit) == expected)
        }
    }
}

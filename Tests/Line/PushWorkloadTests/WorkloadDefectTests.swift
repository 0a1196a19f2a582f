import Foundation
import PushWorkload
import Testing

@Suite struct WorkloadDefectTests {
    @Test func `the wanted share of records is malformed`() throws {
        let configuration = try WorkloadConfiguration(count: 10_000, malformedRate: WorkloadRate(parsing: "0.1"))
        let malformed = lines(configuration).count { GeneratedRecord($0) == nil }
        // Five standard deviations are 150.
        #expect((850...1150).contains(malformed))
    }

    @Test func `without a malformed rate every record is well formed`() throws {
        for line in lines(try WorkloadConfiguration(count: 10_000)) { #expect(GeneratedRecord(line) != nil) }
    }

    @Test func `at rate one no record is a push request and every defect occurs`() throws {
        let configuration = try WorkloadConfiguration(count: 5000, malformedRate: WorkloadRate(parsing: "1"))
        var found: [String: Int] = [:]
        for line in lines(configuration) {
            let isPushRequest = GeneratedRecord(line) != nil
            #expect(!isPushRequest, "\(kind(line))")
            #expect(line.allSatisfy { $0 != 0 && $0 != 0x1e && $0 != UInt8(ascii: "\r") })
            found[kind(line), default: 0] += 1
        }
        let kinds = [
            "truncated", "trailing comma", "single quotes", "invalid UTF-8", "control character", "closing brace",
            "array", "empty object", "unknown shape", "payload text", "leading zero",
        ]
        #expect(Set(found.keys) == Set(kinds))
        #expect(kinds.count == WorkloadDefect.allCases.count)
        // 5000 records in 11 kinds are 455 each.
        for kind in kinds { #expect((350...560).contains(found[kind, default: 0]), "\(kind)") }
    }

    /// A reader that detects the framing from the first line would take a truncated one for pretty-printed JSON.
    @Test func `the first record is never a truncated one`() throws {
        for seed in 0..<300 as Range<UInt64> {
            let configuration = try WorkloadConfiguration(
                count: 1, seed: seed, malformedRate: WorkloadRate(parsing: "1"))
            let line = try #require(lines(configuration).first)
            #expect(kind(line) != "truncated")
        }
    }

    /// Recognizes the defect from the bytes alone.
    private func kind(_ line: ArraySlice<UInt8>) -> String {
        let text = String(decoding: line, as: UTF8.self)
        if String(validating: line, as: UTF8.self) == nil, line.last == UInt8(ascii: "}") { return "invalid UTF-8" }
        if line.contains(where: { $0 < 0x20 }) { return "control character" }
        if text == "}" { return "closing brace" }
        if text == "{}" { return "empty object" }
        if text.hasPrefix("[") { return "array" }
        if text.hasPrefix("{'") { return "single quotes" }
        if text.hasPrefix(#"{"event""#) { return "unknown shape" }
        if text.hasSuffix(",}") { return "trailing comma" }
        if text.hasSuffix(#","count":01}"#) { return "leading zero" }
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        return object?["payload"] is String ? "payload text" : "truncated"
    }
}

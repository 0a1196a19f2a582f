import Foundation
import TestSupport
import Testing

/// Megabytes of input that nobody would send: the command continues, with one line per record and status 0.
struct HostileInputSlowTests {
    private static let good = HostileInputTests.good

    @Test func `a record of 10 MB is reported, and the next one is delivered`() throws {
        let long =
            Array("{\"aps\":{\"alert\":\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: 10_000_000)
            + Array("\"}}".utf8)
        let line = try HostileInputTests.report(long)
        #expect(line["outcome"] == .string("malformed"))
        #expect(line["error"]?["rule"] == .string("record.too-long"))
        let allowed = try HostileInputTests.report(long, "--set", "input.max-record=16M")
        #expect(allowed["outcome"] == .string("rejected"))
        #expect(allowed["reason"] == .string("PayloadTooLarge"))
        #expect(allowed["bytes"] == .number(Double(long.count)))
    }

    @Test func `10 MB without a single newline are one record`() throws {
        let folder = try Folder()
        for byte in [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "x"), 0, 0xFF] {
            try folder.write(Array(repeating: byte, count: 10_000_000), to: "in")
            for framing in ["auto", "ndjson", "json", "seq"] {
                let output = try folder.pushpipe("run", "-q", "--set", "input.framing=\(framing)", "in")
                #expect(output.status == 2)
                #expect(
                    try output.json().map { $0["error"]?["rule"] } == [.string("record.too-long")],
                    "\(byte), \(framing)")
            }
        }
    }

    @Test func `a megabyte of noise gives one report line per input line`() throws {
        let folder = try Folder()
        var generator = SeededGenerator(seed: 2026)
        var noise: [UInt8] = []
        while noise.count < 1_000_000 { withUnsafeBytes(of: generator.next()) { noise += $0 } }
        try folder.write(noise + [UInt8(ascii: "\n")] + Self.good, to: "in")
        let blank: Set<UInt8> = [0x20, 0x09, 0x0D]
        let records = noise.split(separator: UInt8(ascii: "\n")).count { !$0.allSatisfy(blank.contains) }
        let output = try folder.pushpipe("run", "-q", "--set", "input.framing=ndjson", "in")
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        let outcomes = try output.outcomes()
        #expect(outcomes.count == records + 1)
        #expect(outcomes.last == "delivered")
        #expect(outcomes.dropLast().allSatisfy { $0 == "malformed" })
        for framing in ["auto", "json", "seq", "nul"] {
            let output = try folder.pushpipe(
                "run", "-q", "--set", "input.framing=\(framing)", "--set", "input.relaxed", "in")
            // Nothing but malformed records is no success.
            let isMalformed = try output.outcomes().allSatisfy { $0 == "malformed" }
            #expect(output.status == (isMalformed ? 2 : 0), "\(framing)")
            #expect(try output.json().count > 0)
        }
        let text = try folder.pushpipe("run", "-q", "--format", "text", "--screen", "in")
        #expect(text.status == 0)
        #expect(text.stdout.allSatisfy { $0 >= 0x20 || $0 == UInt8(ascii: "\n") })
    }
}

import Foundation
import TestSupport
import Testing

/// Whatever comes in, the command goes on: a line a record, status 0, and the next good record arrives.
struct HostileInputTests {
    private static let good = Array(apns("good").utf8)

    /// Runs `record` as a line between two good ones, and returns its report.
    private func report(_ record: some Collection<UInt8>, _ arguments: String...) throws -> JSONValue {
        let folder = try Folder()
        try folder.write(Self.good + Array(record) + [UInt8(ascii: "\n")] + Self.good, to: "in")
        let output = try folder.pushpipe(arguments: ["run", "-q", "--framing", "ndjson"] + arguments + ["in"])
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        let lines = try output.json()
        try #require(lines.count == 3)
        #expect(lines[0]["outcome"] == .string("delivered"))
        #expect(lines[2]["outcome"] == .string("delivered"))
        #expect(lines.map { $0["seq"] } == [.number(1), .number(2), .number(3)])
        return lines[1]
    }

    private func rule(_ record: some Collection<UInt8>) throws -> String? {
        let line = try report(record)
        #expect(line["outcome"] == .string("malformed"))
        return line["error"]?["rule"]?.string
    }

    @Test func `NUL bytes are no JSON`() throws {
        #expect(try rule([0]) == "json.syntax")
        #expect(try rule([0, 0, 0]) == "json.syntax")
        #expect(try rule(Array("{\"aps\":{\"alert\":\"a\0b\"}}".utf8)) == "json.syntax")
        #expect(try rule(Array("{\"aps\":{}}\0".utf8)) == "json.syntax")
    }

    @Test(arguments: [
        [0xFF], [0x80], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80],
    ])
    func `text that is not UTF-8 is malformed`(bytes: [UInt8]) throws {
        let record = Array("{\"aps\":{\"alert\":\"a".utf8) + bytes + Array("b\"}}".utf8)
        #expect(try rule(record) == "json.invalid-utf8")
    }

    @Test func `half of a surrogate pair is delivered with a finding`() throws {
        let line = try report(Array(#"{"aps":{"alert":"a\ud83d"},"\udc00":1}"#.utf8))
        #expect(line["outcome"] == .string("delivered"))
        #expect(
            line["findings"]?.elements.map { $0["rule"] } == [
                .string("json.lone-surrogate"), .string("json.lone-surrogate"),
            ])
    }

    @Test func `a record of 10 MB is reported, and the next one delivered`() throws {
        let long =
            Array("{\"aps\":{\"alert\":\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: 10_000_000)
            + Array("\"}}".utf8)
        let line = try report(long)
        #expect(line["outcome"] == .string("malformed"))
        #expect(line["error"]?["rule"] == .string("record.too-long"))
        let allowed = try report(long, "--max-record", "16M")
        #expect(allowed["outcome"] == .string("rejected"))
        #expect(allowed["reason"] == .string("PayloadTooLarge"))
        #expect(allowed["bytes"] == .number(Double(long.count)))
    }

    @Test func `10 MB without a single newline are one record`() throws {
        let folder = try Folder()
        for byte in [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "x"), 0, 0xFF] {
            try folder.write(Array(repeating: byte, count: 10_000_000), to: "in")
            for framing in ["auto", "ndjson", "json", "seq"] {
                let output = try folder.pushpipe("run", "-q", "--framing", framing, "in")
                #expect(output.status == 0)
                #expect(
                    try output.json().map { $0["error"]?["rule"] } == [.string("record.too-long")],
                    "\(byte), \(framing)")
            }
        }
    }

    @Test(arguments: ["[", "{\"a\":", "{\"aps\":["])
    func `a hundred thousand levels are too deep`(opening: String) throws {
        let record = Array(String(repeating: opening, count: 100_000).utf8)
        #expect(try rule(record) == "json.too-deep")
        let closed = Array((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
        #expect(try rule(Array("{\"aps\":{\"alert\":\"x\"},\"a\":".utf8) + closed + Array("}".utf8)) == "json.too-deep")
    }

    @Test func `a hundred thousand levels cost one record when values are told apart by their brackets`() throws {
        let folder = try Folder()
        let deep = Array((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
        try folder.write(Self.good + deep + Self.good, to: "in")
        let output = try folder.pushpipe("run", "-q", "--framing", "json", "in")
        #expect(output.status == 0)
        #expect(try output.outcomes() == ["delivered", "malformed", "delivered"])
    }

    @Test func `numbers of 400 digits are passed on`() throws {
        let digits = String(repeating: "1234567890", count: 40)
        for number in [digits, "-" + digits, "0." + digits, digits + "." + digits, "1e" + digits, "-1E-" + digits] {
            let line = try report(Array("{\"aps\":{\"alert\":\"x\",\"badge\":\(number)},\"n\":\(number)}".utf8))
            #expect(line["outcome"] == .string("delivered"), "\(number)")
        }
    }

    @Test func `a payload's numbers, escapes and white space are kept as they came`() throws {
        let folder = try Folder()
        let payload = #"{ "aps" : {"alert":"\u00e9\/"},"n":12345678901234567890.50e+1, "e":[ ]}"#
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: payload + "\n").status == 0)
        #expect(try folder.pushpipe("store", "export", "s.db").text.contains(payload))
    }

    @Test func `a megabyte of noise gives a line for each of its lines`() throws {
        let folder = try Folder()
        var generator = SeededGenerator(seed: 2026)
        var noise: [UInt8] = []
        while noise.count < 1_000_000 { withUnsafeBytes(of: generator.next()) { noise += $0 } }
        try folder.write(noise + [UInt8(ascii: "\n")] + Self.good, to: "in")
        let blank: Set<UInt8> = [0x20, 0x09, 0x0D]
        let records = noise.split(separator: UInt8(ascii: "\n")).count { !$0.allSatisfy(blank.contains) }
        let output = try folder.pushpipe("run", "-q", "--framing", "ndjson", "in")
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        let outcomes = try output.outcomes()
        #expect(outcomes.count == records + 1)
        #expect(outcomes.last == "delivered")
        #expect(outcomes.dropLast().allSatisfy { $0 == "malformed" })
        for framing in ["auto", "json", "seq", "nul"] {
            let output = try folder.pushpipe("run", "-q", "--framing", framing, "--relaxed", "in")
            #expect(output.status == 0, "\(framing)")
            #expect(try output.json().count > 0)
        }
        let text = try folder.pushpipe("run", "-q", "--report", "text", "--screen", "in")
        #expect(text.status == 0)
        #expect(text.stdout.allSatisfy { $0 >= 0x20 || $0 == UInt8(ascii: "\n") })
    }
}

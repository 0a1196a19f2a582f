import Foundation
import TestSupport
import Testing

/// Whatever the input, the command continues: one line per record, status 0, and the next valid record is delivered.
struct HostileInputTests {
    static let good = Array(apns("good").utf8)

    /// Runs `record` as a line between two valid ones, and returns its report.
    static func report(_ record: some Collection<UInt8>, _ arguments: String...) throws -> JSONValue {
        let folder = try Folder()
        try folder.write(good + Array(record) + [UInt8(ascii: "\n")] + good, to: "in")
        let output = try folder.pushpipe(
            arguments: ["run", "-q", "--set", "input.framing=ndjson"] + arguments + ["in"])
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
        let line = try Self.report(record)
        #expect(line["outcome"] == .string("malformed"))
        return line["error"]?["rule"]?.string
    }

    @Test(arguments: [
        (["test", "/dev/zero"], "larger than 16 MiB"), (["lint", "--config", "/dev/zero"], "larger than 1 MiB"),
        (["run", "--set", "wikimedia.mapping=/dev/zero"], "larger than 1 MiB"),
    ])
    func `a file without an end that is read whole is refused`(arguments: [String], reason: String) throws {
        let output = try Folder().pushpipe(arguments: arguments, stdin: Array("{}".utf8))
        #expect(output.status == 2)
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    @Test func `NUL bytes are not JSON`() throws {
        #expect(try rule([0]) == "record.not-text")
        #expect(try rule([0, 0, 0]) == "record.not-text")
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
        let line = try Self.report(Array(#"{"aps":{"alert":"a\ud83d"},"\udc00":1}"#.utf8))
        #expect(line["outcome"] == .string("delivered"))
        #expect(
            line["findings"]?.elements.map { $0["rule"] } == [
                .string("json.lone-surrogate"), .string("json.lone-surrogate"),
            ])
    }

    @Test(arguments: ["[", "{\"a\":", "{\"aps\":["])
    func `one hundred thousand levels are too deep`(opening: String) throws {
        let record = Array(String(repeating: opening, count: 100_000).utf8)
        #expect(try rule(record) == "json.too-deep")
        let closed = Array((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
        #expect(try rule(Array("{\"aps\":{\"alert\":\"x\"},\"a\":".utf8) + closed + Array("}".utf8)) == "json.too-deep")
    }

    @Test func `one hundred thousand levels cost one record when values are framed by brackets`() throws {
        let folder = try Folder()
        let deep = Array((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
        try folder.write(Self.good + deep + Self.good, to: "in")
        let output = try folder.pushpipe("run", "-q", "--set", "input.framing=json", "in")
        #expect(output.status == 0)
        #expect(try output.outcomes() == ["delivered", "malformed", "delivered"])
    }

    @Test func `numbers of 400 digits are passed through`() throws {
        let digits = String(repeating: "1234567890", count: 40)
        for number in [digits, "-" + digits, "0." + digits, digits + "." + digits, "1e" + digits, "-1E-" + digits] {
            let line = try Self.report(Array("{\"aps\":{\"alert\":\"x\",\"badge\":\(number)},\"n\":\(number)}".utf8))
            #expect(line["outcome"] == .string("delivered"), "\(number)")
        }
    }

    @Test func `a payload's numbers, escapes and white space are kept unchanged`() throws {
        let folder = try Folder()
        let payload = #"{ "aps" : {"alert":"\u00e9\/"},"n":12345678901234567890.50e+1, "e":[ ]}"#
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: payload + "\n").status == 0)
        #expect(try folder.pushpipe("store", "export", "s.db").text.contains(payload))
    }

}

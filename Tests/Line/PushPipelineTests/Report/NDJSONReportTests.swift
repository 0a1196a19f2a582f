import Foundation
import PushDecoding
import PushModel
import PushPipeline
import TestSupport
import Testing

/// `Documentation/reference/report.md`, row by row.
struct NDJSONReportTests {
    /// In the order of the table.
    private static let keys = [
        "seq", "target", "provider", "via", "device", "topic", "outcome", "status", "reason", "bytes", "limit",
        "identifier",
        "replaces", "findings", "answer", "error",
    ]

    private func lines(_ input: String, _ change: (inout PipelineConfiguration) -> Void = { _ in }) throws -> [String] {
        try Pipeline(configuration(change)).reports(input).map(\.line)
    }

    /// Every kind of line.
    private static let everything = """
        {"aps":{"alert":"a","alert":"b"}}
        {"device":"ab","headers":{"apns-topic":"t","apns-collapse-id":"c"},"payload":{"aps":{"alert":"x"}}}
        {"device":"ab","headers":{"apns-topic":"t","apns-collapse-id":"c"},"payload":{"aps":{"alert":"y"}}}
        {"device":"ab","headers":{"apns-topic":"t","apns-priority":"3"},"payload":{"aps":{}}}
        {"aps":{"content-available":1}}
        {"registration_ids":["one","t w o"],"notification":{"title":"Goal"},"restricted_package_name":"org.example"}
        {"token":"ab","device":"ios","alert":"x","extra":{"k":"v"}}
        {"APNS":"{\\"aps\\":{\\"alert\\":\\"x\\"}}","GCM":"{\\"notification\\":{\\"title\\":\\"x\\"}}"}
        {"message":{"token":"t","notification":{"title":"x"}},"validate_only":true}
        {"aps":{"alert":"a"},"id":1,"custom":{"aps":1},"id":2}
        {"message":{"token":"t","notification":{"sound":"x"}}}
        {"deviceTokens":["ab","cd"],"messageType":"checkEchoV1","topic":"org.wikimedia"}
        {
        []
        """

    @Test func `every line is a JSON object with its keys in the documented order`() throws {
        var seen: Set<String> = []
        let lines = try lines(Self.everything)
        #expect(lines.count >= 16)
        for line in lines {
            #expect(line.last == "\n")
            #expect(line.dropLast().allSatisfy { !$0.isNewline })
            #expect(object(line) != nil, "\(line)")
            let names = names(line)
            #expect(names == Self.keys.filter { names.contains($0) }, "\(line)")
            #expect(Set(names).count == names.count)
            seen.formUnion(names)
        }
        #expect(seen == Set(Self.keys))
    }

    @Test func `a run with an extension says before the findings why it was not started`() throws {
        let record = #"{"aps":{"alert":"a","badge":-1}}"#
        let line = try #require(try lines(record) { $0.decoding.replacementKey = "id" }.first)
        #expect(line.contains(#""identifier":"push-1","extension_not_started":"not-mutable","findings":["#))
        let plain = try #require(try lines(record).first)
        #expect(plain == line.replacing(#","extension_not_started":"not-mutable""#, with: ""))
    }

    @Test func `a workload's lines are JSON objects with their keys in the documented order`() throws {
        let bytes = try workload(1500, seed: 10, malformedRate: "0.3")
        for report in try Pipeline(configuration()).reports(bytes, pieces: []) {
            #expect(object(report.line) != nil, "\(report.line)")
            let names = names(report.line)
            guard names == Self.keys.filter({ names.contains($0) }) else {
                Issue.record("\(report.line)")
                return
            }
        }
    }

    @Test func `a key is present only when it has a value`() throws {
        for report in try Pipeline(configuration()).reports(Self.everything) {
            let names = Set(names(report.line))
            let isMalformed = report.outcome == .malformed
            let isShown = [.delivered, .replaced, .reposted].contains(report.outcome)
            #expect(names.isSuperset(of: ["seq", "outcome"]))
            for name in ["provider", "device", "status", "bytes", "limit"] {
                #expect(names.contains(name) == !isMalformed, "\(name) in \(report.line)")
            }
            #expect(names.contains("target") == (report.target != nil))
            #expect(
                names.contains("reason") == [.rejected, .suppressed, .silent].contains(report.outcome), "\(report.line)"
            )
            #expect(names.contains("identifier") == isShown, "\(report.line)")
            #expect(names.contains("replaces") == [.replaced, .reposted].contains(report.outcome), "\(report.line)")
            #expect(names.contains("findings") == !report.rules.isEmpty, "\(report.line)")
            #expect(names.contains("error") == isMalformed, "\(report.line)")
        }
    }

    @Test func `a line matches the documentation`() throws {
        let lines = try lines(
            """
            {"device":"ab54","headers":{"apns-topic":"org.x","apns-collapse-id":"r"},"payload":{"aps":{"alert":"1"}}}
            {"device":"ab54","headers":{"apns-topic":"org.x","apns-collapse-id":"r"},"payload":{"aps":{"alert":"2"}}}
            [1]
            """)
        let head = #""provider":"apns","device":"ab54","topic":"org.x","outcome""#
        let tail = #""status":200,"bytes":21,"limit":4096,"identifier":"r""#
        #expect(
            lines == [
                "{\"seq\":1,\(head):\"delivered\",\(tail)}\n",
                "{\"seq\":2,\(head):\"replaced\",\(tail),\"replaces\":1}\n",
                "{\"seq\":3,\"outcome\":\"malformed\",\"error\":{\"rule\":\"record.not-an-object\","
                    + "\"message\":\"a record must be a JSON object, not an array: jq -c '.[]' FILE | pushpipe …\",\"offset\":0,\"line\":1,\"column\":1}}\n",
            ])
    }

    @Test(arguments: [
        "quote \" and \\ backslash", "line\nfeed", "tab\t", "\u{1B}[31m", "\u{0}", "\u{1F}", "\u{7F}", "é日😀",
        "\u{2028}",
    ])
    func `a text survives a line unchanged`(text: String) throws {
        let encoded = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let line = try #require(
            try lines(
                #"{"message":{"token":"t","android":{"notification":{"title":"x","tag":\#(encoded)}}}}"#
            ).first)
        #expect(object(line)?["identifier"] as? String == text)
        let envelope = #"{"device":\#(encoded),"headers":{},"payload":{"aps":{"alert":"x"}}}"#
        let device = try #require(try lines(envelope).first)
        #expect(object(device)?["device"] as? String == text)
        let topic = try #require(try lines(#"{"aps":{"alert":"x"}}"#) { $0.decoding.topic = text }.first)
        #expect(object(topic)?["topic"] as? String == text)
        for line in [line, device, topic] {
            #expect(line.dropLast().utf8.allSatisfy { $0 >= 0x20 }, "\(readable(line.utf8))")
        }
    }

    @Test func `the offset of an error is counted in bytes, its column in characters`() throws {
        // `😀` has four bytes, and two columns would be one too many.
        let line = try #require(try lines("{\"é😀\":x}").first)
        let error = try #require(object(line)?["error"] as? [String: Any])
        #expect(error["offset"] as? Int == 10)
        #expect(error["line"] as? Int == 1)
        #expect(error["column"] as? Int == 7)
    }

    @Test func `lines are counted within a multi-line record`() throws {
        let line = try #require(try lines("{\n  \"aps\": {\n    \"alert\" \"x\"\n  }\n}\n").first)
        let error = try #require(object(line)?["error"] as? [String: Any])
        #expect(error["rule"] as? String == "json.syntax")
        #expect(error["line"] as? Int == 3)
        #expect(error["column"] as? Int == 13)
        #expect(error["offset"] as? Int == 25)
    }
}

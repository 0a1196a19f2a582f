import Foundation
import PushDecoding
import PushJSON
import PushModel
import Testing

/// The schema of events takes what the decoder takes, and nothing that it calls malformed.
struct EventSchemaTests {
    /// A record that has one member with one value, which is JSON.
    private static func record(_ event: String, _ name: String, _ value: String) -> String {
        var members = ["event": "\"\(event)\"", "device": "\"ab54\""]
        if event == "clock" { members = ["event": "\"clock\"", "advance": "\"1s\""] }
        if event == "preference" {
            members["type"] = "\"mention\""
            members["on"] = "true"
        }
        if event == "open" { members["screen"] = "\"note\"" }
        members[name] = value
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    @Test func `each word that a member takes has a meaning`() {
        for member in EventMember.table {
            let words = EventWord.table.filter { "\($0.member)" == "\(member.name)" }.map(\.word)
            #expect(words == member.form.choices, "\(member.name)")
        }
    }

    private static let durations = [
        "90s", "1h30m", "1.5h", "250ms", "2w", "30d", "1.s", ".5s", "007s", "1s1s", "0.000001ms", "253402300799s", "",
        ".s", "s", "1..2s", "1.2.3s", "90", "90S", "1 h", "-1s", "+1s", "1e3s", "1hs", "1y", "٣s", "99999999999999s",
        "9999999999999999ms", "9999999w",
    ]
    private static let times = [
        "2026-11-03T20:00:00Z", "2026-11-03t20:00:00.5+01:00", "2026-11-03 20:00:00z", "2028-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z", "2026-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z",
        "2026-11-03", "2026-11-03T20:00Z", "2026-11-03T20:00:00", "2026-11-03T24:00:00Z", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "0000-01-01T00:00:00Z",
        "2026-11-03T20:00:00.Z", "2026-11-03T20:00:00+1:00", "2026-11-03T20:00:00+24:00", "2026-11-03T20:00:61Z",
        "soon", "", " 2026-11-03T20:00:00Z",
    ]
    private static let others = [
        "null", "true", "\"x\"", "[]", "{}", "[\"x\"]", "[7]", "[null]", "[\"banner\",\"list\"]", "[\"banner\",7]", "0",
        "-0",
        "7", "7.0", "7.5", "-1", "1e3", "1700000000", "1700000000000", "253402300799.999", "253402300801",
        "-62135596800", "-62135596801", "9223372036854774784", "9223372036854779904", "\"ios\"", "\"foreground\"",
        "\"force-quit\"", "\"denied\"", "\"succeeded\"", "\"none\"", "\"centre\"", "\"discard\"",
        "\"before-first-unlock\"", "\"never\"", "false",
    ]

    private static let records: [String] = {
        let quoted = (durations + times).map { "\"\($0)\"" }
        var records = quoted.flatMap { [record("clock", "advance", $0), record("device", "unregistered_at", $0)] }
        let members = [
            ("clock", ["advance"]), ("preference", ["type", "on"]), ("confirm", ["answer"]),
            ("tap", ["identifier", "seq"]),
            ("open", ["screen", "kind", "modal", "app"]), ("read", ["device"]),
            (
                "device",
                [
                    "device", "app", "platform", "online", "state", "authorization", "alerts", "badges",
                    "notification_center", "registration", "types", "locked",
                    "previews",
                    "unregistered_at", "canonical", "will_present", "delegate",
                ]
            ),
        ]
        for (event, names) in members {
            for name in names { records += others.map { record(event, name, $0) } }
        }
        records += ["{\"event\":\"clock\"}", "{\"event\":\"device\"}", "{\"event\":\"edits\"}", "{\"event\":\"back\"}"]
        return records
    }()

    /// Hands the root of a JSON text to `body`.
    private func withJSON<Result>(_ text: String, _ body: (JSONView) throws -> Result) throws -> Result {
        try Array(text.utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            let fault = scanner.scan(bytes, into: &tape)
            guard fault == nil, let root = tape.root(of: bytes) else { throw NotJSON(text: text) }
            return try body(root)
        }
    }

    private struct NotJSON: Error {
        let text: String
    }

    private func isMalformed(_ record: String) -> Bool {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        return Array(record.utf8).withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            return batch.messages.contains { if case .malformed = $0.verdict { true } else { false } }
        }
    }

    @Test func `a value is one for the schema when it is one for the decoder`() throws {
        var taken = 0
        try withJSON(EventSchema.text) { (root) throws in
            let schema = EventSchemaReader(root)
            for record in Self.records {
                let isTaken = !isMalformed(record)
                #expect(try withJSON(record, schema.takes) == isTaken, "\(record)")
                if isTaken { taken += 1 }
            }
        }
        #expect(taken > 100 && taken < Self.records.count - 100)
    }

    @Test func `a device has a name`() throws {
        try withJSON(EventSchema.text) { (root) throws in
            let schema = EventSchemaReader(root)
            #expect(try withJSON(#"{"event":"tap","device":"a"}"#, schema.takes))
            #expect(try !withJSON(#"{"event":"tap","device":""}"#, schema.takes))
        }
    }

    @Test func `it knows every event`() throws {
        try withJSON(EventSchema.text) { (root) throws in
            #expect(root["$schema"]?.string?.string == "https://json-schema.org/draft/2020-12/schema")
        }
        for name in DeviceEvent.Name.allCases {
            #expect(EventSchema.text.contains(#"{"const": "\#(name.rawValue)"}"#))
        }
    }
}

/// As much of JSON Schema as the schema of events uses.
private struct EventSchemaReader {
    private let schema: JSONView

    init(_ schema: JSONView) { self.schema = schema }

    func takes(_ value: JSONView) throws -> Bool {
        let branches = schema["oneOf"].map(Self.elements) ?? []
        return try branches.count { try Self.takes(value, $0) } == 1
    }

    private static func elements(_ value: JSONView) -> [JSONView] {
        var elements: [JSONView] = []
        var rest = value.elements
        while let element = rest.next() { elements.append(element) }
        return elements
    }

    private static func members(_ value: JSONView) -> [String: JSONView] {
        var found: [String: JSONView] = [:]
        var rest = value.members
        while let (key, value) = rest.next() { found[key.string] = value }
        return found
    }

    /// Of two values of which one is a string, null or a number.
    private static func isSame(_ left: JSONView, _ right: JSONView) -> Bool {
        if let left = left.string, let right = right.string { return left == right }
        return left.kind == right.kind && left.text == right.text
    }

    /// A keyword that is not known here is a mistake of the test's.
    private static func takes(_ value: JSONView, _ schema: JSONView) throws -> Bool {
        for (keyword, argument) in members(schema) {
            let fits =
                switch (keyword, value.kind) {
                case ("type", _):
                    (argument.kind == .array ? elements(argument) : [argument]).contains { isType(value, $0) }
                case ("const", _): isSame(value, argument)
                case ("enum", _): elements(argument).contains { isSame(value, $0) }
                case ("required", .object):
                    elements(argument).allSatisfy { value[named: $0.string?.string ?? ""] != nil }
                case ("properties", .object):
                    try members(value).allSatisfy { name, value in
                        guard let property = argument[named: name] else { return true }
                        return try takes(value, property)
                    }
                case ("additionalProperties", .object):
                    members(value).keys.allSatisfy { schema["properties"]?[named: $0] != nil }
                case ("items", .array): try elements(value).allSatisfy { try takes($0, argument) }
                case ("minimum", .number): try number(value) >= number(argument)
                case ("maximum", .number): try number(value) <= number(argument)
                case ("minLength", .string): try Double(value.string?.string.count ?? 0) >= number(argument)
                case ("pattern", .string):
                    try Regex(argument.string?.string ?? "").firstMatch(in: value.string?.string ?? "") != nil
                case ("description", _), ("items", _), ("minimum", _), ("maximum", _), ("minLength", _), ("pattern", _):
                    true
                default: throw UnknownKeyword(name: keyword)
                }
            if !fits { return false }
        }
        return true
    }

    private struct UnknownKeyword: Error {
        let name: String
    }

    private static func number(_ value: JSONView) throws -> Double {
        try #require(Double(value.text.string), "\(value.text.string)")
    }

    private static func isType(_ value: JSONView, _ name: JSONView) -> Bool {
        let name = name.string?.string
        switch value.kind {
        case .null: return name == "null"
        case .true, .false: return name == "boolean"
        case .number:
            guard let number = try? number(value) else { return false }
            return name == "number" || name == "integer" && number == number.rounded()
        case .string: return name == "string"
        case .array: return name == "array"
        case .object: return name == "object"
        case .key: return false
        }
    }
}

import Foundation
import Testing

/// `pushpipe devices schema` takes what `pushpipe run` takes, and nothing that it calls malformed.
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
                    "device", "app", "platform", "online", "state", "authorization", "alerts", "registration", "types",
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

    @Test func `a value is one for the schema when it is one for a run`() throws {
        let folder = try Folder()
        let text = try folder.pushpipe("devices", "schema").stdout
        let schema = try EventSchemaReader(JSONDecoder().decode(JSONValue.self, from: text))
        let output = try folder.pushpipe("run", "-q", "--clock", "0", stdin: Self.records.text)
        var outcomes: [Int: String] = [:]
        for line in try output.json() where line["original"] == nil {
            guard case .number(let seq)? = line["seq"] else { continue }
            outcomes[Int(seq)] = line["outcome"]?.string
        }
        var taken = 0
        for (index, record) in Self.records.enumerated() {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(record.utf8))
            let isTaken = outcomes[index + 1] != "malformed"
            #expect(try schema.takes(value) == isTaken, "\(record)")
            if isTaken { taken += 1 }
        }
        #expect(taken > 100 && taken < Self.records.count - 100)
    }

    @Test func `a device has a name`() throws {
        let text = try Folder().pushpipe("devices", "schema").stdout
        let schema = try EventSchemaReader(JSONDecoder().decode(JSONValue.self, from: text))
        #expect(try schema.takes(.object(["event": .string("tap"), "device": .string("a")])))
        #expect(try !schema.takes(.object(["event": .string("tap"), "device": .string("")])))
    }
}

/// As much of JSON Schema as the schema of events uses.
private struct EventSchemaReader {
    private let schema: JSONValue

    init(_ schema: JSONValue) { self.schema = schema }

    func takes(_ value: JSONValue) throws -> Bool {
        try (schema["oneOf"]?.elements ?? []).count { try Self.takes(value, $0) } == 1
    }

    /// A keyword that is not known here is a mistake of the test's.
    private static func takes(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        for (keyword, argument) in schema.members {
            let fits =
                switch (keyword, argument, value) {
                case ("type", .string, _): isType(value, argument)
                case ("type", .array(let types), _): types.contains { isType(value, $0) }
                case ("const", _, _): value == argument
                case ("enum", .array(let values), _): values.contains(value)
                case ("required", .array(let names), .object(let members)):
                    names.allSatisfy { members[$0.string ?? ""] != nil }
                case ("properties", .object(let properties), .object(let members)):
                    try members.allSatisfy { name, value in
                        guard let property = properties[name] else { return true }
                        return try takes(value, property)
                    }
                case ("additionalProperties", .bool(false), .object(let members)):
                    members.keys.allSatisfy { schema["properties"]?[$0] != nil }
                case ("items", _, .array(let elements)): try elements.allSatisfy { try takes($0, argument) }
                case ("minimum", .number(let bound), .number(let number)): number >= bound
                case ("maximum", .number(let bound), .number(let number)): number <= bound
                case ("minLength", .number(let length), .string(let text)): text.count >= Int(length)
                case ("pattern", .string(let pattern), .string(let text)):
                    try Regex(pattern).firstMatch(in: text) != nil
                case ("description", _, _), ("items", _, _), ("minimum", _, _), ("maximum", _, _), ("minLength", _, _),
                    ("pattern", _, _):
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

    private static func isType(_ value: JSONValue, _ name: JSONValue) -> Bool {
        switch value {
        case .null: name == .string("null")
        case .bool: name == .string("boolean")
        case .number(let number):
            name == .string("number") || name == .string("integer") && number == number.rounded()
        case .string: name == .string("string")
        case .array: name == .string("array")
        case .object: name == .string("object")
        }
    }
}

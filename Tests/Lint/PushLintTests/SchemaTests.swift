import Foundation
import PushJSONSchema
import PushLintConfiguration
import PushModel
import TestSupport
import Testing

@testable import PushLint

/// Contracts of a user's own: `--schema` and `schemas`.
struct SchemaTests {
    /// A folder with schemas, which is removed at the end.
    private final class Schemas {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemas-\(UUID().uuidString)")

        init(_ files: [String: String]) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in files {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        /// The findings about a text, with the contracts of a configuration.
        func lint(_ text: String, _ yaml: String) throws -> [Diagnostic] {
            let configuration = try LintConfiguration(yaml: Array(yaml.utf8), directory: folder.path)
            return TextLinter(configuration).lint(text).diagnostics
        }

        func error(_ yaml: String) -> ConfigurationError? {
            #expect(throws: ConfigurationError.self) {
                try LintConfiguration(yaml: Array(yaml.utf8), directory: folder.path)
            }
        }
    }

    private static let order = """
        {
          "type": "object",
          "required": ["id"],
          "properties": { "id": { "type": "string" }, "count": { "$ref": "common/types.json#/$defs/count" } }
        }
        """
    private static let types = #"{"$defs":{"count":{"type":"integer","minimum":1}}}"#
    private static let onOrder = "lint:\n  schemas:\n    - file: order.json\n      pointer: /order\n"

    private func schemas() throws -> Schemas {
        try Schemas(["order.json": Self.order, "common/types.json": Self.types])
    }

    private func payload(_ order: String) -> String { #"{"aps":{"alert":"Hi"},"order":\#(order)}"# }

    @Test func `a finding has the place in the payload and the keyword in the schema`() throws {
        let text = payload(#"{"id":7,"count":0}"#)
        let findings = try schemas().lint(text, Self.onOrder)
        try #require(findings.count == 2)
        #expect(findings.map(\.rule.id.text) == ["schema.mismatch", "schema.mismatch"])
        #expect(findings.map(\.pointer) == ["/order/id", "/order/count"])
        #expect(findings[0].message.hasPrefix("must be a string, not a number ("))
        #expect(findings[0].message.hasSuffix("order.json#/properties/id/type)"))
        #expect(findings[1].message.hasPrefix("must be at least 1, and is 0 ("))
        #expect(findings[1].message.hasSuffix("common/types.json#/$defs/count/minimum)"))
        let bytes = Array(text.utf8)
        #expect(findings.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["7", "0"])
    }

    @Test func `a payload that fits, and one without the part, have no finding`() throws {
        #expect(try schemas().lint(payload(#"{"id":"A","count":2.0}"#), Self.onOrder).isEmpty)
        #expect(try schemas().lint(#"{"aps":{"alert":"Hi"}}"#, Self.onOrder).isEmpty)
    }

    @Test func `without a pointer the whole payload is checked`() throws {
        let findings = try schemas().lint(#"{"aps":{"alert":"Hi"}}"#, "lint:\n  schemas: order.json\n")
        #expect(findings.map(\.pointer) == [""])
        #expect(findings.first?.message.hasPrefix("\"id\" is missing") == true)
    }

    @Test(arguments: [
        ("topic: org.example.*", #""apns-topic":"org.example.shop""#, 1),
        ("topic: org.example.*", #""apns-topic":"com.example""#, 0),
        ("topic: org.example.*", #""apns-push-type":"alert""#, 0),
        ("push-type: background", #""apns-push-type":"background""#, 1),
        ("push-type: background", #""apns-push-type":"alert""#, 0),
        ("topic: org.?xample.shop", #""apns-topic":"org.example.shop""#, 1),
        ("provider: apns", #""apns-topic":"org.example.shop""#, 1),
        ("provider: fcm", #""apns-topic":"org.example.shop""#, 0),
    ])
    func `a contract can be limited to a provider, topics and push types`(
        _ limit: String, _ header: String, _ count: Int
    ) throws {
        let record = #"{"headers":{\#(header)},"payload":{"aps":{"alert":"Hi"}}}"#
        let findings = try schemas().lint(record, "lint:\n  schemas:\n    - file: order.json\n      \(limit)\n")
        #expect(findings.count { $0.rule.id.text == "schema.mismatch" } == count)
        #expect(findings.filter { $0.rule.id.text == "schema.mismatch" }.allSatisfy { $0.pointer == "/payload" })
    }

    @Test func `of messages for FCM and GCM the data is checked`() throws {
        let schemas = try Schemas(["data.json": #"{"required":["id"],"properties":{"id":{"maxLength":2}}}"#])
        let yaml = "lint:\n  schemas: data.json\n"
        func pointers(_ record: String) throws -> [String] {
            try schemas.lint(record, yaml).filter { $0.rule.id.text == "schema.mismatch" }.map(\.pointer)
        }
        #expect(try pointers(#"{"message":{"token":"t","data":{"id":"abc"}}}"#) == ["/message/data/id"])
        #expect(try pointers(#"{"message":{"token":"t","notification":{"title":"x"}}}"#) == ["/message"])
        #expect(
            try pointers(#"{"message":{"token":"t","data":{"id":"a"},"apns":{"payload":{"aps":{"badge":1}}}}}"#) == [])
        #expect(try pointers(#"{"message":{"token":"t","android":{"data":{"id":"a"}}}}"#) == [])
        #expect(
            try pointers(#"{"message":{"token":"t","data":{"id":"a"},"android":{"data":{"id":"abc"}}}}"#)
                == ["/message/android/data/id"])
        #expect(
            try pointers(#"{"message":{"token":"t","apns":{"payload":{"aps":{"badge":1}}}}}"#)
                == ["/message/apns/payload"])
        #expect(try pointers(#"{"to":"ExponentPushToken[a]","data":{"id":"abc"}}"#) == ["/data/id"])
        #expect(try pointers(#"{"to":"ExponentPushToken[a]","title":"x"}"#) == [""])
        #expect(try pointers(#"{"to":"t","data":{"id":"abc"}}"#) == ["/data/id"])
    }

    @Test(arguments: [("fcm", 1), ("apns", 0)])
    func `a contract can be limited to data for Google`(provider: String, count: Int) throws {
        let yaml = "lint:\n  schemas:\n    - {file: order.json, provider: \(provider)}\n"
        // Expo sends the same to both.
        #expect(try schemas().lint(#"{"to":"ExponentPushToken[a]","data":{"a":1}}"#, yaml).isEmpty)
        for record in [
            #"{"message":{"token":"t","data":{"a":"b"}}}"#, #"{"to":"t","data":{"a":"b"}}"#,
            #"{"message":{"token":"t","notification":{"title":"t"}}}"#,
            #"{"message":{"token":"t","notification":{"title":"t"},"apns":{"payload":{"aps":{"sound":"s"},"id":"A"}}}}"#,
        ] {
            #expect(try schemas().lint(record, yaml).count { $0.rule.id.text == "schema.mismatch" } == count)
        }
    }

    @Test func `JSON in a string of data is checked as what it is`() throws {
        let record = #"{"message":{"token":"t","data":{"order":"{\"id\":7}"}}}"#
        let findings = try schemas().lint(record, Self.onOrder)
        #expect(findings.map(\.pointer) == ["/message/data/order/id"])
        #expect(findings.map { String(decoding: Array(record.utf8)[$0.range], as: UTF8.self) } == ["7"])
    }

    @Test func `the part of FCM's payload for Apple's devices is checked`() throws {
        for data in [#""data":{"order":"{\"id\":\"A\"}"},"#, ""] {
            let record =
                #"{"message":{"token":"t",\#(data)"apns":{"payload":{"aps":{"badge":1},"order":{"id":7}}}}}"#
            #expect(try schemas().lint(record, Self.onOrder).map(\.pointer) == ["/message/apns/payload/order/id"])
        }
    }

    @Test func `a payload in a string of a gateway is checked`() throws {
        let record = #"{"default":"x","APNS":"{\"aps\":{\"alert\":\"Hi\"},\"order\":{\"id\":7}}"}"#
        #expect(try schemas().lint(record, Self.onOrder).map(\.pointer) == ["/APNS/order/id"])
    }

    @Test func `a schema that takes too much work is a warning, and the linter goes on`() throws {
        var definitions = #""d0":{"type":"integer"}"#
        for level in 1...30 {
            let below = ##"{"$ref":"#/$defs/d\##(level - 1)"}"##
            definitions += ##","d\##(level)":{"allOf":[\##(below),\##(below)]}"##
        }
        let schemas = try Schemas(["slow.json": ##"{"$ref":"#/$defs/d30","$defs":{\##(definitions)}}"##])
        let findings = try schemas.lint(
            payload("1"), "lint:\n  schemas:\n    - file: slow.json\n      pointer: /order\n")
        #expect(findings.map(\.rule.id.text) == ["schema.unfinished"])
    }

    @Test(arguments: [
        (
            "lint:\n  schemas:\n    - fle: order.json\n", 3, 7,
            "an element of schemas has no key 'fle'; the keys allowed are file, provider, topic, push-type, pointer"
        ),
        ("lint:\n  schemas:\n    - topic: a\n", 3, 7, "an element of schemas needs a file"),
        (
            "lint:\n  schemas: {file: a.json, provider: google}\n", 2, 37,
            "provider is apns, for objects with aps, or fcm, for the data of messages to Google, not 'google'"
        ),
        (
            "lint:\n  schemas: {file: a.json, topic: 'org.['}\n", 2, 34,
            "topic has a bracket that is not closed, or a backslash at its end"
        ),
        (
            "lint:\n  schemas:\n    - file: order.json\n      pointer: order\n", 4, 16,
            "pointer is a JSON Pointer such as /order, or empty for the whole payload, not 'order'"
        ),
        ("lint:\n  schemas:\n    - [a]\n", 3, 7, "an element of schemas is a file, or a mapping with file"),
    ])
    func `a mistake in the configuration has a place`(_ yaml: String, _ line: Int, _ column: Int, _ message: String)
        throws
    {
        let error = try schemas().error(yaml)
        #expect(error?.place == .init(line: line, column: column))
        #expect(error?.message == message)
    }

    @Test func `a push type that does not exist is a mistake`() throws {
        let error = try schemas().error("lint:\n  schemas:\n    - file: order.json\n      push-type: alrt\n")
        #expect(error?.place == .init(line: 4, column: 18))
        #expect(error?.message.hasPrefix("push-type is one of alert, background,") == true)
    }

    @Test func `a schema that cannot be read is a mistake at its name`() throws {
        let error = try schemas().error("lint:\n  schemas:\n    - none.json\n")
        #expect(error?.place == .init(line: 3, column: 7))
        #expect(error?.message.hasPrefix("cannot read the schema '") == true)
    }

    @Test func `a mistake in a schema has a place there`() throws {
        let schemas = try Schemas(["bad.json": "{\n  \"type\": \"int\"\n}\n"])
        let error = schemas.error("lint:\n  schemas: bad.json\n")
        #expect(error?.path.hasSuffix("bad.json") == true)
        #expect(error?.place == .init(line: 2, column: 11))
        #expect(error?.message.hasSuffix("(at /type)") == true)
    }

    @Test func `schemas find each other by their $id, and beside each other`() throws {
        let schemas = try Schemas([
            "a.json":
                #"{"$id":"https://example.org/s/a.json","properties":{"order":{"$ref":"b.json"},"note":{"$ref":"https://example.org/other/c"}}}"#,
            "b.json": #"{"type":"object"}"#,
            "elsewhere/c.json": #"{"$id":"https://example.org/other/c","type":"string"}"#,
        ])
        let files = try SchemaFiles([schemas.path("a.json"), schemas.path("elsewhere/c.json")])
        var options = LintOptions()
        options.contracts = [try PayloadContract(schema: schemas.path("a.json"), from: files)]
        let linter = TextLinter(LintConfiguration(), options)
        #expect(
            linter.lint(#"{"aps":{"alert":"Hi"},"order":1,"note":2}"#).diagnostics.map(\.pointer) == [
                "/order", "/note",
            ])
        #expect(throws: ConfigurationError.self) {
            try PayloadContract(schema: schemas.path("a.json"), from: SchemaFiles())
        }
    }

    @Test func `an excluded name is a finding at the name`() throws {
        let schemas = try Schemas(["closed.json": #"{"properties":{"id":true},"additionalProperties":false}"#])
        let text = payload(#"{"id":1,"idd":2}"#)
        let findings = try schemas.lint(text, "lint:\n  schemas:\n    - file: closed.json\n      pointer: /order\n")
        #expect(findings.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } == [#""idd""#])
    }

    @Test func `a sampler reads the custom data of every format`() throws {
        let sampler = SchemaSampler(LintOptions(), .init())
        sampler.add(
            Array(
                """
                {"aps":{"alert":"Hi"},"id":"A"}
                {"headers":{},"payload":{"aps":{"alert":"Hi"},"id":"B"}}
                {"message":{"token":"t","data":{"id":"C"}}}
                {"aps":
                """.utf8))
        #expect(sampler.count == 3)
        #expect(sampler.malformed == 1)
        let schema = sampler.schema()
        #expect(schema.contains(#""required": ["id"]"#) && !schema.contains("aps"))
    }
}

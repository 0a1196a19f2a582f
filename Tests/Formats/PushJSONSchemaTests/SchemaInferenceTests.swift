import PushJSON
import Testing

@testable import PushJSONSchema

struct SchemaInferenceTests {
    private func infer(
        _ values: [String], excluding: [String] = [], _ configure: (inout SchemaInference.Options) -> Void = { _ in }
    ) throws -> String {
        var options = SchemaInference.Options()
        configure(&options)
        let inference = SchemaInference(options, excluding: excluding)
        for value in values {
            Array(value.utf8).withUnsafeBytes { bytes in
                var scanner = JSONScanner()
                var tape = JSONTape()
                guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return }
                inference.add(root)
            }
        }
        return inference.text()
    }

    private static let samples = [
        #"{"aps":{},"id":"A-1","at":"2026-11-20T09:30:00Z","n":1,"tags":["a"],"link":"https://example.org/x"}"#,
        #"{"aps":{},"id":"A-2","at":"2026-11-21T09:30:00.5+01:00","n":2.5,"tags":[],"extra":null}"#,
    ]

    @Test func `types, required properties and formats`() throws {
        #expect(
            try infer(Self.samples, excluding: ["aps"]) == """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "type": "object",
                  "properties": {
                    "at": {
                      "type": "string",
                      "format": "date-time"
                    },
                    "extra": { "type": "null" },
                    "id": { "type": "string" },
                    "link": {
                      "type": "string",
                      "format": "uri"
                    },
                    "n": { "type": "number" },
                    "tags": {
                      "type": "array",
                      "items": { "type": "string" }
                    }
                  },
                  "required": ["at", "id", "n", "tags"]
                }

                """)
    }

    @Test func `the order of the samples does not matter`() throws {
        #expect(try infer(Self.samples) == infer(Self.samples.reversed()))
    }

    @Test func `the samples fit, and a closed schema refuses other names`() throws {
        let closed = try infer(Self.samples, excluding: ["aps"]) { $0.isClosed = true }
        for sample in Self.samples { #expect(try failures(of: sample, in: closed) == []) }
        #expect(try failures(of: #"{"aps":{},"id":"A","at":"","n":1,"tags":[],"new":1}"#, in: closed).count == 1)
    }

    @Test func `few repeated strings are an enum, when asked`() throws {
        let samples = ["a", "b", "a", "b", "a", "a"].map { #"{"s":"\#($0)"}"# }
        #expect(try infer(samples) { $0.hasEnumerations = true }.contains(#""enum": ["a", "b"]"#))
        #expect(try !infer(samples).contains("enum"))
        #expect(try !infer(["{\"s\":\"a\"}", "{\"s\":\"b\"}"]) { $0.hasEnumerations = true }.contains("enum"))
    }

    @Test(arguments: [
        ("2026-11-22T10:00:00Z", "date-time"), ("2026-11-22", "date"), ("01234567-89ab-cdef-0123-456789abcdef", "uuid"),
        ("https://example.org/a?b=c#d", "uri"), ("2026-13-22", nil), ("2026-11-22T10:00:00", nil),
        ("mailto:a@example.org", nil),
        ("https:///x", nil), ("https://exa mple.org", nil), ("", nil), ("2026-11-22T25:00:00Z", nil),
    ])
    func `a format is recognized only where it is certain`(_ text: String, _ format: String?) throws {
        let schema = try infer([#"["\#(text)"]"#])
        #expect(schema.contains("\"format\"") == (format != nil))
        if let format { #expect(schema.contains("\"\(format)\"")) }
    }

    @Test func `an object with hundreds of names is a table`() throws {
        let sample = "{" + (0..<500).map { "\"user\($0)\":{\"n\":\($0)}" }.joined(separator: ",") + "}"
        let schema = try infer([sample, sample])
        #expect(schema.contains("additionalProperties") && !schema.contains("user1"))
        #expect(try failures(of: sample, in: schema) == [])
    }

    @Test func `a deep value is described to a depth`() throws {
        let deep = String(repeating: #"{"a":["#, count: 200) + String(repeating: "]}", count: 200)
        #expect(try failures(of: deep, in: infer([deep])) == [])
    }
}

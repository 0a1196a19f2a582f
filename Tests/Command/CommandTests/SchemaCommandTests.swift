import Foundation
import TestSupport
import Testing

/// `lint --schema` and `schema infer`: arguments, streams and exit statuses. What they check is tested in the libraries.
struct SchemaCommandTests {
    private static let push = #"{"aps":{"alert":"On its way"},"order":{"id":17}}"#
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write(Self.push, to: "push.json")
        try folder.write(#"{"properties":{"order":{"properties":{"id":{"type":"string"}}}}}"#, to: "a.schema.json")
    }

    @Test(arguments: ["text", "ndjson", "sarif", "github", "junit"])
    func `every report has the finding and the place in the schema`(format: String) throws {
        let output = try folder.pushpipe("lint", "--format", format, "--schema", "a.schema.json", "push.json")
        #expect(output.status == 1, "\(output.stderr)")
        #expect(output.text.contains("schema.mismatch"))
        #expect(output.text.contains("must be a string, not a number"))
        #expect(output.text.contains("a.schema.json#/properties/order/properties/id/type"))
    }

    @Test func `the text report has a mark below the value`() throws {
        let output = try folder.pushpipe("lint", "-q", "--schema", "a.schema.json", "push.json")
        try #require(output.lines.count >= 3)
        #expect(output.lines[0].hasPrefix("push.json:1:45: error: "))
        #expect(output.lines[2] == String(repeating: " ", count: 46) + "^~")
    }

    @Test func `a schema rule is explained, listed and left out`() throws {
        #expect(try folder.pushpipe("explain", "schema.mismatch").text.contains("--schema"))
        #expect(try folder.pushpipe("explain", "--rules", "schema").lines.count == 2)
        let output = try folder.pushpipe("lint", "--schema", "a.schema.json", "--ignore", "schema", "push.json")
        #expect(output.status == 0)
    }

    @Test(arguments: [
        "file:///etc/passwd", "../../../../../../../../etc/passwd", "http://127.0.0.1:1/x.json", "//127.0.0.1/x.json",
    ])
    func `a reference leads to no file elsewhere and to no server`(reference: String) throws {
        try folder.write(#"{"$ref":"\#(reference)"}"#, to: "schemas/stranger.json")
        let output = try folder.pushpipe("lint", "--schema", "schemas/stranger.json", "push.json")
        #expect(output.status == 2)
        #expect(output.stderr.contains("cannot find") && !output.stderr.contains("root:"), "\(output.stderr)")
    }

    @Test func `two schemas are both checked`() throws {
        try folder.write(#"{"required":["url"]}"#, to: "b.schema.json")
        let output = try folder.pushpipe(
            "lint", "--format", "ndjson", "--schema", "a.schema.json", "--schema", "b.schema.json", "push.json")
        #expect(try output.values("pointer") == [.string(""), .string("/order/id")])
    }

    @Test(arguments: [
        ("missing.json", ""), ("bad.json", "{"), ("bad.json", #"{"type":"strng"}"#),
        ("bad.json", #"{"$ref":"https://example.org/x"}"#),
    ])
    func `a schema that cannot be used is status 2`(name: String, text: String) throws {
        if !text.isEmpty { try folder.write(text, to: "bad.json") }
        let output = try folder.pushpipe("lint", "--schema", name, "push.json")
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.hasPrefix("pushpipe: \(name):"), "\(output.stderr)")
    }

    @Test func `a schema that is inferred permits its samples`() throws {
        let schema = try folder.pushpipe("schema", "infer", "--closed", "push.json")
        #expect(schema.status == 0)
        #expect(schema.stderr == "pushpipe: inferred from 1 payload\n")
        try folder.write(schema.text, to: "inferred.json")
        #expect(try folder.pushpipe("lint", "--schema", "inferred.json", "push.json").status == 0)
        let other = #"{"aps":{"alert":"x"},"order":{"id":"17"}}"#
        #expect(try folder.pushpipe("lint", "--schema", "inferred.json", stdin: other).status == 1)
        #expect(
            try folder.pushpipe("schema", "infer", stdin: Self.push).text
                == folder.pushpipe("schema", "infer", "push.json").text)
    }

    @Test func `nothing to infer from is status 2`() throws {
        #expect(try folder.pushpipe("schema", "infer", stdin: "{").status == 2)
        #expect(try folder.pushpipe("schema", "infer", "--pointer", "order", "push.json").status == 2)
        #expect(try folder.pushpipe("schema", "infer", "missing.json").status == 2)
    }
}

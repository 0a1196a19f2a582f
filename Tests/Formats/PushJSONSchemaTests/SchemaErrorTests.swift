import PushJSON
import Testing

@testable import PushJSONSchema

/// Mistakes in schemas are errors with a place.
struct SchemaErrorTests {
    @Test(arguments: [
        (
            #"{"type":"int"}"#, "/type",
            "type is one of null, boolean, number, integer, string, array, object, not \"int\""
        ),
        (
            #"{"type":["string",1]}"#, "/type/1",
            "type is one of null, boolean, number, integer, string, array, object, not a number"
        ),
        (#"{"properties":[]}"#, "/properties", "properties must be an object, not an array"),
        (#"{"properties":{"a":1}}"#, "/properties/a", "a schema is an object, true or false, not a number"),
        (#"{"required":"a"}"#, "/required", "required must be an array of names, not a string"),
        (#"{"minLength":-1}"#, "/minLength", "minLength must be a whole number from 0, not -1"),
        (#"{"multipleOf":0}"#, "/multipleOf", "multipleOf must be greater than 0"),
        (#"{"allOf":[]}"#, "/allOf", "allOf must be an array with at least one schema"),
        (
            #"{"pattern":"("}"#, "/pattern",
            "the pattern is not a regular expression that can be used: the group is not closed (character 1)"
        ),
        (
            #"{"patternProperties":{"[":{}}}"#, "/patternProperties/[",
            "the pattern is not a regular expression that can be used: [ is not closed (character 1)"
        ),
        (
            ##"{"$ref":"#/$defs/none"}"##, "/$ref",
            "'#/$defs/none' leads nowhere: 'file:///schemas/test.schema.json' has no value there"
        ),
        (
            ##"{"$ref":"#none"}"##, "/$ref",
            "'#none' leads nowhere: 'file:///schemas/test.schema.json' has no anchor 'none'"
        ),
        (
            #"{"$ref":"other.json"}"#, "/$ref",
            "cannot find 'file:///schemas/other.json': put the file next to the schema, or name it as a schema too; nothing is fetched from a network"
        ),
        (
            #"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, "/$schema",
            "'http://json-schema.org/draft-07/schema#' is another draft; pushpipe reads draft 2020-12, whose $schema is https://json-schema.org/draft/2020-12/schema"
        ),
        (#"{"$defs":{"a":{"enum":1}}}"#, "/$defs/a/enum", "enum must be an array, not a number"),
        (#"{"$anchor":"1"}"#, "/$anchor", "$anchor must be a name of letters, digits, '-', '_' and '.'"),
        ("[1]", "", "a schema is an object, true or false, not an array"),
        (#"{"type":}"#, "", "expected a value"),
    ])
    func `a mistake is reported at its place`(_ schema: String, _ pointer: String, _ message: String) {
        let error = #expect(throws: WrongSchema.self) { try compile(schema) }
        #expect(error?.problems.first?.pointer == pointer)
        #expect(
            error?.problems.first.map { $0.message == message || message == "expected a value" } == true,
            "\(String(describing: error))")
    }

    @Test func `a mistake has a line and a column`() {
        let error = #expect(throws: WrongSchema.self) { try compile("{\n  \"é\": 1, \"type\": \"int\"\n}") }
        #expect(error?.problems.first?.position.line == 2)
        #expect(error?.problems.first?.position.column == 19)
    }

    @Test func `all mistakes are found`() {
        let error = #expect(throws: WrongSchema.self) { try compile(#"{"type":"int","minimum":"1","items":3}"#) }
        #expect(error?.problems.map(\.pointer).sorted() == ["/items", "/minimum", "/type"])
    }

    @Test func `a vocabulary that is required and not known is an error`() {
        let meta = #"{"$id":"https://example.org/meta","$vocabulary":{"https://example.org/vocab":true}}"#
        let error = #expect(throws: WrongSchema.self) {
            try compile(#"{"$schema":"https://example.org/meta"}"#, others: ["https://example.org/meta": meta])
        }
        #expect(error?.problems.first?.message.contains("requires the vocabulary 'https://example.org/vocab'") == true)
    }

    @Test func `a file is found next to the schema, and nowhere else`() throws {
        let document = try #require(
            SchemaDocument(
                Array(#"{"$id":"https://example.org/schemas/a.json"}"#.utf8), name: "a.json", path: "/x/y/a.json"))
        #expect(document.path(of: "file:///x/y/b.json") == "/x/y/b.json")
        #expect(document.path(of: "file:///x/y/z/b%20c.json") == "/x/y/z/b c.json")
        #expect(document.path(of: "https://example.org/schemas/z/b.json") == "/x/y/z/b.json")
        #expect(document.path(of: "file:///x/b.json") == nil)
        #expect(document.path(of: "file:///x/y/%2E%2E/b.json") == nil)
        #expect(document.path(of: "https://example.org/b.json") == nil)
        #expect(document.path(of: "https://example.com/schemas/b.json") == nil)
    }
}

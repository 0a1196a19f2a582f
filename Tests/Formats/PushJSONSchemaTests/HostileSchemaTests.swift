import PushJSON
import Testing

@testable import PushJSONSchema

/// Schemas and values that are made to take long, or to trap.
struct HostileSchemaTests {
    @Test func `a ladder of allOf ends with a failure that says so`() throws {
        var definitions = #""d0":{"type":"integer"}"#
        for level in 1...40 {
            let below = ##"{"$ref":"#/$defs/d\##(level - 1)"}"##
            definitions += ##","d\##(level)":{"allOf":[\##(below),\##(below)]}"##
        }
        let failures = try PushJSONSchemaTests.failures(
            of: "1", in: ##"{"$ref":"#/$defs/d40","$defs":{\##(definitions)}}"##, steps: 20_000)
        #expect(failures == ["not checked to the end: this schema takes too much work for this value"])
    }

    @Test func `a ladder of anyOf that fails ends too`() throws {
        var definitions = #""d0":{"type":"string"}"#
        for level in 1...40 {
            let below = ##"{"$ref":"#/$defs/d\##(level - 1)"}"##
            definitions += ##","d\##(level)":{"anyOf":[\##(below),\##(below)]}"##
        }
        let failures = try PushJSONSchemaTests.failures(
            of: "1", in: ##"{"$ref":"#/$defs/d40","$defs":{\##(definitions)}}"##, steps: 20_000)
        #expect(failures.count == 1 && failures[0].hasPrefix("not checked to the end"))
    }

    @Test(arguments: [
        ##"{"$ref":"#"}"##, ##"{"allOf":[{"$ref":"#"}]}"##, ##"{"not":{"anyOf":[true,{"$ref":"#"}]}}"##,
        ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"if":{"$ref":"#/$defs/a"}}}}"##,
        ##"{"dependentSchemas":{"a":{"$ref":"#"}}}"##,
    ])
    func `a schema that leads back to itself is an error`(_ schema: String) {
        let error = #expect(throws: WrongSchema.self) { try compile(schema) }
        #expect(error?.problems.first?.message.contains("leads back to itself") == true)
    }

    @Test func `a dynamic reference that leads back to itself ends`() throws {
        let failures = try PushJSONSchemaTests.failures(of: "1", in: ##"{"$dynamicAnchor":"a","$dynamicRef":"#a"}"##)
        #expect(failures == ["not checked to the end: the value or the schema is nested too deeply"])
    }

    @Test func `a deeply nested value is checked to a depth, and reported`() throws {
        let value = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let failures = try PushJSONSchemaTests.failures(of: value, in: ##"{"items":{"$ref":"#"}}"##)
        #expect(failures == ["not checked to the end: the value or the schema is nested too deeply"])
        let fitting = String(repeating: "[", count: 140) + String(repeating: "]", count: 140)
        #expect(try PushJSONSchemaTests.failures(of: fitting, in: ##"{"items":{"$ref":"#"}}"##) == [])
    }

    @Test func `many equal elements are compared in bounded work`() throws {
        let different = "[" + (0..<20_000).map(String.init).joined(separator: ",") + "]"
        #expect(try failures(of: different, in: #"{"uniqueItems":true}"#) == [])
        let large = "[" + repeatElement("1", count: 20_000).joined(separator: ",") + "]"
        #expect(try failures(of: "[\(large),\(large)]", in: #"{"uniqueItems":true}"#).count == 1)
    }

    @Test func `failures are bounded`() throws {
        let value = "[" + repeatElement("1", count: 1000).joined(separator: ",") + "]"
        #expect(try failures(of: value, in: #"{"items":{"type":"string"}}"#).count == SchemaValidator.maximumFailures)
    }

    @Test func `numbers of any size are exact and cheap`() throws {
        #expect(try failures(of: "1e999999999999999999999", in: #"{"multipleOf":7,"minimum":1}"#).count == 1)
        #expect(try failures(of: "1e999999999999999999999", in: #"{"maximum":1e400}"#).count == 1)
        #expect(try failures(of: "-1e-99999999999999999999", in: #"{"exclusiveMaximum":0}"#) == [])
        #expect(
            try failures(of: String(repeating: "9", count: 100_000), in: #"{"multipleOf":3,"type":"integer"}"#) == [])
        #expect(try failures(of: "0.1e1", in: #"{"const":1}"#) == [])
    }

    /// A value takes too much work, or does not, after any other values.
    @Test func `a pattern that has been used costs the same`() throws {
        let schema = try compile(#"{"pattern":"(a|b)*c{7,}d?é"}"#)
        let value = "\"" + String(repeating: "ababcccccccc", count: 4) + "é\""
        var outcomes: Set<Int> = []
        for steps in 0..<600 {
            var validator = SchemaValidator(schema, maximumSteps: steps)
            let counts = Array(value.utf8).withUnsafeBytes { bytes -> [Int] in
                var scanner = JSONScanner()
                var tape = JSONTape()
                guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return [] }
                return (0..<3).map { _ in validator.validate(root).count }
            }
            try #require(counts.count == 3 && Set(counts).count == 1, "\(steps): \(counts)")
            outcomes.insert(counts[0])
        }
        #expect(outcomes == [0, 1])
    }

    @Test func `a schema with a million subschemas is refused`() {
        let schema = #"{"enum":[1],"allOf":["# + repeatElement("{}", count: 300_000).joined(separator: ",") + "]}"
        let error = #expect(throws: WrongSchema.self) { try compile(schema) }
        #expect(error?.problems.first?.message.hasPrefix("the schema has more than") == true)
    }
}

/// The mistakes in a schema.
struct WrongSchema: Error {
    var problems: [SchemaProblem]
}

func compile(_ schema: String, others: [String: String] = [:]) throws(WrongSchema) -> Schema {
    var problems: [SchemaProblem] = []
    let document = SchemaDocument(
        Array(schema.utf8), name: "test.schema.json", path: "/schemas/test.schema.json", report: { problems = [$0] })
    guard let document else { throw WrongSchema(problems: problems) }
    let schema = Schema(document) { uri in
        others[uri].flatMap { SchemaDocument(Array($0.utf8), name: uri, uri: uri) }
    } report: {
        problems = $0
    }
    guard let schema else { throw WrongSchema(problems: problems) }
    return schema
}

/// The messages about a value.
func failures(of value: String, in schema: String, steps: Int = 1_000_000) throws -> [String] {
    var validator = SchemaValidator(try compile(schema), maximumSteps: steps)
    return Array(value.utf8).withUnsafeBytes { bytes in
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return ["not JSON"] }
        return validator.validate(root).map { $0.message(validator.schema) }
    }
}

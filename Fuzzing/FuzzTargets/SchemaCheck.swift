import PushJSON
import PushJSONSchema

/// A schema is compiled, or refused with places in it; checking a value ends, gives the same failures each time, and a schema that is inferred
/// from a value permits it.
enum SchemaCheck {
    /// Enough for every honest value of this size, and little enough for many inputs per second.
    private static let maximumSteps = 20_000

    /// The input is an array: a schema, and values.
    @Sendable static func make() -> FuzzTarget.Check {
        var scanner = JSONScanner()
        var tape = JSONTape()
        return { bytes in
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else {
                return pattern(bytes)
            }
            var elements = root.elements
            guard let text = elements.next() else { return nil }
            var problems: [SchemaProblem] = []
            guard let schema = schema(text.text.string, named: "fuzz", &problems) else {
                if problems.isEmpty { return "refused without a reason" }
                let isClear = problems.allSatisfy { !$0.message.isEmpty && $0.position.line >= 1 }
                return isClear ? nil : "a mistake without a reason or a place"
            }
            var validator = SchemaValidator(schema, maximumSteps: maximumSteps)
            while let value = elements.next() {
                let first = messages(&validator, value)
                if first != messages(&validator, value) { return "a second check has another result" }
                if first.contains("") { return "a failure without a message" }
                if let trouble = inferred(from: value) { return trouble }
            }
            return nil
        }
    }

    private static func messages(_ validator: inout SchemaValidator, _ value: JSONView) -> [String] {
        let failures = validator.validate(value)
        return failures.map { "\($0.message(validator.schema)) \($0.keyword(validator.schema))" }
    }

    private static func inferred(from value: JSONView) -> String? {
        var options = SchemaInference.Options()
        options.hasEnumerations = true
        options.isClosed = true
        let inference = SchemaInference(options)
        inference.add(value)
        var problems: [SchemaProblem] = []
        guard let schema = schema(inference.text(), named: "inferred", &problems) else {
            return "the inferred schema is refused: \(problems.map(\.message))"
        }
        var validator = SchemaValidator(schema)
        return messages(&validator, value).first.map { "the inferred schema does not permit its sample: \($0)" }
    }

    private static func schema(_ text: String, named name: String, _ problems: inout [SchemaProblem]) -> Schema? {
        SchemaDocument(Array(text.utf8), name: name, path: "/\(name).json", report: { problems = [$0] })
            .flatMap { Schema($0, report: { problems = $0 }) }
    }

    /// What is not JSON is tried as a pattern, of itself.
    private static func pattern(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var quoted = ByteBuffer()
        quoted.appendJSONString(text)
        let string = String(decoding: quoted.bytes, as: UTF8.self)
        var problems: [SchemaProblem] = []
        guard let schema = schema("{\"pattern\":\(string)}", named: "fuzz", &problems) else { return nil }
        var validator = SchemaValidator(schema, maximumSteps: maximumSteps)
        return Array(string.utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            guard scanner.scan(bytes, into: &tape) == nil, let value = tape.root(of: bytes) else {
                return "not a string"
            }
            return messages(&validator, value) == messages(&validator, value)
                ? nil : "a second check has another result"
        }
    }
}

import PayloadJSON
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
            do throws(SchemaError) {
                let document = try SchemaDocument(Array(text.text.string.utf8), name: "fuzz", path: "/fuzz.json")
                var validator = SchemaValidator(try Schema(document), maximumSteps: maximumSteps)
                while let value = elements.next() {
                    let first = messages(&validator, value)
                    if first != messages(&validator, value) { return "a second check has another result" }
                    if first.contains("") { return "a failure without a message" }
                    if let trouble = inferred(from: value) { return trouble }
                }
            } catch {
                if error.problems.isEmpty { return "refused without a reason" }
                for problem in error.problems where problem.message.isEmpty || problem.position.line < 1 {
                    return "a mistake without a reason or a place"
                }
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
        do throws(SchemaError) {
            let document = try SchemaDocument(Array(inference.text().utf8), name: "inferred", path: "/inferred.json")
            var validator = SchemaValidator(try Schema(document))
            return messages(&validator, value).first.map { "the inferred schema does not permit its sample: \($0)" }
        } catch {
            return "the inferred schema is refused: \(error.problems.map(\.message))"
        }
    }

    /// What is not JSON is tried as a pattern, of itself.
    private static func pattern(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var quoted = ByteBuffer()
        quoted.appendJSONString(text)
        let string = String(decoding: quoted.bytes, as: UTF8.self)
        guard
            let document = try? SchemaDocument(Array("{\"pattern\":\(string)}".utf8), name: "fuzz", path: "/fuzz.json"),
            let schema = try? Schema(document)
        else { return nil }
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

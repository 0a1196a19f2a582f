import PushJSON
import PushJSONSchema
import Testing

/// Cases in the form of the JSON-Schema-Test-Suite: an array of `{"description", "schema", "tests": [{"description", "data",
/// "valid"}]}`.
struct SchemaSuite {
    /// What went wrong, a line each.
    var mistakes: [String] = []
    var count = 0
    /// The documents that schemas refer to.
    var remotes: [String: SchemaDocument] = [:]

    mutating func run(_ text: [UInt8], name: String) {
        text.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else {
                return mistakes.append("\(name): not JSON")
            }
            var groups = root.elements
            while let group = groups.next() { run(group, name: name) }
        }
    }

    private mutating func run(_ group: JSONView, name: String) {
        let title = "\(name): \(group["description"]?.string?.string ?? "")"
        guard let text = group["schema"], var tests = group["tests"]?.elements else {
            return mistakes.append("\(title): no schema or no tests")
        }
        var validator: SchemaValidator?
        var problems: [SchemaProblem] = []
        let document = SchemaDocument(
            Array(text.text.string.utf8), name: name, path: "/cases/schema.json", report: { problems = [$0] })
        let schema = document.flatMap { Schema($0, find: { remotes[$0] }, report: { problems = $0 }) }
        if let schema {
            validator = SchemaValidator(schema)
        } else {
            mistakes.append("\(title): \(problems.map(\.message))")
        }
        while let test = tests.next() {
            count += 1
            guard let data = test["data"], validator != nil else { continue }
            let failures = validator?.validate(data) ?? []
            let isValid = test["valid"]?.kind == .true
            if failures.isEmpty != isValid {
                let found = validator.map { validator in failures.map { $0.message(validator.schema) } } ?? []
                mistakes.append(
                    "\(title): \(test["description"]?.string?.string ?? ""): \(isValid ? "\(found)" : "no failure")")
            }
        }
    }
}

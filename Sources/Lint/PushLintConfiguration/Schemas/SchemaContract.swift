import PayloadJSON
import PushJSONSchema
package import PushLint

/// A schema of the user's, and what it is about. The configuration has them under `schemas`.
package struct SchemaContract: PayloadContract {
    private let schema: Schema
    private let scope: SchemaScope

    /// - Parameters:
    ///   - path: of the schema.
    ///   - files: reads the schema.
    package init(
        _ path: String, from files: SchemaFiles, for scope: SchemaScope = SchemaScope()
    ) throws(ConfigurationError) {
        schema = try files.schema(path)
        self.scope = scope
    }

    package func makeReader() -> any PayloadReader { SchemaReader(schema, scope) }
}

/// Checks parts against a schema, with the memory that one linter needs.
private final class SchemaReader: PayloadReader {
    let scope: SchemaScope
    private var validator: SchemaValidator

    init(_ schema: Schema, _ scope: SchemaScope) {
        self.scope = scope
        validator = SchemaValidator(schema)
    }

    func read(_ part: JSONView?) -> [ContractFailure] {
        guard let part = part ?? SchemaDocument.emptyObject?.root else { return [] }
        let schema = validator.schema
        return validator.validate(part).map { failure in
            ContractFailure(
                failure.value, name: failure.isName ? failure.name : nil, isUnfinished: failure.isUnfinished,
                "\(failure.message(schema)) (\(failure.keyword(schema)))")
        }
    }
}

extension SchemaDocument {
    /// Stands for data that is not there.
    static let emptyObject = try? SchemaDocument(Array("{}".utf8), name: "", uri: "")
}

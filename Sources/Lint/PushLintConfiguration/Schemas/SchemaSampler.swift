import PushFiles
import PushJSON
package import PushJSONSchema
package import PushLint

extension PayloadContract {
    /// A schema of the user's, and what it is about. The configuration has them under `schemas`.
    ///
    /// - Parameters:
    ///   - path: of the schema.
    ///   - files: reads the schema.
    package init(
        schema path: String, from files: SchemaFiles, for scope: SchemaScope = SchemaScope()
    ) throws(ConfigurationError) {
        let schema = try files.schema(path)
        self.init(path, scope) {
            var validator = SchemaValidator(schema)
            return PayloadReader(scope) { part in
                guard let part = part ?? SchemaDocument.emptyObject?.root else { return [] }
                return validator.validate(part).map { failure in
                    ContractFailure(
                        failure.value, name: failure.isName ? failure.name : nil, isUnfinished: failure.isUnfinished,
                        "\(failure.message(schema)) (\(failure.keyword(schema)))")
                }
            }
        }
    }
}

extension SchemaDocument {
    /// Stands for data that is not there.
    static let emptyObject = SchemaDocument(Array("{}".utf8), name: "", uri: "")
}

/// Infers a schema from the payloads of records.
package final class SchemaSampler {
    private let inference: SchemaInference
    private let walk: PayloadWalk

    /// The payloads that were read.
    package var count: Int { inference.count }

    /// Records that are not JSON, which are left out.
    package var malformed: Int { walk.malformed }

    /// - Parameters:
    ///   - options: how records are read.
    ///   - inference: the inferred schema.
    ///   - pointer: reference tokens of the part of payloads to describe. Without any, it is the payload without what Apple defines: `aps`.
    package init(_ options: LintOptions, _ inference: SchemaInference.Options, pointer: [String] = []) {
        let excluded = pointer.isEmpty ? ["aps", "Simulator Target Bundle"] : []
        let inference = SchemaInference(inference, excluding: excluded)
        self.inference = inference
        let reader = PayloadReader(SchemaScope(pointer: pointer)) { part in
            if let part = part ?? SchemaDocument.emptyObject?.root { inference.add(part) }
            return []
        }
        walk = PayloadWalk(options, reader)
    }

    /// Reads all records of a file.
    ///
    /// - Parameter path: nil for standard input.
    package func read(_ path: String?) throws(ConfigurationError) {
        add(try ConfigurationFinder.bytes(of: path, limit: FileBytes.maximumBytes))
    }

    /// Reads all records of a text.
    package func add(_ text: [UInt8]) { walk.read(text) }

    /// The schema, as indented JSON.
    package func schema() -> String { inference.text() }
}

import PayloadJSON
import PushFiles
package import PushJSONSchema
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

/// Infers a schema from the payloads of records.
package final class SchemaSampler {
    /// Collects the parts of payloads.
    private final class Samples: PayloadReader {
        let scope: SchemaScope
        let inference: SchemaInference

        init(_ scope: SchemaScope, _ inference: SchemaInference) {
            self.scope = scope
            self.inference = inference
        }

        func read(_ part: JSONView?) -> [ContractFailure] {
            if let part = part ?? SchemaDocument.emptyObject?.root { inference.add(part) }
            return []
        }
    }

    private let samples: Samples
    private let walk: PayloadWalk

    /// The payloads that were read.
    package var count: Int { samples.inference.count }

    /// Records that are not JSON, which are left out.
    package var malformed: Int { walk.malformed }

    /// - Parameters:
    ///   - options: how records are read.
    ///   - inference: the inferred schema.
    ///   - pointer: reference tokens of the part of payloads to describe. Without any, it is the payload without what Apple defines: `aps`.
    package init(_ options: LintOptions, _ inference: SchemaInference.Options, pointer: [String] = []) {
        let excluded = pointer.isEmpty ? ["aps", "Simulator Target Bundle"] : []
        samples = Samples(SchemaScope(pointer: pointer), SchemaInference(inference, excluding: excluded))
        walk = PayloadWalk(options, samples)
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
    package func schema() -> String { samples.inference.text() }
}

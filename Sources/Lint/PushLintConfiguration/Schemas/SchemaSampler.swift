import PayloadJSON
import PushFiles
package import PushJSONSchema
package import PushLint

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

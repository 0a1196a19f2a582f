import PayloadJSON
import PushDecoding
import PushFiles
package import PushJSONSchema

/// Infers a schema from the payloads of records.
package final class SchemaSampler {
    /// Collects the parts of payloads.
    private final class Samples: PayloadReader {
        let scope: SchemaScope
        var schema: Schema? { nil }
        let inference: SchemaInference

        init(_ scope: SchemaScope, _ inference: SchemaInference) {
            self.scope = scope
            self.inference = inference
        }

        func read(_ part: JSONView) -> [SchemaFailure] {
            inference.add(part)
            return []
        }
    }

    private let samples: Samples
    private let run: LintRun
    private let text = LintText()
    private let cutter: RecordCutter
    private var finder: RecordFinder
    /// Records that are not JSON, which are left out.
    package private(set) var malformed = 0

    /// The payloads that were read.
    package var count: Int { samples.inference.count }

    /// - Parameters:
    ///   - options: how records are read.
    ///   - inference: the inferred schema.
    ///   - pointer: reference tokens of the part of payloads to describe. Without any, it is the payload without what Apple defines: `aps`.
    package init(_ options: LintOptions, _ inference: SchemaInference.Options, pointer: [String] = []) {
        let excluded = pointer.isEmpty ? ["aps", "Simulator Target Bundle"] : []
        samples = Samples(SchemaScope(pointer: pointer), SchemaInference(inference, excluding: excluded))
        run = LintRun(options.decoding, [samples])
        finder = RecordFinder(options.decoding.location)
        cutter = RecordCutter(framing: options.framing, maximumRecordBytes: options.maximumRecordBytes)
    }

    /// Reads all records of a file.
    ///
    /// - Parameter path: nil for standard input.
    package func read(_ path: String?) throws(ConfigurationError) {
        add(try ConfigurationFinder.bytes(of: path, limit: FileBytes.maximumBytes))
    }

    /// Reads all records of a text.
    func add(_ text: [UInt8]) {
        // SOUND: the pieces are ranges of these bytes, which live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            for piece in unsafe cutter.pieces(of: bytes) {
                guard case .record(let range) = piece else { continue }
                let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                _ = unsafe finder.withRecord(in: line) { record, _ in
                    unsafe self.text.read(record)
                    guard let root = self.text.root else {
                        malformed += 1
                        return
                    }
                    run.restart()
                    run.checkRecord(root)
                }
            }
        }
    }

    /// The schema, as indented JSON.
    package func schema() -> String { samples.inference.text() }
}

import PushDecoding
import PushModel
public import PushRedaction

/// Replaces the parts named by a `Redaction` with keyed digests, in everything that later stages, stores and reports see.
///
/// Belongs after all other record-local stages: provider validation and checks see the original messages; everything that delivers,
/// stores or shows a message sees digests.
public struct RedactionStage: ChunkStage {
    /// `redact`.
    public var name: String { "redact" }
    /// False: a trace must not show the original payloads.
    package var changesPayloads: Bool { false }
    /// The parts to hide.
    package let redaction: Redaction

    /// Creates a stage that hides these parts.
    public init(_ redaction: Redaction) { self.redaction = redaction }

    /// Rewrites all records of a chunk.
    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        context.scratch { RecordRedactor(redaction, context.options) }.process(&chunk)
    }
}

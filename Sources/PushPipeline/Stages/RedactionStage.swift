import PushDecoding
import PushModel

/// Replaces what a `Redaction` names by keyed digests, in everything that later stages, stores and reports see of a record.
///
/// Belongs after all other record-local stages: provider validation and checks see messages as they came, everything that delivers,
/// keeps or shows a message sees digests.
public struct RedactionStage: RecordStage {
    /// `redact`.
    public var name: String { "redact" }
    /// False: a trace must not show payloads as they were before.
    public var changesPayloads: Bool { false }
    /// What is hidden.
    public let redaction: Redaction

    /// A stage that hides this.
    public init(_ redaction: Redaction) { self.redaction = redaction }

    /// Rewrites all records of a chunk.
    public func process(_ chunk: inout RecordChunk, context: StageContext) {
        context.scratch { RecordRedactor(redaction, context.options) }.process(&chunk)
    }
}

import PushDecoding
import PushModel

/// Measures each message against its budget and refuses what its provider would. A dry run is accepted and not delivered.
///
/// The stage that a pipeline has unless told otherwise. Stages before it may still change a payload; stages after it see what was accepted.
public struct ProviderValidation: RecordStage {
    /// False: it only looks.
    public var changesPayloads: Bool { false }

    /// A stage with the budget of `DecodingOptions.budget`, or with each message's own.
    public init() {}

    /// Checks all messages of a chunk.
    public func process(_ chunk: inout RecordChunk, context: StageContext) {
        let validator = Acceptance(budget: context.options.budget)
        for index in 0..<chunk.batch.messages.count { validator.check(index, in: &chunk.batch) }
    }
}

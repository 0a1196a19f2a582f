import PushDecoding
import PushModel

/// Checks each message against its budget and rejects what its provider would. A dry run is accepted and not delivered.
///
/// A pipeline has this stage by default. Stages before it may still change a payload; stages after it see accepted messages.
public struct ProviderValidation: ChunkStage {
    /// False: the stage changes no payloads.
    package var changesPayloads: Bool { false }

    /// A stage with the budget of `DecodingOptions.budget`, or with each message's own.
    public init() {}

    /// Checks all messages of a chunk.
    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        let validator = Acceptance(budget: context.options.budget)
        for index in 0..<chunk.batch.messageCount { validator.check(index, in: &chunk.batch) }
    }
}

import PushDecoding
public import PushModel

/// A stage that looks at one record at a time, between decoding and delivery. The built-in ones are
/// `LintStage`, `FitToBudget`, `ProviderValidation`, `RedactionStage`.
///
/// The pipeline calls a stage once per chunk, with all of the chunk's records, on any core, and never concurrently for one worker.
/// The stages of `PipelineConfiguration.recordStages` see a chunk in order. All workers share a stage, so it keeps no state between
/// messages; `StageContext.scratch` is memory for one worker.
///
/// Most stages implement `process(_:context:)` for one message.
public protocol RecordStage: Sendable {
    /// The name in a trace; the name of the type by default.
    var name: String { get }

    /// True if a trace shows each payload before and after the stage. True by default; false for a stage that changes no payloads.
    var changesPayloads: Bool { get }

    /// Processes one accepted message: changes it, rejects it, or adds findings. The message is valid for the duration of the call.
    ///
    /// Not called for events, nor for messages that an earlier stage or the decoder rejected.
    func process(_ message: inout PushMessage, context: StageContext)

    /// Processes all records of a chunk. By default calls `process(_:context:)` for each accepted message, in input order.
    func process(_ chunk: inout RecordChunk, context: StageContext)
}

extension RecordStage {
    /// The name of the type.
    public var name: String { "\(Self.self)" }

    /// True.
    public var changesPayloads: Bool { true }

    /// Leaves the message as it is.
    public func process(_ message: inout PushMessage, context: StageContext) {}

    /// Calls `process(_:context:)` for each accepted message.
    public func process(_ chunk: inout RecordChunk, context: StageContext) {
        processMessages(of: &chunk, context: context)
    }

    /// The default implementation of `process(_:context:)` for a chunk, for stages that extend it.
    public func processMessages(of chunk: inout RecordChunk, context: StageContext) {
        // SOUND: the index is below the number of messages, and no stage can append one.
        for index in 0..<chunk.batch.messageCount {
            // In two steps: Swift 6.3 cannot compile `&batch.messages[index]` for the thread sanitizer.
            let messages = unsafe chunk.batch.messages
            guard case .accepted = unsafe messages[index].verdict else { continue }
            unsafe process(&messages[index], context: context)
            for finding in context.takeFindings() { chunk.batch.report(finding, message: index) }
        }
    }
}

import PushDecoding
public import PushModel

/// A stage that looks at one record at a time, between decoding and delivery. Every built-in step of that part of the line is one:
/// `LintStage`, `FitToBudget`, `ProviderValidation`, `RedactionStage`.
///
/// The pipeline calls a stage once a chunk, with all of the chunk's records, on any core, and never for two chunks of one worker at a time.
/// The stages of `PipelineConfiguration.recordStages` see a chunk in their order. A stage is shared by all workers, so it keeps
/// nothing of its own that one message leaves for the next; `StageContext.scratch` is memory for one worker.
///
/// Most stages implement `process(_:context:)` for one message.
public protocol RecordStage: Sendable {
    /// The name in a trace; the name of the type by default.
    var name: String { get }

    /// Whether a trace shows each payload before and after the stage. True by default; false for a stage that only looks.
    var changesPayloads: Bool { get }

    /// Processes one accepted message: changes it, refuses it, or reports findings. It is valid for the duration of the call.
    ///
    /// Never called for messages that an earlier stage or the decoder refused, and not for events.
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

    /// What `process(_:context:)` for a chunk does unless a stage has its own: for one that adds to it.
    public func processMessages(of chunk: inout RecordChunk, context: StageContext) {
        for index in 0..<chunk.batch.messages.count {
            // In two steps: Swift 6.3 cannot compile `&batch.messages[index]` for the thread sanitizer.
            let messages = chunk.batch.messages
            guard case .accepted = messages[index].verdict else { continue }
            process(&messages[index], context: context)
            for finding in context.takeFindings() { chunk.batch.report(finding, message: index) }
        }
    }
}

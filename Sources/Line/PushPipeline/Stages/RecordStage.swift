import PushDecoding
import PushModel

/// A stage of your own between decoding and delivery, which looks at one message at a time: it changes it, rejects it, or adds findings.
///
/// The stages of `PipelineConfiguration.recordStages` see a message in their order, on any core and in any order of messages. All cores share
/// a stage, so it keeps no state between messages; `StageContext.scratch` is memory for one core.
///
/// It is not called for events, nor for messages that an earlier stage or the decoder rejected.
///
/// An error ends the run as a `StageError`; the chunk of its record is neither stored nor reported. To refuse a message, use
/// `StageContext.reject`.
public protocol RecordStage: Sendable {
    /// The name in errors and traces; the name of the type by default.
    var name: String { get }

    /// Processes one accepted message, lent for the duration of the call.
    func process(_ message: inout PushMessage, context: StageContext) throws
}

extension RecordStage {
    /// The name of the type.
    public var name: String { "\(Self.self)" }
}

/// A stage that looks at all records of a chunk in one call. The built-in ones are `LintStage`, `FitToBudget`, `ProviderValidation`,
/// `RedactionStage`.
package protocol ChunkStage: RecordStage {
    /// True if a trace shows each payload before and after the stage.
    var changesPayloads: Bool { get }

    /// Processes all records of a chunk.
    func process(_ chunk: inout RecordChunk, context: StageContext) throws(StageFailure)
}

extension ChunkStage {
    /// Does nothing: the chunk-wise method is called in its place.
    public func process(_ message: inout PushMessage, context: StageContext) {}
}

extension RecordChunk {
    /// Passes each accepted message to `body`, in input order, and adds the findings that it leaves in the context.
    mutating func forEachAccepted<Failure: Error>(
        _ context: StageContext, _ body: (inout DecodedMessage) throws(Failure) -> Void
    ) throws(Failure) {
        // SOUND: the index is below the number of messages, and no stage can append one.
        for index in 0..<batch.messageCount {
            // In two steps: Swift 6.3 cannot compile `&batch.messages[index]` for the thread sanitizer.
            let messages = unsafe batch.messages
            guard case .accepted = unsafe messages[index].verdict else { continue }
            unsafe try body(&messages[index])
            for finding in context.takeFindings() { batch.report(finding, message: index) }
        }
    }
}

/// A record stage among those of the pipeline.
struct OwnRecordStage: ChunkStage {
    let stage: any RecordStage
    var name: String { stage.name }
    var changesPayloads: Bool { true }

    func process(_ chunk: inout RecordChunk, context: StageContext) throws(StageFailure) {
        try chunk.forEachAccepted(context) { (message) throws(StageFailure) in
            let record = message.record
            try PushMessage.lend(&message) { (handle) throws(StageFailure) in
                do {
                    try stage.process(&handle, context: context)
                } catch {
                    throw StageFailure(stage: name, record: record, error: error)
                }
            }
        }
    }
}

/// An error of a record stage, before its chunk has a place in the report.
package struct StageFailure: Error {
    let stage: String
    /// Index in the chunk.
    let record: Int
    let error: any Error
}

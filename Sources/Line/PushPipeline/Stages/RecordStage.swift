import PushDecoding
import PushJSON
public import PushModel

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

    /// Processes all records of a chunk. A stage that fails sets `RecordChunk.stageFailure`; those that follow are not called.
    func process(_ chunk: inout RecordChunk, context: StageContext)
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

    func process(_ chunk: inout RecordChunk, context: StageContext) {
        var record = 0
        do {
            try chunk.forEachAccepted(context) { message in
                record = message.record
                try PushMessage.lend(&message) { try stage.process(&$0, context: context) }
            }
        } catch {
            chunk.stageFailure = StageFailure(stage: name, record: record, error: error)
        }
    }
}

/// An error of a record stage, before its chunk has a place in the report.
struct StageFailure {
    let stage: String
    /// Index in the chunk.
    let record: Int
    let error: any Error
}

/// A message to one target, as a stage sees it. Lent for the duration of a call: it cannot be copied or kept, and each text that it returns is
/// a value of its own.
@safe  // SOUND: who creates one keeps the decoded message alive as long as it is lent; nothing can keep it.
public struct PushMessage: ~Copyable {
    let base: UnsafeMutablePointer<DecodedMessage>

    private init(_ base: UnsafeMutablePointer<DecodedMessage>) {
        // SOUND: stores the address.
        unsafe self.base = unsafe base
    }

    /// Lends a message to a stage. One that has swapped it for another, which ends at another time, ends the process.
    static func lend<Failure: Error>(
        _ message: inout DecodedMessage, to body: (inout PushMessage) throws(Failure) -> Void
    ) throws(Failure) {
        // SOUND: the message stays where it is for the duration of the call.
        try unsafe withUnsafeMutablePointer(to: &message) { (base) throws(Failure) in
            var handle = unsafe PushMessage(base)
            defer { precondition(unsafe handle.base == base, "a stage swapped its message for another one") }
            try body(&handle)
        }
    }

    /// The message in the pipeline's form, whose texts are borrowed.
    package var decoded: DecodedMessage {
        // SOUND: the message is lent.
        get { unsafe base.pointee }
        nonmutating set { unsafe base.pointee = newValue }
    }

    /// The service that answers the request.
    public var provider: Provider { unsafe base.pointee.provider }
    /// The platform of the target's device.
    public var platform: Platform { unsafe base.pointee.platform }
    /// Index of the target in the request, from 0; nil when there is only one.
    public var target: Int? { unsafe base.pointee.target }
    /// Token, registration id, topic name or condition.
    public var device: String { unsafe base.pointee.device.string }
    /// The app that shows it: `apns-topic` without the suffix of a push type, or the package name. Empty when the request names none.
    public var app: String { unsafe base.pointee.app.string }
    /// The identifier that the sender chose: `apns-collapse-id` on iOS, the tag on Android and in a browser. Nil when the device generates one.
    public var identifier: String? { unsafe base.pointee.identifier?.string }
    /// `apns-push-type`; nil when it is missing or not one of Apple's values.
    public var pushType: PushType? { unsafe base.pointee.headers.pushType }
    /// `apns-priority` as sent; nil when it is missing.
    public var priority: String? { unsafe base.pointee.headers.priority?.string }
    /// `apns-expiration` as sent, in seconds since the epoch; nil when it is missing.
    public var expiration: String? { unsafe base.pointee.headers.expiration?.string }
    /// The payload as JSON. For GCM and FCM, the request or message object.
    public var payload: String { unsafe base.pointee.payload.string }
    /// The size that counts towards the budget, in bytes.
    public var byteCount: Int { unsafe base.pointee.byteCount }
    /// The title, or the key that stands for it; nil without one.
    public var title: String? { unsafe base.pointee.content.title?.string }
    /// The subtitle, or the key that stands for it; nil without one.
    public var subtitle: String? { unsafe base.pointee.content.subtitle?.string }
    /// The body, or the key that stands for it; nil without one.
    public var body: String? { unsafe base.pointee.content.body?.string }
    /// `thread-id`; nil without one.
    public var thread: String? { unsafe base.pointee.content.thread?.string }
    /// The number for the app's icon: nil leaves it as it is, 0 clears it.
    public var badge: Int? { unsafe base.pointee.badge }
    /// The outcome of a message that does not reach its device, such as `rejected` or `held`; nil for one that is on its way. No stage
    /// changes it.
    public var outcome: Outcome? {
        unsafe base.pointee.verdict.isAccepted ? nil : base.pointee.verdict.undeliveredOutcome
    }
    /// True if the device shows it.
    public var isShown: Bool { unsafe base.pointee.isShown }
    /// True if it only wakes an app on an Apple device. Source: Apple, "Pushing background updates to your App".
    public var isBackground: Bool { unsafe base.pointee.isBackground }
    /// True if a Notification Service Extension would run: `mutable-content` is 1 and there is an alert to show.
    /// Source: Apple, "Modifying content in newly delivered notifications".
    public var startsServiceExtension: Bool { unsafe base.pointee.startsServiceExtension }
    /// True if the provider answers and nothing is delivered (`validate_only`, `dry_run`).
    public var isDryRun: Bool { unsafe base.pointee.isDryRun }
}

/// Checks each message against its budget and rejects what its provider would. A dry run is accepted and not delivered.
///
/// A pipeline has this stage by default. Stages before it may still change a payload; stages after it see accepted messages.
public struct ProviderValidation: ChunkStage {
    /// False: the stage changes no payloads.
    package var changesPayloads: Bool { false }

    /// A stage with the budget of `DecodingOptions.budget`, or with each message's own.
    public init() {}

    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        let validator = Acceptance(budget: context.options.budget)
        for index in 0..<chunk.batch.messageCount { validator.check(index, in: &chunk.batch) }
    }
}

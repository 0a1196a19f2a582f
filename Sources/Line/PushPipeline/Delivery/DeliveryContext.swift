import PayloadJSON
import PushDecoding
public import PushModel
package import PushStore

/// The context of a device stage for the current message or event. Valid for the duration of the call that provides it.
@safe  // SOUND: `messages` is set for the delivery of one chunk, which keeps them alive.
public final class DeliveryContext {
    /// Number of the record.
    public internal(set) var seq: UInt64 = 0
    /// Milliseconds since the epoch, by the run's clock.
    public internal(set) var at: Int64 = 0
    /// The same, since the epoch.
    public var time: Duration { .milliseconds(at) }
    /// How the pipeline is configured.
    public let configuration: PipelineConfiguration

    /// The index of the message in its chunk.
    package internal(set) var index = 0
    /// The store. Set during a transaction.
    private var current: StoreTransaction?
    /// The messages of the chunk.
    package internal(set) var messages: UnsafeMutableBufferPointer<DecodedMessage>?
    /// The report of the chunk.
    var lines = ReportLines()
    /// Nil unless messages are traced.
    let tracer: Tracer?
    /// True while stages see a message before those ahead of it are delivered.
    var isAhead = false
    /// True if a service extension runs before messages are presented.
    var presentsLater = false
    /// Milliseconds by which the current event advances the clock.
    package var clockAdvance: Int64 = 0
    /// True while it happens what the current event has made due by advancing the clock: lines about it follow that of the event.
    var linesFollow = false
    private var findings: [Finding] = []
    /// True if the texts of the current message were cut for another platform than its device has.
    var withdrawsCuts = false
    /// The implementation of `deliver(_:token:seq:at:after:)`, set by the pipeline.
    var deliverQueued:
        (
            (inout DecodedMessage, BorrowedText?, UInt64, Int64, any DeliveryStage) throws -> (
                result: Delivered, findings: [Finding], note: ReportNote
            )
        )?

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        tracer =
            configuration.traces ? Tracer(emulatesExtension: configuration.decoding.replacement != nil) : nil
    }

    /// The parts of the store.
    package var store: StoreTransaction {
        get throws {
            guard let current else { throw OutsideTransaction() }
            return current
        }
    }

    /// A stage used its context outside the call.
    struct OutsideTransaction: Error, CustomStringConvertible {
        var description: String { "a DeliveryContext was used outside the call that provided it" }
    }

    func setStore(_ store: StoreTransaction?) { current = store }

    /// Adds a finding to the report line of the current message.
    public func report(_ finding: Finding) { findings.append(finding) }

    /// Keeps the message from its device. Its line has the outcome `suppressed`.
    ///
    /// - Parameters:
    ///   - message: the message to keep.
    ///   - reason: its reason, such as `quiet-hours`: one of a few words, not a text about this message.
    public func suppress(_ message: inout PushMessage, because reason: String) {
        message.decoded.verdict = .withheld(StageReasons.shared.text(reason))
    }

    func takeFindings() -> [Finding] {
        defer { if !findings.isEmpty { findings = [] } }
        return findings
    }

    /// Delivers a queued message, which does not belong to the chunk, through the stages after `stage`.
    ///
    /// - Parameters:
    ///   - token: that of its Live Activity, if it is not the device.
    ///   - seq: number of the record that contained it.
    ///   - at: milliseconds since the epoch.
    func deliver(
        _ message: inout DecodedMessage, token: BorrowedText? = nil, seq: UInt64, at: Int64,
        after stage: any DeliveryStage
    ) throws -> (result: Delivered, findings: [Finding], note: ReportNote) {
        guard let deliverQueued else { throw OutsideTransaction() }
        return try deliverQueued(&message, token, seq, at, stage)
    }

    /// Changes the report note of the current message or event.
    package func updateNote(_ change: (inout ReportNote) -> Void) { lines.updateNote(of: index, change) }

    /// Changes the trace of the current message; does nothing unless messages are traced.
    package func updateTrace(_ change: (inout MessageTrace) -> Void) { tracer?.update(index, change) }
}

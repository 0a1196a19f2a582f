package import ExtensionHosting
import PushDecoding
package import PushDevices
import PushJSON
public import PushModel
import PushSystem

/// A stage that looks at one device's state: called in input order, on the thread that delivers, within the store's transaction. The registry
/// of devices (`RegistryStage`) and the service extension (`ServiceExtensionStage`) are such stages.
///
/// For each message the pipeline calls the stages in their order, and then the store:
///
/// 1. `process`, which may change the message, or suppress it by setting `verdict` to `.suppressed`;
/// 2. the store delivers a message that is still accepted;
/// 3. `didDeliver`, in reverse order: a stage sees the result as the stages after it left it.
package protocol DeliveryStage: AnyObject {
    /// The name in messages and traces; the name of the type by default.
    var name: String { get }

    /// True if the stage has nothing to do for the next messages, so that it is not called. Read at the beginning of a chunk and after each
    /// event. False by default.
    var isIdle: Bool { get }

    /// True if the stage is also called for messages already rejected, suppressed or queued. False by default.
    var seesUndelivered: Bool { get }

    /// Called at the beginning of each chunk, before its first message, and once more if the chunk then has to wait for those before it.
    func beginChunk(_ context: DeliveryContext) throws

    /// Processes one message, valid for the duration of the call.
    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws

    /// Called when the store and the stages after this one are done with a message.
    ///
    /// - Parameter result: the reported result; nil for a message that did not reach the store.
    func didDeliver(_ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext) throws

    /// Handles an event of a device. Stages are called in order until one returns a result.
    ///
    /// - Parameter standIn: a message to the event's device and app that represents the event among the messages of the chunk.
    /// - Returns: nil if the stage does not handle this kind of event.
    func handle(_ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext) throws -> EventResult?
}

extension DeliveryStage {
    package var name: String { "\(Self.self)" }
    package var isIdle: Bool { false }
    package var seesUndelivered: Bool { false }
    package func beginChunk(_ context: DeliveryContext) throws {}
    package func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {}
    package func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {}
    package func handle(
        _ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext
    ) throws -> EventResult? { nil }
}

/// A slow stage, whose work on a message continues while earlier messages are delivered. A pipeline has at most one.
///
/// It gets `begin` for as many messages ahead of their turn as it takes; the stages before it process these messages ahead of their turn, too
/// (`DeliveryContext.isAhead`). What the registry does to screens and journal waits for the turn (`RegistryStage.takeTurn`). The output does not
/// depend on how far ahead the stage works.
package protocol AheadStage: DeliveryStage {
    /// How much later than its message the stage's journal lines may be, in milliseconds.
    var longestDelay: Int64 { get }

    /// True if removals that the stage asks for may come after their notification, or never. Messages are then delivered one at a time.
    var removesLate: Bool { get }

    /// Starts work on a message; it is valid until the message's `process` returns.
    ///
    /// - Returns: false if the call must be repeated after an earlier message is delivered.
    func begin(_ message: DecodedMessage, _ context: DeliveryContext) throws -> Bool
}

/// The context of a device stage for the current message or event. Valid for the duration of the call that provides it.
@safe  // SOUND: `messages` is set for the delivery of one chunk, which keeps them alive.
public final class DeliveryContext {
    /// Number of the record.
    public internal(set) var seq: UInt64 = 0
    /// Milliseconds since the epoch, by the run's clock.
    public internal(set) var at: Int64 = 0
    /// The time since the epoch, by the run's clock.
    public var time: Duration { .milliseconds(at) }
    /// How the pipeline is configured.
    public let configuration: PipelineConfiguration

    /// The index of the message in its chunk; -1 for one that does not belong to it.
    package internal(set) var index = 0
    var current: StoreTransaction?
    package internal(set) var messages: UnsafeMutableBufferPointer<DecodedMessage>?
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
    /// Delivers messages that do not belong to the chunk.
    weak var delivery: ChunkDelivery?

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        tracer =
            configuration.traces ? Tracer(emulatesExtension: configuration.decoding.replacement != nil) : nil
    }

    /// The parts of the store.
    package var store: StoreTransaction {
        get throws {
            guard let current else { throw Self.outsideTransaction }
            return current
        }
    }

    static let outsideTransaction = PlainError("a DeliveryContext was used outside the call that provided it")

    /// Adds a finding to the report line of the current message.
    public func report(_ finding: Finding) {
        if !configuration.ignoredRules.contains(finding.rule) { findings.append(finding) }
    }

    func report(_ rule: String, _ severity: Finding.Severity, at pointer: String = "", _ message: String) {
        report(Finding(rule: rule, severity: severity, pointer: pointer, message: message))
    }

    /// Keeps the message from its device. Its line has the outcome `suppressed`. Does nothing to one that has an outcome already.
    ///
    /// - Parameters:
    ///   - message: the message to keep.
    ///   - reason: its reason, such as `quiet-hours`: one of a few words, not a text about this message.
    public func suppress(_ message: inout PushMessage, because reason: String) {
        if message.outcome == nil { message.decoded.verdict = .withheld(StageReasons.shared.text(reason)) }
    }

    func takeFindings() -> [Finding] {
        defer { if !findings.isEmpty { findings = [] } }
        return findings
    }

    /// Changes the report note of the current message or event.
    package func updateNote(_ change: (inout ReportNote) -> Void) { lines.updateNote(of: index, change) }

    /// Changes the trace of the current message; does nothing unless messages are traced.
    package func updateTrace(_ change: (inout MessageTrace) -> Void) { tracer?.update(index, change) }
}

/// A stage of your own just before delivery: called in input order, one message at a time, on the thread that delivers, within the store's
/// transaction. Use it where one message depends on another.
///
/// It sees the messages that reach their device: after the devices' state (offline, unregistered, without permission) has been looked at, and
/// before the service extension. It may keep a message from its device (`DeliveryContext.suppress`) and add findings to its report line.
///
/// An error ends the run as a `StageError`. Nothing of the chunk that contains the record is reported or stored, except that a `MemoryStore`
/// keeps the deliveries before it.
public protocol DeviceStage: AnyObject {
    /// The name in errors and traces; the name of the type by default.
    var name: String { get }

    /// Processes one message, lent for the duration of the call.
    func process(_ message: inout PushMessage, context: DeliveryContext) throws
}

extension DeviceStage {
    /// The name of the type.
    public var name: String { "\(Self.self)" }
}

/// A device stage that is also called for messages already rejected, suppressed or queued, of which `PushMessage.outcome` tells. It cannot
/// change what has become of them.
///
/// A protocol and not a property with a default: a misspelled one does not compile.
public protocol EveryMessageStage: DeviceStage {}

/// A device stage that learns what the store has done with each message.
public protocol DeliveryObserver: DeviceStage {
    /// Called after a message was delivered.
    ///
    /// - Parameters:
    ///   - message: the message, lent for the duration of the call.
    ///   - result: what the store has done; nil for a message that did not reach it.
    ///   - context: valid for the duration of the call.
    func didDeliver(_ message: borrowing PushMessage, result: DeliveryResult?, context: DeliveryContext) throws
}

/// A device stage that is asked about each event of a device before the built-in stages.
public protocol DeviceEventHandler: DeviceStage {
    /// Handles an event of a device.
    ///
    /// - Returns: the result to report; nil to leave the event to the stages that follow, which is what an observer returns.
    func handle(_ event: DeviceEvent, context: DeliveryContext) throws -> EventResult?
}

/// The result of delivering a message to the store.
public struct DeliveryResult: Sendable, Equatable {
    /// The reported outcome.
    public var outcome: Outcome
    /// `seq` of the replaced notification.
    public var replaces: UInt64?

    package init(outcome: Outcome, replaces: UInt64? = nil) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

/// The effect of an event.
public enum EventResult: Sendable {
    /// It changed something.
    case applied
    /// It changed nothing.
    case ignored
}

/// A stage that threw an error, which ended the run. Nothing of the chunk that contains the record was reported or stored, except that a
/// `MemoryStore` keeps what was delivered before a device stage threw.
public struct StageError: Error, CustomStringConvertible {
    /// `RecordStage.name` or `DeviceStage.name`.
    public let stage: String
    /// Number of the record, from 1, in the numbering of the report.
    public let seq: UInt64
    /// The error that the stage threw.
    public let underlyingError: any Error

    /// The stage, the record and the error.
    public var description: String { "stage \(stage), record \(seq): \(underlyingError)" }

    fileprivate static func naming<Result>(
        _ stage: any DeviceStage, _ context: DeliveryContext, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch { throw StageError(stage: stage.name, seq: context.seq, underlyingError: error) }
    }
}

/// A device stage among those of the pipeline.
final class OwnDeviceStage: DeliveryStage {
    private let stage: any DeviceStage
    private let observer: (any DeliveryObserver)?
    let seesUndelivered: Bool

    init(_ stage: any DeviceStage) {
        self.stage = stage
        observer = stage as? any DeliveryObserver
        seesUndelivered = stage is any EveryMessageStage
    }

    var name: String { stage.name }

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        try PushMessage.lend(&message) { handle in
            try StageError.naming(stage, context) { try stage.process(&handle, context: context) }
        }
    }

    func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {
        guard let observer else { return }
        var copy = message
        try PushMessage.lend(&copy) { handle in
            try StageError.naming(stage, context) {
                try observer.didDeliver(handle, result: result, context: context)
            }
        }
    }
}

/// The part of a device stage that handles events: it stands before the registry, which handles the rest.
final class OwnEventHandler: DeliveryStage {
    private let stage: any DeviceEventHandler

    init(_ stage: any DeviceEventHandler) { self.stage = stage }

    var name: String { stage.name }

    func handle(_ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext) throws -> EventResult? {
        try StageError.naming(stage, context) { try stage.handle(event, context: context) }
    }
}

/// Runs the app's service extension for pushes that request it, in separate processes.
///
/// Extensions start ahead of a push's turn, up to the first push whose app and device still wait for an earlier one. Their effects are
/// applied in turn, so reports, journal and screens do not depend on how far ahead they start.
package final class ServiceExtensionStage: AheadStage {
    /// `extension`.
    package var name: String { "extension" }
    /// True: local notifications of the app may be due whatever the outcome of a push.
    package var seesUndelivered: Bool { true }

    private let host: ExtensionHost
    package var longestDelay: Int64 { host.longestDelay }
    package var removesLate: Bool { host.removesLate }

    /// Creates a stage that runs the extension of a host. The creator of the host finishes it.
    package init(_ host: ExtensionHost) { self.host = host }

    /// Drops work started for an earlier chunk.
    package func beginChunk(_ context: DeliveryContext) throws {
        host.traces = context.configuration.traces
        host.beginChunk()
    }

    package func begin(_ message: DecodedMessage, _ context: DeliveryContext) throws -> Bool {
        try host.begin(
            message, index: context.index, seq: context.seq, at: context.at, device: Self.device(of: message, context))
    }

    private static func device(of message: DecodedMessage, _ context: DeliveryContext) throws -> ExtensionDevice {
        var device = ExtensionDevice()
        let registry = try context.store.registry
        if registry.isIdle { return device }
        device.categories = try registry.categories(of: message.app.string, on: message.device)
        device.lock = try registry.lock(of: message.device)
        device.previews = try registry.previews(of: message.app, on: message.device)
        return device
    }

    /// Waits for the extension, and applies what it did before it returned its content. Sets the context's time to when the
    /// notification appears, and has it presented then.
    package func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        var findings: [Finding] = []
        context.at = try host.process(
            &message, index: context.index, seq: context.seq, at: context.at, to: try context.store.screens,
            findings: &findings)
        for finding in findings { context.report(finding) }
        try registerCategories(of: message, context)
        try RegistryStage.presentLater(&message, context)
    }

    /// Applies what the extension did afterwards.
    package func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {
        let removed = try host.didDeliver(message, seq: context.seq, to: try context.store.screens)
        try registerCategories(of: message, context)
        if let removed, let delivered = result {
            result = DeliveryResult(outcome: .reposted, replaces: max(removed, delivered.replaces ?? 0))
        }
        let trace = host.lastTrace
        context.updateTrace {
            $0.serviceExtension = trace.map { .started($0) } ?? message.reasonForNoExtension.map { .notStarted($0) }
        }
    }

    /// Has the registry keep the categories that the extension has registered, as those of an event.
    private func registerCategories(of message: DecodedMessage, _ context: DeliveryContext) throws {
        guard let categories = host.registeredCategories else { return }
        try context.store.registry.setCategories(categories, of: message.app.string, on: message.device)
    }
}

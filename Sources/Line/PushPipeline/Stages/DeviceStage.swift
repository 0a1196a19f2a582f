import PushDecoding
public import PushModel

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

/// A device stage that is also called for messages already rejected, suppressed or queued.
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
    /// The error of the stage.
    public let underlyingError: any Error

    /// The stage, the record and the error.
    public var description: String { "stage \(stage), record \(seq): \(underlyingError)" }
}

/// A device stage among those of the pipeline.
final class OwnDeviceStage: DeliveryStage {
    private let stage: any DeviceStage
    private let observer: (any DeliveryObserver)?

    init(_ stage: any DeviceStage) {
        self.stage = stage
        observer = stage as? any DeliveryObserver
        seesUndelivered = stage is any EveryMessageStage
    }

    var name: String { stage.name }
    let seesUndelivered: Bool

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        try PushMessage.lend(&message) { handle in
            try withError(context) { try stage.process(&handle, context: context) }
        }
    }

    func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {
        guard let observer else { return }
        var copy = message
        try PushMessage.lend(&copy) { handle in
            try withError(context) { try observer.didDeliver(handle, result: result, context: context) }
        }
    }

    private func withError(_ context: DeliveryContext, _ body: () throws -> Void) throws {
        do { try body() } catch { throw StageError(stage: name, seq: context.seq, underlyingError: error) }
    }
}

/// The part of a device stage that handles events: it stands before the registry, which handles the rest.
final class OwnEventHandler: DeliveryStage {
    private let stage: any DeviceEventHandler

    init(_ stage: any DeviceEventHandler) { self.stage = stage }

    var name: String { stage.name }

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) {}

    func handle(_ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext) throws -> EventResult? {
        do {
            return try stage.handle(event, context: context)
        } catch {
            throw StageError(stage: name, seq: context.seq, underlyingError: error)
        }
    }
}

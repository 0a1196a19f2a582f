import PushDecoding
public import PushModel

/// A stage that looks at one device's state: called in input order, on the thread that delivers, within the store's transaction. The registry
/// of devices (`RegistryStage`) and the service extension (`ServiceExtensionStage`) are such stages.
///
/// For each message the pipeline calls the stages in their order, and then the store:
///
/// 1. `process`, which may change the message, or keep it from its device by setting `verdict` to `.suppressed`;
/// 2. the store delivers a message that is still accepted;
/// 3. `didDeliver`, in the opposite order: a stage sees the result as the stages after it left it.
///
/// A stage that works in the background (`worksAhead`) gets `begin` first, for as many messages ahead of their turn as it takes; the stages
/// before it see these messages ahead of their turn too. What comes out does not depend on how far ahead that is.
public protocol DeviceStage: AnyObject {
    /// The name in messages and traces; the name of the type by default.
    var name: String { get }

    /// Whether the stage has nothing to do for the messages to come, so that it need not be called. Asked at a chunk's beginning and after
    /// each event. False by default.
    var isIdle: Bool { get }

    /// Whether work on a message goes on while earlier messages are delivered. False by default.
    var worksAhead: Bool { get }

    /// Whether the stage is called for messages that were refused, suppressed or queued before too. False by default.
    var seesUndelivered: Bool { get }

    /// Called at the beginning of each chunk, before its first message.
    func beginChunk(_ context: DeliveryContext) throws

    /// Starts work on a message; it is valid until the message's `process` returns.
    ///
    /// - Returns: false when it has to be tried again after an earlier message was delivered.
    func begin(_ message: PushMessage, _ context: DeliveryContext) throws -> Bool

    /// Processes one message, valid for the duration of the call.
    func process(_ message: inout PushMessage, _ context: DeliveryContext) throws

    /// Called when the store and the stages after this one are done with a message.
    ///
    /// - Parameters:
    ///   - message: the message as the stages left it.
    ///   - result: what goes into the report; nil for one that did not get to the store.
    ///   - context: valid for the duration of the call.
    func didDeliver(_ message: PushMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext) throws

    /// Handles an event of a device. The first stage that returns a result is the last one asked.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - context: valid for the duration of the call.
    ///   - standIn: a message to the device and app of the event, which takes its place among the messages of the chunk.
    /// - Returns: nil when the stage does not handle such events.
    func handle(_ event: DeviceEvent, standIn: PushMessage, _ context: DeliveryContext) throws -> EventResult?
}

extension DeviceStage {
    /// The name of the type.
    public var name: String { "\(Self.self)" }
    /// False.
    public var isIdle: Bool { false }
    /// False.
    public var worksAhead: Bool { false }
    /// False.
    public var seesUndelivered: Bool { false }
    /// Does nothing.
    public func beginChunk(_ context: DeliveryContext) throws {}
    /// True: there is nothing to start.
    public func begin(_ message: PushMessage, _ context: DeliveryContext) throws -> Bool { true }
    /// Leaves the message as it is.
    public func process(_ message: inout PushMessage, _ context: DeliveryContext) throws {}
    /// Does nothing.
    public func didDeliver(
        _ message: PushMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {}
    /// Nil.
    public func handle(
        _ event: DeviceEvent, standIn: PushMessage, _ context: DeliveryContext
    ) throws -> EventResult? { nil }
}

/// What the store made of a message.
public struct DeliveryResult: Sendable, Equatable {
    /// What goes into the report.
    public var outcome: Outcome
    /// `seq` of the notification that was replaced.
    public var replaces: UInt64?

    /// A result.
    public init(outcome: Outcome, replaces: UInt64? = nil) {
        self.outcome = outcome
        self.replaces = replaces
    }
}

/// Whether an event changed anything.
public enum EventResult: Sendable {
    case applied
    case ignored
}

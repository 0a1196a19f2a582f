import PushDecoding
package import PushModel

/// A stage that looks at one device's state: called in input order, on the thread that delivers, within the store's transaction. The registry
/// of devices (`RegistryStage`) and the service extension (`ServiceExtensionStage`) are such stages.
///
/// For each message the pipeline calls the stages in their order, and then the store:
///
/// 1. `process`, which may change the message, or suppress it by setting `verdict` to `.suppressed`;
/// 2. the store delivers a message that is still accepted;
/// 3. `didDeliver`, in reverse order: a stage sees the result as the stages after it left it.
///
/// A stage that works in the background (`worksAhead`) gets `begin` first, for as many messages ahead of their turn as it takes; the stages
/// before it see these messages ahead of their turn, too (`DeliveryContext.isAhead`). They leave screens and journal alone until `takeTurn`,
/// which is called for them in the turn of the message. The output does not depend on how far ahead the stage works.
package protocol DeliveryStage: AnyObject {
    /// The name in messages and traces; the name of the type by default.
    var name: String { get }

    /// True if the stage has nothing to do for the next messages, so that it is not called. Read at the beginning of a chunk and after each
    /// event. False by default.
    var isIdle: Bool { get }

    /// True if work on a message continues while earlier messages are delivered. False by default.
    var worksAhead: Bool { get }

    /// True if the stage is also called for messages already rejected, suppressed or queued. False by default.
    var seesUndelivered: Bool { get }

    /// How much later than its message the stage's journal lines may be, in milliseconds. 0 by default.
    var longestDelay: Int64 { get }

    /// True if removals that the stage asks for may come after their notification, or never. Messages are then delivered one at a time.
    /// False by default.
    var removesLate: Bool { get }

    /// True if a report line says why a push's service extension could not run (`ExtensionObstacle`). False by default.
    var notesExtensionObstacles: Bool { get }

    /// When something happens by itself next, in milliseconds since the epoch, such as the end of a message's time to live. `Int64.max`,
    /// the default, when nothing does. Read before each record while the stage is not idle.
    var due: Int64 { get }

    /// Carries out what is due at the context's time: its own, or that of the last record if it was due before. The lines about it stand before
    /// that of the context's message, or follow it while `DeliveryContext.linesFollow`. Called for one time after the other once `due` has come.
    func passTime(_ context: DeliveryContext) throws

    /// Called at the beginning of each chunk, before its first message.
    func beginChunk(_ context: DeliveryContext) throws

    /// True if the stage would change nothing about the messages of a chunk, which then need not come one after the other. Asked when the
    /// chunk has no events, and once all events before it have been handled. False by default.
    ///
    /// - Parameter end: the time of the last one, in milliseconds since the epoch.
    func leavesAlone(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, until end: Int64) -> Bool

    /// Starts work on a message; it is valid until the message's `process` returns.
    ///
    /// - Returns: false if the call must be repeated after an earlier message is delivered.
    func begin(_ message: DecodedMessage, _ context: DeliveryContext) throws -> Bool

    /// Processes one message, valid for the duration of the call.
    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws

    /// Does what `process` has put off for a message that it saw ahead of its turn. Called in the turn of each message for the stages before
    /// one that works ahead.
    func takeTurn(_ message: inout DecodedMessage, _ context: DeliveryContext) throws

    /// Called when the store and the stages after this one are done with a message.
    ///
    /// - Parameters:
    ///   - message: the message as the stages left it.
    ///   - result: the reported result; nil for a message that did not reach the store.
    ///   - context: valid for the duration of the call.
    func didDeliver(_ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext) throws

    /// Handles an event of a device. Stages are called in order until one returns a result.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - context: valid for the duration of the call.
    ///   - standIn: a message to the event's device and app that represents the event among the messages of the chunk.
    /// - Returns: nil if the stage does not handle this kind of event.
    func handle(_ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext) throws -> EventResult?
}

extension DeliveryStage {
    /// The name of the type.
    package var name: String { "\(Self.self)" }
    /// False.
    package var isIdle: Bool { false }
    /// False.
    package var worksAhead: Bool { false }
    /// False.
    package var seesUndelivered: Bool { false }
    /// 0.
    package var longestDelay: Int64 { 0 }
    /// False.
    package var removesLate: Bool { false }
    /// False.
    package var notesExtensionObstacles: Bool { false }
    /// Never.
    package var due: Int64 { .max }
    /// Does nothing.
    package func passTime(_ context: DeliveryContext) throws {}
    /// Does nothing.
    package func beginChunk(_ context: DeliveryContext) throws {}
    /// False.
    package func leavesAlone(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, until end: Int64) -> Bool {
        false
    }
    /// True: there is nothing to start.
    package func begin(_ message: DecodedMessage, _ context: DeliveryContext) throws -> Bool { true }
    /// Leaves the message as it is.
    package func process(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {}
    /// Does nothing: nothing was put off.
    package func takeTurn(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {}
    /// Does nothing.
    package func didDeliver(
        _ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext
    ) throws {}
    /// Nil.
    package func handle(
        _ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext
    ) throws -> EventResult? { nil }
}

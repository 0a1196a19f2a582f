#if os(Linux)
    public import Foundation

    /// Names an interval.
    public struct OSSignpostID: Hashable, Sendable {
        /// Its number.
        public let rawValue: UInt64
        /// An identifier by its number.
        public init(_ value: UInt64) { rawValue = value }
        /// A new one.
        public init(log: OSLog) { rawValue = .random(in: 1...(.max)) }
        /// The only one at its time.
        public static let exclusive = OSSignpostID(0)
    }

    /// The kind of a signpost.
    public enum OSSignpostType: UInt8, Sendable {
        /// A moment.
        case event
        /// The beginning of an interval.
        case begin
        /// The end of an interval.
        case end
    }

    /// An interval that has begun.
    public final class OSSignpostIntervalState: Sendable {
        init() {}
    }

    /// Would measure intervals for Instruments. Without effect.
    public struct OSSignposter: Sendable {
        /// A signposter of a subsystem's category.
        public init(subsystem: String, category: String) {}
        /// A signposter of a logger.
        public init(logger: Logger) {}
        /// A signposter.
        public init() {}

        /// A new identifier.
        public func makeSignpostID() -> OSSignpostID { OSSignpostID(.random(in: 1...(.max))) }
        /// Begins an interval.
        public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
            OSSignpostIntervalState()
        }
        /// Begins an interval with a message.
        public func beginInterval(
            _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
        ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
        /// Ends an interval.
        public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
        /// Ends an interval with a message.
        public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage) {}
        /// A moment.
        public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
        /// A moment with a message.
        public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage) {}
        /// Runs a task.
        public func withIntervalSignpost<Value>(
            _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Value
        ) rethrows -> Value { try task() }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Without effect.
    public func os_signpost(
        _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive
    ) {}
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Without effect.
    public func os_signpost(
        _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive,
        _ format: StaticString, _ arguments: any CVarArg...
    ) {}
#endif

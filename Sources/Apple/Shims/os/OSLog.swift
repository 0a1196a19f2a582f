// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation
    import Synchronization

    /// A category of messages, as Apple's `OSLog`.
    public final class OSLog: NSObject, @unchecked Sendable {
        // Unchecked because of the superclass: it has no state that changes.
        private let name: String

        public init(subsystem: String, category: String) {
            name = "\(subsystem):\(category)"
            super.init()
        }

        public static let `default` = OSLog(subsystem: "", category: "default")
        public static let disabled = OSLog(subsystem: "", category: "disabled")

        /// True if messages of a level are written.
        public func isEnabled(type: OSLogType) -> Bool { self !== Self.disabled }

        func write(_ level: OSLogType, _ text: String) {
            guard isEnabled(type: level) else { return }
            FileHandle.standardError.write(Data("[\(name)] \(level.name): \(text)\n".utf8))
        }
    }

    /// The weight of a message. Source of the values: Apple, `os_log_type_t`.
    public struct OSLogType: RawRepresentable, Equatable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public init(_ rawValue: UInt8) { self.rawValue = rawValue }

        public static let `default` = OSLogType(0x00)
        /// Helpful, not essential.
        public static let info = OSLogType(0x01)
        public static let debug = OSLogType(0x02)
        public static let error = OSLogType(0x10)
        public static let fault = OSLogType(0x11)

        var name: String {
            switch self {
            case .info: "info"
            case .debug: "debug"
            case .error: "error"
            case .fault: "fault"
            default: "default"
            }
        }
    }

    /// Writes a message with a printf-like format, which may contain `%{public}@` and the like.
    public func os_log(
        _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
        _ arguments: any CVarArg...
    ) {
        log.write(type, OSLogFormat.text(message.description, arguments))
    }

    public func os_log(
        _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
        _ arguments: any CVarArg...
    ) {
        log.write(type, OSLogFormat.text(message.description, arguments))
    }

    public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
        log.write(type, message.text)
    }

    enum OSLogFormat {
        /// Removes the braces after a percent sign, which say who may see the value, and formats.
        static func text(_ format: String, _ arguments: [any CVarArg]) -> String {
            var plain = ""
            var rest = format[...]
            while let percent = rest.firstIndex(of: "%") {
                plain += rest[...percent]
                rest = rest[rest.index(after: percent)...]
                if rest.first == "{", let end = rest.firstIndex(of: "}") {
                    rest = rest[rest.index(after: end)...]
                } else if rest.first == "%" {
                    plain += "%"
                    rest = rest.dropFirst()
                }
            }
            return String(format: plain + rest, arguments: arguments)
        }
    }

    /// Names an interval.
    public struct OSSignpostID: Hashable, Sendable {
        public let rawValue: UInt64
        public init(_ value: UInt64) { rawValue = value }
        public init(log: OSLog) { rawValue = .random(in: 1...(.max)) }
        /// The only one at its time.
        public static let exclusive = OSSignpostID(0)
    }

    /// The kind of a signpost.
    public enum OSSignpostType: UInt8, Sendable {
        case event
        case begin
        case end
    }

    /// An interval that has begun.
    public final class OSSignpostIntervalState: Sendable {
        init() {}
    }

    /// Would measure intervals for Instruments. Without effect.
    public struct OSSignposter: Sendable {
        public init(subsystem: String, category: String) {}
        public init(logger: Logger) {}
        public init() {}

        public func makeSignpostID() -> OSSignpostID { OSSignpostID(.random(in: 1...(.max))) }
        public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
            OSSignpostIntervalState()
        }
        public func beginInterval(
            _ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage
        ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
        public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
        public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage) {}
        public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
        public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage) {}
        public func withIntervalSignpost<Value>(
            _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Value
        ) rethrows -> Value { try task() }
    }

    /// Has no effect.
    public func os_signpost(
        _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive
    ) {}
    /// Has no effect.
    public func os_signpost(
        _ type: OSSignpostType, log: OSLog, name: StaticString, signpostID: OSSignpostID = .exclusive,
        _ format: StaticString, _ arguments: any CVarArg...
    ) {}

    /// Bytes that an extension may still use: 24 MB on a device. A limit that the host sets is not known here.
    public func os_proc_available_memory() -> Int { 24 * 1024 * 1024 }

    /// A lock around a value, as Apple's `OSAllocatedUnfairLock`.
    public final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
        // Unchecked: the state is accessed under the lock only.
        private let lock = Mutex(())
        private var state: State

        /// A lock around `initialState`.
        public init(initialState: State) { state = initialState }

        /// A lock around a value that is not checked for `Sendable`.
        public init(uncheckedState: State) { state = uncheckedState }

        /// Calls `body` with exclusive access to the value.
        public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try lock.withLock { _ in try body(&state) }
        }

        /// Calls `body` with exclusive access to the value, as `withLock` does.
        public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try lock.withLock { _ in try body(&state) }
        }
    }

    extension OSAllocatedUnfairLock where State == Void {
        public convenience init() { self.init(initialState: ()) }

        /// Calls `body` while nobody else holds the lock.
        public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            try withLock { _ in try body() }
        }
    }
#endif

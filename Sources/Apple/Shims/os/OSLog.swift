#if os(Linux)
    public import Foundation

    /// A category of messages, as Apple's `OSLog`.
    public final class OSLog: NSObject, @unchecked Sendable {
        // Unchecked because of the superclass: it has no state that changes.
        private let name: String

        /// A subsystem's category.
        public init(subsystem: String, category: String) {
            name = "\(subsystem):\(category)"
            super.init()
        }

        /// The default log.
        public static let `default` = OSLog(subsystem: "", category: "default")
        /// A log that writes nothing.
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
        /// Apple's number.
        public let rawValue: UInt8

        /// A level by its number.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A level by its number.
        public init(_ rawValue: UInt8) { self.rawValue = rawValue }

        /// Problems that might result in a failure.
        public static let `default` = OSLogType(0x00)
        /// Helpful, not essential.
        public static let info = OSLogType(0x01)
        /// For development.
        public static let debug = OSLogType(0x02)
        /// A failure of the process.
        public static let error = OSLogType(0x10)
        /// A failure of the system.
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Writes a message with a printf-like format, which may contain `%{public}@` and the like.
    public func os_log(
        _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
        _ arguments: any CVarArg...
    ) {
        log.write(type, OSLogFormat.text(message.description, arguments))
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Writes a message with a printf-like format.
    public func os_log(
        _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
        _ arguments: any CVarArg...
    ) {
        log.write(type, OSLogFormat.text(message.description, arguments))
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Writes a message with interpolated values.
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
#endif

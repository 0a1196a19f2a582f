// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    @_exported public import os

    /// Writes log messages, as Apple's `os.Logger`. On Linux each message is a line on standard error, and no value is hidden, whatever its privacy,
    /// as when a debugger is attached.
    public struct Logger: Sendable {
        private let log: OSLog

        public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

        public init() { log = .default }

        public init(_ log: OSLog) { self.log = log }

        public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
        public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
        public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
        public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
        public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
        public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
        public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
        public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
        public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
        public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
    }

    /// A message with interpolated values, as `"token \(token, privacy: .public)"`.
    public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
        let text: String

        public init(stringLiteral value: String) { text = value }

        public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
    }

    /// Builds a message. Privacy, alignment and format have no effect here.
    public struct OSLogInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Adds fixed text.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a value, with an alignment that has no effect.
        public mutating func appendInterpolation<Value>(
            _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += "\(value())"
        }

        /// Adds a number, with a format that has no effect.
        public mutating func appendInterpolation<Value: Numeric>(
            _ value: @autoclosure () -> Value, format: OSLogNumberFormat, align: OSLogStringAlignment = .none,
            privacy: OSLogPrivacy = .auto
        ) {
            text += "\(value())"
        }

        /// Adds a value that may be absent.
        public mutating func appendInterpolation<Value>(
            _ value: @autoclosure () -> Value?, privacy: OSLogPrivacy = .auto
        ) {
            text += value().map { "\($0)" } ?? "nil"
        }
    }

    /// Who may see a value. Here: everybody.
    public struct OSLogPrivacy: Sendable {
        /// The replacement of a hidden value.
        public enum Mask: Sendable {
            case hash
            case none
        }

        public static let auto = OSLogPrivacy()
        public static let `public` = OSLogPrivacy()
        /// Hidden on a device.
        public static let `private` = OSLogPrivacy()
        /// Hidden on a device, always.
        public static let sensitive = OSLogPrivacy()
        public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
        public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
        public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    }

    /// How a number is written. No effect here.
    public struct OSLogNumberFormat: Sendable {
        public static let decimal = OSLogNumberFormat()
        public static let hex = OSLogNumberFormat()
        public static let octal = OSLogNumberFormat()
        public static let fixed = OSLogNumberFormat()
        public static func fixed(precision: Int) -> OSLogNumberFormat { OSLogNumberFormat() }
    }

    /// How a value is aligned. No effect here.
    public struct OSLogStringAlignment: Sendable {
        public static let none = OSLogStringAlignment()
        public static func left(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment() }
        public static func right(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment() }
    }
#endif

#if os(Linux)
    @_exported public import Foundation

    /// The numerator of a time.
    public typealias CMTimeValue = Int64
    /// The denominator of a time: parts of a second.
    public typealias CMTimeScale = Int32
    /// Tells times apart that were counted differently.
    public typealias CMTimeEpoch = Int64

    /// The kinds of time.
    public struct CMTimeFlags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt32
        /// Flags by their bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// A time at all.
        public static let valid = CMTimeFlags(rawValue: 1)
        /// Without end.
        public static let positiveInfinity = CMTimeFlags(rawValue: 4)
        /// Without beginning.
        public static let negativeInfinity = CMTimeFlags(rawValue: 8)
        /// Not known.
        public static let indefinite = CMTimeFlags(rawValue: 16)
    }

    /// A time in a film, as a fraction of a second.
    public struct CMTime: Sendable {
        /// The numerator.
        public var value: CMTimeValue
        /// The denominator.
        public var timescale: CMTimeScale
        /// The kind of time.
        public var flags: CMTimeFlags
        /// Tells times apart that were counted differently.
        public var epoch: CMTimeEpoch

        /// The parts of a time.
        public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
            self.value = value
            self.timescale = timescale
            self.flags = flags
            self.epoch = epoch
        }

        /// No time.
        public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

        /// A fraction of a second.
        public init(value: CMTimeValue, timescale: CMTimeScale) {
            self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
        }

        /// Seconds, rounded to parts of a second. Invalid if they do not fit.
        public init(seconds: Double, preferredTimescale: CMTimeScale) {
            let parts = (seconds * Double(preferredTimescale)).rounded()
            guard preferredTimescale > 0, parts.isFinite, abs(parts) < 9e18 else {
                self.init()
                return
            }
            self.init(value: CMTimeValue(parts), timescale: preferredTimescale)
        }

        /// The beginning.
        public static let zero = CMTime(value: 0, timescale: 1)
        /// No time.
        public static let invalid = CMTime()
        /// A time that is not known.
        public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
        /// A time after all others.
        public static let positiveInfinity = CMTime(
            value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)

        /// True if it is a time.
        public var isValid: Bool { flags.contains(.valid) }
        /// True if it is a time with a number.
        public var isNumeric: Bool { flags == .valid }
        /// True if it is not known.
        public var isIndefinite: Bool { flags.contains(.indefinite) }
        /// In seconds; not a number for none.
        public var seconds: Double {
            if flags.contains(.positiveInfinity) { return .infinity }
            return isNumeric && timescale > 0 ? Double(value) / Double(timescale) : .nan
        }
    }

    extension CMTime: Hashable, Comparable {
        /// True if both are the same moment.
        public static func == (left: CMTime, right: CMTime) -> Bool {
            left.isNumeric && right.isNumeric
                ? left.seconds == right.seconds : left.flags == right.flags
        }
        /// True if one is before the other.
        public static func < (left: CMTime, right: CMTime) -> Bool { left.seconds < right.seconds }
        /// A hash of the moment.
        public func hash(into hasher: inout Hasher) { hasher.combine(isNumeric ? seconds : -1) }
        /// The sum, in nanoseconds where the parts of a second differ.
        public static func + (left: CMTime, right: CMTime) -> CMTime {
            CMTime(
                seconds: left.seconds + right.seconds,
                preferredTimescale: left.timescale == right.timescale ? left.timescale : 1_000_000_000)
        }
        /// The difference.
        public static func - (left: CMTime, right: CMTime) -> CMTime {
            CMTime(
                seconds: left.seconds - right.seconds,
                preferredTimescale: left.timescale == right.timescale ? left.timescale : 1_000_000_000)
        }
    }

    /// A part of a film.
    public struct CMTimeRange: Hashable, Sendable {
        /// Where it begins.
        public var start: CMTime
        /// How long it is.
        public var duration: CMTime
        /// A part of a film.
        public init(start: CMTime, duration: CMTime) {
            self.start = start
            self.duration = duration
        }
        /// A part of a film.
        public init(start: CMTime, end: CMTime) {
            self.start = start
            duration = end - start
        }
        /// Where it ends.
        public var end: CMTime { start + duration }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The beginning.
    public let kCMTimeZero = CMTime.zero
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A fraction of a second.
    public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Seconds, rounded to parts of a second.
    public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
    }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A time in seconds.
    public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Which of two times is earlier.
    public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1 < time2 ? -1 : time1 == time2 ? 0 : 1 }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A part of a film.
    public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
        CMTimeRange(start: start, duration: duration)
    }
#endif

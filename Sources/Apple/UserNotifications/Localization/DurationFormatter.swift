#if os(Linux)
    public import Foundation

    #if canImport(_FoundationICU)
        import _FoundationICU
    #endif

    /// Apple's `DateComponentsFormatter`, which Foundation for Linux only declares; built extensions have it under that name.
    ///
    /// It formats days, hours, minutes and seconds, in the forms of CLDR; other units of components are left out.
    open class DurationFormatter: Formatter, @unchecked Sendable {
        // Unchecked: as with Apple's, one thread uses it at a time.

        /// How long the text is.
        public enum UnitsStyle: Int, Sendable {
            /// 1:05:00
            case positional
            /// 1h 5m
            case abbreviated
            /// 1 hr, 5 min
            case short
            /// 1 hour, 5 minutes
            case full
            /// As `full`: numbers are not spelled out here.
            case spellOut
            /// As `short`.
            case brief
        }

        /// Units that are left out when they are 0.
        public struct ZeroFormattingBehavior: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt
            /// A behavior by its bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Before the first that is not 0, in positional texts; everywhere in others.
            public static let `default` = ZeroFormattingBehavior(rawValue: 1)
            /// Before the first that is not 0.
            public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)
            /// Between others.
            public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)
            /// After the last that is not 0.
            public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)
            /// Everywhere.
            public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
            /// None, and numbers have two digits.
            public static let pad = ZeroFormattingBehavior(rawValue: 0x10000)
        }

        /// Which units there are.
        public var allowedUnits: NSCalendar.Unit = [.day, .hour, .minute, .second]
        /// How long the text is.
        public var unitsStyle = UnitsStyle.positional
        /// Units that are left out when they are 0.
        public var zeroFormattingBehavior = ZeroFormattingBehavior.default
        /// How many units there are at most, from the largest on; 0 for all.
        public var maximumUnitCount = 0
        /// The calendar, whose locale decides the language.
        public var calendar: Calendar? = .autoupdatingCurrent

        private static let units: [(unit: NSCalendar.Unit, name: String, seconds: Int)] = [
            (.day, "day", 86400), (.hour, "hour", 3600), (.minute, "minute", 60), (.second, "second", 1),
        ]

        /// The text of a number of seconds; nil without a unit, or for one that is no number.
        open func string(from interval: TimeInterval) -> String? {
            guard interval.magnitude < 1e15 else { return nil }
            var rest = Int(interval.magnitude.rounded())
            let units = Self.units.filter { allowedUnits.contains($0.unit) }
            var parts: [(name: String, value: Int)] = []
            for unit in units {
                parts.append((unit.name, rest / unit.seconds))
                rest %= unit.seconds
            }
            return text(of: parts, isNegative: interval < 0)
        }

        /// The text of the time between two dates.
        open func string(from start: Date, to end: Date) -> String? { string(from: end.timeIntervalSince(start)) }

        /// The text of components.
        open func string(from components: DateComponents) -> String? {
            let values = [components.day, components.hour, components.minute, components.second]
            let seconds = zip(Self.units, values).reduce(0.0) { $0 + Double($1.0.seconds) * Double($1.1 ?? 0) }
            return string(from: seconds)
        }

        /// The text of components or of a number of seconds.
        open override func string(for object: Any?) -> String? {
            if let components = object as? DateComponents { return string(from: components) }
            return (object as? NSNumber).flatMap { string(from: $0.doubleValue) }
        }

        private func text(of all: [(name: String, value: Int)], isNegative: Bool) -> String? {
            guard let smallest = all.last else { return nil }
            let isPositional = unitsStyle == .positional
            var parts = all
            let behavior = zeroFormattingBehavior
            if !behavior.contains(.pad) {
                let first = parts.firstIndex { $0.value != 0 } ?? parts.count - 1
                let drops = behavior.contains(.default) || behavior.contains(.dropLeading)
                // A positional text has minutes, even if they are 0.
                let kept = isPositional ? min(first, max(parts.count - 2, 0)) : first
                if drops { parts.removeFirst(kept) }
                if !isPositional, behavior.contains(.default) || behavior.contains(.dropMiddle) {
                    parts.removeAll { $0.value == 0 }
                }
            }
            if parts.isEmpty { parts = [smallest] }
            if maximumUnitCount > 0 { parts = Array(parts.prefix(maximumUnitCount)) }
            let sign = isNegative ? "-" : ""
            if isPositional {
                let pads = behavior.contains(.pad)
                return sign
                    + parts.enumerated().map { place, part in
                        (pads || place > 0) && part.value < 10 ? "0\(part.value)" : "\(part.value)"
                    }.joined(separator: ":")
            }
            let texts = parts.map { Self.text($0.value, unit: $0.name, style: unitsStyle, in: language) }
            return sign + texts.joined(separator: unitsStyle == .abbreviated ? " " : ", ")
        }

        private var language: String { (calendar?.locale ?? DeviceLocale.current).identifier }

        private static func text(_ value: Int, unit: String, style: UnitsStyle, in language: String) -> String {
            #if canImport(_FoundationICU)
                let width =
                    switch style {
                    case .abbreviated: "unit-width-narrow"
                    case .short, .brief: "unit-width-short"
                    default: "unit-width-full-name"
                    }
                let skeleton = Array("measure-unit/duration-\(unit) \(width)".utf16)
                var status = U_ZERO_ERROR
                let formatter = swift_unumf_openForSkeletonAndLocale(
                    skeleton, Int32(skeleton.count), language, &status)
                let result = swift_unumf_openResult(&status)
                defer {
                    swift_unumf_close(formatter)
                    swift_unumf_closeResult(result)
                }
                swift_unumf_formatInt(formatter, Int64(value), result, &status)
                var text = [UInt16](repeating: 0, count: 64)
                let count = swift_unumf_resultToString(result, &text, Int32(text.count), &status)
                guard status.rawValue <= U_ZERO_ERROR.rawValue, text.indices.contains(Int(count)) else {
                    return "\(value) \(unit)"
                }
                return String(decoding: text.prefix(Int(count)), as: UTF16.self)
            #else
                return "\(value) \(unit)"
            #endif
        }
    }
#endif

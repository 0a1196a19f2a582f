#if os(Linux)
    public import Foundation

    #if canImport(_FoundationICU)
        import _FoundationICU
    #endif

    /// Formats how long ago something was, in the forms of CLDR. Foundation for Linux has no such formatter.
    open class RelativeDateTimeFormatter: Formatter, @unchecked Sendable {
        // Unchecked: as with Apple's, one thread uses it at a time.

        /// How long the text is.
        public enum UnitsStyle: Int, Sendable {
            /// 2 months ago
            case full
            /// As `full`: numbers are not spelled out here.
            case spellOut
            /// 2 mo. ago
            case short
            /// 2mo ago
            case abbreviated
        }

        /// Numbers only, or names where there are any.
        public enum DateTimeStyle: Int, Sendable {
            /// 1 day ago
            case numeric
            /// yesterday
            case named
        }

        /// How long the text is.
        public var unitsStyle = UnitsStyle.full
        /// Numbers only, or names where there are any.
        public var dateTimeStyle = DateTimeStyle.numeric
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        /// The calendar, which tells months and years.
        public var calendar: Calendar! = .autoupdatingCurrent
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        /// The language.
        public var locale: Locale! = DeviceLocale.current

        /// The text of a date in relation to another.
        open func localizedString(for date: Date, relativeTo reference: Date) -> String {
            let calendar = calendar ?? .autoupdatingCurrent
            // Whole minutes ago, and not one less because of a fraction of a second.
            let seconds = date.timeIntervalSince(reference).rounded()
            let start = reference
            let end = seconds.magnitude < 1e12 ? start + seconds : date
            let units: Set<Calendar.Component> = [.year, .month, .weekOfMonth, .day, .hour, .minute, .second]
            return localizedString(from: calendar.dateComponents(units, from: start, to: end))
        }

        /// The text of a time from now in seconds; less than 0 is in the past.
        open func localizedString(fromTimeInterval interval: TimeInterval) -> String {
            let now = Date()
            return localizedString(for: now + (interval.magnitude < 1e12 ? interval : 0), relativeTo: now)
        }

        /// The text of the first component that is not 0.
        open func localizedString(from components: DateComponents) -> String {
            let values: [(Int?, Unit)] = [
                (components.year, .year), (components.month, .month), (components.weekOfMonth, .week),
                (components.day, .day), (components.hour, .hour), (components.minute, .minute),
                (components.second, .second),
            ]
            let first = values.lazy.compactMap { value, unit in value.map { (value: $0, unit: unit) } }
                .first { $0.value != 0 }
            return text(first?.value ?? 0, first?.unit ?? .second)
        }

        /// The text of a date in relation to now.
        open override func string(for object: Any?) -> String? {
            (object as? Date).map { localizedString(for: $0, relativeTo: Date()) }
        }

        private enum Unit: String {
            case year, month, week, day, hour, minute, second
        }

        private func text(_ value: Int, _ unit: Unit) -> String {
            #if canImport(_FoundationICU)
                let width =
                    switch unitsStyle {
                    case .full, .spellOut: UDAT_STYLE_LONG
                    case .short: UDAT_STYLE_SHORT
                    case .abbreviated: UDAT_STYLE_NARROW
                    }
                let field =
                    switch unit {
                    case .year: UDAT_REL_UNIT_YEAR
                    case .month: UDAT_REL_UNIT_MONTH
                    case .week: UDAT_REL_UNIT_WEEK
                    case .day: UDAT_REL_UNIT_DAY
                    case .hour: UDAT_REL_UNIT_HOUR
                    case .minute: UDAT_REL_UNIT_MINUTE
                    case .second: UDAT_REL_UNIT_SECOND
                    }
                var status = U_ZERO_ERROR
                let formatter = swift_ureldatefmt_open(
                    locale?.identifier ?? "en", nil, width, UDISPCTX_CAPITALIZATION_NONE, &status)
                defer { swift_ureldatefmt_close(formatter) }
                let format =
                    dateTimeStyle == .named ? swift_ureldatefmt_format : swift_ureldatefmt_formatNumeric
                var text = [UInt16](repeating: 0, count: 128)
                let count = format(formatter, Double(value), field, &text, Int32(text.count), &status)
                if status.rawValue <= U_ZERO_ERROR.rawValue, text.indices.contains(Int(count)) {
                    return String(decoding: text.prefix(Int(count)), as: UTF16.self)
                }
            #endif
            return value < 0 ? "\(-value) \(unit.rawValue) ago" : "in \(value) \(unit.rawValue)"
        }
    }
#endif

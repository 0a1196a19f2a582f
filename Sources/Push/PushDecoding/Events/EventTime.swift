import PushSystem

/// Times and durations as people write them, in milliseconds.
package enum EventTime {
    /// The years 1 to 9999.
    package static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Epoch seconds, with a precision of milliseconds.
    package static func milliseconds(_ seconds: Double) -> Int64? {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()), writable.contains(milliseconds) else {
            return nil
        }
        return milliseconds
    }

    /// An RFC 3339 time of the years 1 to 9999: `2026-11-03T20:00:00Z`, `2026-11-03T20:00:00.5+01:00`. Digits after the
    /// millisecond are dropped.
    package static func milliseconds(_ text: String) -> Int64? {
        guard !text.hasPrefix("0000"), let milliseconds = RFC3339.milliseconds(text, .any) else { return nil }
        return writable.contains(milliseconds) ? milliseconds : nil
    }

    /// A duration: `90s`, `1h30m`, `1.5h`, `250ms`, `2w`; units in any order. At most ten thousand years.
    package static func duration(_ text: String) -> Int64? {
        let units: [(name: StaticString, milliseconds: Double)] = [
            ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
        ]
        var rest = text[...]
        var total = 0.0
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let name = rest.dropFirst(number.count).prefix { $0.isASCII && $0.isLetter }
            guard let amount = Double(number), let unit = units.first(where: { $0.name.description == name }) else {
                return nil
            }
            total += amount * unit.milliseconds
            rest = rest.dropFirst(number.count + name.count)
        } while !rest.isEmpty
        guard total <= Double(writable.upperBound) else { return nil }
        return Int64(total.rounded())
    }
}

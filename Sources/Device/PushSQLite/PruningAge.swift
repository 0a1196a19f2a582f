import PushStore

/// How old a notification must be to be pruned, as a user writes it: `90s`, `45m`, `12h`, `30d`, `8w`.
package enum PruningAge {
    private static let secondsByUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// The time before which notifications are old enough, in milliseconds since the epoch; nil when the text is not an
    /// age.
    ///
    /// - Parameter now: in milliseconds since the epoch, between the years 1 and 9999.
    package static func time(_ text: String, before now: Int64) -> Int64? {
        guard let unit = text.last.flatMap({ secondsByUnit[$0] }), let number = UInt32(text.dropLast()) else {
            return nil
        }
        // 32 bits of weeks in milliseconds are less than 62 bits, so this does not overflow.
        return now - Int64(number) * unit * 1000
    }
}

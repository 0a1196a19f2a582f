/// Sizes as people write them.
package enum ByteSize {
    /// Bytes, or nil for another text: a number, or one with a unit. `K`, `KiB` and the like are powers of 1024, `kB` and `KB` of 1000, as
    /// in GNU's tools; upper and lower case mean the same.
    package static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let unit = units[text.dropFirst(digits.count).lowercased()] else { return nil }
        let (bytes, overflowed) = number.multipliedReportingOverflow(by: unit)
        return overflowed ? nil : bytes
    }

    private static let units: [String: Int] = [
        "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1000, "m": 1 << 20, "mib": 1 << 20, "mb": 1_000_000,
        "g": 1 << 30, "gib": 1 << 30, "gb": 1_000_000_000,
    ]
}

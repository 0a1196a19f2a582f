/// Numbers in SVG: at most two decimals, and the same digits on every machine.
package enum SVGNumber {
    /// `12.5` for 12.5, `3` for 3.0. What is not a number, or beyond a million, is 0: no picture is as large.
    package static func text(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1_000_000 else { return "0" }
        let hundredths = Int((number * 100).rounded())
        let whole = hundredths.magnitude / 100
        let part = hundredths.magnitude % 100
        let sign = hundredths < 0 ? "-" : ""
        if part == 0 { return "\(sign)\(whole)" }
        return part.isMultiple(of: 10)
            ? "\(sign)\(whole).\(part / 10)" : "\(sign)\(whole).\(part < 10 ? "0" : "")\(part)"
    }
}

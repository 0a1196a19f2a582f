package import PushModel

/// Why a text is not the value of an option.
package struct ExtensionOptionError: Error {
    package let message: String
}

extension RemovalTiming {
    /// Reads `immediate`, `delayed:MS` or `lost-after-handler[:MS]`.
    ///
    /// - Parameter option: as the error names it.
    package init(_ text: String, option: String) throws(ExtensionOptionError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let delay = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || delay.map({ (0...3_600_000).contains($0) }) ?? false else {
            throw ExtensionOptionError(
                message: "\(option): '\(parts[parts.count - 1])' is not a number of milliseconds.")
        }
        switch (parts[0], delay) {
        case ("immediate", nil): self = .immediate
        case ("delayed", let delay?): self = .delayed(.milliseconds(delay))
        case ("lost-after-handler", _): self = .lostAfterHandler(.milliseconds(delay ?? 100))
        default:
            throw ExtensionOptionError(message: "\(option) takes immediate, delayed:MS or lost-after-handler[:MS].")
        }
    }
}

extension Duration {
    /// Reads a time up to a day: `500ms`, `1.5s`, `30`.
    ///
    /// - Parameters:
    ///   - option: as the error names it.
    ///   - allowsZero: true if the time can be 0.
    package static func extensionTimeLimit(
        _ text: String, option: String, allowsZero: Bool = false
    ) throws(ExtensionOptionError) -> Duration {
        let isMilliseconds = text.hasSuffix("ms")
        let digits = isMilliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text[...]
        guard let number = Double(digits), case let milliseconds = isMilliseconds ? number : number * 1000,
            milliseconds > 0 || (allowsZero && milliseconds == 0), milliseconds <= 86_400_000
        else { throw ExtensionOptionError(message: "\(option) takes a time up to a day, such as 500ms, 1.5s or 30.") }
        return .milliseconds(milliseconds)
    }
}

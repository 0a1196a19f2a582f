extension String {
    /// How much of a step a report quotes, in code points: a character may consist of any number of them.
    private static var longestQuote: Int { 300 }

    /// The text, or the beginning of a long one with an ellipsis.
    package var shortened: String {
        guard unicodeScalars.dropFirst(Self.longestQuote).first != nil else { return self }
        return "\(String(unicodeScalars.prefix(Self.longestQuote)))…"
    }
}

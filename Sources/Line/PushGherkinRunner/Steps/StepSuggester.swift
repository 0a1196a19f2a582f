/// Finds the steps that an undefined step may have meant. It compares words; all numbers count as equal.
struct StepSuggester: Sendable {
    private let patterns: [(source: String, words: [String])]

    init(_ sources: [String]) {
        patterns = sources.map { source in
            (source, Self.words(source.replacing("(", ")", with: "")))
        }
    }

    /// Longer texts get no suggestions: they are not misspelled steps.
    private static let maximumWords = 64
    private static let maximumLetters = 32
    /// Share of words that may differ.
    private static let tolerance = 0.5
    private static let suggestions = 3

    func nearest(to text: String) -> [String] {
        let words = Self.words(text)
        guard words.count <= Self.maximumWords, !words.isEmpty else { return [] }
        let ranked = patterns.enumerated().compactMap { index, pattern -> (cost: Double, index: Int)? in
            let longest = max(words.count, pattern.words.count, 1)
            // At least so many words are added or missing, which rules out most patterns cheaply.
            let surplus = abs(words.count - pattern.words.count)
            guard Double(surplus) <= Self.tolerance * Double(longest) else { return nil }
            return (Self.distance(words, pattern.words, Self.difference) / Double(longest), index)
        }
        // A step that is much farther away than the nearest is not what was meant.
        let nearest = ranked.map(\.cost).min() ?? 0
        let limit = min(Self.tolerance, max(2 * nearest, 0.1))
        return ranked.filter { $0.cost <= limit }
            .sorted { ($0.cost, $0.index) < ($1.cost, $1.index) }
            .prefix(Self.suggestions).map { patterns[$0.index].source }
    }

    /// The text with a parameter in place of each word that could be a value.
    func reading(of text: String) -> String {
        let words = Self.words(text)
        guard words.count <= Self.maximumWords else { return "\(words.count) words" }
        return words.map { Self.parameter(for: $0) ?? $0 }.joined(separator: " ").shortened
    }

    /// Splits at white space; a quoted text is one word.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || (scalar == "'" && word.isEmpty) {
                quote = scalar
            } else if scalar.properties.isWhitespace {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            word.unicodeScalars.append(scalar)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private static func parameter(for word: String) -> String? {
        if let first = word.first, first == "\"" || first == "'", word.count > 1, word.last == first {
            return "{string}"
        }
        if Int(word) != nil { return "{int}" }
        let isNumeral = word.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
        return isNumeral && Double(word) != nil ? "{float}" : nil
    }

    /// From 0 for equal words to 1.
    private static func difference(_ word: String, _ other: String) -> Double {
        if word == other { return 0 }
        if other.first == "{" {
            guard let parameter = parameter(for: word) else { return other == "{word}" || other == "{}" ? 0 : 0.5 }
            return parameter == other || other == "{}" ? 0 : 0.5
        }
        return other.split(separator: "/").map { alternative in
            let letters = Array(word.lowercased().unicodeScalars.prefix(maximumLetters))
            let others = Array(alternative.lowercased().unicodeScalars.prefix(maximumLetters))
            let distance = distance(letters, others) { $0 == $1 ? 0 : 1 }
            return distance / Double(max(letters.count, others.count, 1))
        }.min() ?? 1
    }

    /// Least cost of turning one into the other (Levenshtein distance), where an insertion or deletion costs 1.
    private static func distance<Element>(
        _ left: [Element], _ right: [Element], _ difference: (Element, Element) -> Double
    ) -> Double {
        var row = (0...right.count).map(Double.init)
        for (index, element) in left.enumerated() {
            var diagonal = row[0]
            row[0] = Double(index + 1)
            for (column, other) in right.enumerated() {
                let change = diagonal + difference(element, other)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

extension String {
    /// How much of a step a report quotes, in code points: a character may consist of any number of them.
    private static var longestQuote: Int { 300 }

    /// The text, or the beginning of a long one with an ellipsis.
    package var shortened: String {
        guard unicodeScalars.dropFirst(Self.longestQuote).first != nil else { return self }
        return "\(String(unicodeScalars.prefix(Self.longestQuote)))…"
    }

    fileprivate func replacing(_ first: Character, _ second: Character, with replacement: String) -> String {
        split(omittingEmptySubsequences: false) { $0 == first || $0 == second }.joined(separator: replacement)
    }
}

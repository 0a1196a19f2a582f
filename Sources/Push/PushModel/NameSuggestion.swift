/// Suggestions for a misspelled name.
package enum NameSuggestion {
    /// A long text is no slip of the pen, and would take long to compare.
    package static let longest = 64
    private static let mostWrong = 2

    /// The name that comes nearest, when one comes near.
    package static func nearest(to typed: String, among names: [String]) -> String? {
        guard typed.utf8.count <= longest else { return nil }
        let folded = NearMiss.folded(typed)
        let ranked = names.map { ($0, NearMiss.distance(folded, NearMiss.folded($0))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= mostWrong, best.1 < folded.count else { return nil }
        return best.0
    }
}

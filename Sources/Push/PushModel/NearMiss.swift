/// Tells a misspelled name from a different one.
package enum NearMiss {
    /// The name without case and separators: the same for `mutable_content`, `mutableContent` and `Mutable-Content`.
    package static func folded(_ name: String) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(name.utf8.count)
        for byte in name.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") && byte != UInt8(ascii: " ")
        {
            folded.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
        }
        return folded
    }

    /// True if the names differ by one letter, or two in a long name, that is missing, surplus, wrong or swapped.
    package static func isClose(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let allowed = right.count >= 9 ? 2 : right.count >= 4 ? 1 : 0
        guard allowed > 0, abs(left.count - right.count) <= allowed, left != right else { return false }
        return distance(left, right) <= allowed
    }

    /// Damerau–Levenshtein distance of two short texts: a swap of neighbors counts as one. O(n m).
    package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for i in 0..<left.count {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in 0..<right.count {
                var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            before = previous
            previous = row
        }
        return previous[right.count]
    }
}

/// Suggestions for a misspelled name.
package enum NameSuggestion {
    /// A long text is no slip of the pen, and would take long to compare.
    package static let longest = 64
    /// The most wrong letters: one in a name of up to four letters, where two would make another word (`foo` of `fit`).
    private static func mostWrong(of letters: Int) -> Int { letters < 5 ? 1 : 2 }

    /// The name that comes nearest, when one comes near.
    package static func nearest(to typed: String, among names: [String]) -> String? {
        guard typed.utf8.count <= longest else { return nil }
        let folded = NearMiss.folded(typed)
        let ranked = names.map { ($0, NearMiss.distance(folded, NearMiss.folded($0))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= mostWrong(of: folded.count),
            best.1 < folded.count
        else { return nil }
        return best.0
    }
}

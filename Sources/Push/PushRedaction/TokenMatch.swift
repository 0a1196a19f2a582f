/// A token in a text, and what replaces it.
struct TokenMatch {
    /// How it was recognized. Where ranges overlap, the later kind says which token it is.
    enum Kind: Int {
        /// By its shape alone.
        case shape
        /// By all but its first characters.
        case rest
        case known
    }

    /// In bytes of the text.
    var range: Range<Int>
    var digest: [UInt8]
    var kind: Kind

    func moved(to range: Range<Int>) -> TokenMatch { TokenMatch(range: range, digest: digest, kind: kind) }

    /// - Parameter others: in order, and disjoint.
    func overlaps(anyOf others: [TokenMatch]) -> Bool { next(of: others)?.range.overlaps(range) ?? false }

    /// True if one of the others has all of this one.
    ///
    /// - Parameter others: in order, and disjoint.
    func isWithin(anyOf others: [TokenMatch]) -> Bool {
        next(of: others).map { $0.range.lowerBound <= range.lowerBound && range.upperBound <= $0.range.upperBound }
            ?? false
    }

    /// The first one that ends after this one begins.
    private func next(of others: [TokenMatch]) -> TokenMatch? {
        var low = 0
        var high = others.count
        while low < high {
            let middle = (low + high) / 2
            if others[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < others.count ? others[low] : nil
    }

    /// The matches in order, with those that overlap as one.
    ///
    /// - Parameter matches: of several readings of the same text. Of matches of one kind, that of the last reading counts.
    static func united(_ matches: [TokenMatch]) -> [TokenMatch] {
        var united: [TokenMatch] = []
        var best = (kind: 0, number: 0)
        let ordered = matches.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        for (number, match) in ordered {
            let rank = (kind: match.kind.rawValue, number: number)
            guard let last = united.last, match.range.lowerBound < last.range.upperBound else {
                united.append(match)
                best = rank
                continue
            }
            let end = max(last.range.upperBound, match.range.upperBound)
            if rank > best {
                united[united.count - 1] = match
                best = rank
            }
            united[united.count - 1].range = last.range.lowerBound..<end
        }
        return united
    }
}

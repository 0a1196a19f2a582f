/// Texts that are searched for in other texts, and their digests: the longest one that begins at a place.
///
/// They are kept in order, and each knows the longest other one that it begins with. So a search takes O(log n) comparisons, however much
/// alike they are; and long ones are compared by hashes, in O(log length). Sorted by the first search after an insertion.
final class TokenForms {
    private struct Form {
        let text: [UInt8]
        let digest: [UInt8]
        /// How many were inserted before.
        let number: Int
        /// The longest form that this one begins with, one further along this chain to skip to, and how many there are; -1 for none.
        var shorter = -1
        var skip = -1
        var depth = 0
        /// Of its first block, of its first two, and so on; empty before the first comparison that needs them.
        var hashes: [UInt64] = []
    }

    /// Sorted unless `isSorted` is false.
    private var forms: [Form] = []
    private var isSorted = true
    private var inserted = 0
    private var shortened: TokenForms?
    /// The most first characters of a token that an encoded one before them may take for its own: HTML's longest number.
    private static let longestBeginning = 8
    /// The lengths of forms that are also searched for without their beginnings. Shorter rests could be anything, longer forms are no tokens.
    private static let shortenedBytes = 32...1024

    init() {}

    /// The same forms, to which others can be added.
    init(_ other: TokenForms) {
        forms = other.forms
        isSorted = other.isSorted
        inserted = other.inserted
    }

    var isEmpty: Bool { forms.isEmpty }

    /// The forms without their first characters. Made when first needed.
    var withoutBeginnings: TokenForms {
        if let shortened { return shortened }
        let made = TokenForms()
        for form in forms where Self.shortenedBytes.contains(form.text.count) {
            for count in 1...Self.longestBeginning { made.insert(Array(form.text.dropFirst(count)), form.digest) }
        }
        shortened = made
        return made
    }

    /// - Parameter text: in lower case, not empty. The first one of equal texts counts.
    func insert(_ text: [UInt8], _ digest: [UInt8]) {
        forms.append(Form(text: text, digest: digest, number: inserted))
        inserted += 1
        isSorted = forms.count == 1
        shortened = nil
    }

    /// The longest form that a text has at a position, in either case; nil if it has none there.
    func longest(in text: SearchedText, at index: Int) -> (length: Int, digest: [UInt8])? {
        if !isSorted { sort() }
        // The last form that is not after the text. Whatever the text begins with, this one begins with, too.
        var low = 0
        var high = forms.count
        // What it and the text have in common.
        var common = 0
        while low < high {
            let middle = (low + high) / 2
            let length = self.common(middle, text, index)
            if isAfter(forms[middle].text, text, index, common: length) {
                high = middle
            } else {
                low = middle + 1
                common = length
            }
        }
        guard low > 0 else { return nil }
        var found = low - 1
        while found >= 0, forms[found].text.count > common {
            let skip = forms[found].skip
            found = skip >= 0 && forms[skip].text.count > common ? skip : forms[found].shorter
        }
        return found < 0 ? nil : (forms[found].text.count, forms[found].digest)
    }

    /// How many bytes a form and a text have in common.
    private func common(_ position: Int, _ text: SearchedText, _ index: Int) -> Int {
        let limit = min(forms[position].text.count, text.bytes.count - index)
        let count = common(position, text, index, from: 0, to: min(limit, SearchedText.blockBytes))
        guard count == SearchedText.blockBytes, count < limit else { return count }
        if forms[position].hashes.isEmpty {
            forms[position].hashes = SearchedText.hashesOfBlocks(forms[position].text)
        }
        // The last block up to which they are equal.
        let hashes = forms[position].hashes
        var low = 1
        var high = limit / SearchedText.blockBytes
        if hashes[high - 1] == text.hash(at: index, blocks: high) { low = high }
        while low < high {
            let middle = (low + high + 1) / 2
            let isEqual = hashes[middle - 1] == text.hash(at: index, blocks: middle)
            if isEqual { low = middle } else { high = middle - 1 }
        }
        return common(position, text, index, from: low * SearchedText.blockBytes, to: limit)
    }

    private func common(_ position: Int, _ text: SearchedText, _ index: Int, from start: Int, to limit: Int) -> Int {
        let form = forms[position].text
        var count = start
        while count < limit, form[count] == Self.lowercased(text.bytes[index + count]) { count += 1 }
        return count
    }

    private func isAfter(_ form: [UInt8], _ text: SearchedText, _ index: Int, common: Int) -> Bool {
        if common == form.count { return false }
        return index + common == text.bytes.count || form[common] > Self.lowercased(text.bytes[index + common])
    }

    private func sort() {
        var sorted: [Form] = []
        sorted.reserveCapacity(forms.count)
        for var form in forms.sorted(by: Self.isBefore) {
            form.shorter = -1
            form.skip = -1
            form.depth = 0
            if sorted.last?.text == form.text { continue }
            var before = sorted.count - 1
            while before >= 0, !form.text.starts(with: sorted[before].text) { before = sorted[before].shorter }
            if before >= 0 {
                form.shorter = before
                form.depth = sorted[before].depth + 1
                // Jumps whose lengths double, so that a chain is left in O(log n) steps.
                let first = sorted[before].skip
                let second = sorted[before].skip < 0 ? -1 : sorted[sorted[before].skip].skip
                let lengths = (
                    sorted[before].depth - depth(first, sorted), depth(first, sorted) - depth(second, sorted)
                )
                form.skip = first >= 0 && lengths.0 == lengths.1 ? second : before
            }
            sorted.append(form)
        }
        forms = sorted
        isSorted = true
    }

    private static func isBefore(_ left: Form, _ right: Form) -> Bool {
        left.text == right.text ? left.number < right.number : left.text.lexicographicallyPrecedes(right.text)
    }

    private func depth(_ position: Int, _ forms: [Form]) -> Int { position < 0 ? -1 : forms[position].depth }

    /// In lower case, if it is an ASCII letter.
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}

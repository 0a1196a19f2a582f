/// Texts that are searched for in other texts, and their digests: the longest one that begins at a place.
///
/// They are kept in order, and each knows the longest other one that it begins with. So a search takes O(log n) comparisons, however much
/// alike they are. Sorted by the first search after an insertion.
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
    }

    /// Sorted unless `isSorted` is false.
    private var forms: [Form] = []
    private var isSorted = true
    private var inserted = 0

    init() {}

    /// The same forms, to which others can be added.
    init(_ other: TokenForms) { (forms, isSorted, inserted) = (other.forms, other.isSorted, other.inserted) }

    var isEmpty: Bool { forms.isEmpty }

    /// - Parameter text: in lower case, not empty. The first one of equal texts counts.
    func insert(_ text: [UInt8], _ digest: [UInt8]) {
        forms.append(Form(text: text, digest: digest, number: inserted))
        inserted += 1
        isSorted = forms.count == 1
    }

    /// The longest form that a text has at a position, in either case; nil if it has none there.
    func longest(in text: [UInt8], at index: Int) -> (length: Int, digest: [UInt8])? {
        if !isSorted { sort() }
        // The last form that is not after the text. Whatever the text begins with, this one begins with, too.
        var (low, high) = (0, forms.count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(forms[middle].text, text, index) { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return nil }
        var found = low - 1
        let common = Self.common(forms[found].text, text, index)
        while found >= 0, forms[found].text.count > common {
            let skip = forms[found].skip
            found = skip >= 0 && forms[skip].text.count > common ? skip : forms[found].shorter
        }
        return found < 0 ? nil : (forms[found].text.count, forms[found].digest)
    }

    /// How many bytes a form and a text have in common.
    private static func common(_ form: [UInt8], _ text: [UInt8], _ index: Int) -> Int {
        let limit = min(form.count, text.count - index)
        var count = 0
        while count < limit, form[count] == lowercased(text[index + count]) { count += 1 }
        return count
    }

    private func isAfter(_ form: [UInt8], _ text: [UInt8], _ index: Int) -> Bool {
        let common = Self.common(form, text, index)
        if common == form.count { return false }
        return index + common == text.count || form[common] > Self.lowercased(text[index + common])
    }

    private func sort() {
        var sorted: [Form] = []
        sorted.reserveCapacity(forms.count)
        for var form in forms.sorted(by: Self.isBefore) {
            (form.shorter, form.skip, form.depth) = (-1, -1, 0)
            if sorted.last?.text == form.text { continue }
            var before = sorted.count - 1
            while before >= 0, !form.text.starts(with: sorted[before].text) { before = sorted[before].shorter }
            if before >= 0 {
                form.shorter = before
                form.depth = sorted[before].depth + 1
                // Jumps whose lengths double, so that a chain is left in O(log n) steps.
                let (first, second) = (
                    sorted[before].skip, sorted[before].skip < 0 ? -1 : sorted[sorted[before].skip].skip
                )
                let lengths = (
                    sorted[before].depth - depth(first, sorted), depth(first, sorted) - depth(second, sorted)
                )
                form.skip = first >= 0 && lengths.0 == lengths.1 ? second : before
            }
            sorted.append(form)
        }
        (forms, isSorted) = (sorted, true)
    }

    private static func isBefore(_ left: Form, _ right: Form) -> Bool {
        left.text == right.text ? left.number < right.number : left.text.lexicographicallyPrecedes(right.text)
    }

    private func depth(_ position: Int, _ forms: [Form]) -> Int { position < 0 ? -1 : forms[position].depth }

    /// In lower case, if it is an ASCII letter.
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}

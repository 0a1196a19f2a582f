import PushSystem

/// The letters and digits of a text, without all that is between them, and where they come from.
///
/// Programs write a token in groups of digits, as `5ec2e701 9f…` and `5e:c2:e7:…`, and mails and logs wrap any text: with line breaks, tabs,
/// commas, marks of a quotation. In the letters and digits alone the token is in one piece.
struct GroupedText {
    /// Letters and digits of a token below which groups of them may be anything.
    static let fewestCharacters = 32

    private(set) var bytes: [UInt8] = []
    /// Where each of the bytes is in the text.
    private var places: [Int] = []

    /// Nil if nothing is between letters and digits, or if there are fewer than those of a token. O(bytes).
    init?(_ text: [UInt8]) {
        let count = text.count { $0.isLetter || $0.isDigit }
        guard count >= Self.fewestCharacters, count < text.count else { return nil }
        bytes.reserveCapacity(count)
        places.reserveCapacity(count)
        for (index, byte) in text.enumerated() where byte.isLetter || byte.isDigit {
            bytes.append(byte)
            places.append(index)
        }
    }

    /// A text that is searched for, as it is in the letters and digits of another; nil if it is the same there, or too short.
    static func form(of token: [UInt8]) -> [UInt8]? { GroupedText(token)?.bytes }

    /// The range in the text of a range of letters and digits.
    func originalRange(_ range: Range<Int>) -> Range<Int> {
        places[range.lowerBound]..<places[range.upperBound - 1] + 1
    }

    /// The bytes of the text from the letter or digit before one up to that one.
    func originalGap(before index: Int) -> Range<Int> { (index == 0 ? 0 : places[index - 1])..<places[index] }
}

/// Why a text is not JSON, and at which byte.
///
/// A fault affects only the record that it is in: the scanner can read the next text at once.
package struct JSONFault: Equatable, Sendable {
    /// A kind of fault. The raw values are an implementation detail.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case empty
        case expectedValue
        case expectedKeyOrClose
        case expectedKey
        case expectedColon
        case expectedCommaOrBrace
        case expectedCommaOrBracket
        case invalidLiteral
        case invalidNumber
        case leadingZero
        case invalidEscape
        case invalidUnicodeEscape
        case controlCharacter
        case invalidUTF8
        case unterminatedString
        case unexpectedEnd
        case trailingContent
        case tooDeep
    }

    /// The kind of fault.
    @usableFromInline package var kind: Kind

    /// Offset in bytes of the first byte that cannot belong to a JSON text, or the length of a text that ends too
    /// early.
    @usableFromInline package var offset: Int

    /// Creates a fault.
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The rule id under which the fault is reported.
    package var rule: StaticString {
        switch kind {
        case .invalidUTF8: "json.invalid-utf8"
        case .tooDeep: "json.too-deep"
        default: "json.syntax"
        }
    }

    /// A one-line description. `text` is the text that was scanned; the message quotes from it.
    package func message(in text: UnsafeRawBufferPointer) -> String {
        // SOUND: `found` reads only within `text`.
        switch kind {
        case .empty: "the text is empty"
        case .expectedValue: unsafe "expected a value, but found \(found(in: text))"
        case .expectedKeyOrClose: unsafe "expected a member name in double quotes or '}', but found \(found(in: text))"
        case .expectedKey: unsafe "expected a member name in double quotes after ',', but found \(found(in: text))"
        case .expectedColon: unsafe "expected ':' after the member name, but found \(found(in: text))"
        case .expectedCommaOrBrace: unsafe "expected ',' or '}' after the member, but found \(found(in: text))"
        case .expectedCommaOrBracket: unsafe "expected ',' or ']' after the element, but found \(found(in: text))"
        case .invalidLiteral: unsafe "expected true, false or null, but found \(found(in: text))"
        case .invalidNumber: unsafe "expected a digit, but found \(found(in: text))"
        case .leadingZero: "a number cannot begin with 0 followed by a digit"
        case .invalidEscape: unsafe "no such escape after '\\': \(found(in: text))"
        case .invalidUnicodeEscape: unsafe "expected four hexadecimal digits after '\\u', but found \(found(in: text))"
        case .controlCharacter: unsafe "a control character inside a string must be escaped: found \(found(in: text))"
        case .invalidUTF8: unsafe "not UTF-8: found \(found(in: text))"
        case .unterminatedString: "the text ends inside a string"
        case .unexpectedEnd: "the text ends before the value is complete"
        case .trailingContent: unsafe "expected nothing after the value, but found \(found(in: text))"
        case .tooDeep: "more than \(JSONScanner.maximumDepth) levels of arrays and objects"
        }
    }

    /// Characters that would be invisible in a message, or break its line.
    private static let unprintable: [Unicode.GeneralCategory] = [
        .control, .format, .lineSeparator, .paragraphSeparator,
    ]

    private func found(in text: UnsafeRawBufferPointer) -> String {
        // SOUND: the offset was checked against `text.count`.
        guard offset >= 0, offset < text.count else { return "the end of the text" }
        let byte = unsafe text[offset]
        switch byte {
        case 0x0A: return "the end of the line"
        case 0x0D: return "a carriage return"
        case 0x09: return "a tab"
        case 0x27: return "a single quote"
        case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
        case 0x20: return "a space"
        default: break
        }
        if kind != .invalidUTF8, byte >= 0x80,
            let scalar = unsafe UTF8Sequence.decode(UnsafeRawBufferPointer(rebasing: text[offset...])),
            !Self.unprintable.contains(scalar.properties.generalCategory)
        {
            return "'\(Character(scalar))'"
        }
        return "the byte 0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

/// A position in a text, counted as editors do.
public struct TextPosition: Equatable, Sendable {
    /// The line, from 1. Lines end with a line feed.
    public var line: Int
    /// The column, from 1, in Unicode scalars. Each byte that is not part of valid UTF-8 counts as one.
    public var column: Int

    /// Creates a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position of the byte at `offset` in `text`. O(offset).
    package init(of offset: Int, in text: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the bytes.
        var place = TextPlace()
        unsafe place.advance(to: offset, in: text)
        self = place.position
    }
}

/// A Cucumber Expression: what the text of a step looks like.
///
/// `{int}`, `{float}`, `{word}`, `{string}` and `{}` stand for values, `notification(s)` matches both words, and
/// `shows/has` matches either of the two. A backslash escapes `{`, `}`, `(`, `)`, `/`, white space and itself.
package struct StepPattern: Sendable, CustomStringConvertible {
    indirect enum Part: Sendable {
        case text([UInt8])
        case optional([UInt8])
        case alternatives([[Part]])
        case parameter(ParameterType)
    }

    /// As it was written.
    package let source: String
    let parts: [Part]

    package var description: String { source }

    /// Longest text of a step that is matched, in bytes. A payload belongs below the step.
    package static let maximumTextBytes = 8 * 1024  // 8 KiB

    package init(_ source: String) throws(PatternError) {
        self.source = source
        var parser = PatternParser(source)
        parts = try parser.parts()
    }

    /// The match of one parameter.
    package struct Match: Sendable {
        package let type: String
        package let text: String
        /// Nil when the text has the form of its type but is out of range.
        package let value: StepValue?
    }

    /// - Returns: the values of the parameters, in order; nil when the text does not match.
    package func match(_ text: String) -> [Match]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumTextBytes else { return nil }
        var captures: [(type: ParameterType, range: Range<Int>)] = []
        guard Self.match(parts[...], bytes, 0, &captures) else { return nil }
        return captures.map { type, range in
            let text = String(decoding: bytes[range], as: UTF8.self)
            return Match(type: type.name, text: text, value: type.value(text))
        }
    }

    /// Tries each possible match of a part, the longest first, until the rest matches too.
    private static func match(
        _ parts: ArraySlice<Part>, _ bytes: [UInt8], _ index: Int,
        _ captures: inout [(type: ParameterType, range: Range<Int>)]
    ) -> Bool {
        guard let part = parts.first else { return index == bytes.count }
        let rest = parts.dropFirst()
        switch part {
        case .text(let text):
            return bytes[index...].starts(with: text) && match(rest, bytes, index + text.count, &captures)
        case .optional(let text):
            if bytes[index...].starts(with: text), match(rest, bytes, index + text.count, &captures) { return true }
            return match(rest, bytes, index, &captures)
        case .alternatives(let alternatives):
            return alternatives.contains { match(($0 + rest)[...], bytes, index, &captures) }
        case .parameter(let type):
            for length in type.lengths(bytes[index...]) {
                captures.append((type, index..<(index + length)))
                if match(rest, bytes, index + length, &captures) { return true }
                captures.removeLast()
            }
            return false
        }
    }
}

/// Why a text is not a Cucumber Expression.
public struct PatternError: Error, Equatable, CustomStringConvertible {
    /// As it was written.
    public var pattern: String
    /// In code points from 1.
    public var column: Int
    /// The problem at that column.
    public var message: String

    /// One line for people.
    public var description: String { "invalid step pattern \"\(pattern)\", column \(column): \(message)" }
}

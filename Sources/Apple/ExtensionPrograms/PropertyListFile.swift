package import FoundationEssentials
package import PushSystem
import Synchronization

/// A property list file with a dictionary at its top, as all property lists of an extension are.
package struct PropertyListFile: Equatable {
    package var members: [String: PropertyListValue] = [:]

    package init() {}

    package init(_ bytes: [UInt8], path: String) throws(PlainError) {
        members = try PropertyListReader.read(
            [String: PropertyListValue].self, from: bytes, path,
            otherwise: "not a property list with a dictionary at its top")
    }

    /// The file as XML, with sorted names.
    package func encoded() throws(PlainError) -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        do {
            return Array(try encoder.encode(members))
        } catch {
            throw PlainError("a property list cannot be written: \(error)")
        }
    }
}

package enum PropertyListValue: Codable, Equatable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    package init(from decoder: any Decoder) throws {
        try PropertyListBudget.takeValue(from: decoder)
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(Date.self) {
            self = .date(value)
        } else if let value = try? container.decode(Data.self) {
            self = .data(value)
        } else if decoder.codingPath.count > PropertyListDepth.maximum {
            throw PlainError("too deep")
        } else if let values = try? container.decode([PropertyListValue].self) {
            self = .array(values)
        } else {
            self = .dictionary(try container.decode([String: PropertyListValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .dictionary(let members): try container.encode(members)
        }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var members: [String: PropertyListValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    /// The value with `change` applied to every string in it, including names.
    func mapTexts(_ change: (String) -> String) -> PropertyListValue {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let values): .array(values.map { $0.mapTexts(change) })
        case .dictionary(let members): .dictionary(Self.mapTexts(of: members, change))
        default: self
        }
    }

    package static func mapTexts(
        of members: [String: PropertyListValue], _ change: (String) -> String
    ) -> [String: PropertyListValue] {
        Dictionary(members.map { (change($0.key), $0.value.mapTexts(change)) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Reads property lists in any format that Foundation knows, after checking for what would make Foundation crash.
enum PropertyListReader {
    /// - Parameters:
    ///   - isJSON: true to read JSON with the values of a property list.
    ///   - path: as errors name it.
    ///   - reason: why it cannot be read if Foundation finds something else in it.
    static func read<T: Decodable>(
        _ type: T.Type, from bytes: [UInt8], isJSON: Bool = false, _ path: String, otherwise reason: String
    ) throws(PlainError) -> T {
        do {
            if isJSON { return try JSONDecoder().decode(type, from: Data(bytes)) }
            try PropertyListDepth.check(bytes)
            try checkCharacters(of: bytes)
            let decoder = PropertyListDecoder()
            PropertyListBudget.give(bytes.count, to: decoder)
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw PlainError("\(path): \((error as? PlainError)?.message ?? reason)")
        }
    }

    /// Foundation takes a number's characters apart without checking them: invalid UTF-8 in an `<integer>` crashes the process.
    private static func checkCharacters(of bytes: [UInt8]) throws(PlainError) {
        guard !bytes.starts(with: "bplist".utf8) else { return }
        // UTF-16 is repaired when it is converted, by Foundation too.
        guard String(validating: StringsText.normalized(bytes), as: UTF8.self) != nil else {
            throw PlainError("not valid UTF-8; save the file as UTF-8")
        }
    }
}

/// Limits the nesting of property lists.
///
/// Foundation parses XML lists recursively until the stack overflows: a megabyte of opening array tags crashes the process. So levels are
/// counted before Foundation sees the file. `PropertyListValue` applies the same limit to binary lists.
package enum PropertyListDepth {
    /// Far more than Xcode ever writes. Foundation's time grows with the cube of the depth.
    package static let maximum = 64

    /// Parts of XML in which there are no tags.
    private static let hidden = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].map { (start: $0, end: $1) }

    /// - Throws: `PlainError` if arrays and dictionaries in XML are nested more than `maximum` deep.
    package static func check(_ bytes: [UInt8]) throws(PlainError) {
        // In any encoding of Unicode, and past the parts that hide tags.
        let text = StringsText.normalized(bytes)
        guard !text.starts(with: "bplist".utf8) else { return }
        var depth = 0
        var index = text.startIndex
        while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            if hidden.contains(where: { skip(from: $0.start, to: $0.end, in: text, &index) }) { continue }
            let isEnd = index < text.endIndex && text[index] == UInt8(ascii: "/")
            if isEnd { index += 1 }
            guard ["array", "dict"].contains(where: { text[index...].starts(with: $0.utf8) }) else { continue }
            guard let close = text[index...].firstIndex(of: UInt8(ascii: ">")) else { break }
            index = close + 1
            if isEnd {
                depth = max(depth - 1, 0)
            } else if text[close - 1] != UInt8(ascii: "/") {
                depth += 1
            }
            if depth > maximum {
                throw PlainError("arrays and dictionaries more than \(maximum) deep")
            }
        }
    }

    /// Skips a part that begins here, up to its end or the end of the text. Returns true if there was one.
    private static func skip(from start: String, to end: String, in text: [UInt8], _ index: inout Int) -> Bool {
        guard text[index...].starts(with: start.utf8) else { return false }
        index += start.utf8.count
        while index < text.endIndex, !text[index...].starts(with: end.utf8) { index += 1 }
        index = min(index + end.utf8.count, text.endIndex)
        return true
    }
}

/// Limits the values of a property list to the number of bytes in its file.
///
/// A binary list refers to values by number, so an array can contain itself, or be in two arrays that are each in two others. No writer makes
/// such lists, and expanding them never ends, or takes exponential time. In any other list each value takes at least one byte.
final class PropertyListBudget: Sendable {
    private static let key = CodingUserInfoKey(rawValue: "org.pushpipe.values")
    private let left: Atomic<Int>

    private init(_ count: Int) { left = Atomic(count) }

    static func give(_ count: Int, to decoder: PropertyListDecoder) {
        if let key { decoder.userInfo[key] = PropertyListBudget(count) }
    }

    /// - Throws: when the limit is exceeded.
    static func takeValue(from decoder: any Decoder) throws {
        guard let key, let budget = decoder.userInfo[key] as? PropertyListBudget else { return }
        guard budget.left.subtract(1, ordering: .relaxed).newValue >= 0 else {
            throw PlainError("more values than bytes")
        }
    }
}

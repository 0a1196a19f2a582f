import PushJSONRepair
import TestSupport

/// A generated document that can be written in more than one way.
indirect enum Document {
    case word(String)
    case string(String)
    /// A string that contains JSON, as gateways accept it.
    case embedded(Document)
    case array([Document])
    case object([(name: String, value: Document)])

    /// Texts that a careless repair would change.
    private static let texts = [
        "", "Hi", "it's", "a, b", "a: b", "https://example.com/#top", "/* no */ x", "say \"hi\"", "C:\\path", "a\tb\nc",
        "é日😀", "{", "[1,2]", "True", "a = b; c", "“quoted”", "‘x’", "x }", "key\": 1", "'a'", "\\", "\\\"", "// x",
        "5 \"",
    ]
    private static let names = [
        "aps", "alert", "content-available", "$id", "_x", "gcm.message_id", "é", "title loc", "it's", "a1",
    ]
    private static let words = ["0", "1", "-12", "0.5", "1e5", "12345678901", "true", "false", "null"]

    /// At least one member or element on each level, so that there is something to damage.
    static func random(_ generator: inout SeededGenerator, depth: Int = 3) -> Document {
        switch generator.below(depth > 0 ? 7 : 3) {
        case 0: .word(generator.pick(words))
        case 1, 2: .string(generator.pick(texts))
        case 3: .embedded(.object([(generator.pick(names), random(&generator, depth: 0))]))
        case 4: .array((0...generator.below(4)).map { _ in random(&generator, depth: depth - 1) })
        default: randomObject(&generator, depth: depth - 1)
        }
    }

    static func randomObject(_ generator: inout SeededGenerator, depth: Int = 3) -> Document {
        let first = generator.below(names.count)
        return .object(
            (0...generator.below(4)).map { offset in
                (names[(first + offset) % names.count], random(&generator, depth: depth))
            })
    }
}

/// A mistake that a writer of JSON makes in one place.
enum Mistake: CaseIterable {
    case trailingComma, droppedComma, semicolon, singleQuotes, typographicQuotes, bareName, lineComment, blockComment
    case capitalLiteral, pythonNull, rawTab, rawLineEnd, pastedJSON, spaceThatIsNone

    var kind: JSONRepair.Kind {
        switch self {
        case .trailingComma: .trailingComma
        case .droppedComma, .semicolon: .missingComma
        case .singleQuotes: .singleQuotes
        case .typographicQuotes: .smartQuotes
        case .bareName: .bareKey
        case .lineComment, .blockComment: .comment
        case .capitalLiteral, .pythonNull: .literal
        case .rawTab, .rawLineEnd: .controlCharacter
        case .pastedJSON: .unescapedQuotes
        case .spaceThatIsNone: .other
        }
    }
}

/// Writes a document on one or many lines, and makes one mistake.
struct DocumentWriter {
    private(set) var text = ""
    let isPretty: Bool
    let mistake: Mistake?
    /// How many opportunities for the mistake are skipped.
    private(set) var occasionsLeft: Int
    private(set) var hasErred = false

    init(isPretty: Bool, mistake: Mistake? = nil, occasion: Int = 0) {
        self.isPretty = isPretty
        self.mistake = mistake
        occasionsLeft = occasion
    }

    /// Whether to make the mistake here.
    private mutating func errs(_ wanted: Mistake) -> Bool {
        guard mistake == wanted, !hasErred else { return false }
        hasErred = occasionsLeft == 0
        occasionsLeft -= 1
        return hasErred
    }

    mutating func write(_ document: Document, indentation: Int = 0) {
        switch document {
        case .word(let word): write(word: word)
        case .string(let string): text += quotedWithMistakes(string)
        case .embedded(let inner):
            var writer = DocumentWriter(isPretty: false)
            writer.write(inner)
            if errs(.pastedJSON) { text += "\"" + writer.text + "\"" } else { text += Self.quoted(writer.text) }
        case .array(let elements): writeItems(elements.map { (nil, $0) }, "[", "]", indentation)
        case .object(let members): writeItems(members.map { ($0.name, $0.value) }, "{", "}", indentation)
        }
    }

    private mutating func writeItems(
        _ items: [(String?, Document)], _ open: String, _ close: String, _ indentation: Int
    ) {
        text += open
        for (position, (name, value)) in items.enumerated() {
            writeLineEnd(indentation + 1)
            if let name {
                write(name: name)
                text += ":"
                text += errs(.spaceThatIsNone) ? "\u{A0}" : isPretty ? " " : ""
            }
            write(value, indentation: indentation + 1)
            if position < items.count - 1 {
                text += errs(.droppedComma) ? " " : errs(.semicolon) ? ";" : ","
            } else if errs(.trailingComma) {
                text += ","
            }
            if errs(.lineComment) { text += "// isn't \"it\"?\n" }
            if errs(.blockComment) { text += "/* {\"a\" */" }
        }
        writeLineEnd(indentation)
        text += close
    }

    private mutating func writeLineEnd(_ indentation: Int) {
        if isPretty { text += "\n" + String(repeating: "  ", count: indentation) }
    }

    private mutating func write(word: String) {
        if word == "null" {
            text += errs(.pythonNull) ? "None" : word
        } else if word == "true" || word == "false" {
            text += errs(.capitalLiteral) ? word.capitalized : word
        } else {
            text += word
        }
    }

    private mutating func write(name: String) {
        let isWord = name.allSatisfy { $0.isLetter || $0.isNumber || "-_$.".contains($0) }
        text += isWord && errs(.bareName) ? name : quotedWithMistakes(name)
    }

    private mutating func quotedWithMistakes(_ string: String) -> String {
        let quoted = Self.quoted(string)
        if errs(.singleQuotes) {
            return "'"
                + quoted.dropFirst().dropLast().replacing("\\\"", with: "\"").replacing("'", with: "\\'") + "'"
        }
        if !string.contains(where: { "\"“”".contains($0) }), errs(.typographicQuotes) {
            return "“" + quoted.dropFirst().dropLast() + "”"
        }
        if string.contains("\t"), errs(.rawTab) { return quoted.replacing("\\t", with: "\t") }
        if string.contains("\n"), errs(.rawLineEnd) { return quoted.replacing("\\n", with: "\n") }
        return quoted
    }

    private static func quoted(_ string: String) -> String {
        "\""
            + string.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
            .replacing("\n", with: "\\n") + "\""
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

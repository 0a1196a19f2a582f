#if os(Linux)
    import Foundation

    enum PredicateToken: Equatable {
        /// A name or a keyword. After `#` it is a name.
        case word(String, isName: Bool)
        case text(String)
        case integer(Int64)
        case number(Double)
        /// `$name`.
        case variable(String)
        /// A place for an argument: `%@`, `%K`, or the letter of a number.
        case argument(Character)
        /// An operator or punctuation.
        case mark(String)
        case end
    }

    struct PredicateTokens {
        /// The tokens, and after them `end` once.
        private(set) var all: [(token: PredicateToken, offset: Int)] = []
        private let characters: [Character]
        private var place = 0

        private static let marks: Set<String> = [
            "==", "=>", "=<", ">=", "<=", "!=", "<>", "&&", "||", "**", "=", "<", ">", "!", "(", ")", "{", "}", "[",
            "]", ",", ".",
            "+", "-", "*", "/", ":",
        ]

        init(_ format: String) throws(PredicateFailure) {
            characters = Array(format)
            while true {
                while place < characters.count, characters[place].isWhitespace { place += 1 }
                let offset = place
                guard place < characters.count else {
                    all.append((.end, offset))
                    return
                }
                all.append((try next(characters[place]), offset))
            }
        }

        private static func isFirst(of character: Character) -> Bool { character.isLetter || character == "_" }

        private mutating func word() -> String {
            let start = place
            while place < characters.count, Self.isFirst(of: characters[place]) || characters[place].isNumber {
                place += 1
            }
            return String(characters[start..<place])
        }

        private func character(at place: Int) -> Character? { place < characters.count ? characters[place] : nil }

        private mutating func next(_ first: Character) throws(PredicateFailure) -> PredicateToken {
            switch first {
            case "'", "\"": return .text(try quoted(by: first))
            case "%": return .argument(try conversion())
            case "$", "#", "@":
                place += 1
                let name = word()
                guard !name.isEmpty else { throw PredicateFailure("a name is missing after \(first)") }
                return first == "$" ? .variable(name) : .word(first == "@" ? "@" + name : name, isName: true)
            case _ where first.isASCII && first.isNumber: return try number()
            case _ where Self.isFirst(of: first): return .word(word(), isName: false)
            default:
                // Longer ones first.
                for mark in [character(at: place + 1).map { String([first, $0]) }, String(first)] {
                    guard let mark, Self.marks.contains(mark) else { continue }
                    place += mark.count
                    return .mark(mark)
                }
                throw PredicateFailure("unexpected \(first)")
            }
        }

        private mutating func quoted(by quote: Character) throws(PredicateFailure) -> String {
            place += 1
            var text = ""
            while let character = character(at: place) {
                place += 1
                if character == quote { return text }
                guard character == "\\" else {
                    text.append(character)
                    continue
                }
                guard let escaped = self.character(at: place) else { break }
                place += 1
                switch escaped {
                case "n": text += "\n"
                case "t": text += "\t"
                case "r": text += "\r"
                case "'", "\"", "\\": text.append(escaped)
                // A pattern of MATCHES or LIKE.
                default: text += "\\" + String(escaped)
                }
            }
            throw PredicateFailure("a text has no closing quotation mark")
        }

        /// The letter of `%@`, `%K`, `%d` and the like. The length of a number is known from the argument itself.
        private mutating func conversion() throws(PredicateFailure) -> Character {
            place += 1
            while let length = character(at: place), "lhqzjt".contains(length) { place += 1 }
            guard let letter = character(at: place), "@KdDiuUxXofeEgGaAcs".contains(letter) else {
                throw PredicateFailure("% begins no argument")
            }
            place += 1
            return letter
        }

        private mutating func number() throws(PredicateFailure) -> PredicateToken {
            let start = place
            for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where characters[place...].starts(with: prefix) {
                place += 2
                let digits = word()
                guard let value = Int64(digits, radix: radix) else {
                    throw PredicateFailure("\(prefix)\(digits) is not a number")
                }
                return .integer(value)
            }
            func digits() {
                while let digit = character(at: place), digit.isASCII, digit.isNumber { place += 1 }
            }
            digits()
            var isWhole = true
            if character(at: place) == ".", let digit = character(at: place + 1), digit.isASCII, digit.isNumber {
                isWhole = false
                place += 1
                digits()
            }
            if let letter = character(at: place), letter == "e" || letter == "E" {
                let sign = character(at: place + 1)
                let first = sign == "-" || sign == "+" ? place + 2 : place + 1
                if let digit = character(at: first), digit.isASCII, digit.isNumber {
                    isWhole = false
                    place = first
                    digits()
                }
            }
            let text = String(characters[start..<place])
            if isWhole, let value = Int64(text) { return .integer(value) }
            guard let value = Double(text) else { throw PredicateFailure("\(text) is not a number") }
            return .number(value)
        }

    }
#endif

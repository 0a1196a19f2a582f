/// The imports of a source that no `#if` encloses.
///
/// The compiler stops at a module that does not exist, and says nothing about the rest. So imports of such modules are taken out of the
/// copies that are compiled, and reported beside the compiler's errors.
struct SwiftImports {
    struct Import {
        /// Without submodules: `os` for `os.log`.
        let module: String
        /// With attributes and the kind of what is imported.
        let place: Range<Int>
    }

    private(set) var all: [Import] = []

    private static let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private", "open"]
    private static let kinds: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]

    init(_ read: SwiftTokens) {
        let tokens = read.tokens
        let places = read.places
        var depth = 0
        var conditions = 0
        for index in tokens.indices {
            switch tokens[index] {
            case .mark(UInt8(ascii: "{")): depth += 1
            case .mark(UInt8(ascii: "}")): depth = max(depth - 1, 0)
            case .mark(UInt8(ascii: "#")) where index + 1 < tokens.count:
                if tokens[index + 1] == .word("if") { conditions += 1 }
                if tokens[index + 1] == .word("endif") { conditions = max(conditions - 1, 0) }
            case .word("import") where depth == 0 && conditions == 0:
                guard let (module, last) = Self.module(after: index, tokens) else { continue }
                let first = Self.start(of: index, tokens)
                all.append(Import(module: module, place: places[first].lowerBound..<places[last].upperBound))
            default: break
            }
        }
    }

    /// The name of the module, and the last token of the import.
    private static func module(after index: Int, _ tokens: [SwiftTokens.Token]) -> (String, last: Int)? {
        var place = index + 1
        if place + 1 < tokens.count, case .word(let kind) = tokens[place], kinds.contains(kind) { place += 1 }
        guard place < tokens.count, case .word(let module) = tokens[place] else { return nil }
        while place + 2 < tokens.count, tokens[place + 1] == .mark(UInt8(ascii: ".")), case .word = tokens[place + 2] {
            place += 2
        }
        return (module, place)
    }

    /// The first token of `@testable import`, `public import` and the like.
    private static func start(of index: Int, _ tokens: [SwiftTokens.Token]) -> Int {
        var first = index
        while first > 0 {
            if case .word(let word) = tokens[first - 1] {
                if modifiers.contains(word) {
                    first -= 1
                    continue
                }
                if first > 1, tokens[first - 2] == .mark(UInt8(ascii: "@")) {
                    first -= 2
                    continue
                }
            }
            return first
        }
        return first
    }
}

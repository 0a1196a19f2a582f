/// The declarations of a source, outside of the bodies of functions, found by scanning words and punctuation. O(n) in its length.
package struct SwiftOutline {
    package struct Declaration {
        package enum Kind {
            /// A class, an extension and the like, with declarations in it.
            case type
            /// A function, an initializer or a subscript.
            case function
            /// A property with or without accessors.
            case property
            /// All others: imports, aliases, cases.
            case other
        }

        package let kind: Kind
        /// The tokens before its keyword: attributes and modifiers. The next one is the keyword.
        let head: Range<Int>
        /// The name with the enclosing types: `Outer.update`.
        package let name: String
        var isClass = false
        /// The bytes of the declaration, with attributes and modifiers.
        package var place: Range<Int>
        /// Between its braces; nil if there are none.
        var body: Range<Int>?
        /// Between the braces of `get`, `set`, `willSet` and `didSet`.
        var accessors: [Range<Int>] = []
        /// The name of a type, and each entry after its colon.
        var parents: [Range<Int>] = []
        package var members: [Declaration] = []
    }

    package private(set) var declarations: [Declaration] = []

    private static let types: Set<String> = ["class", "struct", "enum", "actor", "protocol", "extension"]
    private static let functions: Set<String> = ["func", "init", "deinit", "subscript"]
    private static let others: Set<String> = [
        "import", "typealias", "associatedtype", "case", "operator", "precedencegroup", "macro",
    ]
    private static let modifiers: Set<String> = [
        "public", "open", "internal", "package", "private", "fileprivate", "static", "final", "override", "required",
        "convenience", "mutating", "nonmutating", "lazy", "weak", "unowned", "dynamic", "optional", "indirect",
        "nonisolated", "isolated", "prefix", "postfix", "infix", "borrowing", "consuming", "distributed",
    ]
    private static let accessors: Set<String> = ["get", "set", "willSet", "didSet", "_modify", "_read"]
    /// Types in types, in a source that somebody may have made to break this.
    private static let maximumDepth = 64
    /// Words and marks before the keyword of a declaration, and those between that of a type and its brace. No source has nearly as many.
    private static let maximumHead = 256

    package init(of source: [UInt8]) { self.init(of: source, SwiftTokens(source)) }

    /// - Parameter tokens: those of the source, or some of them.
    init(of source: [UInt8], _ tokens: SwiftTokens) {
        var reader = Reader(tokens, of: source)
        declarations = reader.declarations(in: [], depth: 0)
    }

    /// The innermost declaration around a place that is not in the body of a function, from the outermost one to it.
    func path(to place: Int) -> [Declaration] {
        var path: [Declaration] = []
        var level = declarations
        while let found = level.first(where: { $0.place.contains(place) }) {
            path.append(found)
            level = found.members
        }
        return path
    }

    private struct Reader {
        let read: SwiftTokens
        let source: [UInt8]
        /// The token after the bracket that closes each opening one.
        let ends: [Int]
        var index = 0

        init(_ read: SwiftTokens, of source: [UInt8]) {
            self.read = read
            self.source = source
            var ends = Array(repeating: read.tokens.count, count: read.tokens.count)
            var open: [Int] = []
            for (index, token) in read.tokens.enumerated() {
                guard case .mark(let mark) = token else { continue }
                if "([{".utf8.contains(mark) { open.append(index) }
                if ")]}".utf8.contains(mark), let last = open.popLast() { ends[last] = index + 1 }
            }
            self.ends = ends
        }

        var tokens: [SwiftTokens.Token] { read.tokens }

        func isMark(_ index: Int, _ mark: Unicode.Scalar) -> Bool { read.isMark(index, mark) }
        func word(_ index: Int) -> String? { read.word(index) }

        /// True if a line or a statement begins with a token.
        func beginsLine(_ index: Int) -> Bool {
            guard index > 0 else { return true }
            if isMark(index - 1, ";") { return true }
            let between = source[read.places[index - 1].upperBound..<read.places[index].lowerBound]
            return between.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }

        /// True if a declaration, or a line for the compiler, begins with a token.
        func beginsDeclaration(_ index: Int) -> Bool {
            guard beginsLine(index) else { return false }
            if isMark(index, "@") || isMark(index, "#") { return true }
            guard let word = word(index) else { return false }
            return types.contains(word) || functions.contains(word) || others.contains(word)
                || modifiers.contains(word) || word == "var" || word == "let"
        }

        /// Reads up to the closing brace, or to the end of the file.
        mutating func declarations(in scope: [String], depth: Int) -> [Declaration] {
            var found: [Declaration] = []
            while index < tokens.count, !isMark(index, "}") {
                if isCondition(index), conditionalAttributes(at: index) == nil {
                    index = lineEnd(index)
                } else if let declaration = declaration(in: scope, depth: depth) {
                    found.append(declaration)
                } else {
                    index = max(index + 1, isMark(index, "{") ? ends[index] : 0)
                }
            }
            return found
        }

        private func isCondition(_ index: Int) -> Bool {
            isMark(index, "#") && ["if", "elseif", "else", "endif"].contains(word(index + 1))
        }

        /// The first token of the next line.
        private func lineEnd(_ index: Int) -> Int {
            var next = index + 2
            while next < tokens.count, !beginsLine(next) { next += 1 }
            return next
        }

        /// The token after an `#if` that has only attributes, which belong to the declaration after it; nil if it has anything else.
        private func conditionalAttributes(at start: Int) -> Int? {
            guard isMark(start, "#"), word(start + 1) == "if" else { return nil }
            var place = lineEnd(start)
            while place < tokens.count {
                if isCondition(place) {
                    if word(place + 1) == "endif" { return place + 2 }
                    if word(place + 1) == "if" { return nil }
                    place = lineEnd(place)
                } else if let next = attributeEnd(place) {
                    place = isMark(next, "(") && !beginsLine(next) ? ends[next] : next
                } else {
                    return nil
                }
            }
            return nil
        }

        /// The token after the name of an attribute; nil if none begins here.
        private func attributeEnd(_ start: Int) -> Int? {
            guard isMark(start, "@"), word(start + 1) != nil else { return nil }
            var end = start + 2
            while isMark(end, "."), word(end + 1) != nil { end += 2 }
            return end
        }

        private mutating func declaration(in scope: [String], depth: Int) -> Declaration? {
            let first = index
            var keyword = index
            // Attributes and modifiers, with their arguments.
            while keyword < tokens.count, keyword - first < maximumHead {
                if let end = conditionalAttributes(at: keyword) ?? attributeEnd(keyword) {
                    keyword = end
                } else if let word = word(keyword), modifiers.contains(word) || isClassMember(keyword) {
                    keyword += 1
                } else {
                    break
                }
                if isMark(keyword, "("), !beginsLine(keyword) { keyword = ends[keyword] }
            }
            // `#Preview { … }`
            if isMark(keyword, "#"), let macro = self.word(keyword + 1) {
                return member(.other, macro, from: first..<keyword, keyword + 2)
            }
            // What follows if this is no declaration: words before it begin none, either.
            index = max(first, keyword - 1)
            guard let word = word(keyword) else { return nil }
            if types.contains(word) { return type(from: first..<keyword, scope, depth) }
            let kind: Declaration.Kind
            if functions.contains(word) {
                kind = .function
            } else if word == "var" || word == "let" {
                kind = .property
            } else if others.contains(word) {
                kind = .other
            } else {
                return nil
            }
            let name = ["init", "deinit", "subscript"].contains(word) ? word : self.word(keyword + 1) ?? word
            return member(kind, (scope + [name]).joined(separator: "."), from: first..<keyword, keyword + 1)
        }

        /// `class func` and `class var`.
        private func isClassMember(_ index: Int) -> Bool {
            guard word(index) == "class", let next = word(index + 1) else { return false }
            return functions.contains(next) || modifiers.contains(next) || next == "var" || next == "let"
        }

        private mutating func type(from head: Range<Int>, _ scope: [String], _ depth: Int) -> Declaration? {
            let keyword = head.upperBound
            var open = keyword + 1
            var names: [String] = []
            while open - keyword < maximumHead, let name = word(open) {
                names.append(name)
                open += 1
                guard isMark(open, "."), word(open + 1) != nil else { break }
                open += 1
            }
            var parents: [Range<Int>] = []
            if !names.isEmpty { parents.append(read.places[keyword + 1].lowerBound..<read.places[open - 1].upperBound) }
            var start: Int?
            var angles = 0
            var isList = false
            while open < tokens.count, !isMark(open, "{"), open - keyword < maximumHead {
                if isMark(open, "<") { angles += 1 }
                if isMark(open, ">") { angles = max(angles - 1, 0) }
                let separates = angles == 0 && (isMark(open, ":") || isMark(open, ","))
                if separates || word(open) == "where", let begin = start {
                    parents.append(read.places[begin].lowerBound..<read.places[open - 1].upperBound)
                    start = nil
                }
                if word(open) == "where" {
                    isList = false
                } else if separates {
                    isList = true
                } else if isList {
                    start = start ?? open
                }
                open += isMark(open, "(") ? ends[open] - open : 1
            }
            // Without a closing brace it is none that the compiler reads.
            guard isMark(open, "{"), ends[open] - 1 > open, isMark(ends[open] - 1, "}"), depth < maximumDepth else {
                return nil
            }
            if let begin = start { parents.append(read.places[begin].lowerBound..<read.places[open - 1].upperBound) }
            index = open + 1
            let members = declarations(in: scope + names, depth: depth + 1)
            let close = ends[open] - 1
            index = close + 1
            var declaration = Declaration(
                kind: .type, head: head, name: (scope + names).joined(separator: "."),
                place: read.places[head.lowerBound].lowerBound..<read.places[close].upperBound)
            declaration.isClass = word(keyword) == "class"
            declaration.body = read.places[open].upperBound..<read.places[close].lowerBound
            declaration.parents = parents
            declaration.members = members
            return declaration
        }

        private mutating func member(
            _ kind: Declaration.Kind, _ name: String, from head: Range<Int>, _ start: Int
        ) -> Declaration {
            var body: Range<Int>?
            var bodyTokens: Range<Int>?
            var isInitialized = false
            index = start
            while index < tokens.count, !isMark(index, "}"), !isMark(index, ";"),
                index == start || !beginsDeclaration(index)
            {
                if isMark(index, "="), !isMark(index - 1, "=") { isInitialized = true }
                guard isMark(index, "{") || isMark(index, "(") || isMark(index, "[") else {
                    index += 1
                    continue
                }
                let open = index
                index = ends[open]
                guard isMark(open, "{"), index - 1 > open else { continue }
                body = read.places[open].upperBound..<read.places[index - 1].lowerBound
                bodyTokens = (open + 1)..<(index - 1)
                if kind == .function { break }
            }
            var declaration = Declaration(
                kind: kind, head: head, name: name,
                place: read.places[head.lowerBound].lowerBound..<read.places[max(index - 1, head.lowerBound)].upperBound
            )
            // The braces of an initial value are no body, but observers may stand after it.
            let blocks = bodyTokens.map(accessorBlocks) ?? []
            if !isInitialized || kind == .function || !blocks.isEmpty { declaration.body = body }
            declaration.accessors = blocks
            return declaration
        }

        private func accessorBlocks(_ range: Range<Int>) -> [Range<Int>] {
            var found: [Range<Int>] = []
            var index = range.lowerBound
            while index < range.upperBound {
                guard isMark(index, "{") else {
                    index += isMark(index, "(") ? ends[index] - index : 1
                    continue
                }
                let close = ends[index]
                // `set(value)`, `get async throws`.
                let before = tokens[range.lowerBound..<index].reversed().prefix(6)
                let isAccessor = before.contains {
                    if case .word(let word) = $0 { accessors.contains(word) } else { false }
                }
                guard isAccessor, close - 1 > index else { return [] }
                found.append(read.places[index].upperBound..<read.places[close - 1].lowerBound)
                index = close
            }
            return found
        }
    }
}

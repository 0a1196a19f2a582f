#if os(Linux)
    import Foundation

    /// The format of a predicate without the class, for what feeds it arbitrary text.
    package enum PredicateFormat {
        /// True if a predicate holds for an object.
        ///
        /// - Throws: where a device raises an exception.
        package static func holds(_ format: String, _ arguments: [Any], for object: Any?) throws -> Bool {
            try PredicateEvaluation(object: object).holds(try PredicateParser.parse(format, arguments))
        }
    }

    /// Reads the format of a predicate, as "Predicate Format String Syntax" in Apple's Predicate Programming Guide describes it.
    struct PredicateParser {
        /// Parentheses, negations and the like within each other, and steps of arithmetic and of indices in sum.
        static let mostLevels = 200

        /// The contents of parentheses, which show only at their end: a predicate or an expression.
        enum Part {
            case predicate(PredicateNode)
            case expression(PredicateExpression)
        }

        /// Words that are no names of keys unless `#` precedes them.
        static let reserved: Set<String> = [
            "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES",
            "CONTAINS",
            "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
            "SIZE",
            "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
        ]
        private static let textOperators: [String: PredicateComparison.Operator] = [
            "BETWEEN": .between, "CONTAINS": .contains, "IN": .isIn, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith,
            "LIKE": .like, "MATCHES": .matches,
        ]
        private static let markOperators: [String: PredicateComparison.Operator] = [
            "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
            "=<": .lessOrEqual,
            ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
        ]

        private let tokens: [(token: PredicateToken, offset: Int)]
        private let arguments: [Any?]
        private var place = 0
        private var used = 0
        private var level = 0
        private var steps = 0

        /// Reads a whole format.
        ///
        /// - Throws: the error, with the place in the format.
        static func parse(_ format: String, _ arguments: [Any?]) throws(PredicateFailure) -> PredicateNode {
            var parser = PredicateParser(tokens: try PredicateTokens(format).all, arguments: arguments)
            do throws(PredicateFailure) {
                let node = try parser.predicate()
                guard parser.token == .end else { throw PredicateFailure("AND, OR or the end is expected") }
                return node
            } catch {
                throw PredicateFailure("\(error.reason), at character \(parser.tokens[parser.place].offset + 1)")
            }
        }

        private init(tokens: [(token: PredicateToken, offset: Int)], arguments: [Any?]) {
            self.tokens = tokens
            self.arguments = arguments
        }

        // MARK: - Tokens

        /// The last token is `end`, which is never passed.
        var token: PredicateToken { tokens[place].token }

        mutating func advance() { if place < tokens.count - 1 { place += 1 } }

        private var keyword: String? {
            guard case .word(let word, isName: false) = token else { return nil }
            return word.uppercased()
        }

        mutating func take(mark: String) -> Bool {
            guard token == .mark(mark) else { return false }
            advance()
            return true
        }

        mutating func take(keyword wanted: String) -> Bool {
            guard keyword == wanted else { return false }
            advance()
            return true
        }

        mutating func expect(_ mark: String) throws(PredicateFailure) {
            guard take(mark: mark) else { throw PredicateFailure("\(mark) is expected") }
        }

        mutating func argument() throws(PredicateFailure) -> Any? {
            guard used < arguments.count else {
                throw PredicateFailure("there are \(arguments.count) arguments, too few")
            }
            used += 1
            return arguments[used - 1]
        }

        /// Reads something that can hold itself.
        mutating func nested<Value>(
            _ read: (inout PredicateParser) throws(PredicateFailure) -> Value
        ) throws(PredicateFailure) -> Value {
            level += 1
            defer { level -= 1 }
            guard level < Self.mostLevels else { throw PredicateFailure("more than \(Self.mostLevels) levels") }
            return try read(&self)
        }

        mutating func step() throws(PredicateFailure) {
            steps += 1
            guard steps < Self.mostLevels else { throw PredicateFailure("more than \(Self.mostLevels) operations") }
        }

        // MARK: - Predicates

        static func predicate(of part: Part) throws(PredicateFailure) -> PredicateNode {
            guard case .predicate(let node) = part else { throw PredicateFailure("a comparison is expected") }
            return node
        }

        static func expression(of part: Part) throws(PredicateFailure) -> PredicateExpression {
            guard case .expression(let value) = part else { throw PredicateFailure("a value is expected before this") }
            return value
        }

        mutating func predicate() throws(PredicateFailure) -> PredicateNode {
            try Self.predicate(of: try disjunction())
        }

        mutating func disjunction() throws(PredicateFailure) -> Part {
            let first = try conjunction()
            var nodes: [PredicateNode] = []
            while take(mark: "||") || take(keyword: "OR") {
                if nodes.isEmpty { nodes.append(try Self.predicate(of: first)) }
                nodes.append(try Self.predicate(of: try conjunction()))
            }
            return nodes.isEmpty ? first : .predicate(.or(nodes))
        }

        private mutating func conjunction() throws(PredicateFailure) -> Part {
            let first = try negation()
            var nodes: [PredicateNode] = []
            while take(mark: "&&") || take(keyword: "AND") {
                if nodes.isEmpty { nodes.append(try Self.predicate(of: first)) }
                nodes.append(try Self.predicate(of: try negation()))
            }
            return nodes.isEmpty ? first : .predicate(.and(nodes))
        }

        private mutating func negation() throws(PredicateFailure) -> Part {
            guard take(mark: "!") || take(keyword: "NOT") else { return try comparison() }
            return try nested { parser throws(PredicateFailure) in
                .predicate(.not(try Self.predicate(of: try parser.negation())))
            }
        }

        private mutating func comparison() throws(PredicateFailure) -> Part {
            if take(keyword: "TRUEPREDICATE") { return .predicate(.constant(true)) }
            if take(keyword: "FALSEPREDICATE") { return .predicate(.constant(false)) }
            var quantifier: PredicateComparison.Quantifier?
            switch keyword {
            case "ANY", "SOME": quantifier = .any
            case "ALL": quantifier = .all
            case "NONE": quantifier = PredicateComparison.Quantifier.none
            default: break
            }
            if quantifier != nil { advance() }
            let part = try sum()
            guard let operation = comparisonOperator() else {
                if quantifier != nil { throw PredicateFailure("an operator is expected") }
                return part
            }
            let left = try Self.expression(of: part)
            let options = try self.options()
            let right = try Self.expression(of: try sum())
            return .predicate(
                .comparison(
                    PredicateComparison(
                        quantifier: quantifier, left: left, operation: operation, options: options, right: right)))
        }

        var following: PredicateToken? { place + 1 < tokens.count ? tokens[place + 1].token : nil }

        private mutating func comparisonOperator() -> PredicateComparison.Operator? {
            var found: PredicateComparison.Operator?
            if case .mark(let mark) = token { found = Self.markOperators[mark] }
            if let keyword { found = Self.textOperators[keyword] }
            if found != nil { advance() }
            return found
        }

        /// `[cd]` after an operator.
        private mutating func options() throws(PredicateFailure) -> PredicateComparison.Options {
            var options = PredicateComparison.Options()
            guard token == .mark("["), case .word(let letters, isName: false) = following else { return options }
            advance()
            for letter in letters.lowercased() {
                switch letter {
                case "c": options.ignoresCase = true
                case "d": options.ignoresDiacritics = true
                // Literal and by locale, which change nothing here.
                case "n", "l": break
                default: throw PredicateFailure("[\(letters)] is not an option; there are c, d, n and l")
                }
            }
            advance()
            try expect("]")
            return options
        }
    }
#endif

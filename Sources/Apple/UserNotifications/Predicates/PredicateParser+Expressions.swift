#if os(Linux)
    import Foundation

    // Values, and what leads to them.
    extension PredicateParser {
        /// A value, and nothing that could be a predicate.
        private mutating func value() throws(PredicateFailure) -> PredicateExpression {
            try nested { parser throws(PredicateFailure) in try Self.expression(of: try parser.sum()) }
        }

        mutating func sum() throws(PredicateFailure) -> Part {
            var left = try product()
            while true {
                let kind: PredicateExpression.Arithmetic
                if take(mark: "+") { kind = .add } else if take(mark: "-") { kind = .subtract } else { return left }
                try step()
                left = .expression(
                    .arithmetic(kind, try Self.expression(of: left), try Self.expression(of: try product())))
            }
        }

        private mutating func product() throws(PredicateFailure) -> Part {
            var left = try power()
            while true {
                let kind: PredicateExpression.Arithmetic
                if take(mark: "*") { kind = .multiply } else if take(mark: "/") { kind = .divide } else { return left }
                try step()
                left = .expression(
                    .arithmetic(kind, try Self.expression(of: left), try Self.expression(of: try power())))
            }
        }

        private mutating func power() throws(PredicateFailure) -> Part {
            var left = try access()
            while take(mark: "**") {
                try step()
                left = .expression(
                    .arithmetic(.raise, try Self.expression(of: left), try Self.expression(of: try access())))
            }
            return left
        }

        /// A value with the keys and indices after it.
        private mutating func access() throws(PredicateFailure) -> Part {
            var part = try primary()
            while case .expression(let value) = part {
                if take(mark: ".") {
                    try step()
                    part = .expression(.path(value, try keys(isFirst: false)))
                } else if token == .mark("[") {
                    try step()
                    advance()
                    part = .expression(try index(of: value))
                } else {
                    return part
                }
            }
            return part
        }

        private mutating func index(of value: PredicateExpression) throws(PredicateFailure) -> PredicateExpression {
            var result: PredicateExpression
            if take(keyword: "FIRST") {
                result = .end(value, .first)
            } else if take(keyword: "LAST") {
                result = .end(value, .last)
            } else if take(keyword: "SIZE") {
                result = .end(value, .size)
            } else {
                result = .element(value, try self.value())
            }
            try expect("]")
            return result
        }

        /// Names with dots between them, from the place of the first.
        private mutating func keys(isFirst: Bool) throws(PredicateFailure) -> [String] {
            var keys: [String] = []
            repeat {
                switch token {
                case .word(let word, let isName):
                    if isFirst, keys.isEmpty, !isName, Self.reserved.contains(word.uppercased()) {
                        throw PredicateFailure("\(word) is reserved; #\(word) is the name of a key")
                    }
                    keys.append(word)
                    advance()
                case .argument("K"):
                    advance()
                    keys += try keyArgument()
                default: throw PredicateFailure("the name of a key is expected")
                }
            } while take(mark: ".")
            return keys
        }

        private mutating func keyArgument() throws(PredicateFailure) -> [String] {
            guard let path = try argument() as? String, !path.isEmpty else {
                throw PredicateFailure("the argument for %K is not a key path")
            }
            return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }

        private mutating func primary() throws(PredicateFailure) -> Part {
            switch token {
            case .text(let text):
                advance()
                return .expression(.constant(text))
            case .integer(let number):
                advance()
                return .expression(.constant(NSNumber(value: number)))
            case .number(let number):
                advance()
                return .expression(.constant(NSNumber(value: number)))
            case .variable(let name):
                advance()
                return .expression(.variable(name))
            case .argument("K"): return .expression(.path(.object, try keys(isFirst: true)))
            case .argument:
                advance()
                return .expression(.constant(try argument()))
            case .mark("("):
                advance()
                let part = try nested { parser throws(PredicateFailure) in try parser.disjunction() }
                try expect(")")
                return part
            case .mark("{"):
                advance()
                return .expression(.list(try list(until: "}")))
            case .mark("-"):
                advance()
                let value = try nested { parser throws(PredicateFailure) in
                    try Self.expression(of: try parser.access())
                }
                return .expression(.arithmetic(.subtract, .constant(NSNumber(value: 0)), value))
            case .word: return .expression(try word())
            case .mark, .end: throw PredicateFailure("a value is expected")
            }
        }

        private mutating func list(until end: String) throws(PredicateFailure) -> [PredicateExpression] {
            var values: [PredicateExpression] = []
            if take(mark: end) { return [] }
            repeat { values.append(try value()) } while take(mark: ",")
            try expect(end)
            return values
        }

        private mutating func word() throws(PredicateFailure) -> PredicateExpression {
            guard case .word(let word, let isName) = token else { throw PredicateFailure("a value is expected") }
            if !isName {
                switch word.uppercased() {
                case "SELF":
                    advance()
                    return .object
                case "NULL", "NIL":
                    advance()
                    return .constant(nil)
                case "TRUE", "YES":
                    advance()
                    return .constant(NSNumber(value: true))
                case "FALSE", "NO":
                    advance()
                    return .constant(NSNumber(value: false))
                case "SUBQUERY":
                    advance()
                    return try nested { parser throws(PredicateFailure) in try parser.subquery() }
                case "CAST", "FETCH", "ANYKEY": throw PredicateFailure("\(word) is not supported here")
                default: break
                }
                if following == .mark(":") || following == .mark("("), !Self.reserved.contains(word.uppercased()) {
                    return try function(named: word)
                }
            }
            return .path(.object, try keys(isFirst: true))
        }

        private mutating func function(named name: String) throws(PredicateFailure) -> PredicateExpression {
            guard let function = PredicateFunction(rawValue: name.lowercased()) else {
                throw PredicateFailure("there is no function \(name) here")
            }
            advance()
            _ = take(mark: ":")
            try expect("(")
            return .function(function, try nested { parser throws(PredicateFailure) in try parser.list(until: ")") })
        }

        private mutating func subquery() throws(PredicateFailure) -> PredicateExpression {
            try expect("(")
            let collection = try value()
            try expect(",")
            guard case .variable(let name) = token else {
                throw PredicateFailure("a variable such as $item is expected")
            }
            advance()
            try expect(",")
            let node = try predicate()
            try expect(")")
            return .subquery(collection, variable: name, node)
        }
    }
#endif

#if os(Linux)
    import Foundation

    struct PredicateEvaluation {
        /// The object; nil if there is none.
        let object: Any?
        /// Values of `$variables`.
        var variables: [String: Any] = [:]

        /// True if the predicate holds.
        ///
        /// - Throws: where a device raises an exception.
        func holds(_ node: PredicateNode) throws(PredicateFailure) -> Bool {
            switch node {
            case .constant(let value): return value
            case .not(let node): return !(try holds(node))
            case .and(let nodes):
                for node in nodes where !(try holds(node)) { return false }
                return true
            case .or(let nodes):
                for node in nodes where try holds(node) { return true }
                return false
            case .comparison(let comparison): return try holds(comparison)
            }
        }

        private func holds(_ comparison: PredicateComparison) throws(PredicateFailure) -> Bool {
            let left = try value(of: comparison.left)
            let right = try value(of: comparison.right)
            let test = PredicateTest(operation: comparison.operation, options: comparison.options)
            guard let quantifier = comparison.quantifier else { return try test.holds(left, right) }
            guard let elements = PredicateValue.elements(left) ?? (left == nil ? [] : nil) else {
                throw PredicateFailure(
                    "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
            }
            for element in elements {
                let isMet = try test.holds(PredicateValue.unwrapped(element), right)
                switch quantifier {
                case .any where isMet: return true
                case .all where !isMet, .none where isMet: return false
                default: break
                }
            }
            return quantifier != .any
        }

        // MARK: - Values

        func value(of expression: PredicateExpression) throws(PredicateFailure) -> Any? {
            switch expression {
            case .constant(let value): return PredicateValue.unwrapped(value)
            case .object: return PredicateValue.unwrapped(object)
            case .variable(let name):
                guard let value = variables[name] else {
                    throw PredicateFailure("Can't get value for '\(name)' in bindings.")
                }
                return PredicateValue.unwrapped(value)
            case .list(let expressions):
                var values: [Any] = []
                for expression in expressions { values.append(try value(of: expression) ?? NSNull()) }
                return values
            case .path(let base, let keys):
                return try KeyValueCoding.value(of: try value(of: base), along: keys[...])
            case .element(let base, let index): return try element(try value(of: base), try value(of: index))
            case .end(let base, let end):
                let elements = PredicateValue.elements(try value(of: base)) ?? []
                switch end {
                case .first: return elements.first.flatMap(PredicateValue.unwrapped)
                case .last: return elements.last.flatMap(PredicateValue.unwrapped)
                case .size: return NSNumber(value: elements.count)
                }
            case .arithmetic(let kind, let left, let right):
                return try calculate(kind, try value(of: left), try value(of: right))
            case .function(let function, let arguments):
                var values: [Any?] = []
                for argument in arguments { values.append(try value(of: argument)) }
                return try call(function, values)
            case .subquery(let collection, let variable, let node):
                var found: [Any] = []
                for element in PredicateValue.elements(try value(of: collection)) ?? [] {
                    var inner = self
                    inner.variables[variable] = element
                    if try inner.holds(node) { found.append(element) }
                }
                return found
            }
        }

        private func element(_ base: Any?, _ index: Any?) throws(PredicateFailure) -> Any? {
            guard let base, let index else { return nil }
            if let dictionary = base as? NSDictionary {
                return PredicateValue.unwrapped(dictionary.object(forKey: index))
            }
            guard let elements = PredicateValue.elements(base), case .whole(let place)? = PredicateNumber(index),
                elements.indices.contains(Int(place))
            else { throw PredicateFailure("there is no element \(index)") }
            return PredicateValue.unwrapped(elements[Int(place)])
        }

        private func calculate(
            _ kind: PredicateExpression.Arithmetic, _ left: Any?, _ right: Any?
        ) throws(PredicateFailure) -> Any? {
            guard let left, let right else { return nil }
            guard let left = PredicateNumber(left), let right = PredicateNumber(right) else {
                throw PredicateFailure("there is no arithmetic of \(left) and \(right)")
            }
            return left.combined(kind, with: right).object
        }

        private func call(_ function: PredicateFunction, _ arguments: [Any?]) throws(PredicateFailure) -> Any? {
            if function == .now { return Date() }
            // `max:({1, 2})` and `max:(1, 2)` are the same.
            let list = arguments.count == 1 ? PredicateValue.elements(arguments[0]) : arguments.compactMap(\.self)
            switch function {
            case .count: return NSNumber(value: list?.count ?? 0)
            case .sum, .min, .max, .average:
                return KeyValueCoding.aggregate("@" + (function == .average ? "avg" : function.rawValue), list ?? [])
            default: break
            }
            guard arguments.count == 1, let argument = arguments[0] else { return nil }
            switch function {
            case .uppercase: return PredicateValue.text(argument)?.uppercased()
            case .lowercase: return PredicateValue.text(argument)?.lowercased()
            case .length: return PredicateValue.text(argument).map { NSNumber(value: $0.utf16.count) }
            default: break
            }
            guard let number = PredicateNumber(argument) else {
                throw PredicateFailure("\(function.rawValue): takes a number, not \(argument)")
            }
            switch function {
            case .abs: return number.magnitude.object
            case .ceiling: return NSNumber(value: number.double.rounded(.up))
            case .floor: return NSNumber(value: number.double.rounded(.down))
            case .sqrt: return NSNumber(value: number.double.squareRoot())
            default: return nil
            }
        }
    }
#endif

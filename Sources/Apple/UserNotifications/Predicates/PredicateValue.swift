#if os(Linux)
    import Foundation

    /// Reads the values that predicates compare, which are of Foundation or of Swift.
    enum PredicateValue {
        /// The value without optionals around it; nil for none, and for `NSNull`, which counts as none.
        static func unwrapped(_ value: Any?) -> Any? {
            var value = value
            while let present = value {
                if present is NSNull { return nil }
                let mirror = Mirror(reflecting: present)
                guard mirror.displayStyle == .optional else { return present }
                value = mirror.children.first?.value
            }
            return nil
        }

        static func text(_ value: Any?) -> String? { value as? String ?? (value as? NSString).map(String.init) }

        /// The elements of an array or a set, the values of a dictionary; nil for anything else.
        static func elements(_ value: Any?) -> [Any]? {
            switch value {
            case is String, is NSString: nil
            case let array as [Any]: array
            case let array as NSArray: array.map { $0 }
            case let set as NSSet: set.allObjects
            case let set as NSOrderedSet: set.array
            case let set as Set<AnyHashable>: set.map(\.base)
            case let dictionary as NSDictionary: dictionary.allValues
            default: nil
            }
        }

        static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
            guard let left, let right else { return left == nil && right == nil }
            if let left = text(left), let right = text(right) { return left == right }
            if let left = PredicateNumber(left), let right = PredicateNumber(right) {
                return left.order(to: right) == .orderedSame
            }
            if let left = left as? AnyHashable, let right = right as? AnyHashable, left == right { return true }
            guard let left = left as? NSObject, let right = right as? NSObject else { return false }
            return left.isEqual(right)
        }

        /// Which of two values is less; nil for a number and a text, and other values that are not compared.
        static func order(_ left: Any, _ right: Any) -> ComparisonResult? {
            if let left = text(left), let right = text(right) { return (left as NSString).compare(right) }
            if let left = PredicateNumber(left), let right = PredicateNumber(right) { return left.order(to: right) }
            if let left = left as? Date, let right = right as? Date { return left.compare(right) }
            return nil
        }
    }

    /// A number, whole as long as it can be.
    enum PredicateNumber {
        case whole(Int64)
        case fraction(Double)

        /// Nil for what is no number.
        init?(_ value: Any) {
            switch value {
            case is String, is Date: return nil
            case let value as CGFloat: self = .fraction(Double(value))
            case let number as NSNumber:
                if ["d", "f"].contains(String(cString: number.objCType)) {
                    self = .fraction(number.doubleValue)
                } else if number.uint64Value > Int64.max, number.doubleValue > 0 {
                    self = .fraction(number.doubleValue)
                } else {
                    self = .whole(number.int64Value)
                }
            default: return nil
            }
        }

        var double: Double {
            switch self {
            case .whole(let value): Double(value)
            case .fraction(let value): value
            }
        }

        var object: NSNumber {
            switch self {
            case .whole(let value): NSNumber(value: value)
            case .fraction(let value): NSNumber(value: value)
            }
        }

        var magnitude: PredicateNumber {
            switch self {
            case .whole(let value) where value != .min: .whole(abs(value))
            default: .fraction(abs(double))
            }
        }

        /// Nil where one of them is not a number.
        func order(to other: PredicateNumber) -> ComparisonResult? {
            if case .whole(let left) = self, case .whole(let right) = other {
                return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
            }
            let left = double
            let right = other.double
            guard !left.isNaN, !right.isNaN else { return nil }
            return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        }

        /// Whole numbers give a whole number, as far as it fits.
        func combined(_ kind: PredicateExpression.Arithmetic, with other: PredicateNumber) -> PredicateNumber {
            if case .whole(let left) = self, case .whole(let right) = other {
                let result: (partialValue: Int64, overflow: Bool)
                switch kind {
                case .add: result = left.addingReportingOverflow(right)
                case .subtract: result = left.subtractingReportingOverflow(right)
                case .multiply: result = left.multipliedReportingOverflow(by: right)
                case .divide: result = left.dividedReportingOverflow(by: right)
                case .raise: result = (0, true)
                }
                if !result.overflow { return .whole(result.partialValue) }
            }
            let left = double
            let right = other.double
            switch kind {
            case .add: return .fraction(left + right)
            case .subtract: return .fraction(left - right)
            case .multiply: return .fraction(left * right)
            case .divide: return .fraction(left / right)
            case .raise: return .fraction(pow(left, right))
            }
        }
    }
#endif

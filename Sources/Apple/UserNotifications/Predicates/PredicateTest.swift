#if os(Linux)
    import Foundation

    struct PredicateTest {
        let operation: PredicateComparison.Operator
        let options: PredicateComparison.Options

        func holds(_ left: Any?, _ right: Any?) throws(PredicateFailure) -> Bool {
            switch operation {
            case .equal: return isEqual(left, right)
            case .notEqual: return !isEqual(left, right)
            case .less: return try order(left, right) { $0 == .orderedAscending }
            case .lessOrEqual: return try order(left, right) { $0 != .orderedDescending }
            case .greater: return try order(left, right) { $0 == .orderedDescending }
            case .greaterOrEqual: return try order(left, right) { $0 != .orderedAscending }
            case .between:
                guard let bounds = PredicateValue.elements(right), bounds.count == 2 else {
                    throw PredicateFailure("BETWEEN takes an array of two values, not \(shown(right))")
                }
                let isAbove = try order(left, PredicateValue.unwrapped(bounds[0])) { $0 != .orderedAscending }
                let isBelow = try order(left, PredicateValue.unwrapped(bounds[1])) { $0 != .orderedDescending }
                return isAbove && isBelow
            case .contains: return try contains(left, right)
            case .isIn: return try contains(right, left)
            case .beginsWith: return try hasPart(left, right, .anchored)
            case .endsWith: return try hasPart(left, right, [.anchored, .backwards])
            case .like: return try isLike(left, right)
            case .matches: return try matchesExpression(left, right)
            }
        }

        private func shown(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }

        // MARK: - Order

        private func isEqual(_ left: Any?, _ right: Any?) -> Bool {
            if let left = PredicateValue.text(left), let right = PredicateValue.text(right) {
                return folded(left) == folded(right)
            }
            return PredicateValue.areEqual(left, right)
        }

        private func order(
            _ left: Any?, _ right: Any?, _ isMet: (ComparisonResult) -> Bool
        ) throws(PredicateFailure) -> Bool {
            guard let left, let right else { return false }
            let texts = (PredicateValue.text(left), PredicateValue.text(right))
            let found =
                if let first = texts.0, let second = texts.1 {
                    PredicateValue.order(folded(first), folded(second))
                } else {
                    PredicateValue.order(left, right)
                }
            if let found { return isMet(found) }
            if PredicateNumber(left) != nil, PredicateNumber(right) != nil { return false }
            throw PredicateFailure("Can't compare \(left) with \(right)")
        }

        // MARK: - Texts

        private func folded(_ text: String) -> String {
            var folding: String.CompareOptions = []
            if options.ignoresCase { folding.insert(.caseInsensitive) }
            if options.ignoresDiacritics { folding.insert(.diacriticInsensitive) }
            return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
        }

        /// True if a collection has an element, or a text a part.
        private func contains(_ whole: Any?, _ part: Any?) throws(PredicateFailure) -> Bool {
            guard let whole else { return false }
            if let text = PredicateValue.text(whole) {
                guard let part else { return false }
                guard let wanted = PredicateValue.text(part) else {
                    throw PredicateFailure("Can't look for value (\(part)) in string (\(text)); value is not a string")
                }
                return folded(text).range(of: folded(wanted), options: .literal) != nil
            }
            guard let elements = PredicateValue.elements(whole) else {
                throw PredicateFailure("Can't use in/contains operator with collection \(whole) (not a collection)")
            }
            return elements.contains { isEqual(PredicateValue.unwrapped($0), part) }
        }

        /// True if a text begins or ends with another.
        private func hasPart(
            _ left: Any?, _ right: Any?, _ place: String.CompareOptions
        ) throws(PredicateFailure) -> Bool {
            guard let left, let right else { return false }
            guard let text = PredicateValue.text(left), let wanted = PredicateValue.text(right) else {
                throw PredicateFailure(
                    "Can't do a substring operation with something that isn't a string (lhs = \(left) rhs = \(right))")
            }
            return folded(text).range(of: folded(wanted), options: place.union(.literal)) != nil
        }

        private func isLike(_ left: Any?, _ right: Any?) throws(PredicateFailure) -> Bool {
            guard let left, let right else { return false }
            guard let text = PredicateValue.text(left), let pattern = PredicateValue.text(right) else {
                throw PredicateFailure("Can't do regex matching on object \(left).")
            }
            return Self.isLike(folded(text), folded(pattern))
        }

        /// A regular expression of ICU for the whole text. Case is its own option, because folding would change `\\D` to `\\d`.
        private func matchesExpression(_ left: Any?, _ right: Any?) throws(PredicateFailure) -> Bool {
            guard let left, let right else { return false }
            guard var text = PredicateValue.text(left), let pattern = PredicateValue.text(right) else {
                throw PredicateFailure("Can't do regex matching on object \(left).")
            }
            if options.ignoresDiacritics { text = text.folding(options: .diacriticInsensitive, locale: nil) }
            let flags: NSRegularExpression.Options = options.ignoresCase ? .caseInsensitive : []
            guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags) else {
                throw PredicateFailure(
                    "Can't do regex matching, reason: Can't open pattern U_REGEX_RULE_SYNTAX (string \(text), pattern \(pattern), case "
                        + "\(options.ignoresCase ? 1 : 0), canon 0)")
            }
            let whole = NSRange(location: 0, length: text.utf16.count)
            return expression.firstMatch(in: text, range: whole) != nil
        }

        /// True if a text has a form: `*` stands for any characters and `?` for one; `\` before a character takes it literally. Takes time
        /// in proportion to the product of the lengths.
        static func isLike(_ text: String, _ pattern: String) -> Bool {
            enum Item: Equatable {
                case one(Character)
                case anyOne, any
            }
            var items: [Item] = []
            var isEscaped = false
            for character in pattern {
                if isEscaped {
                    items.append(.one(character))
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    items.append(character == "*" ? .any : character == "?" ? .anyOne : .one(character))
                }
            }
            let text = Array(text)
            var place = 0
            var item = 0
            // Where the last `*` is, and how much of the text it stands for so far.
            var star: (item: Int, place: Int)?
            while place < text.count {
                if item < items.count, items[item] == .any {
                    star = (item, place)
                    item += 1
                } else if item < items.count, items[item] == .anyOne || items[item] == .one(text[place]) {
                    place = place + 1
                    item = item + 1
                } else if let last = star {
                    star = (last.item, last.place + 1)
                    place = last.place + 1
                    item = last.item + 1
                } else {
                    return false
                }
            }
            return items[item...].allSatisfy { $0 == .any }
        }
    }
#endif

package import PayloadJSON

/// Checks values against one schema, one after the other. It allocates nothing for a value without failures, apart from
/// arrays that grow once.
///
/// Work is bounded: see `maximumDepth` and `maximumSteps`. A check that reaches a bound ends with a failure that says so.
package struct SchemaValidator {
    /// Nested subschemas; a value that is nested deeper is not checked to the end. The stack of a thread on macOS, 512 KiB, has
    /// room for them.
    static let maximumDepth = 300
    /// Failures that are kept for one value.
    package static let maximumFailures = 50

    package let schema: Schema
    var failures: [SchemaFailure] = []
    var steps = 0
    var depth = 0
    /// Above 0 while failures are of no interest.
    var quiet = 0
    var isExhausted = false
    var matchers: [PatternMatcher]
    /// Marks of what has been evaluated: for each object or array that needs them a run of words.
    var marks: [UInt64] = []
    /// The resources entered, outermost first. Kept only if the schema has dynamic references.
    var scope: [Int32] = []
    let isDynamic: Bool

    private let maximumSteps: Int

    /// - Parameter maximumSteps: the work that a value may cost, in comparisons; a large value may cost more. An honest schema needs some
    ///   ten for each entry of a value.
    package init(_ schema: Schema, maximumSteps: Int = 1_000_000) {
        self.schema = schema
        self.maximumSteps = maximumSteps
        matchers = schema.patterns.map { PatternMatcher($0) }
        isDynamic = !schema.dynamicTargets.isEmpty
    }

    private func steps(for value: JSONView) -> Int {
        let entries = value.kind == .object || value.kind == .array ? Int(value.entry.next) - value.index : 1
        return maximumSteps + 64 * entries + value.text.count
    }

    /// Checks a value.
    ///
    /// - Returns: the failures; none if the value is valid. They refer to the value's text, and are valid
    ///   as long as that is.
    package mutating func validate(_ value: JSONView) -> [SchemaFailure] {
        failures.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        scope.removeAll(keepingCapacity: true)
        steps = steps(for: value)
        depth = 0
        quiet = 0
        isExhausted = false
        let isValid = check(schema.root, value, Marks())
        if isExhausted || steps <= 0 {
            failures.removeAll(keepingCapacity: true)
            let kind: SchemaFailure.Kind = steps <= 0 ? .tooMuchWork : .tooDeep
            failures.append(SchemaFailure(kind, schema.nodes[Int(schema.root)].place, value))
        }
        return isValid && failures.isEmpty ? [] : failures
    }

    mutating func fail(
        _ kind: SchemaFailure.Kind, _ place: Schema.Place, _ value: JSONView, argument: Int = 0, isName: Bool = false
    ) {
        guard quiet == 0, failures.count < Self.maximumFailures else { return }
        failures.append(SchemaFailure(kind, place, value, argument: argument, isName: isName))
    }

    /// Checks a value against a node.
    ///
    /// - Parameter outer: where to mark what is evaluated.
    mutating func check(_ number: Int32, _ value: JSONView, _ outer: Marks) -> Bool {
        let node = schema.nodes[Int(number)]
        steps -= 1
        if node.isFalse {
            fail(.falseSchema, node.place, value)
            return false
        }
        guard steps > 0, depth < Self.maximumDepth else {
            isExhausted = true
            return false
        }
        depth += 1
        defer { depth -= 1 }
        if isDynamic {
            scope.append(node.resource)
            let isValid = checkKeywords(node, value, outer)
            scope.removeLast()
            return isValid
        }
        return checkKeywords(node, value, outer)
    }

    private mutating func checkKeywords(_ node: Schema.Node, _ value: JSONView, _ outer: Marks) -> Bool {
        guard node.kinds >> value.kind.rawValue & 1 == 1 else {
            fail(.type, node.typePlace, value, argument: Int(node.kinds) | (node.isInteger ? 256 : 0))
            return false
        }
        if node.isInteger, value.kind == .number, value.int64 == nil, !value.decimal.isInteger {
            fail(.type, node.typePlace, value, argument: Int(node.kinds) | 256)
            return false
        }
        let isScalar = value.kind != .object && value.kind != .array
        let needsMarks = node.needsEvaluated && !isScalar
        let inner = needsMarks ? makeMarks(for: value) : outer
        var isValid = node.constants.isEmpty || checkConstants(node, value)
        switch value.kind {
        case .number where node.numbers >= 0:
            isValid = checkNumber(schema.numbers[Int(node.numbers)], value) && isValid
        case .string where node.strings >= 0, .key where node.strings >= 0:
            isValid = checkString(schema.strings[Int(node.strings)], value) && isValid
        case .array where node.arrays >= 0:
            isValid = checkArray(schema.arrays[Int(node.arrays)], value, inner) && isValid
        case .object where node.objects >= 0:
            isValid = checkObject(schema.objects[Int(node.objects)], value, inner) && isValid
        default: break
        }
        if isValid || quiet == 0 {
            for position in node.applicators {
                isValid = apply(schema.applicators[Int(position)], value, inner) && isValid
                if !isValid, quiet > 0 || isExhausted { break }
            }
        }
        guard needsMarks else { return isValid }
        if isValid { isValid = checkUnevaluated(node, value, inner) }
        if isValid { merge(inner, into: outer) }
        removeMarks(inner)
        return isValid
    }

    private mutating func checkConstants(_ node: Schema.Node, _ value: JSONView) -> Bool {
        var isValid = true
        for number in node.constants {
            let set = schema.constantSets[Int(number)]
            var isFound = false
            for position in set.views where !isFound {
                let constant = schema.constants[Int(position)]
                isFound =
                    value.kind == .key
                    ? constant.string.map { $0 == value.contents } ?? false
                    : ValueEquality.areEqual(constant, value, steps: &steps)
            }
            if !isFound {
                fail(.constant, set.place, value, argument: Int(number))
                isValid = false
            }
        }
        return isValid
    }

    private mutating func checkNumber(_ table: Schema.Table<Schema.NumberRules>, _ value: JSONView) -> Bool {
        var isValid = true
        let integer = value.int64
        for bound in table.rules.bounds {
            let order: Int
            if let integer, let limit = bound.integer {
                order = integer < limit ? -1 : integer > limit ? 1 : 0
            } else {
                steps -= value.text.count
                order = value.decimal.compared(to: bound.limit.decimal)
            }
            let isWithin = order == 0 ? !bound.isExclusive : (order < 0) == bound.isMaximum
            if !isWithin {
                let kind: SchemaFailure.Kind =
                    bound.isMaximum
                    ? bound.isExclusive ? .exclusiveMaximum : .maximum
                    : bound.isExclusive ? .exclusiveMinimum : .minimum
                fail(kind, bound.place, value)
                isValid = false
            }
        }
        if table.rules.divisor > 0 {
            steps -= value.text.count
            if !value.decimal.isMultiple(of: table.rules.divisor, scale: table.rules.scale) {
                fail(.multipleOf, table.rules.multiplePlace, value)
                isValid = false
            }
        }
        return isValid
    }

    private mutating func checkString(_ rules: Schema.StringRules, _ value: JSONView) -> Bool {
        var isValid = true
        if rules.minimum != nil || rules.maximum != nil {
            let count = value.contents.characterCount
            if let limit = rules.minimum, count < limit.value {
                fail(.minLength, limit.place, value, argument: count)
                isValid = false
            }
            if let limit = rules.maximum, count > limit.value {
                fail(.maxLength, limit.place, value, argument: count)
                isValid = false
            }
        }
        if let pattern = rules.pattern, !matches(pattern.number, value.contents) {
            fail(.pattern, pattern.place, value)
            isValid = false
        }
        return isValid
    }

    mutating func matches(_ pattern: Int, _ text: JSONString) -> Bool {
        if !text.hasEscapes { return matchers[pattern].matches(text.raw, steps: &steps) }
        let bytes = text.decodedBytes
        // SOUND: the bytes live until the closure returns.
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return matchers[pattern].matches(.empty, steps: &steps) }
            return unsafe matchers[pattern].matches(BorrowedText(start: start, count: buffer.count), steps: &steps)
        }
    }
}

extension JSONView {
    /// The characters of a string or of a member's name.
    var contents: JSONString {
        if let string { return string }
        // SOUND: the text of a key is that between its quotes.
        let text = text
        return unsafe JSONString(start: text.start, count: text.count, hasEscapes: entry.hasEscapes)
    }
}

extension JSONString {
    /// The number of characters, as Unicode scalars. O(count).
    fileprivate var characterCount: Int {
        // SOUND: the bytes live as long as the string.
        if hasEscapes { return decodedBytes.count { $0 & 0xC0 != 0x80 } }
        return unsafe raw.buffer.count { $0 & 0xC0 != 0x80 }
    }
}

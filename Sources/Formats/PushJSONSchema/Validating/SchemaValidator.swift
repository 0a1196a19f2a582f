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

/// Where it is marked which members of an object, or which elements of an array, have been evaluated: a bit for each. It is
/// empty where nobody asks.
struct Marks {
    var start: Int32 = 0
    var words: Int32 = 0

    var isEmpty: Bool { words == 0 }
}

/// Marks for `unevaluatedProperties` and `unevaluatedItems`. They lie on a stack, because subschemas are nested.
extension SchemaValidator {
    mutating func makeMarks(for value: JSONView) -> Marks {
        let count = value.members.count { _ in true } + value.elements.count { _ in true }
        steps -= count
        return push(words: count / 64 + 1)
    }

    private mutating func push(words: Int) -> Marks {
        let made = Marks(start: Int32(truncatingIfNeeded: marks.count), words: Int32(truncatingIfNeeded: words))
        for _ in 0..<words { marks.append(0) }
        return made
    }

    mutating func removeMarks(_ made: Marks) { marks.removeLast(Int(made.words)) }

    /// A copy of marks, to go back to when a subschema fails.
    mutating func snapshot(_ old: Marks) -> Marks {
        let made = Marks(start: Int32(truncatingIfNeeded: marks.count), words: old.words)
        for word in 0..<Int(old.words) { marks.append(marks[Int(old.start) + word]) }
        steps -= Int(old.words)
        return made
    }

    mutating func restore(_ old: Marks, from snapshot: Marks) {
        for word in 0..<Int(old.words) { marks[Int(old.start) + word] = marks[Int(snapshot.start) + word] }
    }

    mutating func merge(_ inner: Marks, into outer: Marks) {
        for word in 0..<Int(outer.words) { marks[Int(outer.start) + word] |= marks[Int(inner.start) + word] }
    }

    mutating func mark(_ position: Int, in marked: Marks) {
        if !marked.isEmpty { marks[Int(marked.start) + position >> 6] |= 1 << UInt64(position & 63) }
    }

    func isMarked(_ position: Int, in marked: Marks) -> Bool {
        marks[Int(marked.start) + position >> 6] >> UInt64(position & 63) & 1 == 1
    }

    /// Checks what no other keyword has evaluated, and marks it.
    mutating func checkUnevaluated(_ node: Schema.Node, _ value: JSONView, _ marked: Marks) -> Bool {
        var isValid = true
        var position = 0
        if value.kind == .object, node.objects >= 0 {
            let number = schema.objects[Int(node.objects)].rules.unevaluated
            let place = schema.objects[Int(node.objects)].rules.unevaluatedPlace
            guard number >= 0 else { return true }
            for (_, member) in value.members {
                if !isMarked(position, in: marked) {
                    isValid = checkRest(number, member, place, .unevaluatedProperty) && isValid
                    mark(position, in: marked)
                }
                position += 1
            }
        } else if value.kind == .array, node.arrays >= 0 {
            let number = schema.arrays[Int(node.arrays)].rules.unevaluated
            let place = schema.arrays[Int(node.arrays)].rules.unevaluatedPlace
            guard number >= 0 else { return true }
            for element in value.elements {
                if !isMarked(position, in: marked) {
                    isValid = checkRest(number, element, place, .unevaluatedItem) && isValid
                    mark(position, in: marked)
                }
                position += 1
            }
        }
        return isValid
    }

    /// Checks a member or an element that no other keyword is about. If nothing is permitted, the failure names that keyword.
    mutating func checkRest(_ number: Int32, _ value: JSONView, _ place: Schema.Place, _ kind: SchemaFailure.Kind)
        -> Bool
    {
        guard schema.nodes[Int(number)].isFalse else { return check(number, value, Marks()) }
        steps -= 1
        fail(kind, place, value, isName: kind != .unevaluatedItem && kind != .additionalItem)
        return false
    }
}

extension SchemaValidator {
    // MARK: - Objects

    mutating func checkObject(_ table: Schema.Table<Schema.ObjectRules>, _ value: JSONView, _ marked: Marks) -> Bool {
        var isValid = true
        var count = 0
        /// The positions below 64 in `names` of the properties that are there.
        var seen: UInt64 = 0
        let asksForMany = table.rules.names.names.count > 64
        var seenMany: Set<Int> = []
        for (key, member) in value.members {
            var isEvaluated = false
            if let position = table.rules.names.position(of: key) {
                if position < 64 { seen |= 1 << UInt64(position) } else if asksForMany { seenMany.insert(position) }
                if table.rules.properties[position] >= 0 {
                    isEvaluated = true
                    isValid = check(table.rules.properties[position], member, Marks()) && isValid
                }
            }
            for pattern in table.rules.patterns where matches(pattern.number, key) {
                isEvaluated = true
                isValid = check(pattern.node, member, Marks()) && isValid
            }
            if !isEvaluated, table.rules.additional >= 0 {
                isEvaluated = true
                isValid =
                    checkRest(table.rules.additional, member, table.rules.additionalPlace, .additionalProperty)
                    && isValid
            }
            if table.rules.propertyNames >= 0 {
                let before = failures.count
                if !check(table.rules.propertyNames, member.memberName, Marks()) {
                    isValid = false
                    for index in before..<failures.count {
                        failures[index].value = member
                        failures[index].isName = true
                    }
                }
            }
            if isEvaluated { mark(count, in: marked) }
            count += 1
            if !isValid, quiet > 0 || isExhausted { return false }
        }
        func isThere(_ position: Int) -> Bool {
            position < 64 ? seen >> UInt64(position) & 1 == 1 : seenMany.contains(position)
        }
        if table.rules.requiredBits & ~seen != 0 || asksForMany {
            for position in table.rules.required where !isThere(position) {
                fail(.required, table.rules.requiredPlace, value)
                setNames(table.rules.names.names[position])
                isValid = false
            }
        }
        isValid =
            checkCount(count, value, table.rules.minimum, table.rules.maximum, .minProperties, .maxProperties)
            && isValid
        for dependency in table.rules.dependencies where isThere(dependency.trigger) {
            for position in dependency.required where !isThere(position) {
                fail(.dependentRequired, dependency.place, value)
                setNames(table.rules.names.names[position], table.rules.names.names[dependency.trigger])
                isValid = false
            }
        }
        for dependent in table.rules.dependentSchemas where isThere(dependent.trigger) {
            isValid = check(dependent.node, value, marked) && isValid
        }
        return isValid
    }

    /// Adds names to the failure that was just reported.
    private mutating func setNames(_ names: [UInt8]...) {
        guard quiet == 0, let last = failures.indices.last, failures[last].names.isEmpty else { return }
        failures[last].names = names.map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func checkCount(
        _ count: Int, _ value: JSONView, _ minimum: Schema.Limit?, _ maximum: Schema.Limit?,
        _ tooFew: SchemaFailure.Kind, _ tooMany: SchemaFailure.Kind
    ) -> Bool {
        if let minimum, count < minimum.value {
            fail(tooFew, minimum.place, value, argument: count)
            return false
        }
        if let maximum, count > maximum.value {
            fail(tooMany, maximum.place, value, argument: count)
            return false
        }
        return true
    }

    // MARK: - Arrays

    mutating func checkArray(_ table: Schema.Table<Schema.ArrayRules>, _ value: JSONView, _ marked: Marks) -> Bool {
        var isValid = true
        var count = 0
        for element in value.elements {
            if count < table.rules.prefix.count {
                isValid = check(table.rules.prefix[count], element, Marks()) && isValid
                mark(count, in: marked)
            } else if table.rules.items >= 0 {
                isValid = checkRest(table.rules.items, element, table.rules.itemsPlace, .additionalItem) && isValid
                mark(count, in: marked)
            }
            count += 1
            if !isValid, quiet > 0 || isExhausted { return false }
        }
        isValid = checkCount(count, value, table.rules.minimum, table.rules.maximum, .minItems, .maxItems) && isValid
        if let place = table.rules.uniquePlace, let (first, second) = equalElements(value) {
            fail(.uniqueItems, place, second, argument: first)
            isValid = false
        }
        if table.rules.contains >= 0 { isValid = checkContains(table, value, marked) && isValid }
        return isValid
    }

    private mutating func checkContains(_ table: Schema.Table<Schema.ArrayRules>, _ value: JSONView, _ marked: Marks)
        -> Bool
    {
        let least = table.rules.minimumContains?.value ?? 1
        let most = table.rules.maximumContains?.value
        var matching = 0
        var position = 0
        var elements = value.elements
        quiet += 1
        while let element = elements.next() {
            if check(table.rules.contains, element, Marks()) {
                matching += 1
                mark(position, in: marked)
                if most == nil, matching >= least, marked.isEmpty { break }
            }
            position += 1
        }
        quiet -= 1
        if matching < least {
            fail(.contains, table.rules.minimumContains?.place ?? table.rules.containsPlace, value, argument: matching)
            return false
        }
        if let most, matching > most {
            fail(
                .maxContains, table.rules.maximumContains?.place ?? table.rules.containsPlace, value, argument: matching
            )
            return false
        }
        return true
    }

    /// The position of the first element that has an equal one later, and that one. O(n log n) for n elements.
    private mutating func equalElements(_ value: JSONView) -> (first: Int, second: JSONView)? {
        var all: [(hash: UInt64, position: Int, view: JSONView)] = []
        for element in value.elements {
            all.append((ValueEquality.hash(element, steps: &steps), all.count, element))
            guard steps > 0 else { return nil }
        }
        all.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
        for (index, one) in all.enumerated() {
            var other = index + 1
            while other < all.count, all[other].hash == one.hash {
                if ValueEquality.areEqual(one.view, all[other].view, steps: &steps) {
                    return (one.position, all[other].view)
                }
                other += 1
            }
        }
        return nil
    }

    // MARK: - Subschemas for the same value

    mutating func apply(_ applicator: Schema.Applicator, _ value: JSONView, _ marked: Marks) -> Bool {
        let first = schema.lists[Int(applicator.nodes.lowerBound)]
        switch applicator.kind {
        case .reference: return check(first, value, marked)
        case .dynamicReference:
            let targets = schema.dynamicTargets[Int(applicator.name)]
            let outermost = scope.first { targets[$0] != nil }
            return check(outermost.flatMap { targets[$0] } ?? first, value, marked)
        case .allOf:
            var isValid = true
            for position in applicator.nodes {
                isValid = check(schema.lists[Int(position)], value, marked) && isValid
                if !isValid, quiet > 0 || isExhausted { break }
            }
            return isValid
        case .anyOf, .oneOf: return applyAlternatives(applicator, value, marked)
        case .not:
            quiet += 1
            let isValid = check(first, value, Marks())
            quiet -= 1
            if isValid { fail(.not, applicator.place, value) }
            return !isValid && !isExhausted
        case .condition:
            let then = schema.lists[Int(applicator.nodes.lowerBound) + 1]
            let otherwise = schema.lists[Int(applicator.nodes.lowerBound) + 2]
            quiet += 1
            let isTrue = checkOrRestore(first, value, marked)
            quiet -= 1
            let next = isTrue ? then : otherwise
            return next < 0 || check(next, value, marked)
        }
    }

    /// Checks a value against a node; if it fails, nothing is marked.
    private mutating func checkOrRestore(_ number: Int32, _ value: JSONView, _ marked: Marks) -> Bool {
        if marked.isEmpty { return check(number, value, marked) }
        let before = snapshot(marked)
        let isValid = check(number, value, marked)
        if !isValid { restore(marked, from: before) }
        removeMarks(before)
        return isValid
    }

    private mutating func applyAlternatives(_ applicator: Schema.Applicator, _ value: JSONView, _ marked: Marks) -> Bool
    {
        let isExclusive = applicator.kind == .oneOf
        let start = failures.count
        var matching = 0
        for position in applicator.nodes {
            if checkOrRestore(schema.lists[Int(position)], value, marked) {
                matching += 1
                if isExclusive ? matching > 1 : marked.isEmpty { break }
            }
            if isExhausted { break }
        }
        if isExclusive ? matching == 1 : matching > 0 {
            failures.removeLast(failures.count - start)
            return true
        }
        let branch = matching == 0 ? closest(from: start, value) : nil
        failures.removeLast(failures.count - start)
        if let branch {
            failures.append(branch)
            failures[failures.count - 1].isClosest = true
        } else {
            fail(matching == 0 ? .noAlternative : .severalAlternatives, applicator.place, value)
        }
        return false
    }

    /// The failure that lies deepest in the value, if there is one below the value itself: the alternative that it belongs to was
    /// probably meant.
    private func closest(from start: Int, _ value: JSONView) -> SchemaFailure? {
        let inner = failures[start...].filter { $0.value.index > value.index && !$0.isName }
        return inner.max { $0.value.index < $1.value.index }
    }
}

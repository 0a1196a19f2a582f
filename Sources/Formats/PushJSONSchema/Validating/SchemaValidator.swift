package import PushJSON

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
    /// The resources entered, outermost first. Kept only if the schema has dynamic references.
    var scope: [SchemaRegistry.Resource] = []

    private let maximumSteps: Int

    /// - Parameter maximumSteps: the work that a value may cost, in comparisons; a large value may cost more. An honest schema needs some
    ///   ten for each entry of a value.
    package init(_ schema: Schema, maximumSteps: Int = 1_000_000) {
        self.schema = schema
        self.maximumSteps = maximumSteps
        matchers = schema.patterns.map { PatternMatcher($0) }
    }

    private func steps(for value: JSONView) -> Int {
        let entries = value.kind == .object || value.kind == .array ? value.endIndex - value.index : 1
        return maximumSteps + 64 * entries + 16 * value.text.count
    }

    /// Checks a value.
    ///
    /// - Returns: the failures; none if the value is valid. They refer to the value's text, and are valid
    ///   as long as that is.
    package mutating func validate(_ value: JSONView) -> [SchemaFailure] {
        failures.removeAll(keepingCapacity: true)
        scope.removeAll(keepingCapacity: true)
        steps = steps(for: value)
        depth = 0
        quiet = 0
        isExhausted = false
        let isValid = check(schema.root, value)
        if isExhausted || steps <= 0 {
            failures.removeAll(keepingCapacity: true)
            let kind: SchemaFailure.Kind = steps <= 0 ? .tooMuchWork : .tooDeep
            failures.append(SchemaFailure(kind, schema.nodes[schema.root].place, value))
        }
        return isValid && failures.isEmpty ? [] : failures
    }

    private mutating func fail(
        _ kind: SchemaFailure.Kind, _ place: Schema.Place, _ value: JSONView, argument: Int = 0, isName: Bool = false,
        names: @autoclosure () -> [[UInt8]] = []
    ) {
        guard quiet == 0, failures.count < Self.maximumFailures else { return }
        var failure = SchemaFailure(kind, place, value, argument: argument, isName: isName)
        failure.names = names().map { String(decoding: $0, as: UTF8.self) }
        failures.append(failure)
    }

    /// Checks a value against a node.
    mutating func check(_ number: Int, _ value: JSONView) -> Bool {
        var nobody = Marks()
        return check(number, value, &nobody)
    }

    /// Checks a value against a node.
    ///
    /// - Parameter outer: where to mark what is evaluated.
    mutating func check(_ number: Int, _ value: JSONView, _ outer: inout Marks) -> Bool {
        let node = schema.nodes[number]
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
        if schema.isDynamic { scope.append(node.resource) }
        defer {
            depth -= 1
            if schema.isDynamic { scope.removeLast() }
        }
        guard node.needsEvaluated, value.kind == .object || value.kind == .array else {
            return checkKeywords(node, value, &outer)
        }
        var inner = Marks(for: value, steps: &steps)
        let isValid = checkKeywords(node, value, &inner) && checkUnevaluated(node, value, &inner)
        if isValid { outer.formUnion(inner) }
        return isValid
    }

    private mutating func checkKeywords(_ node: Schema.Node, _ value: JSONView, _ marks: inout Marks) -> Bool {
        guard node.kinds >> value.kind.rawValue & 1 == 1 else {
            fail(.type, node.typePlace, value, argument: Int(node.kinds) | (node.isInteger ? 256 : 0))
            return false
        }
        if node.isInteger, value.kind == .number, value.int64 == nil, !value.decimal.isInteger {
            fail(.type, node.typePlace, value, argument: Int(node.kinds) | 256)
            return false
        }
        var isValid = node.constants.isEmpty || checkConstants(node, value)
        switch value.kind {
        case .number: if let rules = node.numbers { isValid = checkNumber(rules, value) && isValid }
        case .string, .key: if let rules = node.strings { isValid = checkString(rules, value) && isValid }
        case .array: if let rules = node.arrays { isValid = checkArray(rules, value, &marks) && isValid }
        case .object: if let rules = node.objects { isValid = checkObject(rules, value, &marks) && isValid }
        case .null, .true, .false: break
        }
        guard isValid || quiet == 0 else { return false }
        for applicator in node.applicators {
            isValid = apply(applicator, value, &marks) && isValid
            if !isValid, quiet > 0 || isExhausted { return false }
        }
        if let (test, then, otherwise) = node.condition {
            quiet += 1
            let isTrue = checkOrRestore(test, value, &marks)
            quiet -= 1
            if let next = isTrue ? then : otherwise { isValid = check(next, value, &marks) && isValid }
        }
        return isValid
    }

    private mutating func checkConstants(_ node: Schema.Node, _ value: JSONView) -> Bool {
        var isValid = true
        for set in node.constants {
            let isFound = set.values.contains { constant in
                value.kind == .key
                    ? constant.string.map { $0 == value.contents } ?? false
                    : ValueEquality.areEqual(constant, value, steps: &steps)
            }
            if !isFound {
                fail(set.isConst ? .const : .enumeration, set.place, value)
                isValid = false
            }
        }
        return isValid
    }

    private mutating func checkNumber(_ rules: Schema.NumberRules, _ value: JSONView) -> Bool {
        var isValid = true
        let integer = value.int64
        for bound in rules.bounds {
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
        if let (divisor, scale, place) = rules.multiple {
            steps -= value.text.count
            if !value.decimal.isMultiple(of: divisor, scale: scale) {
                fail(.multipleOf, place, value)
                isValid = false
            }
        }
        return isValid
    }

    private mutating func checkString(_ rules: Schema.StringRules, _ value: JSONView) -> Bool {
        var isValid = true
        if rules.minimum != nil || rules.maximum != nil {
            isValid = checkCount(
                value.contents.characterCount, value, rules.minimum, rules.maximum, .minLength, .maxLength)
        }
        if let pattern = rules.pattern, !matches(pattern.number, value.contents) {
            fail(.pattern, pattern.place, value)
            isValid = false
        }
        return isValid
    }

    mutating func matches(_ pattern: Int, _ text: JSONString) -> Bool {
        text.withDecoded { matchers[pattern].matches($0, steps: &steps) }
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

/// The members of an object, or the elements of an array, that have been evaluated, for `unevaluatedProperties` and `unevaluatedItems`: a bit
/// for each. Without bits, nobody asks.
struct Marks {
    private var words: [UInt64] = []

    init() {}

    init(for value: JSONView, steps: inout Int) {
        let count = value.members.count { _ in true } + value.elements.count { _ in true }
        steps -= count
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    var isEmpty: Bool { words.isEmpty }
    var size: Int { words.count }

    mutating func insert(_ position: Int) {
        if !words.isEmpty { words[position >> 6] |= 1 << UInt64(position & 63) }
    }

    func contains(_ position: Int) -> Bool { words[position >> 6] >> UInt64(position & 63) & 1 == 1 }

    mutating func formUnion(_ other: Marks) {
        for index in words.indices { words[index] |= other.words[index] }
    }
}

extension SchemaValidator {
    /// Checks what no other keyword has evaluated, and marks it.
    private mutating func checkUnevaluated(_ node: Schema.Node, _ value: JSONView, _ marks: inout Marks) -> Bool {
        let isObject = value.kind == .object
        guard let rest = isObject ? node.objects?.unevaluated : node.arrays?.unevaluated else { return true }
        var isValid = true
        for (position, child) in (value.members.map(\.value) + value.elements).enumerated()
        where !marks.contains(position) {
            isValid = checkRest(rest, child, isObject ? .unevaluatedProperty : .unevaluatedItem) && isValid
            marks.insert(position)
        }
        return isValid
    }

    /// Checks a member or an element that no other keyword is about. If nothing is permitted, the failure names that keyword.
    private mutating func checkRest(_ rest: Schema.Subschema, _ value: JSONView, _ kind: SchemaFailure.Kind) -> Bool {
        guard schema.nodes[rest.node].isFalse else { return check(rest.node, value) }
        steps -= 1
        fail(kind, rest.place, value, isName: kind != .unevaluatedItem && kind != .additionalItem)
        return false
    }

    // MARK: - Objects

    private mutating func checkObject(
        _ rules: Schema.ObjectRules, _ value: JSONView, _ marks: inout Marks
    ) -> Bool {
        var isValid = true
        var count = 0
        /// The positions in `names` of the properties that are there: those below 64 as bits, and the others.
        var seen: UInt64 = 0
        var seenOthers: Set<Int> = []
        for (key, member) in value.members {
            var isEvaluated = false
            if let position = rules.names.position(of: key) {
                if position < 64 { seen |= 1 << UInt64(position) } else { seenOthers.insert(position) }
                if position < rules.properties.count, let node = rules.properties[position] {
                    isEvaluated = true
                    isValid = check(node, member) && isValid
                }
            }
            for (pattern, node) in rules.patterns where matches(pattern, key) {
                isEvaluated = true
                isValid = check(node, member) && isValid
            }
            if !isEvaluated, let additional = rules.additional {
                isEvaluated = true
                isValid = checkRest(additional, member, .additionalProperty) && isValid
            }
            if let names = rules.propertyNames { isValid = checkName(of: member, names.node) && isValid }
            if isEvaluated { marks.insert(count) }
            count += 1
            if !isValid, quiet > 0 || isExhausted { return false }
        }
        func isThere(_ position: Int) -> Bool {
            position < 64 ? seen >> UInt64(position) & 1 == 1 : seenOthers.contains(position)
        }
        isValid = checkRequired(rules, value, isThere) && isValid
        isValid = checkCount(count, value, rules.minimum, rules.maximum, .minProperties, .maxProperties) && isValid
        isValid = checkDependencies(rules, value, isThere) && isValid
        for (trigger, node) in rules.dependentSchemas where isThere(trigger) {
            isValid = check(node, value, &marks) && isValid
        }
        return isValid
    }

    /// - Parameter isThere: true for the position of a name that the object has.
    private mutating func checkRequired(
        _ rules: Schema.ObjectRules, _ value: JSONView, _ isThere: (Int) -> Bool
    ) -> Bool {
        var isValid = true
        for position in rules.required where !isThere(position) {
            fail(.required, rules.requiredPlace, value, names: [rules.names.names[position]])
            isValid = false
        }
        return isValid
    }

    private mutating func checkDependencies(
        _ rules: Schema.ObjectRules, _ value: JSONView, _ isThere: (Int) -> Bool
    ) -> Bool {
        var isValid = true
        for dependency in rules.dependencies where isThere(dependency.trigger) {
            for position in dependency.required where !isThere(position) {
                fail(
                    .dependentRequired, dependency.place, value,
                    names: [rules.names.names[position], rules.names.names[dependency.trigger]])
                isValid = false
            }
        }
        return isValid
    }

    /// Checks the name of a member.
    private mutating func checkName(of member: JSONView, _ node: Int) -> Bool {
        let before = failures.count
        if check(node, member.memberName) { return true }
        for index in before..<failures.count {
            failures[index].value = member
            failures[index].isName = true
        }
        return false
    }

    /// Checks a number of characters, members or elements.
    private mutating func checkCount(
        _ count: Int, _ value: JSONView, _ minimum: Schema.Limit?, _ maximum: Schema.Limit?,
        _ tooFew: SchemaFailure.Kind, _ tooMany: SchemaFailure.Kind
    ) -> Bool {
        var isValid = true
        if let minimum, count < minimum.value {
            fail(tooFew, minimum.place, value, argument: count)
            isValid = false
        }
        if let maximum, count > maximum.value {
            fail(tooMany, maximum.place, value, argument: count)
            isValid = false
        }
        return isValid
    }

    // MARK: - Arrays

    private mutating func checkArray(_ rules: Schema.ArrayRules, _ value: JSONView, _ marks: inout Marks) -> Bool {
        var isValid = true
        var count = 0
        for element in value.elements {
            if count < rules.prefix.count {
                isValid = check(rules.prefix[count], element) && isValid
                marks.insert(count)
            } else if let items = rules.items {
                isValid = checkRest(items, element, .additionalItem) && isValid
                marks.insert(count)
            }
            count += 1
            if !isValid, quiet > 0 || isExhausted { return false }
        }
        isValid = checkCount(count, value, rules.minimum, rules.maximum, .minItems, .maxItems) && isValid
        if let place = rules.uniquePlace, let (first, second) = equalElements(value) {
            fail(.uniqueItems, place, second, argument: first)
            isValid = false
        }
        if let contains = rules.contains { isValid = checkContains(contains, rules, value, &marks) && isValid }
        return isValid
    }

    private mutating func checkContains(
        _ contains: Schema.Subschema, _ rules: Schema.ArrayRules, _ value: JSONView, _ marks: inout Marks
    ) -> Bool {
        let least = rules.minimumContains ?? Schema.Limit(value: 1, place: contains.place)
        var matching = 0
        quiet += 1
        for (position, element) in value.elements.enumerated() where check(contains.node, element) {
            matching += 1
            marks.insert(position)
            if rules.maximumContains == nil, matching >= least.value, marks.isEmpty { break }
        }
        quiet -= 1
        return checkCount(matching, value, least, rules.maximumContains, .contains, .maxContains)
    }

    /// The position of the first element that has an equal one later, and that one. O(n log n) for n elements.
    private mutating func equalElements(_ value: JSONView) -> (first: Int, second: JSONView)? {
        var all: [(hash: Int, position: Int, view: JSONView)] = []
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

    private mutating func apply(_ applicator: Schema.Applicator, _ value: JSONView, _ marks: inout Marks) -> Bool {
        switch applicator.kind {
        case .reference: return check(applicator.nodes[0], value, &marks)
        case .dynamicReference(let name):
            let outermost = scope.lazy.compactMap { $0.dynamicNodes[name] }.first
            return check(outermost ?? applicator.nodes[0], value, &marks)
        case .allOf:
            var isValid = true
            for node in applicator.nodes {
                isValid = check(node, value, &marks) && isValid
                if !isValid, quiet > 0 || isExhausted { break }
            }
            return isValid
        case .anyOf: return applyAlternatives(applicator, isExclusive: false, value, &marks)
        case .oneOf: return applyAlternatives(applicator, isExclusive: true, value, &marks)
        case .not:
            quiet += 1
            let isValid = check(applicator.nodes[0], value)
            quiet -= 1
            if isValid { fail(.not, applicator.place, value) }
            return !isValid && !isExhausted
        }
    }

    /// Checks a value against a node; if it fails, nothing is marked.
    private mutating func checkOrRestore(_ number: Int, _ value: JSONView, _ marks: inout Marks) -> Bool {
        let before = marks
        steps -= before.size
        let isValid = check(number, value, &marks)
        if !isValid { marks = before }
        return isValid
    }

    private mutating func applyAlternatives(
        _ applicator: Schema.Applicator, isExclusive: Bool, _ value: JSONView, _ marks: inout Marks
    ) -> Bool {
        let start = failures.count
        var matching = 0
        for node in applicator.nodes {
            if checkOrRestore(node, value, &marks) {
                matching += 1
                if isExclusive ? matching > 1 : marks.isEmpty { break }
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

/// A violation of a schema by a value. Valid as long as the value's text is.
package struct SchemaFailure {
    enum Kind: UInt8 {
        case falseSchema, type, const, enumeration, minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf
        case minLength, maxLength, pattern
        case minItems, maxItems, uniqueItems, contains, maxContains, additionalItem, unevaluatedItem
        case required, dependentRequired, minProperties, maxProperties, additionalProperty, unevaluatedProperty
        case not, noAlternative, severalAlternatives
        case tooDeep, tooMuchWork
    }

    let kind: Kind
    let place: Schema.Place
    /// The value that the failure is about; if `isName`, the value of the member whose name it is about.
    package internal(set) var value: JSONView
    let argument: Int
    /// True if the failure is about the name of a member.
    package internal(set) var isName: Bool
    /// True if it belongs to one of several alternatives that were all not met.
    var isClosest = false
    /// The property that is missing, and for `dependentRequired` the one that asks for it.
    var names: [String] = []

    init(_ kind: Kind, _ place: Schema.Place, _ value: JSONView, argument: Int = 0, isName: Bool = false) {
        self.kind = kind
        self.place = place
        self.value = value
        self.argument = argument
        self.isName = isName
    }

    /// The name of the member with the value. Only if `isName`.
    package var name: JSONString { value.memberName.contents }

    /// True if the check was not completed, because the value or the schema is too large for it.
    package var isUnfinished: Bool { kind == .tooDeep || kind == .tooMuchWork }

    package func message(_ schema: Schema) -> String {
        (isClosest ? "no alternative fits; in the closest one, " : "") + text(schema)
    }

    /// The keyword that does not permit it: `order.schema.json#/properties/id/type`.
    package func keyword(_ schema: Schema) -> String { schema.name(of: place) }

    private func text(_ schema: Schema) -> String {
        /// The keyword's value.
        var limit: String { schema.value(at: place).map { Self.shortened($0.text.string) } ?? "" }
        switch kind {
        case .falseSchema: return "the schema permits no value here"
        case .type: return "must be \(Self.kindNames(argument)), not \(actualKind)"
        case .const: return "must be \(limit), and is \(shown)"
        case .enumeration:
            let values = schema.value(at: place).map { Array($0.elements) } ?? []
            let shownValues = values.prefix(8).map { Self.shortened($0.text.string) } + (values.count > 8 ? ["…"] : [])
            return "must be one of \(shownValues.joined(separator: ", ")), and is \(shown)"
        case .minimum: return "must be at least \(limit), and is \(shown)"
        case .exclusiveMinimum: return "must be greater than \(limit), and is \(shown)"
        case .maximum: return "must be at most \(limit), and is \(shown)"
        case .exclusiveMaximum: return "must be less than \(limit), and is \(shown)"
        case .multipleOf: return "must be a multiple of \(limit), and is \(shown)"
        case .minLength: return "must have at least \(limit) characters, and has \(argument)"
        case .maxLength: return "must have at most \(limit) characters, and has \(argument)"
        case .pattern: return "\(shown) does not match the pattern \(limit)"
        case .minItems: return "must have at least \(limit) elements, and has \(argument)"
        case .maxItems: return "must have at most \(limit) elements, and has \(argument)"
        case .uniqueItems: return "is equal to element \(argument), and elements must differ"
        case .contains where argument > 0:
            return "must have at least \(limit) elements that fit contains, and has \(argument)"
        case .contains: return "no element fits contains"
        case .maxContains: return "must have at most \(limit) elements that fit contains, and has \(argument)"
        case .additionalItem, .unevaluatedItem: return "is one element too many"
        case .required: return "\(quotedName(0)) is missing"
        case .dependentRequired: return "\(quotedName(0)) is missing, which \(quotedName(1)) asks for"
        case .minProperties: return "must have at least \(limit) members, and has \(argument)"
        case .maxProperties: return "must have at most \(limit) members, and has \(argument)"
        case .additionalProperty, .unevaluatedProperty:
            return "\(Self.shortened(value.memberName.contents.quoted)) is not a name that the schema permits here"
        case .not: return "is what not forbids"
        case .noAlternative: return "fits none of the alternatives"
        case .severalAlternatives: return "fits more than one of the alternatives, and must fit exactly one"
        case .tooDeep: return "not checked to the end: the value or the schema is nested too deeply"
        case .tooMuchWork: return "not checked to the end: this schema takes too much work for this value"
        }
    }

    private func quotedName(_ index: Int) -> String { index < names.count ? "\"\(names[index])\"" : "a member" }

    private var actualKind: String {
        value.kind == .number && argument & 256 != 0 ? "\(shown)" : isName ? "a string" : value.kindName
    }

    /// The value as messages show it.
    private var shown: String {
        switch value.kind {
        case _ where isName: Self.shortened(value.memberName.contents.quoted)
        case .object, .array: value.kindName
        default: Self.shortened(value.text.string)
        }
    }

    /// The beginning of a text, at most 60 characters.
    private static func shortened(_ text: String) -> String {
        text.unicodeScalars.count > 60 ? String(text.unicodeScalars.prefix(57)) + "…" : text
    }

    private static func kindNames(_ argument: Int) -> String {
        func has(_ kind: JSONTape.Kind) -> Bool { argument >> Int(kind.rawValue) & 1 == 1 }
        var names: [String] = []
        if has(.object) { names.append("an object") }
        if has(.array) { names.append("an array") }
        if has(.string) { names.append("a string") }
        if has(.number) { names.append(argument & 256 != 0 ? "a whole number" : "a number") }
        if has(.true) { names.append("true or false") }
        if has(.null) { names.append("null") }
        guard let last = names.popLast() else { return "of no type" }
        return names.isEmpty ? last : names.joined(separator: ", ") + " or " + last
    }
}

extension JSONString {
    /// The string as written, with quotes.
    var quoted: String { "\"" + raw.string + "\"" }
}

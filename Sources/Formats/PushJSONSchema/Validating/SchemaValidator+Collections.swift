import PayloadJSON

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

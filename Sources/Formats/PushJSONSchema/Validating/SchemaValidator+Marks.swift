import PayloadJSON

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

import PayloadJSON

/// Reads the keywords of one schema object into the tables of a compiler.
struct KeywordReader {
    private let compiler: SchemaCompiler
    private let number: Int32
    private let document: Int32
    private var node: Schema.Node
    private var numbers: Schema.NumberRules?
    private var strings: Schema.StringRules?
    private var arrays: Schema.ArrayRules?
    private var objects: Schema.ObjectRules?
    private var applicators: [Schema.Applicator] = []
    private var condition: JSONView?
    private var then: JSONView?
    private var otherwise: JSONView?

    init(_ compiler: SchemaCompiler, _ number: Int32) {
        self.compiler = compiler
        self.number = number
        node = compiler.nodes[Int(number)]
        document = node.place.document
    }

    private func place(_ view: JSONView) -> Schema.Place { Schema.Place(document: document, entry: Int32(view.index)) }

    private func report(_ message: String, _ view: JSONView) {
        compiler.registry.report(message, at: place(view), view)
    }

    private func schema(_ view: JSONView) -> Int32 { compiler.node(for: view, document: document) }

    mutating func read(_ name: String, _ value: JSONView) {
        switch name {
        case "type": readTypes(value)
        case "enum": readEnumeration(value)
        case "const": addConstants([value], value, isConst: true)
        case "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum": readNumberRule(name, value)
        case "maxLength", "minLength", "pattern": readStringRule(name, value)
        case "prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
            "unevaluatedItems":
            readArrayRule(name, value)
        case "properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties",
            "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties":
            readObjectRule(name, value)
        case "$ref", "$dynamicRef":
            guard value.isString else { return report("\(name) must be a string, not \(value.kindName)", value) }
            applicators.append(
                compiler.addReference(value, of: number, at: place(value), isDynamic: name == "$dynamicRef"))
        case "allOf": addList(.allOf, name, value)
        case "anyOf": addList(.anyOf, name, value)
        case "oneOf": addList(.oneOf, name, value)
        case "not": add(.not, [schema(value)], value)
        case "if": condition = value
        case "then": then = value
        case "else": otherwise = value
        case "$defs", "definitions": readDefinitions(name, value)
        default: break
        }
    }

    mutating func finish(_ view: JSONView) {
        if let condition {
            add(
                .condition, [schema(condition), then.map { schema($0) } ?? -1, otherwise.map { schema($0) } ?? -1],
                condition)
        }
        for view in [then, otherwise] { if let view, condition == nil { checkIsSchema(view) } }
        if let numbers {
            node.numbers = Int32(compiler.numbers.count)
            compiler.numbers.append(numbers)
        }
        if let strings {
            node.strings = Int32(compiler.strings.count)
            compiler.strings.append(strings)
        }
        if let arrays {
            node.arrays = Int32(compiler.arrays.count)
            compiler.arrays.append(arrays)
            if arrays.unevaluated >= 0 { node.needsEvaluated = true }
        }
        if var objects {
            for position in objects.required where position < 64 { objects.requiredBits |= 1 << UInt64(position) }
            while objects.properties.count < objects.names.names.count { objects.properties.append(-1) }
            node.objects = Int32(compiler.objects.count)
            compiler.objects.append(objects)
            if objects.unevaluated >= 0 { node.needsEvaluated = true }
        }
        node.applicators = Int32(compiler.applicators.count)..<Int32(compiler.applicators.count + applicators.count)
        compiler.applicators += applicators
        compiler.nodes[Int(number)] = node
    }

    private func checkIsSchema(_ view: JSONView) {
        if view.kind != .object, view.kind != .true, view.kind != .false {
            report("a schema is an object, true or false, not \(view.kindName)", view)
        }
    }

    private func readDefinitions(_ name: String, _ value: JSONView) {
        guard value.isObject else {
            return report("\(name) must be an object of schemas, not \(value.kindName)", value)
        }
        var members = value.members
        // What nothing refers to is not compiled, so its mistakes would not be seen.
        while let (_, schema) = members.next() { _ = self.schema(schema) }
    }

    // MARK: - Any value

    private static let types: [(name: String, kinds: [JSONTape.Kind])] = [
        ("null", [.null]), ("boolean", [.true, .false]), ("number", [.number]), ("integer", [.number]),
        ("string", [.string]), ("array", [.array]), ("object", [.object]),
    ]

    private mutating func readTypes(_ value: JSONView) {
        node.kinds = 0
        node.typePlace = place(value)
        var hasNumber = false
        var hasInteger = false
        for view in value.kind == .array ? Array(value.elements) : [value] {
            guard let name = view.string?.string, let type = Self.types.first(where: { $0.name == name }) else {
                let allowed = Self.types.map(\.name).joined(separator: ", ")
                report("type is one of \(allowed), not \(view.isString ? view.text.string : view.kindName)", view)
                continue
            }
            for kind in type.kinds { node.kinds |= 1 << kind.rawValue }
            if name == "number" { hasNumber = true }
            if name == "integer" { hasInteger = true }
        }
        node.isInteger = hasInteger && !hasNumber
        // A name of a member is checked as a string.
        if node.kinds & 1 << JSONTape.Kind.string.rawValue != 0 { node.kinds |= 1 << JSONTape.Kind.key.rawValue }
    }

    private mutating func readEnumeration(_ value: JSONView) {
        guard value.kind == .array else { return report("enum must be an array, not \(value.kindName)", value) }
        addConstants(Array(value.elements), value, isConst: false)
    }

    private mutating func addConstants(_ views: [JSONView], _ value: JSONView, isConst: Bool) {
        let first = Int32(compiler.constants.count)
        compiler.constants += views
        let set = Schema.ConstantSet(
            views: first..<Int32(compiler.constants.count), isConst: isConst, place: place(value))
        let position = Int32(compiler.constantSets.count)
        compiler.constantSets.append(set)
        node.constants = (node.constants.isEmpty ? position : node.constants.lowerBound)..<position + 1
    }

    private mutating func add(_ kind: Schema.Applicator.Kind, _ nodes: [Int32], _ value: JSONView) {
        let first = Int32(compiler.lists.count)
        compiler.lists += nodes
        applicators.append(
            Schema.Applicator(kind: kind, nodes: first..<Int32(compiler.lists.count), place: place(value)))
    }

    private mutating func addList(_ kind: Schema.Applicator.Kind, _ name: String, _ value: JSONView) {
        if let nodes = schemas(name, value) { add(kind, nodes, value) }
    }

    /// The elements of an array of schemas; nil if it is not one.
    private func schemas(_ name: String, _ value: JSONView) -> [Int32]? {
        var nodes: [Int32] = []
        for element in value.elements { nodes.append(schema(element)) }
        guard !nodes.isEmpty else {
            report(
                "\(name) must be an array with at least one schema\(value.kind == .array ? "" : ", not \(value.kindName)")",
                value)
            return nil
        }
        return nodes
    }

    // MARK: - Numbers and strings

    private mutating func readNumberRule(_ name: String, _ value: JSONView) {
        guard value.kind == .number else { return report("\(name) must be a number, not \(value.kindName)", value) }
        var rules = numbers ?? Schema.NumberRules()
        if name == "multipleOf" {
            let decimal = value.decimal
            guard !decimal.isZero, !decimal.isNegative else {
                return report("multipleOf must be greater than 0", value)
            }
            guard let divisor = decimal.significand else {
                return report("multipleOf with more than 18 significant digits is not supported", value)
            }
            rules.divisor = divisor
            rules.scale = decimal.scale
            rules.multiplePlace = place(value)
        } else {
            rules.bounds.append(
                Schema.NumberRules.Bound(
                    limit: value, integer: value.int64, isExclusive: name.hasPrefix("exclusive"),
                    isMaximum: name.lowercased().hasSuffix("maximum"), place: place(value)))
        }
        numbers = rules
    }

    /// A number of characters, elements or properties; nil if it is something else, which has been reported.
    private func limit(_ name: String, _ value: JSONView) -> Schema.Limit? {
        guard value.kind == .number, value.decimal.isInteger, !value.decimal.isNegative else {
            report(
                "\(name) must be a whole number from 0, not \(value.kind == .number ? value.text.string : value.kindName)",
                value)
            return nil
        }
        let decimal = value.decimal
        guard decimal.magnitude <= 18, let significand = decimal.significand else {
            return Schema.Limit(value: .max, place: place(value))
        }
        var number = Int(significand)
        for _ in 0..<decimal.scale { number *= 10 }
        return Schema.Limit(value: number, place: place(value))
    }

    private mutating func readStringRule(_ name: String, _ value: JSONView) {
        var rules = strings ?? Schema.StringRules()
        switch name {
        case "minLength": rules.minimum = limit(name, value)
        case "maxLength": rules.maximum = limit(name, value)
        default:
            guard let text = value.string?.string else {
                return report("pattern must be a string, not \(value.kindName)", value)
            }
            rules.pattern = compiler.pattern(text, at: place(value), value).map { ($0, place(value)) }
        }
        strings = rules
    }

    // MARK: - Arrays

    private mutating func readArrayRule(_ name: String, _ value: JSONView) {
        var rules = arrays ?? Schema.ArrayRules()
        switch name {
        case "prefixItems": rules.prefix = schemas(name, value) ?? []
        case "items": (rules.items, rules.itemsPlace) = (schema(value), place(value))
        case "contains": (rules.contains, rules.containsPlace) = (schema(value), place(value))
        case "unevaluatedItems": (rules.unevaluated, rules.unevaluatedPlace) = (schema(value), place(value))
        case "minContains": rules.minimumContains = limit(name, value)
        case "maxContains": rules.maximumContains = limit(name, value)
        case "minItems": rules.minimum = limit(name, value)
        case "maxItems": rules.maximum = limit(name, value)
        default:
            guard value.kind == .true || value.kind == .false else {
                return report("uniqueItems must be true or false, not \(value.kindName)", value)
            }
            rules.uniquePlace = value.kind == .true ? place(value) : nil
        }
        arrays = rules
    }

    // MARK: - Objects

    private mutating func readObjectRule(_ name: String, _ value: JSONView) {
        var rules = objects ?? Schema.ObjectRules()
        switch name {
        case "additionalProperties": (rules.additional, rules.additionalPlace) = (schema(value), place(value))
        case "unevaluatedProperties": (rules.unevaluated, rules.unevaluatedPlace) = (schema(value), place(value))
        case "propertyNames": (rules.propertyNames, rules.propertyNamesPlace) = (schema(value), place(value))
        case "minProperties": rules.minimum = limit(name, value)
        case "maxProperties": rules.maximum = limit(name, value)
        case "required":
            rules.required = positions(name, value, in: &rules)
            rules.requiredPlace = place(value)
        default:
            guard value.isObject else { return report("\(name) must be an object, not \(value.kindName)", value) }
            readMap(name, value, into: &rules)
        }
        objects = rules
    }

    private func readMap(_ name: String, _ value: JSONView, into rules: inout Schema.ObjectRules) {
        for (key, view) in value.members {
            switch name {
            case "patternProperties":
                if let pattern = compiler.pattern(key.string, at: place(view), view) {
                    rules.patterns.append(Schema.ObjectRules.Pattern(number: pattern, node: schema(view)))
                }
            case "properties":
                let position = rules.names.position(adding: key.decodedBytes)
                while rules.properties.count <= position { rules.properties.append(-1) }
                rules.properties[position] = schema(view)
            case "dependentSchemas":
                let trigger = rules.names.position(adding: key.decodedBytes)
                rules.dependentSchemas.append(
                    Schema.ObjectRules.DependentSchema(trigger: trigger, node: schema(view)))
            default:
                let trigger = rules.names.position(adding: key.decodedBytes)
                let required = positions("dependentRequired", view, in: &rules)
                rules.dependencies.append(
                    Schema.ObjectRules.Dependency(trigger: trigger, required: required, place: place(view)))
            }
        }
    }

    private func positions(_ name: String, _ value: JSONView, in rules: inout Schema.ObjectRules) -> [Int] {
        guard value.kind == .array else {
            report("\(name) must be an array of names, not \(value.kindName)", value)
            return []
        }
        var positions: [Int] = []
        var seen: Set<Int> = []
        for element in value.elements {
            guard let text = element.string else {
                report("\(name) must be an array of names; this is \(element.kindName)", element)
                continue
            }
            let position = rules.names.position(adding: text.decodedBytes)
            if seen.insert(position).inserted { positions.append(position) }
        }
        return positions
    }
}

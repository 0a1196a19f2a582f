import PushJSON
import PushSystem

/// Turns a schema, and all that it refers to, into the nodes of a `Schema`.
///
/// Subschemas are numbered when they are first mentioned and compiled in a queue, so recursion in a schema costs no stack.
final class SchemaCompiler {
    /// Schemas are refused beyond this number of subschemas.
    static let maximumNodes = 200_000
    static let maximumProblems = 20

    let registry: SchemaRegistry
    private(set) var nodes: [Schema.Node] = []
    private(set) var patterns: [PatternProgram] = []
    /// The names of the anchors that dynamic references lead to.
    private(set) var dynamicNames: [String] = []
    private var patternNumbers: [[UInt8]: Int] = [:]
    private var nodeNumbers: [Schema.Place: Int] = [:]
    /// Numbers of the nodes to compile.
    private var queue: [Int] = []
    /// References found in a node, which are resolved when it has been compiled.
    private var references: [Reference] = []

    private struct Reference {
        var node: Schema.Node
        /// The position of the reference among the node's applicators.
        var applicator: Int
        var view: JSONView
        var isDynamic: Bool
    }

    init(_ registry: SchemaRegistry) { self.registry = registry }

    /// Compiles the schema, unless the registry has problems afterwards.
    ///
    /// - Returns: the number of the outermost node.
    func compile(_ find: (String) -> SchemaDocument?) -> Int {
        guard let view = registry.resources.first?.view else { return 0 }
        let root = node(for: view, document: 0)
        repeat {
            while let number = queue.popLast() {
                readVocabularies(of: nodes[number].resource, find)
                compile(nodes[number])
                while let reference = references.popLast() { resolve(reference, find) }
                guard nodes.count <= Self.maximumNodes else {
                    registry.report("the schema has more than \(Self.maximumNodes) subschemas", at: view, in: 0)
                    break
                }
            }
            collectDynamicTargets()
        } while !queue.isEmpty && registry.problems.isEmpty
        if registry.problems.isEmpty { reportCycles() }
        return root
    }

    // MARK: - Nodes

    /// The number of the node for a subschema, which is compiled later.
    func node(for view: JSONView, document: Int) -> Int {
        let place = Schema.Place(document: document, entry: view.index)
        if let number = nodeNumbers[place] { return number }
        let number = nodes.count
        nodes.append(Schema.Node(view, at: place, in: registry.resource(around: place)))
        nodeNumbers[place] = number
        queue.append(number)
        return number
    }

    private func compile(_ node: Schema.Node) {
        switch node.view.kind {
        case .true: break
        case .false: node.isFalse = true
        case .object:
            var reader = KeywordReader(self, node)
            for (key, value) in node.view.members {
                let name = key.string
                guard let keyword = Keyword.table[name], node.resource.vocabularies.contains(keyword.vocabulary)
                else { continue }
                reader.read(name, value)
            }
            reader.finish()
        default:
            registry.report(
                "a schema is an object, true or false, not \(node.view.kindName)", at: node.view,
                in: node.place.document)
        }
    }

    /// The number of a pattern; nil if it is malformed, which has been reported.
    ///
    /// - Parameter view: where a mistake is reported.
    func pattern(_ text: String, of view: JSONView, in document: Int) -> Int? {
        // By bytes: Swift takes two encodings of an accented letter for equal.
        if let number = patternNumbers[Array(text.utf8)] { return number }
        do throws(PlainError) {
            patterns.append(try PatternProgram(text))
        } catch {
            registry.report(
                "the pattern is not a regular expression that can be used: \(error.message) (character \(error.column ?? 1))",
                at: view, in: document)
            return nil
        }
        patternNumbers[Array(text.utf8)] = patterns.count - 1
        return patterns.count - 1
    }

    /// Adds `$ref` or `$dynamicRef`, to be resolved when its node is complete.
    func addReference(_ view: JSONView, of node: Schema.Node, at place: Schema.Place, isDynamic: Bool) {
        references.append(
            Reference(node: node, applicator: node.applicators.count, view: view, isDynamic: isDynamic))
        node.applicators.append(Schema.Applicator(kind: .reference, nodes: [], place: place))
    }

    // MARK: - References

    private func resolve(
        _ reference: Reference, _ find: (String) -> SchemaDocument?
    ) {
        let text = reference.view.string?.string ?? ""
        func report(_ message: String) {
            registry.report(message, at: reference.view, in: reference.node.place.document)
        }
        let uri = URIReference(text).resolved(against: reference.node.resource.uri)
        guard let resource = registry.resource(uri.absolute, find: find) else {
            return report(
                "cannot find '\(uri.absolute)': put the file next to the schema, or name it as a schema too; nothing is fetched from a network"
            )
        }
        guard let fragment = uri.decodedFragment else { return report("'\(text)' has a malformed % sequence") }
        let isPointer = fragment.isEmpty || fragment.hasPrefix("/")
        guard let target = isPointer ? resource.view[pointer: fragment] : resource.anchors[fragment] else {
            let missing = isPointer ? "value there" : "anchor '\(fragment)'"
            return report("'\(text)' leads nowhere: '\(resource.uri.absolute)' has no \(missing)")
        }
        reference.node.applicators[reference.applicator].nodes = [node(for: target, document: resource.place.document)]
        if reference.isDynamic, !isPointer, resource.dynamicAnchors[fragment] != nil {
            // Resolved while a value is checked.
            if !dynamicNames.contains(fragment) { dynamicNames.append(fragment) }
            reference.node.applicators[reference.applicator].kind = .dynamicReference(fragment)
        }
    }

    private func collectDynamicTargets() {
        for name in dynamicNames {
            for resource in registry.resources {
                guard let view = resource.dynamicAnchors[name] else { continue }
                resource.dynamicNodes[name] = node(for: view, document: resource.place.document)
            }
        }
    }

    // MARK: - Vocabularies

    /// Reads the `$schema` of a resource, before the first of its nodes is compiled.
    private func readVocabularies(
        of resource: SchemaRegistry.Resource, _ find: (String) -> SchemaDocument?
    ) {
        if resource.isSchemaRead { return }
        resource.isSchemaRead = true
        if let parent = resource.parent {
            readVocabularies(of: parent, find)
            resource.vocabularies = parent.vocabularies
        }
        guard resource.view.isObject, let keyword = resource.view["$schema"] else { return }
        func report(_ message: String) { registry.report(message, at: keyword, in: resource.place.document) }
        guard let text = keyword.string?.string else {
            return report("$schema must be a string, not \(keyword.kindName)")
        }
        var uri = URIReference(text)
        uri.fragment = nil
        if uri.absolute == MetaSchema.uri { return }
        if uri.authority == "json-schema.org" {
            return report(
                "'\(text)' is another draft; pushpipe reads draft 2020-12, whose $schema is \(MetaSchema.uri)")
        }
        guard let meta = registry.resource(uri.absolute, find: find) else {
            return report("cannot find the meta-schema '\(text)'")
        }
        guard let vocabulary = meta.view["$vocabulary"] else { return }
        var enabled: Keyword.Vocabularies = [.core]
        for (key, value) in vocabulary.members {
            if let vocabulary = Keyword.Vocabularies(uri: key.string) {
                enabled.insert(vocabulary)
            } else if value.kind == .true {
                report("the meta-schema '\(text)' requires the vocabulary '\(key.string)', which is not supported")
            }
        }
        resource.vocabularies = enabled
    }

    // MARK: - Cycles

    /// Reports subschemas that lead back to themselves without going into the value: checking them would not end.
    private func reportCycles() {
        enum Mark: UInt8 { case new, open, done }
        var marks = [Mark](repeating: .new, count: nodes.count)
        for start in nodes.indices where marks[start] == .new {
            var path: [(node: Int, rest: [Int])] = [(start, successors(of: nodes[start]))]
            marks[start] = .open
            while let last = path.indices.last {
                guard let next = path[last].rest.popLast() else {
                    marks[path[last].node] = .done
                    path.removeLast()
                    continue
                }
                switch marks[next] {
                case .done: break
                case .new:
                    marks[next] = .open
                    path.append((next, successors(of: nodes[next])))
                case .open:
                    return registry.report(
                        "the schema leads back to itself for the same value, so that checking it would not end",
                        at: nodes[next].view, in: nodes[next].place.document)
                }
            }
        }
    }

    /// The nodes that are applied to the same value. Dynamic references are left out: where they lead is not known yet.
    private func successors(of node: Schema.Node) -> [Int] {
        var found: [Int] = []
        for applicator in node.applicators {
            if case .dynamicReference = applicator.kind { continue }
            found += applicator.nodes
        }
        if let (test, then, otherwise) = node.condition { found += [test, then, otherwise].compactMap(\.self) }
        return found + (node.objects?.dependentSchemas.map(\.node) ?? [])
    }
}

/// Reads the keywords of one schema object into its node.
struct KeywordReader {
    private let compiler: SchemaCompiler
    private let node: Schema.Node
    private var condition: JSONView?
    private var then: JSONView?
    private var otherwise: JSONView?

    init(_ compiler: SchemaCompiler, _ node: Schema.Node) {
        self.compiler = compiler
        self.node = node
    }

    private func place(_ view: JSONView) -> Schema.Place {
        Schema.Place(document: node.place.document, entry: view.index)
    }

    private func report(_ message: String, _ view: JSONView) {
        compiler.registry.report(message, at: view, in: node.place.document)
    }

    private func schema(_ view: JSONView) -> Int { compiler.node(for: view, document: node.place.document) }

    private func subschema(_ view: JSONView) -> Schema.Subschema {
        Schema.Subschema(node: schema(view), place: place(view))
    }

    // MARK: - Tables of the node, made when they are needed

    private func made<Rules>(
        _ table: ReferenceWritableKeyPath<Schema.Node, Rules?>, _ new: @autoclosure () -> Rules
    ) -> Rules {
        let rules = node[keyPath: table] ?? new()
        node[keyPath: table] = rules
        return rules
    }

    private var numbers: Schema.NumberRules { made(\.numbers, Schema.NumberRules()) }
    private var strings: Schema.StringRules { made(\.strings, Schema.StringRules()) }
    private var arrays: Schema.ArrayRules { made(\.arrays, Schema.ArrayRules()) }
    private var objects: Schema.ObjectRules { made(\.objects, Schema.ObjectRules()) }

    // MARK: - Keywords

    mutating func read(_ name: String, _ value: JSONView) {
        switch name {
        case "if": condition = value
        case "then": then = value
        case "else": otherwise = value
        case "type": readTypes(value)
        case "enum": readEnumeration(value)
        case "const": node.constants.append(Schema.ConstantSet(values: [value], isConst: true, place: place(value)))
        case "multipleOf": readMultiple(value)
        case "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum": readBound(name, value)
        case "minLength": strings.minimum = limit(name, value)
        case "maxLength": strings.maximum = limit(name, value)
        case "pattern": readPattern(value)
        case "$ref", "$dynamicRef": readReference(name, value)
        case "allOf": addList(.allOf, name, value)
        case "anyOf": addList(.anyOf, name, value)
        case "oneOf": addList(.oneOf, name, value)
        case "not": node.applicators.append(.init(kind: .not, nodes: [schema(value)], place: place(value)))
        case "$defs", "definitions": readDefinitions(name, value)
        case "prefixItems": arrays.prefix = schemas(name, value) ?? []
        case "items": arrays.items = subschema(value)
        case "contains": arrays.contains = subschema(value)
        case "unevaluatedItems": arrays.unevaluated = subschema(value)
        case "minContains": arrays.minimumContains = limit(name, value)
        case "maxContains": arrays.maximumContains = limit(name, value)
        case "minItems": arrays.minimum = limit(name, value)
        case "maxItems": arrays.maximum = limit(name, value)
        case "uniqueItems": readUnique(value)
        case "additionalProperties": objects.additional = subschema(value)
        case "unevaluatedProperties": objects.unevaluated = subschema(value)
        case "propertyNames": objects.propertyNames = subschema(value)
        case "minProperties": objects.minimum = limit(name, value)
        case "maxProperties": objects.maximum = limit(name, value)
        case "required": readRequired(value)
        case "properties", "patternProperties", "dependentRequired", "dependentSchemas": readMap(name, value)
        default: break
        }
    }

    func finish() {
        node.needsEvaluated = node.arrays?.unevaluated != nil || node.objects?.unevaluated != nil
        if let condition {
            node.condition = (schema(condition), then.map(schema), otherwise.map(schema))
        } else {
            for view in [then, otherwise] { if let view { checkIsSchema(view) } }
        }
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
        // What nothing refers to is not compiled, so its mistakes would not be seen.
        for (_, view) in value.members { _ = schema(view) }
    }

    private func readReference(_ name: String, _ value: JSONView) {
        guard value.isString else { return report("\(name) must be a string, not \(value.kindName)", value) }
        compiler.addReference(value, of: node, at: place(value), isDynamic: name == "$dynamicRef")
    }

    private func addList(_ kind: Schema.Applicator.Kind, _ name: String, _ value: JSONView) {
        guard let nodes = schemas(name, value) else { return }
        node.applicators.append(Schema.Applicator(kind: kind, nodes: nodes, place: place(value)))
    }

    /// The elements of an array of schemas; nil if it is not one.
    private func schemas(_ name: String, _ value: JSONView) -> [Int]? {
        let nodes = value.elements.map(schema)
        guard nodes.isEmpty else { return nodes }
        let found = value.kind == .array ? "" : ", not \(value.kindName)"
        report("\(name) must be an array with at least one schema\(found)", value)
        return nil
    }

    // MARK: - Any value

    private static let types: [(name: String, kinds: [JSONTape.Kind])] = [
        ("null", [.null]), ("boolean", [.true, .false]), ("number", [.number]), ("integer", [.number]),
        // A name of a member is checked as a string.
        ("string", [.string, .key]), ("array", [.array]), ("object", [.object]),
    ]

    private func readTypes(_ value: JSONView) {
        node.kinds = 0
        node.typePlace = place(value)
        var names: Set<String> = []
        for view in value.kind == .array ? Array(value.elements) : [value] {
            guard let name = view.string?.string, let type = Self.types.first(where: { $0.name == name }) else {
                let allowed = Self.types.map(\.name).joined(separator: ", ")
                report("type is one of \(allowed), not \(view.isString ? view.text.string : view.kindName)", view)
                continue
            }
            for kind in type.kinds { node.kinds |= 1 << kind.rawValue }
            names.insert(name)
        }
        node.isInteger = names.contains("integer") && !names.contains("number")
    }

    private func readEnumeration(_ value: JSONView) {
        guard value.kind == .array else { return report("enum must be an array, not \(value.kindName)", value) }
        let set = Schema.ConstantSet(values: Array(value.elements), isConst: false, place: place(value))
        node.constants.append(set)
    }

    // MARK: - Numbers and strings

    private func readMultiple(_ value: JSONView) {
        guard value.kind == .number else { return report("multipleOf must be a number, not \(value.kindName)", value) }
        let decimal = value.decimal
        guard !decimal.isZero, !decimal.isNegative else { return report("multipleOf must be greater than 0", value) }
        guard let divisor = decimal.significand else {
            return report("multipleOf with more than 18 significant digits is not supported", value)
        }
        numbers.multiple = (divisor, decimal.scale, place(value))
    }

    private func readBound(_ name: String, _ value: JSONView) {
        guard value.kind == .number else { return report("\(name) must be a number, not \(value.kindName)", value) }
        numbers.bounds.append(
            Schema.NumberRules.Bound(
                limit: value, integer: value.int64, isExclusive: name.hasPrefix("exclusive"),
                isMaximum: name.lowercased().hasSuffix("maximum"), place: place(value)))
    }

    /// A number of characters, elements or properties; nil if it is something else, which has been reported.
    private func limit(_ name: String, _ value: JSONView) -> Schema.Limit? {
        guard value.kind == .number, value.decimal.isInteger, !value.decimal.isNegative else {
            let found = value.kind == .number ? value.text.string : value.kindName
            report("\(name) must be a whole number from 0, not \(found)", value)
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

    private func readPattern(_ value: JSONView) {
        guard let text = value.string?.string else {
            return report("pattern must be a string, not \(value.kindName)", value)
        }
        strings.pattern = compiler.pattern(text, of: value, in: node.place.document).map { ($0, place(value)) }
    }

    // MARK: - Arrays and objects

    private func readUnique(_ value: JSONView) {
        guard value.kind == .true || value.kind == .false else {
            return report("uniqueItems must be true or false, not \(value.kindName)", value)
        }
        arrays.uniquePlace = value.kind == .true ? place(value) : nil
    }

    private func readRequired(_ value: JSONView) {
        objects.required = positions("required", value)
        objects.requiredPlace = place(value)
    }

    private func readMap(_ name: String, _ value: JSONView) {
        guard value.isObject else { return report("\(name) must be an object, not \(value.kindName)", value) }
        let rules = objects
        for (key, view) in value.members {
            if name == "patternProperties" {
                if let pattern = compiler.pattern(key.string, of: view, in: node.place.document) {
                    rules.patterns.append((pattern, schema(view)))
                }
                continue
            }
            let position = rules.names.position(adding: key)
            switch name {
            case "properties":
                while rules.properties.count <= position { rules.properties.append(nil) }
                rules.properties[position] = schema(view)
            case "dependentSchemas": rules.dependentSchemas.append((position, schema(view)))
            default:
                let required = positions("dependentRequired", view)
                rules.dependencies.append(.init(trigger: position, required: required, place: place(view)))
            }
        }
    }

    private func positions(_ name: String, _ value: JSONView) -> [Int] {
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
            let position = objects.names.position(adding: text)
            if seen.insert(position).inserted { positions.append(position) }
        }
        return positions
    }
}

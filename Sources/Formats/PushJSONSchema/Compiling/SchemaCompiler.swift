import PayloadJSON

/// Turns a schema, and all that it refers to, into the tables of a `Schema`.
///
/// Subschemas are numbered when they are first mentioned and compiled in a queue, so recursion in a schema costs no stack.
final class SchemaCompiler {
    /// Schemas are refused beyond this number of subschemas.
    static let maximumNodes = 200_000
    private static let maximumProblems = 20

    let registry: SchemaRegistry
    var nodes: [Schema.Node] = []
    var lists: [Int32] = []
    var constantSets: [Schema.ConstantSet] = []
    var constants: [JSONView] = []
    var numbers: [Schema.NumberRules] = []
    var strings: [Schema.StringRules] = []
    var arrays: [Schema.ArrayRules] = []
    var objects: [Schema.ObjectRules] = []
    var applicators: [Schema.Applicator] = []
    var dynamicTargets: [Schema.DynamicTargets] = []
    var patterns: [PatternProgram] = []
    private var patternNumbers: [[UInt8]: Int] = [:]
    private var dynamicNames: [String] = []
    private var nodeNumbers: [Schema.Place: Int32] = [:]
    private var queue: [(number: Int32, view: JSONView)] = []
    /// References found in a node, which are resolved when it has been compiled.
    private var references: [Reference] = []
    /// The resources whose `$schema` has been read.
    private var known: Set<Int32> = []

    private struct Reference {
        var applicator: Int
        var node: Int32
        var view: JSONView
        var isDynamic: Bool
    }

    init(_ registry: SchemaRegistry) { self.registry = registry }

    /// - Returns: the number of the outermost node.
    func compile(_ find: (String) throws(SchemaError) -> SchemaDocument?) throws(SchemaError) -> Int32 {
        guard let view = registry.resources.first?.view else { return 0 }
        let root = node(for: view, document: 0)
        repeat {
            while let (number, view) = queue.popLast() {
                try readVocabularies(of: nodes[Int(number)].resource, find)
                compile(number, view)
                while let reference = references.popLast() { try resolve(reference, find) }
                guard nodes.count <= Self.maximumNodes else {
                    registry.report(
                        "the schema has more than \(Self.maximumNodes) subschemas",
                        at: Schema.Place(document: 0, entry: 0), view)
                    break
                }
            }
            collectDynamicTargets()
        } while !queue.isEmpty && registry.problems.isEmpty
        if registry.problems.isEmpty { reportCycles() }
        guard registry.problems.isEmpty else {
            throw SchemaError(Array(registry.problems.prefix(Self.maximumProblems)))
        }
        return root
    }

    // MARK: - Nodes

    /// The number of the node for a subschema, which is compiled later.
    func node(for view: JSONView, document: Int32) -> Int32 {
        let place = Schema.Place(document: document, entry: Int32(view.index))
        if let number = nodeNumbers[place] { return number }
        let number = Int32(nodes.count)
        var node = Schema.Node()
        node.place = place
        node.resource = registry.resource(around: place)
        nodes.append(node)
        nodeNumbers[place] = number
        queue.append((number, view))
        return number
    }

    private func compile(_ number: Int32, _ view: JSONView) {
        switch view.kind {
        case .true: break
        case .false: nodes[Int(number)].isFalse = true
        case .object:
            var reader = KeywordReader(self, number)
            let vocabularies = registry.resources[Int(nodes[Int(number)].resource)].vocabularies
            for (key, value) in view.members {
                let name = key.string
                guard let keyword = Keyword.table[name], vocabularies.contains(keyword.vocabulary) else { continue }
                reader.read(name, value)
            }
            reader.finish(view)
        default:
            registry.report(
                "a schema is an object, true or false, not \(view.kindName)", at: nodes[Int(number)].place, view)
        }
    }

    /// The number of a pattern; nil if it is malformed, which has been reported.
    func pattern(_ text: String, at place: Schema.Place, _ view: JSONView) -> Int? {
        // By bytes: Swift takes two encodings of an accented letter for equal.
        if let number = patternNumbers[Array(text.utf8)] { return number }
        do throws(PatternError) {
            patterns.append(try PatternProgram(text))
        } catch {
            registry.report(
                "the pattern is not a regular expression that can be used: \(error.message) (character \(error.offset + 1))",
                at: place,
                view)
            return nil
        }
        patternNumbers[Array(text.utf8)] = patterns.count - 1
        return patterns.count - 1
    }

    /// Adds `$ref` or `$dynamicRef`, to be resolved when its node is complete.
    func addReference(_ view: JSONView, of node: Int32, at place: Schema.Place, isDynamic: Bool) -> Schema.Applicator {
        let position = Int32(lists.count)
        lists.append(-1)
        references.append(Reference(applicator: Int(position), node: node, view: view, isDynamic: isDynamic))
        return Schema.Applicator(kind: .reference, nodes: position..<position + 1, place: place)
    }

    // MARK: - References

    private func resolve(
        _ reference: Reference, _ find: (String) throws(SchemaError) -> SchemaDocument?
    ) throws(SchemaError) {
        let from = nodes[Int(reference.node)]
        let place = Schema.Place(document: from.place.document, entry: Int32(reference.view.index))
        let text = reference.view.string?.string ?? ""
        let uri = URIReference(text).resolved(against: registry.resources[Int(from.resource)].uri)
        guard let number = try registry.resource(uri.absolute, find: find) else {
            return registry.report(
                "cannot find '\(uri.absolute)': put the file next to the schema, or name it as a schema too; nothing is fetched from a network",
                at: place, reference.view)
        }
        let resource = registry.resources[Int(number)]
        guard let fragment = uri.decodedFragment else {
            return registry.report("'\(text)' has a malformed % sequence", at: place, reference.view)
        }
        if fragment.isEmpty || fragment.hasPrefix("/") {
            guard let target = resource.view[pointer: fragment] else {
                return registry.report(
                    "'\(text)' leads nowhere: '\(resource.uri.absolute)' has no value there", at: place, reference.view)
            }
            lists[reference.applicator] = node(for: target, document: resource.place.document)
            return
        }
        guard let target = resource.anchors[fragment] else {
            return registry.report(
                "'\(text)' leads nowhere: '\(resource.uri.absolute)' has no anchor '\(fragment)'", at: place,
                reference.view)
        }
        lists[reference.applicator] = node(for: target, document: resource.place.document)
        if reference.isDynamic, resource.dynamicAnchors[fragment] != nil {
            makeDynamic(reference, fragment)
        }
    }

    /// A reference to a dynamic anchor is resolved while a value is checked.
    private func makeDynamic(_ reference: Reference, _ name: String) {
        let number: Int
        if let known = dynamicNames.firstIndex(of: name) {
            number = known
        } else {
            number = dynamicNames.count
            dynamicNames.append(name)
            dynamicTargets.append([:])
        }
        let range = nodes[Int(reference.node)].applicators
        for position in range where applicators[Int(position)].nodes.lowerBound == Int32(reference.applicator) {
            applicators[Int(position)].kind = .dynamicReference
            applicators[Int(position)].name = Int32(number)
        }
    }

    private func collectDynamicTargets() {
        for (number, name) in dynamicNames.enumerated() {
            for (position, resource) in registry.resources.enumerated() {
                guard let view = resource.dynamicAnchors[name], dynamicTargets[number][Int32(position)] == nil else {
                    continue
                }
                dynamicTargets[number][Int32(position)] = node(for: view, document: resource.place.document)
            }
        }
    }

    // MARK: - Vocabularies

    /// Reads the `$schema` of a resource, before the first of its nodes is compiled.
    private func readVocabularies(
        of number: Int32, _ find: (String) throws(SchemaError) -> SchemaDocument?
    ) throws(SchemaError) {
        guard known.insert(number).inserted else { return }
        let resource = registry.resources[Int(number)]
        if resource.parent >= 0 {
            try readVocabularies(of: resource.parent, find)
            registry.setVocabularies(registry.resources[Int(resource.parent)].vocabularies, of: number)
        }
        guard resource.view.isObject, let keyword = resource.view["$schema"] else { return }
        let place = Schema.Place(document: resource.place.document, entry: Int32(keyword.index))
        guard let text = keyword.string?.string else {
            return registry.report("$schema must be a string, not \(keyword.kindName)", at: place, keyword)
        }
        var uri = URIReference(text)
        uri.fragment = nil
        if uri.absolute == MetaSchema.uri { return }
        if URIReference(text).authority == "json-schema.org" {
            return registry.report(
                "'\(text)' is another draft; pushpipe reads draft 2020-12, whose $schema is \(MetaSchema.uri)",
                at: place,
                keyword)
        }
        guard let meta = try registry.resource(uri.absolute, find: find) else {
            return registry.report("cannot find the meta-schema '\(text)'", at: place, keyword)
        }
        guard let vocabulary = registry.resources[Int(meta)].view["$vocabulary"] else { return }
        var enabled: Keyword.Vocabularies = [.core]
        for (key, value) in vocabulary.members {
            if let vocabulary = Keyword.Vocabularies(uri: key.string) {
                enabled.insert(vocabulary)
            } else if value.kind == .true {
                registry.report(
                    "the meta-schema '\(text)' requires the vocabulary '\(key.string)', which is not supported",
                    at: place,
                    keyword)
            }
        }
        registry.setVocabularies(enabled, of: number)
    }

    // MARK: - Cycles

    /// Reports subschemas that lead back to themselves without going into the value: checking them would not end.
    private func reportCycles() {
        enum Mark: UInt8 { case new, open, done }
        var marks = [Mark](repeating: .new, count: nodes.count)
        for start in nodes.indices where marks[start] == .new {
            var path: [(node: Int, rest: [Int32])] = [(start, successors(of: start))]
            marks[start] = .open
            while let last = path.indices.last {
                guard let next = path[last].rest.popLast() else {
                    marks[path[last].node] = .done
                    path.removeLast()
                    continue
                }
                switch marks[Int(next)] {
                case .done: break
                case .new:
                    marks[Int(next)] = .open
                    path.append((Int(next), successors(of: Int(next))))
                case .open:
                    let place = nodes[Int(next)].place
                    guard let root = registry.documents[Int(place.document)].content.root else { break }
                    registry.report(
                        "the schema leads back to itself for the same value, so that checking it would not end",
                        at: place,
                        root.atEntry(place.entry) ?? root)
                    return
                }
            }
        }
    }

    /// The nodes that are applied to the same value. Dynamic references are left out: where they lead is not known yet.
    private func successors(of number: Int) -> [Int32] {
        var found: [Int32] = []
        for position in nodes[number].applicators where applicators[Int(position)].kind != .dynamicReference {
            found +=
                lists[
                    Int(applicators[Int(position)].nodes.lowerBound)..<Int(applicators[Int(position)].nodes.upperBound)]
        }
        if nodes[number].objects >= 0 { found += objects[Int(nodes[number].objects)].dependentSchemas.map(\.node) }
        return found.filter { $0 >= 0 }
    }
}

extension JSONView {
    /// The value inside this one that stands at an entry of the tape. O(depth × members).
    func atEntry(_ entry: Int32) -> JSONView? {
        var view = self
        while view.index < Int(entry) {
            var found: JSONView?
            for (_, value) in view.members {
                if value.index <= Int(entry), Int(entry) < Int(value.entry.next) { found = value }
            }
            for element in view.elements {
                if element.index <= Int(entry), Int(entry) < Int(element.entry.next) { found = element }
            }
            guard let found else { return nil }
            view = found
        }
        return view
    }
}

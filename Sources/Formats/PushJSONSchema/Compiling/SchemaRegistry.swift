import PushJSON
import PushSystem

/// The documents that a schema consists of, and where in them identifiers lead.
///
/// Every document is searched once, in the places where subschemas can be: an `$id` elsewhere, such as in an `enum`, is
/// data.
final class SchemaRegistry {
    /// A document, or a part of one with an `$id` of its own.
    final class Resource {
        fileprivate(set) var uri: URIReference
        let view: JSONView
        let place: Schema.Place
        /// The resource around it; nil for a document.
        let parent: Resource?
        /// True if its `$schema` has been read.
        var isSchemaRead = false
        var vocabularies = Keyword.Vocabularies.all
        fileprivate(set) var anchors: [String: JSONView] = [:]
        /// Those of `anchors` that `$dynamicAnchor` defines.
        fileprivate(set) var dynamicAnchors: [String: JSONView] = [:]
        /// The nodes for the dynamic anchors that references lead to.
        var dynamicNodes: [String: Int] = [:]

        init(_ uri: URIReference, _ view: JSONView, at place: Schema.Place, in parent: Resource?) {
            self.uri = uri
            self.view = view
            self.place = place
            self.parent = parent
        }
    }

    private(set) var documents: [SchemaDocument] = []
    private(set) var resources: [Resource] = []
    private(set) var problems: [SchemaProblem] = []
    /// The resources by their absolute URIs.
    private var byURI: [String: Resource] = [:]
    /// For each document, its resources in the order of the text.
    private var byDocument: [[Resource]] = []
    private let builtin: (String) -> SchemaDocument?

    /// - Parameter builtin: the documents that need no file, by URI.
    init(_ document: SchemaDocument, builtin: @escaping (String) -> SchemaDocument?) {
        self.builtin = builtin
        add(document, as: document.uri)
    }

    /// The resource with a URI, from a document if need be; nil if there is none.
    func resource(
        _ uri: String, find: (String) -> SchemaDocument?
    ) -> Resource? {
        if let known = byURI[uri] { return known }
        guard let document = builtin(uri) ?? find(uri) else { return nil }
        // Two references may lead to one file.
        if let known = documents.firstIndex(where: { $0 === document }) {
            byURI[uri] = byDocument[known].first
        } else {
            add(document, as: uri)
        }
        return byURI[uri]
    }

    /// The innermost resource around an entry.
    func resource(around place: Schema.Place) -> Resource {
        let inDocument = byDocument[place.document]
        var low = 0
        var high = inDocument.count
        while low < high {
            let middle = (low + high) / 2
            if inDocument[middle].place.entry <= place.entry { low = middle + 1 } else { high = middle }
        }
        var resource = inDocument[max(low - 1, 0)]
        while let parent = resource.parent, resource.view.endIndex <= place.entry { resource = parent }
        return resource
    }

    func report(_ message: String, at view: JSONView, in document: Int) {
        let document = documents[document]
        problems.append(
            SchemaProblem(
                document: document.name, pointer: document.pointer(to: view.index),
                position: document.position(of: view.offset), message: message))
    }

    // MARK: - Documents

    private func add(_ document: SchemaDocument, as uri: String) {
        let number = documents.count
        documents.append(document)
        byDocument.append([])
        guard let root = document.root else { return }
        let resource = addResource(URIReference(uri), root, Schema.Place(document: number, entry: 0), in: nil)
        // The URI that it was asked for leads to it, even if its own is another.
        byURI[uri] = resource
        search(root, in: resource)
    }

    private func addResource(
        _ uri: URIReference, _ view: JSONView, _ place: Schema.Place, in parent: Resource?
    ) -> Resource {
        let resource = Resource(uri, view, at: place, in: parent)
        resources.append(resource)
        byDocument[place.document].append(resource)
        return resource
    }

    private func search(_ root: JSONView, in first: Resource) {
        var stack = [(view: root, resource: first)]
        while let (view, around) = stack.popLast() {
            guard view.isObject else { continue }
            let resource = view["$id"].map { readID($0, of: view, in: around) } ?? around
            readAnchor(view, "$anchor", in: resource)
            readAnchor(view, "$dynamicAnchor", in: resource)
            var found: [JSONView] = []
            for (key, value) in view.members {
                switch Keyword.table[key.string]?.shape {
                case .schema: found.append(value)
                case .schemaList: found += value.elements
                case .schemaMap: found += value.members.map(\.value)
                default: break
                }
            }
            // In the order of the text, which the search for the resource around an entry relies on.
            for view in found.reversed() { stack.append((view, resource)) }
        }
    }

    private func readID(_ id: JSONView, of view: JSONView, in around: Resource) -> Resource {
        let document = around.place.document
        guard let text = id.string?.string else {
            report("$id must be a string, not \(id.kindName)", at: id, in: document)
            return around
        }
        let reference = URIReference(text)
        guard (reference.fragment ?? "").isEmpty else {
            report("$id has no fragment; $anchor gives a subschema a name", at: id, in: document)
            return around
        }
        var uri = reference.resolved(against: around.uri)
        uri.fragment = nil
        if view.index == 0 {
            // The document itself, which is known by both URIs.
            around.uri = uri
            byURI[uri.absolute] = around
            return around
        }
        let resource = addResource(uri, view, Schema.Place(document: document, entry: view.index), in: around)
        if let other = byURI.updateValue(resource, forKey: uri.absolute), other !== resource {
            report("another schema has the same $id, '\(uri.absolute)'", at: id, in: document)
        }
        return resource
    }

    private func readAnchor(_ view: JSONView, _ keyword: StaticString, in resource: Resource) {
        guard let anchor = view[keyword] else { return }
        let document = resource.place.document
        guard let name = anchor.string?.string, Self.isAnchorName(name) else {
            return report(
                "\(keyword) must be a name of letters, digits, '-', '_' and '.'", at: anchor, in: document)
        }
        if let known = resource.anchors.updateValue(view, forKey: name), known.index != view.index {
            report("another schema has the same anchor, '\(name)'", at: anchor, in: document)
        }
        if keyword.description == "$dynamicAnchor" { resource.dynamicAnchors[name] = view }
    }

    /// Core, section 8.2.2.
    private static func isAnchorName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter || first == UInt8(ascii: "_") else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.".utf8.contains($0) }
    }
}

/// A keyword of draft 2020-12, the kind of its value, and its vocabulary.
struct Keyword {
    /// The place of a keyword's subschemas.
    enum Shape {
        case schema, schemaList, schemaMap, other
    }

    /// A vocabulary, without which its keywords have no effect.
    struct Vocabularies: OptionSet {
        let rawValue: Int

        static let core = Vocabularies(rawValue: 1)
        static let applicator = Vocabularies(rawValue: 2)
        static let unevaluated = Vocabularies(rawValue: 4)
        static let validation = Vocabularies(rawValue: 8)
        /// Those whose keywords only annotate: meta-data, format-annotation, content.
        static let annotation = Vocabularies(rawValue: 16)

        static let all: Vocabularies = [.core, .applicator, .unevaluated, .validation, .annotation]

        private static let prefix = "https://json-schema.org/draft/2020-12/vocab/"

        /// - Returns: nil for a vocabulary that is not supported.
        init?(uri: String) {
            guard uri.hasPrefix(Self.prefix) else { return nil }
            switch uri.dropFirst(Self.prefix.count) {
            case "core": self = .core
            case "applicator": self = .applicator
            case "unevaluated": self = .unevaluated
            case "validation": self = .validation
            case "meta-data", "format-annotation", "content": self = .annotation
            default: return nil
            }
        }

        init(rawValue: Int) { self.rawValue = rawValue }
    }

    let shape: Shape
    let vocabulary: Vocabularies

    /// Every keyword that has an effect on validation, and those that contain schemas. `definitions` is the older name of
    /// `$defs`.
    static let table: [String: Keyword] = {
        var table: [String: Keyword] = [:]
        func add(_ shape: Shape, _ vocabulary: Vocabularies, _ names: String) {
            for name in names.split(separator: " ") {
                table[String(name)] = Keyword(shape: shape, vocabulary: vocabulary)
            }
        }
        add(.schemaMap, .core, "$defs definitions")
        add(.other, .core, "$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment")
        add(.schema, .applicator, "additionalProperties contains else if items not propertyNames then")
        add(.schemaList, .applicator, "allOf anyOf oneOf prefixItems")
        add(.schemaMap, .applicator, "dependentSchemas patternProperties properties")
        add(.schema, .unevaluated, "unevaluatedItems unevaluatedProperties")
        add(
            .other, .validation,
            """
            type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems \
            minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired
            """)
        add(.schema, .annotation, "contentSchema")
        return table
    }()
}

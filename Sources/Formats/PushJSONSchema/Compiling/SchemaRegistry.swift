import PayloadJSON
import PushSystem

/// The documents that a schema consists of, and where in them identifiers lead.
///
/// Every document is searched once, in the places where subschemas can be: an `$id` elsewhere, such as in an `enum`, is
/// data.
final class SchemaRegistry {
    struct Resource {
        let uri: URIReference
        let view: JSONView
        let place: Schema.Place
        /// One past its last entry on the tape.
        let end: Int32
        /// The resource around it; -1 for a document.
        let parent: Int32
        var vocabularies: Keyword.Vocabularies
        var anchors: [String: JSONView] = [:]
        /// Those of `anchors` that `$dynamicAnchor` defines.
        var dynamicAnchors: [String: JSONView] = [:]
    }

    private(set) var documents: [SchemaDocument] = []
    private(set) var resources: [Resource] = []
    private(set) var problems: [SchemaError.Problem] = []
    /// By absolute URI.
    private var numbers: [String: Int32] = [:]
    /// For each document, its resources in the order of the text.
    private var byDocument: [[Int32]] = []
    private let builtin: (String) -> SchemaDocument?

    /// - Parameter builtin: the documents that need no file, by URI.
    init(_ document: SchemaDocument, builtin: @escaping (String) -> SchemaDocument?) {
        self.builtin = builtin
        add(document, as: document.uri)
    }

    /// The resource with a URI, from a document if need be; nil if there is none.
    func resource(
        _ uri: String, find: (String) throws(SchemaError) -> SchemaDocument?
    ) throws(SchemaError) -> Int32? {
        if let number = numbers[uri] { return number }
        var document = builtin(uri)
        if document == nil { document = try find(uri) }
        guard let document else { return nil }
        // Two references may lead to one file.
        if let known = documents.firstIndex(where: { $0 === document }) {
            numbers[uri] = byDocument[known].first
        } else {
            add(document, as: uri)
        }
        return numbers[uri]
    }

    /// The innermost resource around an entry.
    func resource(around place: Schema.Place) -> Int32 {
        let inDocument = byDocument[Int(place.document)]
        var low = 0
        var high = inDocument.count
        while low < high {
            let middle = (low + high) / 2
            if resources[Int(inDocument[middle])].place.entry <= place.entry { low = middle + 1 } else { high = middle }
        }
        var number = inDocument[max(low - 1, 0)]
        while resources[Int(number)].parent >= 0, resources[Int(number)].end <= place.entry {
            number = resources[Int(number)].parent
        }
        return number
    }

    func setVocabularies(_ vocabularies: Keyword.Vocabularies, of resource: Int32) {
        resources[Int(resource)].vocabularies = vocabularies
    }

    func report(_ message: String, at place: Schema.Place, _ view: JSONView) {
        let document = documents[Int(place.document)]
        problems.append(
            SchemaError.Problem(
                document: document.name, pointer: document.content.pointer(to: Int(place.entry)),
                position: document.content.position(of: view.offset), message: message))
    }

    // MARK: - Documents

    private func add(_ document: SchemaDocument, as uri: String) {
        let number = Int32(documents.count)
        documents.append(document)
        byDocument.append([])
        guard let root = document.content.root else { return }
        let base = URIReference(uri)
        let first = addResource(base, root, Schema.Place(document: number, entry: 0), parent: -1)
        // The URI that it was asked for leads to it, even if its own is another.
        numbers[uri] = first
        search(root, in: first, document: number)
    }

    private func addResource(_ uri: URIReference, _ view: JSONView, _ place: Schema.Place, parent: Int32) -> Int32 {
        let number = Int32(resources.count)
        resources.append(
            Resource(
                uri: uri, view: view, place: place, end: Int32(view.entry.next), parent: parent,
                vocabularies: parent < 0 ? .all : resources[Int(parent)].vocabularies))
        byDocument[Int(place.document)].append(number)
        return number
    }

    private func search(_ root: JSONView, in first: Int32, document: Int32) {
        var stack = [(view: root, resource: first)]
        while let (view, around) = stack.popLast() {
            guard view.isObject else { continue }
            var resource = around
            let place = Schema.Place(document: document, entry: Int32(view.index))
            if let id = view["$id"] { resource = readID(id, of: view, at: place, in: around) }
            readAnchor(view, "$anchor", in: resource, document)
            readAnchor(view, "$dynamicAnchor", in: resource, document)
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

    private func readID(_ id: JSONView, of view: JSONView, at place: Schema.Place, in around: Int32) -> Int32 {
        let idPlace = Schema.Place(document: place.document, entry: Int32(id.index))
        guard let text = id.string?.string else {
            report("$id must be a string, not \(id.kindName)", at: idPlace, id)
            return around
        }
        let reference = URIReference(text)
        guard (reference.fragment ?? "").isEmpty else {
            report("$id has no fragment; $anchor gives a subschema a name", at: idPlace, id)
            return around
        }
        var uri = reference.resolved(against: resources[Int(around)].uri)
        uri.fragment = nil
        if place.entry == 0 {
            // The document itself, which is known by both URIs.
            let known = resources[Int(around)]
            resources[Int(around)] = Resource(
                uri: uri, view: known.view, place: known.place, end: known.end, parent: known.parent,
                vocabularies: known.vocabularies)
            numbers[uri.absolute] = around
            return around
        }
        let number = addResource(uri, view, place, parent: around)
        if let other = numbers.updateValue(number, forKey: uri.absolute), other != number {
            report("another schema has the same $id, '\(uri.absolute)'", at: idPlace, id)
        }
        return number
    }

    private func readAnchor(_ view: JSONView, _ keyword: StaticString, in resource: Int32, _ document: Int32) {
        guard let anchor = view[keyword] else { return }
        let place = Schema.Place(document: document, entry: Int32(anchor.index))
        guard let name = anchor.string?.string, Self.isAnchorName(name) else {
            return report("\(keyword) must be a name of letters, digits, '-', '_' and '.'", at: place, anchor)
        }
        let known = resources[Int(resource)].anchors.updateValue(view, forKey: name)
        if let known, known.index != view.index {
            report("another schema has the same anchor, '\(name)'", at: place, anchor)
        }
        if "\(keyword)" == "$dynamicAnchor" { resources[Int(resource)].dynamicAnchors[name] = view }
    }

    /// Core, section 8.2.2.
    private static func isAnchorName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter || first == UInt8(ascii: "_") else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            byte.isLetter || byte.isDigit || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }
}

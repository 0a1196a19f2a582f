import PushJSON

/// A compiled JSON Schema, draft 2020-12.
///
/// It is a list of nodes, one per subschema that can be reached, whose keywords are sorted by the kind of value that they
/// are about. A reference is the number of another node. Several validators can use one schema at a time.
@safe  // SOUND: its views are into texts that it keeps, and nothing changes after `init`.
package final class Schema: @unchecked Sendable {
    /// The position of a keyword: an entry on the tape of a document.
    struct Place: Equatable, Hashable {
        var document: Int
        var entry: Int
    }

    /// A limit such as `maxLength`.
    struct Limit {
        var value: Int
        var place: Place
    }

    /// The number of a node, and the place of the keyword that applies it.
    struct Subschema {
        var node: Int
        var place: Place
    }

    /// A subschema.
    final class Node {
        let view: JSONView
        let place: Place
        let resource: SchemaRegistry.Resource
        /// The kinds that `type` permits, a bit for each `JSONTape.Kind`; all without `type`.
        var kinds: UInt8 = .max
        /// True if a number must be whole.
        var isInteger = false
        /// True if nothing is valid: `false`.
        var isFalse = false
        /// True if it needs to know what subschemas of it have evaluated.
        var needsEvaluated = false
        var typePlace: Place
        /// Sets of which the value must be a member: `enum` and `const`.
        var constants: [ConstantSet] = []
        var numbers: NumberRules?
        var strings: StringRules?
        var arrays: ArrayRules?
        var objects: ObjectRules?
        /// The keywords that apply subschemas to the same value.
        var applicators: [Applicator] = []
        /// `if`, `then` and `else`.
        var condition: (test: Int, then: Int?, otherwise: Int?)?

        init(_ view: JSONView, at place: Place, in resource: SchemaRegistry.Resource) {
            self.view = view
            self.place = place
            self.resource = resource
            typePlace = place
        }
    }

    struct ConstantSet {
        var values: [JSONView]
        var isConst: Bool
        var place: Place
    }

    // Rules are classes because they are read in place: a structure would be copied, and each array in it retained.

    final class NumberRules {
        /// A bound, and true if the number may not be equal to it.
        struct Bound {
            var limit: JSONView
            /// The limit, if it is a whole number of at most 64 bits.
            var integer: Int64?
            var isExclusive: Bool
            var isMaximum: Bool
            var place: Place
        }

        var bounds: [Bound] = []
        /// `multipleOf` as divisor × 10^scale.
        var multiple: (divisor: UInt64, scale: Int, place: Place)?
    }

    final class StringRules {
        var minimum: Limit?
        var maximum: Limit?
        var pattern: (number: Int, place: Place)?
    }

    final class ArrayRules {
        var prefix: [Int] = []
        var items: Subschema?
        var contains: Subschema?
        var minimumContains: Limit?
        var maximumContains: Limit?
        var minimum: Limit?
        var maximum: Limit?
        var uniquePlace: Place?
        var unevaluated: Subschema?
    }

    final class ObjectRules {
        /// A property that must be there if another one is.
        struct Dependency {
            var trigger: Int
            var required: [Int]
            var place: Place
        }

        var names = PropertyTable()
        /// The nodes by the positions of their names in `names`; nil for names that no subschema is about.
        var properties: [Int?] = []
        /// Positions in `names` of the required properties.
        var required: [Int] = []
        var requiredPlace = Place(document: 0, entry: 0)
        var patterns: [(number: Int, node: Int)] = []
        var additional: Subschema?
        var propertyNames: Subschema?
        var minimum: Limit?
        var maximum: Limit?
        var dependencies: [Dependency] = []
        /// Subschemas for the whole object if a property is there.
        var dependentSchemas: [(trigger: Int, node: Int)] = []
        var unevaluated: Subschema?
    }

    struct Applicator {
        enum Kind {
            case reference, allOf, anyOf, oneOf, not
            /// A reference that leads to the anchor of this name in the outermost resource that has one.
            case dynamicReference(String)
        }

        var kind: Kind
        var nodes: [Int]
        var place: Place
    }

    let documents: [SchemaDocument]
    let root: Int
    let nodes: [Node]
    let patterns: [PatternProgram]
    /// True if it has dynamic references.
    let isDynamic: Bool

    /// Compiles a schema, and all that it refers to. Nil if something is wrong with it.
    ///
    /// - Parameters:
    ///   - find: looks for a document that the schema refers to, by its URI without a fragment; nil if there is none. Nothing is
    ///     fetched from a network.
    ///   - report: called once with the mistakes in the order in which they were found, if there is one.
    package init?(
        _ document: SchemaDocument, find: (String) -> SchemaDocument? = { _ in nil },
        report: ([SchemaProblem]) -> Void = { _ in }
    ) {
        let compiler = SchemaCompiler(SchemaRegistry(document, builtin: MetaSchema.document))
        let root = compiler.compile(find)
        guard compiler.registry.problems.isEmpty else {
            report(Array(compiler.registry.problems.prefix(SchemaCompiler.maximumProblems)))
            return nil
        }
        self.root = root
        documents = compiler.registry.documents
        nodes = compiler.nodes
        patterns = compiler.patterns
        isDynamic = !compiler.dynamicNames.isEmpty
    }

    /// The name of a place in messages: `order.schema.json#/properties/id/type`.
    func name(of place: Place) -> String {
        let document = documents[place.document]
        return document.name + "#" + document.pointer(to: place.entry)
    }

    /// The value of the keyword at a place.
    func value(at place: Place) -> JSONView? { documents[place.document].root?.value(at: place.entry) }
}

/// Names of properties, found by their bytes.
struct PropertyTable {
    private(set) var names: [[UInt8]] = []
    /// The positions in `names` of the names with a hash.
    private var positions: [UInt32: [Int]] = [:]

    private static let hasher = SeededHash()

    private static func hash(_ name: JSONString) -> UInt32 { name.withDecoded { hasher.hash($0, 0) } }

    /// The position of a name, which is added if need be.
    mutating func position(adding name: JSONString) -> Int {
        if let position = position(of: name) { return position }
        names.append(name.decodedBytes)
        positions[Self.hash(name), default: []].append(names.count - 1)
        return names.count - 1
    }

    func position(of name: JSONString) -> Int? {
        if names.isEmpty { return nil }
        return positions[Self.hash(name)]?.first { name.equals(names[$0]) }
    }
}

import PayloadJSON
import PushSystem

/// A compiled JSON Schema, draft 2020-12.
///
/// It is a list of nodes, one per subschema that can be reached, whose keywords are sorted by the kind of value that they
/// are about. A reference is the number of another node. Several validators can use one schema at a time.
@safe  // SOUND: its views are into texts that it keeps, and nothing changes after `init`.
package final class Schema: @unchecked Sendable {
    /// Where a keyword stands: an entry on the tape of a document.
    struct Place: Equatable, Hashable {
        var document: Int32
        var entry: Int32
    }

    /// Rules that are read in place. An array of such structures would copy one to read it, and retain each array in it.
    final class Table<Rules> {
        let rules: Rules

        init(_ rules: Rules) { self.rules = rules }
    }

    /// A limit such as `maxLength`.
    struct Limit {
        var value: Int
        var place: Place
    }

    /// A subschema. The numbers of tables are -1 where it has none.
    struct Node {
        /// The kinds that `type` permits, a bit for each `JSONTape.Kind`; all without `type`.
        var kinds: UInt8 = .max
        /// True if a number must be whole.
        var isInteger = false
        /// True if nothing is valid: `false`.
        var isFalse = false
        /// True if it needs to know what subschemas of it have evaluated.
        var needsEvaluated = false
        var typePlace = Place(document: 0, entry: 0)
        var place = Place(document: 0, entry: 0)
        /// Number of the schema resource that it is in.
        var resource: Int32 = 0
        /// Sets of which the value must be a member: `enum` and `const`.
        var constants: Range<Int32> = 0..<0
        var numbers: Int32 = -1
        var strings: Int32 = -1
        var arrays: Int32 = -1
        var objects: Int32 = -1
        /// The keywords that apply subschemas to the same value.
        var applicators: Range<Int32> = 0..<0
    }

    struct ConstantSet {
        var views: Range<Int32>
        var isConst: Bool
        var place: Place
    }

    struct NumberRules {
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
        var divisor: UInt64 = 0
        var scale = 0
        var multiplePlace = Place(document: 0, entry: 0)
    }

    struct StringRules {
        var minimum: Limit?
        var maximum: Limit?
        var pattern: (number: Int, place: Place)?
    }

    struct ArrayRules {
        var prefix: [Int32] = []
        var items: Int32 = -1
        var itemsPlace = Place(document: 0, entry: 0)
        var contains: Int32 = -1
        var containsPlace = Place(document: 0, entry: 0)
        var minimumContains: Limit?
        var maximumContains: Limit?
        var minimum: Limit?
        var maximum: Limit?
        var uniquePlace: Place?
        var unevaluated: Int32 = -1
        var unevaluatedPlace = Place(document: 0, entry: 0)
    }

    struct ObjectRules {
        struct Pattern {
            var number: Int
            var node: Int32
        }

        /// A property that must be there if another one is.
        struct Dependency {
            var trigger: Int
            var required: [Int]
            var place: Place
        }

        /// A subschema for the whole object if a property is there.
        struct DependentSchema {
            var trigger: Int
            var node: Int32
        }

        var names = PropertyTable()
        /// By position in `names`; -1 for names that no subschema is about.
        var properties: [Int32] = []
        /// Positions in `names` of the required properties.
        var required: [Int] = []
        /// Those of them below 64, as bits.
        var requiredBits: UInt64 = 0
        var requiredPlace = Place(document: 0, entry: 0)
        var patterns: [Pattern] = []
        var additional: Int32 = -1
        var additionalPlace = Place(document: 0, entry: 0)
        var propertyNames: Int32 = -1
        var propertyNamesPlace = Place(document: 0, entry: 0)
        var minimum: Limit?
        var maximum: Limit?
        var dependencies: [Dependency] = []
        var dependentSchemas: [DependentSchema] = []
        var unevaluated: Int32 = -1
        var unevaluatedPlace = Place(document: 0, entry: 0)
    }

    struct Applicator {
        enum Kind: UInt8 { case reference, dynamicReference, allOf, anyOf, oneOf, not, condition }

        var kind: Kind
        /// Its nodes in `lists`. Of a condition: `if`, `then` and `else`, -1 where there is none.
        var nodes: Range<Int32>
        /// Of a dynamic reference: its name in `dynamicNames`.
        var name: Int32 = -1
        var place: Place
    }

    /// The targets of a dynamic reference: a node for each resource that has the anchor.
    typealias DynamicTargets = [Int32: Int32]

    let documents: [SchemaDocument]
    let root: Int32
    let nodes: [Node]
    let lists: [Int32]
    let constantSets: [ConstantSet]
    let constants: [JSONView]
    let numbers: [Table<NumberRules>]
    let strings: [StringRules]
    let arrays: [Table<ArrayRules>]
    let objects: [Table<ObjectRules>]
    let applicators: [Applicator]
    let dynamicTargets: [DynamicTargets]
    let patterns: [PatternProgram]

    init(_ compiler: SchemaCompiler, root: Int32) {
        documents = compiler.registry.documents
        self.root = root
        nodes = compiler.nodes
        lists = compiler.lists
        constantSets = compiler.constantSets
        constants = compiler.constants
        numbers = compiler.numbers.map { Table($0) }
        strings = compiler.strings
        arrays = compiler.arrays.map { Table($0) }
        objects = compiler.objects.map { Table($0) }
        applicators = compiler.applicators
        dynamicTargets = compiler.dynamicTargets
        patterns = compiler.patterns
    }

    /// Compiles a schema, and all that it refers to.
    ///
    /// - Parameter find: looks for a document that the schema refers to, by its URI without a fragment; nil if there is none. Nothing is
    ///   fetched from a network.
    package convenience init(
        _ document: SchemaDocument, find: (String) throws(SchemaError) -> SchemaDocument? = { _ in nil }
    ) throws(SchemaError) {
        let compiler = SchemaCompiler(SchemaRegistry(document, builtin: MetaSchema.document))
        let root = try compiler.compile(find)
        self.init(compiler, root: root)
    }

    /// The name of a place in messages: `order.schema.json#/properties/id/type`.
    func name(of place: Place) -> String {
        let document = documents[Int(place.document)]
        return document.name + "#" + document.content.pointer(to: Int(place.entry))
    }
}

extension Schema {
    /// Names of properties, found by their bytes.
    struct PropertyTable {
        private(set) var names: [[UInt8]] = []
        /// Positions in `names`, -1 for a free slot; a power of 2, at least twice as many as names.
        private var slots: [Int32] = [-1, -1]

        private static let hasher = SeededHash()

        /// The position of a name, which is added if need be.
        mutating func position(adding name: [UInt8]) -> Int {
            if let position = position(of: name) { return position }
            names.append(name)
            if names.count * 2 > slots.count {
                slots = Array(repeating: -1, count: slots.count * 2)
                for position in names.indices { insert(position) }
            } else {
                insert(names.count - 1)
            }
            return names.count - 1
        }

        private mutating func insert(_ position: Int) {
            var slot = Self.hash(names[position]) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(position)
        }

        private func position(of name: [UInt8]) -> Int? {
            var slot = Self.hash(name) & (slots.count - 1)
            while slots[slot] >= 0 {
                if names[Int(slots[slot])] == name { return Int(slots[slot]) }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }

        func position(of key: JSONString) -> Int? {
            if names.isEmpty { return nil }
            if key.hasEscapes { return position(of: key.decodedBytes) }
            var slot = Int(Self.hasher.hash(key.raw, 0)) & (slots.count - 1)
            while true {
                let position = Int(slots[slot])
                if position < 0 { return nil }
                if key.equals(names[position]) { return position }
                slot = (slot + 1) & (slots.count - 1)
            }
        }

        private static func hash(_ name: [UInt8]) -> Int {
            // SOUND: the bytes live until the closure returns.
            unsafe name.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return Int(hasher.hash(.empty, 0)) }
                return unsafe Int(hasher.hash(BorrowedText(start: start, count: bytes.count), 0))
            }
        }
    }
}

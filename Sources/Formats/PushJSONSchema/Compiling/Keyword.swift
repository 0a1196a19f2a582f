/// A keyword of draft 2020-12, the kind of its value, and its vocabulary.
struct Keyword {
    /// Where a keyword has subschemas.
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

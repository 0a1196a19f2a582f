package import PayloadJSON

/// A violation of a schema by a value. Valid as long as the value's text is.
package struct SchemaFailure {
    enum Kind: UInt8 {
        case falseSchema, type, constant, minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf
        case minLength, maxLength, pattern
        case minItems, maxItems, uniqueItems, contains, maxContains, additionalItem, unevaluatedItem
        case required, dependentRequired, minProperties, maxProperties, additionalProperty, unevaluatedProperty
        case not, noAlternative, severalAlternatives
        case tooDeep, tooMuchWork
    }

    let kind: Kind
    let place: Schema.Place
    /// The value that the failure is about; if `isName`, the value of the member whose name it is about.
    package internal(set) var value: JSONView
    let argument: Int
    /// True if the failure is about the name of a member.
    package internal(set) var isName: Bool
    /// True if it belongs to one of several alternatives that were all not met.
    var isClosest = false
    /// Of `required`: the property that is missing; of `dependentRequired` also the one that asks for it.
    var names: [String] = []

    init(_ kind: Kind, _ place: Schema.Place, _ value: JSONView, argument: Int = 0, isName: Bool = false) {
        self.kind = kind
        self.place = place
        self.value = value
        self.argument = argument
        self.isName = isName
    }

    /// The name of the member with the value. Only if `isName`.
    package var name: JSONString { value.memberName.contents }

    /// True if the check was not completed, because the value or the schema is too large for it.
    package var isUnfinished: Bool { kind == .tooDeep || kind == .tooMuchWork }

    package func message(_ schema: Schema) -> String {
        (isClosest ? "no alternative fits; in the closest one, " : "") + text(schema)
    }

    /// The keyword that does not permit it: `order.schema.json#/properties/id/type`.
    package func keyword(_ schema: Schema) -> String { schema.name(of: place) }

    private func text(_ schema: Schema) -> String {
        /// The keyword's value.
        var limit: String {
            let root = schema.documents[Int(place.document)].content.root
            return root?.atEntry(place.entry).map { Self.shortened($0.text.string) } ?? ""
        }
        switch kind {
        case .falseSchema: return "the schema permits no value here"
        case .type: return "must be \(Self.kindNames(argument)), not \(actualKind)"
        case .constant: return constantText(schema)
        case .minimum: return "must be at least \(limit), and is \(shown)"
        case .exclusiveMinimum: return "must be greater than \(limit), and is \(shown)"
        case .maximum: return "must be at most \(limit), and is \(shown)"
        case .exclusiveMaximum: return "must be less than \(limit), and is \(shown)"
        case .multipleOf: return "must be a multiple of \(limit), and is \(shown)"
        case .minLength: return "must have at least \(limit) characters, and has \(argument)"
        case .maxLength: return "must have at most \(limit) characters, and has \(argument)"
        case .pattern: return "\(shown) does not match the pattern \(limit)"
        case .minItems: return "must have at least \(limit) elements, and has \(argument)"
        case .maxItems: return "must have at most \(limit) elements, and has \(argument)"
        case .uniqueItems: return "is equal to element \(argument), and elements must differ"
        case .contains where argument > 0:
            return "must have at least \(limit) elements that fit contains, and has \(argument)"
        case .contains: return "no element fits contains"
        case .maxContains: return "must have at most \(limit) elements that fit contains, and has \(argument)"
        case .additionalItem, .unevaluatedItem: return "is one element too many"
        case .required: return "\(quotedName(0)) is missing"
        case .dependentRequired: return "\(quotedName(0)) is missing, which \(quotedName(1)) asks for"
        case .minProperties: return "must have at least \(limit) members, and has \(argument)"
        case .maxProperties: return "must have at most \(limit) members, and has \(argument)"
        case .additionalProperty, .unevaluatedProperty:
            return "\(Self.shortened(value.memberName.contents.quoted)) is not a name that the schema permits here"
        case .not: return "is what not forbids"
        case .noAlternative: return "fits none of the alternatives"
        case .severalAlternatives: return "fits more than one of the alternatives, and must fit exactly one"
        case .tooDeep: return "not checked to the end: the value or the schema is nested too deeply"
        case .tooMuchWork: return "not checked to the end: this schema takes too much work for this value"
        }
    }

    private func constantText(_ schema: Schema) -> String {
        let set = schema.constantSets[argument]
        let views = set.views.prefix(8).map { Self.shortened(schema.constants[Int($0)].text.string) }
        if set.isConst { return "must be \(views.first ?? ""), and is \(shown)" }
        let more = set.views.count > views.count ? ", …" : ""
        return "must be one of \(views.joined(separator: ", "))\(more), and is \(shown)"
    }

    private func quotedName(_ index: Int) -> String { index < names.count ? "\"\(names[index])\"" : "a member" }

    private var actualKind: String {
        value.kind == .number && argument & 256 != 0 ? "\(shown)" : isName ? "a string" : value.kindName
    }

    /// The value as messages show it.
    private var shown: String {
        switch value.kind {
        case _ where isName: Self.shortened(value.memberName.contents.quoted)
        case .object, .array: value.kindName
        default: Self.shortened(value.text.string)
        }
    }

    /// At most 60 characters.
    private static func shortened(_ text: String) -> String {
        text.unicodeScalars.count > 60 ? String(text.unicodeScalars.prefix(57)) + "…" : text
    }

    private static func kindNames(_ argument: Int) -> String {
        func has(_ kind: JSONTape.Kind) -> Bool { argument >> Int(kind.rawValue) & 1 == 1 }
        var names: [String] = []
        if has(.object) { names.append("an object") }
        if has(.array) { names.append("an array") }
        if has(.string) { names.append("a string") }
        if has(.number) { names.append(argument & 256 != 0 ? "a whole number" : "a number") }
        if has(.true) { names.append("true or false") }
        if has(.null) { names.append("null") }
        guard let last = names.popLast() else { return "of no type" }
        return names.isEmpty ? last : names.joined(separator: ", ") + " or " + last
    }
}

extension JSONString {
    /// As written, with quotes.
    var quoted: String { "\"" + raw.string + "\"" }
}

package import PushJSON
import PushSystem

/// Describes sample values by a schema of draft 2020-12 that every one of them fits.
///
/// The result depends only on the values, not on their order: properties are sorted by name.
package final class SchemaInference {
    /// Keywords to infer besides types, required properties and formats.
    package struct Options: Sendable {
        /// Lists the values of strings that are few, short and repeated.
        package var hasEnumerations = false
        /// Permits no other properties than those that were seen.
        package var isClosed = false

        package init() {}
    }

    private let options: Options
    private let shape = ValueShape()
    /// Members of the outermost objects to leave out.
    private let excluded: [String]

    /// The number of values so far.
    package var count: Int { shape.count }

    /// - Parameter excluded: members of the outermost objects that the schema does not describe. A closed schema permits them.
    package init(_ options: Options = Options(), excluding excluded: [String] = []) {
        self.options = options
        self.excluded = excluded
    }

    package func add(_ value: JSONView) { shape.add(value, options, depth: 0, excluding: excluded) }

    /// The schema, indented, with a line feed at the end.
    package func text() -> String {
        var text = "{\n  \"$schema\": \"\(MetaSchema.uri)\""
        for line in shape.lines(options, level: 1, also: excluded) { text += ",\n  " + line }
        return text + "\n}\n"
    }
}

/// The common properties of the values at one place of the samples.
final class ValueShape {
    /// Levels of objects and arrays that are described.
    private static let maximumDepth = 32
    /// An object with more names is a table whose names are data.
    private static let maximumNames = 200
    /// Different strings that an `enum` may have, and the bytes of each.
    private static let maximumConstants = 10
    private static let maximumConstantBytes = 40

    private(set) var count = 0
    /// How many values are of each kind, by `JSONTape.Kind`.
    private var kinds = [Int](repeating: 0, count: 8)
    private var isWhole = true
    private var formats = StringFormat.allCases
    /// How often each string occurs, by its bytes: Swift takes two encodings of an accented letter for equal.
    private var constants: [[UInt8]: Int]? = [:]
    private var elements: ValueShape?
    private var members: [[UInt8]: ValueShape] = [:]
    /// The members of all objects together, if there are too many names.
    private var anyMember: ValueShape?
    private var isTooDeep = false

    /// - Parameter isRepeated: true if its object has another member of the same name.
    func add(
        _ value: JSONView, _ options: SchemaInference.Options, depth: Int, isRepeated: Bool = false,
        excluding excluded: [String] = []
    ) {
        if !isRepeated { count += 1 }
        kinds[Int(value.kind.rawValue)] += 1
        guard depth < Self.maximumDepth else {
            isTooDeep = true
            return
        }
        switch value.kind {
        case .number: if !value.decimal.isInteger { isWhole = false }
        case .string: addString(value, options)
        case .array:
            for item in value.elements {
                let shape = elements ?? ValueShape()
                elements = shape
                shape.add(item, options, depth: depth + 1)
            }
        case .object: addMembers(value, options, depth, excluded)
        default: break
        }
    }

    private func addString(_ value: JSONView, _ options: SchemaInference.Options) {
        guard let string = value.string else { return }
        let bytes = string.decodedBytes
        formats.removeAll { !$0.matches(bytes) }
        guard options.hasEnumerations, constants != nil else { return }
        constants?[bytes, default: 0] += 1
        if bytes.count > Self.maximumConstantBytes || constants?.count ?? 0 > Self.maximumConstants { constants = nil }
    }

    private func addMembers(_ value: JSONView, _ options: SchemaInference.Options, _ depth: Int, _ excluded: [String]) {
        var seen: Set<[UInt8]> = []
        for (key, member) in value.members {
            let name = key.decodedBytes
            guard !excluded.contains(where: { key.equals(Array($0.utf8)) }) else { continue }
            let isRepeated = !seen.insert(name).inserted
            if let anyMember {
                anyMember.add(member, options, depth: depth + 1, isRepeated: isRepeated)
                continue
            }
            let shape = members[name] ?? ValueShape()
            members[name] = shape
            shape.add(member, options, depth: depth + 1, isRepeated: isRepeated)
            if members.count > Self.maximumNames { joinMembers() }
        }
    }

    private func joinMembers() {
        let joined = ValueShape()
        for (_, shape) in members { joined.merge(shape) }
        members = [:]
        anyMember = joined
    }

    private func merge(_ other: ValueShape) {
        count += other.count
        for kind in kinds.indices { kinds[kind] += other.kinds[kind] }
        isWhole = isWhole && other.isWhole
        formats.removeAll { !other.formats.contains($0) }
        if constants != nil, let others = other.constants {
            constants?.merge(others) { $0 + $1 }
            if constants?.count ?? 0 > Self.maximumConstants { constants = nil }
        } else {
            constants = nil
        }
        isTooDeep = isTooDeep || other.isTooDeep
        if let inner = other.elements {
            if let elements { elements.merge(inner) } else { elements = inner }
        }
        if let inner = other.anyMember {
            if anyMember == nil { joinMembers() }
            anyMember?.merge(inner)
        }
        for (name, shape) in other.members {
            if let anyMember {
                anyMember.merge(shape)
            } else if let known = members[name] {
                known.merge(shape)
            } else {
                members[name] = shape
            }
        }
        if members.count > Self.maximumNames { joinMembers() }
    }

    // MARK: - Text

    private func has(_ kind: JSONTape.Kind) -> Bool { kinds[Int(kind.rawValue)] > 0 }

    /// The members of the schema object, without commas between them.
    ///
    /// - Parameter also: names that a closed schema permits besides those that were seen.
    func lines(_ options: SchemaInference.Options, level: Int, also: [String] = []) -> [String] {
        var lines: [String] = []
        let types = types
        if types.count == 1 {
            lines.append("\"type\": \"\(types[0])\"")
        } else if !types.isEmpty {
            lines.append("\"type\": [" + types.map { "\"\($0)\"" }.joined(separator: ", ") + "]")
        }
        if isTooDeep { return lines }
        if has(.string) {
            if let values = enumeration(options, types) {
                lines.append("\"enum\": [" + values.map { Self.quoted($0) }.joined(separator: ", ") + "]")
            } else if let format = formats.first {
                lines.append("\"format\": \"\(format.rawValue)\"")
            }
        }
        if has(.object) { lines += objectLines(options, level, also) }
        if let elements { lines.append("\"items\": " + elements.object(options, level)) }
        return lines
    }

    private var types: [String] {
        var types: [String] = []
        if has(.object) { types.append("object") }
        if has(.array) { types.append("array") }
        if has(.string) { types.append("string") }
        if has(.number) { types.append(isWhole ? "integer" : "number") }
        if has(.true) || has(.false) { types.append("boolean") }
        if has(.null) { types.append("null") }
        return types
    }

    /// The values of strings that look like a list of choices: at least three times as many strings as different ones.
    private func enumeration(_ options: SchemaInference.Options, _ types: [String]) -> [[UInt8]]? {
        guard options.hasEnumerations, types == ["string"], let constants, count >= 3 * constants.count else {
            return nil
        }
        return constants.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func objectLines(_ options: SchemaInference.Options, _ level: Int, _ also: [String]) -> [String] {
        if let anyMember { return ["\"additionalProperties\": " + anyMember.object(options, level)] }
        var lines: [String] = []
        let indent = String(repeating: "  ", count: level + 1)
        let names = members.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var properties = names.map { name in
            indent + Self.quoted(name) + ": " + (members[name]?.object(options, level + 1) ?? "true")
        }
        if options.isClosed { properties += also.map { indent + Self.quoted(Array($0.utf8)) + ": true" } }
        if !properties.isEmpty {
            lines.append("\"properties\": {\n" + properties.joined(separator: ",\n") + "\n" + indent.dropLast(2) + "}")
        }
        let required = names.filter { members[$0]?.count == kinds[Int(JSONTape.Kind.object.rawValue)] }
        if !required.isEmpty {
            lines.append("\"required\": [" + required.map { Self.quoted($0) }.joined(separator: ", ") + "]")
        }
        if options.isClosed { lines.append("\"additionalProperties\": false") }
        return lines
    }

    private func object(_ options: SchemaInference.Options, _ level: Int) -> String {
        let lines = lines(options, level: level + 1)
        if lines.count == 1, !lines[0].contains("\n") { return "{ " + lines[0] + " }" }
        if lines.isEmpty { return "true" }
        let indent = String(repeating: "  ", count: level + 1)
        return "{\n" + lines.map { indent + $0 }.joined(separator: ",\n") + "\n" + indent.dropLast(2) + "}"
    }

    private static func quoted(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self).jsonQuoted }
}

/// The formats that are recognized: those that hardly any other text has. Source: JSON Schema validation, section 7.3.
enum StringFormat: String, CaseIterable {
    case dateTime = "date-time"
    case date
    case uuid
    case uri

    func matches(_ text: [UInt8]) -> Bool {
        switch self {
        case .dateTime: text.count <= 40 && text.dropFirst(10).first.map { $0 | 0x20 } == 0x74 && Self.isTime(text)
        case .date: text.count == 10 && Self.isTime(text + "T00:00:00Z".utf8)
        case .uuid: Self.isUUID(text)
        case .uri: Self.isWebAddress(text)
        }
    }

    private static func isTime(_ text: [UInt8]) -> Bool {
        RFC3339.milliseconds(String(decoding: text, as: UTF8.self), .any) != nil
    }

    private static func isUUID(_ text: [UInt8]) -> Bool {
        guard text.count == 36 else { return false }
        return text.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexadecimalDigit != nil
        }
    }

    /// An absolute address on the web. Other URIs look like too many other things.
    private static func isWebAddress(_ text: [UInt8]) -> Bool {
        guard let prefix = ["https://", "http://"].first(where: { text.starts(with: $0.utf8) }) else { return false }
        let rest = text.dropFirst(prefix.utf8.count)
        guard let first = rest.first, first != UInt8(ascii: "/") else { return false }
        return rest.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
    }
}

package import FoundationEssentials

package enum PropertyListValue: Codable, Equatable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    package init(from decoder: any Decoder) throws {
        try PropertyListBudget.takeValue(from: decoder)
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(Date.self) {
            self = .date(value)
        } else if let value = try? container.decode(Data.self) {
            self = .data(value)
        } else if decoder.codingPath.count > PropertyListDepth.maximum {
            throw ExtensionBuildError("too deep")
        } else if let values = try? container.decode([PropertyListValue].self) {
            self = .array(values)
        } else {
            self = .dictionary(try container.decode([String: PropertyListValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .dictionary(let members): try container.encode(members)
        }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var members: [String: PropertyListValue]? {
        if case .dictionary(let members) = self { members } else { nil }
    }

    /// The value with `change` applied to every string in it, including names.
    func mapTexts(_ change: (String) -> String) -> PropertyListValue {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let values): .array(values.map { $0.mapTexts(change) })
        case .dictionary(let members): .dictionary(Self.mapTexts(of: members, change))
        default: self
        }
    }

    static func mapTexts(
        of members: [String: PropertyListValue], _ change: (String) -> String
    ) -> [String: PropertyListValue] {
        Dictionary(members.map { (change($0.key), $0.value.mapTexts(change)) }, uniquingKeysWith: { first, _ in first })
    }
}

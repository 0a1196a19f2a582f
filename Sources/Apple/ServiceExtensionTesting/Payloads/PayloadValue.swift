#if os(Linux)
    /// A value in a payload: literals of Swift are values of JSON.
    ///
    ///     PushPayload(title: "Ada").custom("message", ["id": 7, "room": ["name": "Climbing", "muted": false]])
    public enum PayloadValue: Sendable, Equatable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case integer(Int)
        /// Any other number; it must be finite.
        case number(Double)
        /// A text.
        case string(String)
        /// An array.
        case array([PayloadValue])
        /// An object.
        case object([String: PayloadValue])
    }

    extension PayloadValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
        ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
    {
        /// A text.
        public init(stringLiteral value: String) { self = .string(value) }
        /// A whole number.
        public init(integerLiteral value: Int) { self = .integer(value) }
        /// A number.
        public init(floatLiteral value: Double) { self = .number(value) }
        /// `true` or `false`.
        public init(booleanLiteral value: Bool) { self = .bool(value) }
        /// An array.
        public init(arrayLiteral elements: PayloadValue...) { self = .array(elements) }
        /// An object. Of two members with one name the last counts.
        public init(dictionaryLiteral elements: (String, PayloadValue)...) {
            self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
        }
    }

    extension PayloadValue: Codable {
        /// Decodes any JSON value.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([PayloadValue].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: PayloadValue].self))
            }
        }

        /// Encodes the value as JSON.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let value): try container.encode(value)
            case .object(let value): try container.encode(value)
            }
        }
    }
#endif

#if os(Linux)
    public import Foundation
    import PushModel
    public import ServiceExtension

    /// A push as a sender composes it: the payload's members by their names in Apple's documentation, and the headers that a device uses.
    ///
    ///     let push = PushPayload(title: "Ada", body: "Are you coming?")
    ///         .badge(3)
    ///         .thread("climbing")
    ///         .custom("image-url", server.url("/cranes.png"))
    ///     let result = try await harness.deliver(push)
    ///
    /// A new payload has `mutable-content`, without which no extension runs. Each function returns a changed copy.
    public struct PushPayload: Sendable, Equatable {
        /// How much a notification may interrupt; `interruption-level`.
        public enum InterruptionLevel: String, Sendable {
            /// Appears without sound and without lighting the screen.
            case passive
            /// The level of a payload that names none.
            case active
            /// Interrupts also during a Focus.
            case timeSensitive = "time-sensitive"
            /// Interrupts even when the device is muted.
            case critical
        }

        private var aps: [String: PayloadValue] = ["mutable-content": 1]
        private var alert: [String: PayloadValue] = [:]
        private var custom: [String: PayloadValue] = [:]
        /// The headers of the request, such as `apns-collapse-id`.
        public private(set) var headers: [String: String] = [:]

        /// A payload with the texts of an alert.
        public init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
            for (name, text) in [("title", title), ("subtitle", subtitle), ("body", body)] {
                if let text { alert[name] = .string(text) }
            }
        }

        /// The payload as JSON, with its members in alphabetical order.
        ///
        /// - Throws: `EncodingError` if a number is not finite.
        public func json() throws -> String {
            var aps = aps
            if !alert.isEmpty { aps["alert"] = .object(alert) }
            var root = custom
            root["aps"] = .object(aps)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(PayloadValue.object(root)), as: UTF8.self)
        }

        private func with(_ name: String, _ value: PayloadValue?) -> PushPayload {
            var copy = self
            copy.aps[name] = value
            return copy
        }

        private func header(_ header: APNsHeader, _ value: String) -> PushPayload {
            var copy = self
            copy.headers[header.name.description] = value
            return copy
        }

        // MARK: - The alert

        /// A title from the app's texts: `title-loc-key` and `title-loc-args`.
        public func localizedTitle(_ key: String, _ arguments: String...) -> PushPayload {
            localized("title-", key, arguments)
        }

        /// A subtitle from the app's texts: `subtitle-loc-key` and `subtitle-loc-args`.
        public func localizedSubtitle(_ key: String, _ arguments: String...) -> PushPayload {
            localized("subtitle-", key, arguments)
        }

        /// A body from the app's texts: `loc-key` and `loc-args`.
        public func localizedBody(_ key: String, _ arguments: String...) -> PushPayload {
            localized("", key, arguments)
        }

        private func localized(_ prefix: String, _ key: String, _ arguments: [String]) -> PushPayload {
            var copy = self
            copy.alert[prefix + "loc-key"] = .string(key)
            if !arguments.isEmpty { copy.alert[prefix + "loc-args"] = .array(arguments.map { .string($0) }) }
            return copy
        }

        // MARK: - Members of aps

        /// The number on the app's icon.
        public func badge(_ number: Int) -> PushPayload { with("badge", .integer(number)) }

        /// The sound's file in the app's bundle, or `default`.
        public func sound(_ name: String = "default") -> PushPayload { with("sound", .string(name)) }

        /// The identifier that notifications are grouped by; `thread-id`.
        public func thread(_ identifier: String) -> PushPayload { with("thread-id", .string(identifier)) }

        /// Whose actions the notification has.
        public func category(_ identifier: String) -> PushPayload { with("category", .string(identifier)) }

        /// How much it may interrupt.
        public func interruptionLevel(_ level: InterruptionLevel) -> PushPayload {
            with("interruption-level", .string(level.rawValue))
        }

        /// Its place in a summary, from 0 to 1; `relevance-score`.
        public func relevanceScore(_ score: Double) -> PushPayload { with("relevance-score", .number(score)) }

        /// True if a service extension may change the notification; `mutable-content`.
        public func mutable(_ isMutable: Bool) -> PushPayload {
            isMutable ? with("mutable-content", 1) : with("mutable-content", nil)
        }

        // MARK: - The app's own members

        /// A member beside `aps`. The name `aps` itself is not the app's and has no effect.
        public func custom(_ name: String, _ value: PayloadValue) -> PushPayload {
            var copy = self
            copy.custom[name] = value
            return copy
        }

        /// A text beside `aps`.
        public func custom(_ name: String, _ text: String) -> PushPayload { custom(name, .string(text)) }

        /// An address beside `aps`, such as that of a picture on a `StubServer`.
        public func custom(_ name: String, _ url: URL) -> PushPayload { custom(name, .string(url.absoluteString)) }

        /// A value beside `aps` that a type of the app or its server encodes.
        ///
        /// - Throws: the errors of the value's `encode(to:)`.
        public func custom(_ name: String, encoding value: some Encodable) throws -> PushPayload {
            custom(name, try JSONDecoder().decode(PayloadValue.self, from: JSONEncoder().encode(value)))
        }

        // MARK: - Headers

        /// The identifier by which it replaces earlier ones; `apns-collapse-id`.
        public func collapseID(_ identifier: String) -> PushPayload { header(.collapseID, identifier) }

        /// The push type, such as `background`; `apns-push-type`.
        public func pushType(_ type: String) -> PushPayload { header(.pushType, type) }
    }

    extension ServiceExtensionHarness {
        /// Delivers a push, and waits until it is finished.
        ///
        /// - Throws: `ImpossibleInput`, or `EncodingError`.
        @discardableResult
        public func deliver(_ push: PushPayload) async throws -> ServiceExtensionResult {
            try await deliver(push.json(), headers: push.headers)
        }

        /// Adds a notification to Notification Center that no extension has handled.
        ///
        /// - Throws: `ImpossibleInput`, or `EncodingError`.
        public func place(_ push: PushPayload, identifier: String) throws {
            try place(push.json(), identifier: identifier)
        }
    }

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

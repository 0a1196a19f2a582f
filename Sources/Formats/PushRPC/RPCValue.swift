import PayloadJSON

/// A JSON value of a message, owned.
package indirect enum RPCValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([RPCValue])
    /// Members in order, as they are written.
    case object([Member])

    /// A member of an object.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: RPCValue

        package init(name: String, value: RPCValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a JSON text; nil if it is not JSON.
    package init?(parsing text: [UInt8]) {
        // SOUND: the bytes live until the closure returns, and the value is a copy.
        let value: RPCValue? = unsafe text.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes) else {
                return nil
            }
            return RPCValue(root)
        }
        guard let value else { return nil }
        self = value
    }

    /// The scanner limits the levels, and with them how often this calls itself.
    private init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = view.int64.map { .integer($0) } ?? view.double.map { .real($0) } ?? .null
        case .string, .key: self = .string(view.string?.string ?? "")
        case .array:
            var values: [RPCValue] = []
            var elements = view.elements
            while let element = elements.next() { values.append(RPCValue(element)) }
            self = .array(values)
        case .object:
            var values: [Member] = []
            var members = view.members
            while let (key, value) = members.next() { values.append(Member(name: key.string, value: RPCValue(value))) }
            self = .object(values)
        }
    }

    /// An object with these members, without those that are nil.
    package static func members(_ members: KeyValuePairs<String, RPCValue?>) -> RPCValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    // MARK: - Reading

    /// The last member of this name; nil if this is not an object, or has none.
    package subscript(_ name: String) -> RPCValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The value that a path of names leads to.
    package subscript(_ path: [String]) -> RPCValue? {
        path.reduce(self as RPCValue?) { value, name in value?[name] }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var elements: [RPCValue] { if case .array(let elements) = self { elements } else { [] } }
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var isObject: Bool { if case .object = self { true } else { false } }
    package var isTrue: Bool { self == .bool(true) }

    /// The number, if it is an integer from 0 on. The protocol has them up to 2³¹ - 1: a larger one, which some clients send for the end of a
    /// document, is that.
    package var uinteger: Int? {
        switch self {
        case .integer(let number) where number >= 0: Int(min(number, Int64(Int32.max)))
        case .real(let number) where number >= Double(Int32.max): Int(Int32.max)
        default: nil
        }
    }

    // MARK: - Writing

    /// The value as JSON text.
    package var text: [UInt8] {
        // SOUND: copies what the buffer holds.
        var buffer = ByteBuffer()
        append(to: &buffer)
        return unsafe Array(buffer.bytes)
    }

    private func append(to out: inout ByteBuffer) {
        switch self {
        case .null: out.append("null")
        case .bool(let flag): out.append(flag ? "true" : "false")
        case .integer(let number): out.append(number)
        case .real(let number): out.appendText("\(number)")
        case .string(let text): out.appendJSONString(text)
        case .array(let values):
            out.append("[")
            for (position, value) in values.enumerated() {
                if position > 0 { out.append(",") }
                value.append(to: &out)
            }
            out.append("]")
        case .object(let members):
            out.append("{")
            for (position, member) in members.enumerated() {
                if position > 0 { out.append(",") }
                out.appendJSONString(member.name)
                out.append(":")
                member.value.append(to: &out)
            }
            out.append("}")
        }
    }
}

extension RPCValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: RPCValue...) { self = .array(elements) }
}

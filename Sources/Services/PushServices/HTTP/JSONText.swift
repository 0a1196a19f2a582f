import PushJSON

/// JSON written as a literal, whose interpolations become values of JSON: a text gets its quotes and escapes.
///
///     GatewayAnswer(status: 200, json: #"{"id":\#(id),"topics":\#(topics)\#(member: "title", title)}"#)
struct JSONText: ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8]

    init(stringLiteral text: String) { bytes = Array(text.utf8) }

    init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    init(_ write: (inout ByteBuffer) -> Void) {
        bytes = .composed(write)
    }

    /// The JSON of a line, without its end.
    static func line(_ write: (inout ByteBuffer) -> Void) -> JSONText { JSONText(JSONText(write).bytes.dropLast()) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { bytes += literal.utf8 }

        mutating func appendInterpolation(_ json: JSONText) { bytes += json.bytes }

        mutating func appendInterpolation(_ text: String) {
            bytes += text.jsonQuoted.utf8
        }

        mutating func appendInterpolation(_ number: some FixedWidthInteger) { bytes += "\(number)".utf8 }

        mutating func appendInterpolation(_ flag: Bool) { bytes += "\(flag)".utf8 }

        /// An array.
        mutating func appendInterpolation(_ elements: some Sequence<JSONText>, separator: String = ",") {
            bytes += "[".utf8
            bytes += elements.map(\.bytes).joined(separator: separator.utf8)
            bytes += "]".utf8
        }

        /// An array with a line for each element.
        mutating func appendInterpolation(lines elements: [JSONText]) {
            bytes += elements.isEmpty ? "[]".utf8 : "[\n".utf8
            bytes += elements.map(\.bytes).joined(separator: ",\n".utf8)
            if !elements.isEmpty { bytes += "\n]".utf8 }
        }

        /// An object with members that are written already.
        mutating func appendInterpolation(object members: [JSONText]) {
            appendInterpolation("{\(JSONText(members.map(\.bytes).joined(separator: ",".utf8)))}" as JSONText)
        }

        /// An array of texts.
        mutating func appendInterpolation(_ texts: some Sequence<String>) {
            appendInterpolation(texts.map { "\($0)" as JSONText })
        }

        /// A member after another one; nothing for nil.
        mutating func appendInterpolation(member name: String, _ text: String?) {
            if let text { appendInterpolation(#","\#(JSONText(name.utf8))":\#(text)"# as JSONText) }
        }

        mutating func appendInterpolation(member name: String, _ number: Int?) {
            if let number { appendInterpolation(#","\#(JSONText(name.utf8))":\#(number)"# as JSONText) }
        }

        mutating func appendInterpolation(member name: String, _ flag: Bool?) {
            if let flag { appendInterpolation(#","\#(JSONText(name.utf8))":\#(flag)"# as JSONText) }
        }

        /// The members of an object, each after a comma.
        mutating func appendInterpolation(membersOf object: JSONView, except names: [StaticString]) {
            for (name, value) in object.members where !names.contains(where: { name == $0 }) {
                appendInterpolation(",\(name.string):\(JSONText { $0.append(value.text) })" as JSONText)
            }
        }
    }
}

extension GatewayAnswer {
    init(
        status: Int, headers: [HeaderField] = [], json: JSONText, type: String = "application/json; charset=UTF-8"
    ) {
        self.init(status: status, headers: [HeaderField("content-type", type)] + headers, body: json.bytes)
    }
}

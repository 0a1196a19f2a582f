/// Appending members of a JSON object, after the first one.
extension ByteBuffer {
    /// Appends `,"name":number`.
    package mutating func appendMember(_ name: StaticString, _ number: Int) {
        appendMemberName(name)
        append(Int64(number))
    }

    /// Appends `,"name":"text"`.
    package mutating func appendMember(_ name: StaticString, _ text: String) {
        appendMemberName(name)
        appendJSONString(text)
    }

    /// Appends `,"name":true` or `,"name":false`.
    package mutating func appendMember(_ name: StaticString, _ flag: Bool) {
        appendMemberName(name)
        if flag { append("true") } else { append("false") }
    }

    /// Appends `,"name":["text","text"]`.
    package mutating func appendMember(_ name: StaticString, _ texts: [String]) {
        appendMemberName(name)
        append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSONString(text)
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends `,"name":"text"`, or nothing for nil.
    package mutating func appendMember(_ name: StaticString, _ text: String?) {
        if let text { appendMember(name, text) }
    }

    /// Appends `,"name":`.
    package mutating func appendMemberName(_ name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }
}

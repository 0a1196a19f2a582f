import PayloadJSON

struct MemberWriter {
    private var isFirst = true

    init(_ out: inout ByteBuffer) { out.append("{") }

    /// Writes a member's name; the caller writes its value.
    mutating func begin(_ name: StaticString, _ out: inout ByteBuffer) {
        separate(&out)
        out.append("\"")
        out.append(name)
        out.append("\":")
    }

    /// Writes a member with the value unchanged.
    mutating func add(_ name: StaticString, _ value: JSONView, _ out: inout ByteBuffer) {
        begin(name, &out)
        out.append(value.text)
    }

    /// Writes a member with name and value unchanged.
    mutating func add(_ key: JSONString, _ value: JSONView, _ out: inout ByteBuffer) {
        begin(key, &out)
        out.append(value.text)
    }

    /// Writes members of an object, with name and value unchanged.
    @inline(__always)
    mutating func add(membersOf object: JSONView, to out: inout ByteBuffer, where isWanted: (JSONString) -> Bool) {
        for (key, value) in object.members where isWanted(key) { add(key, value, &out) }
    }

    /// Writes a member's name unchanged; the caller writes its value.
    mutating func begin(_ key: JSONString, _ out: inout ByteBuffer) {
        separate(&out)
        out.append("\"")
        out.append(key.raw)
        out.append("\":")
    }

    private mutating func separate(_ out: inout ByteBuffer) {
        if !isFirst { out.append(",") }
        isFirst = false
    }

    func end(_ out: inout ByteBuffer) { out.append("}") }
}

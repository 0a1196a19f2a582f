import PayloadJSON

/// JSON over several lines, as Foundation's encoder lays it out. The caller sorts the members.
struct IndentedJSON: ~Copyable {
    private(set) var text = ByteBuffer()
    private var depth = 0
    private var isFirst = true

    /// Forgets the text so far, which has been written.
    mutating func removeText() { text.removeAll() }

    mutating func beginObject() { begin("{") }
    mutating func endObject() { end("}") }
    mutating func beginArray() { begin("[") }
    mutating func endArray() { end("]") }

    /// Begins a member, whose value follows.
    mutating func key(_ name: StaticString) {
        next()
        text.append("\"")
        text.append(name)
        text.append("\" : ")
    }

    /// Begins an element of an array, whose value follows.
    mutating func next() {
        if !isFirst { text.append(",\n") }
        isFirst = false
        indent()
    }

    mutating func string(_ value: String) { text.appendJSONString(value) }

    mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        text.append(Int64(value))
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        text.append(value ? "true" : "false")
    }

    /// A member whose value is an object with a member `text`.
    mutating func message(_ name: StaticString, _ value: String) {
        key(name)
        beginObject()
        member("text", value)
        endObject()
    }

    /// Ends the last line.
    mutating func endText() { text.append("\n") }

    private mutating func begin(_ bracket: StaticString) {
        text.append(bracket)
        text.append("\n")
        depth += 1
        isFirst = true
    }

    private mutating func end(_ bracket: StaticString) {
        text.append("\n")
        depth -= 1
        indent()
        text.append(bracket)
        isFirst = false
    }

    private mutating func indent() {
        for _ in 0..<depth { text.append("  ") }
    }
}

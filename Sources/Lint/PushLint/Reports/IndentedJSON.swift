import PayloadJSON

/// JSON over several lines, as Foundation's encoder lays it out. The caller sorts the members.
struct IndentedJSON: ~Copyable {
    private(set) var text = ByteBuffer()
    private var depth = 0
    private var isFirst = true

    /// Forgets the text so far, which has been written.
    mutating func removeText() { text.removeAll() }

    /// The object that is the text.
    mutating func object(_ members: (inout IndentedJSON) throws -> Void) rethrows { try enclose("{", "}", members) }

    mutating func object(_ name: StaticString, _ members: (inout IndentedJSON) throws -> Void) rethrows {
        key(name)
        try object(members)
    }

    mutating func array(_ name: StaticString, _ elements: (inout IndentedJSON) throws -> Void) rethrows {
        key(name)
        try enclose("[", "]", elements)
    }

    /// An element of an array that is an object.
    mutating func element(_ members: (inout IndentedJSON) throws -> Void) rethrows {
        next()
        try object(members)
    }

    mutating func element(_ value: String) {
        next()
        text.appendJSONString(value)
    }

    mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        text.appendJSONString(value)
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
    mutating func message(_ name: StaticString, _ value: String) { object(name) { $0.member("text", value) } }

    /// Ends the last line.
    mutating func endText() { text.append("\n") }

    private mutating func key(_ name: StaticString) {
        next()
        text.append("\"")
        text.append(name)
        text.append("\" : ")
    }

    private mutating func next() {
        if !isFirst { text.append(",\n") }
        isFirst = false
        indent()
    }

    private mutating func enclose(
        _ begin: StaticString, _ end: StaticString, _ body: (inout IndentedJSON) throws -> Void
    ) rethrows {
        text.append(begin)
        text.append("\n")
        depth += 1
        isFirst = true
        try body(&self)
        text.append("\n")
        depth -= 1
        indent()
        text.append(end)
        isFirst = false
    }

    private mutating func indent() {
        for _ in 0..<depth { text.append("  ") }
    }
}

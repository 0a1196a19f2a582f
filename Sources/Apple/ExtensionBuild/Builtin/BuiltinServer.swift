package import PayloadJSON

/// Makes new content for pushes. Called once for each push, in order, on one thread.
protocol BuiltinResponder {
    func answer(to payload: JSONView) -> BuiltinAnswer
}

struct BuiltinAnswer: ~Copyable {
    /// The members of the content that change, with commas between them.
    var changes = ByteBuffer()
    /// The error; nil on success.
    var problem: String?
}

/// The extension's side of the protocol for a built-in extension: lines in, lines out.
package struct BuiltinServer: ~Copyable {
    private let responder: any BuiltinResponder
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    init(_ responder: any BuiltinResponder) { self.responder = responder }

    /// Appends the answer to a line from the host; nothing for lines that need no answer.
    package mutating func answer(_ line: String, into out: inout ByteBuffer) {
        var text = line
        text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard scanner.scan(bytes, into: &tape) == nil, let message = tape.root(of: bytes),
                let method = message["method"]?.string, method == "didReceive", let id = message["id"]?.int64,
                let payload = message["request"]?["payload"]
            else { return }
            let answer = responder.answer(to: payload)
            if let problem = answer.problem {
                out.append("{\"method\":\"finding\",\"id\":")
                out.append(id)
                out.append(",\"message\":")
                out.appendJSONString(problem)
                out.append("}\n")
            }
            out.append("{\"method\":\"contentHandler\",\"id\":")
            out.append(id)
            out.append(",\"content\":{")
            out.append(answer.changes)
            out.append("}}\n")
        }
    }
}

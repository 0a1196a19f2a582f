import PayloadJSON
import PushPipeline

/// What a built-in extension makes of a payload.
struct BuiltinAnswer: ~Copyable {
    /// The members of the content that change, with commas between them.
    var changes = ByteBuffer()
    /// What went wrong; nil when nothing did.
    var problem: String?
}

/// Answers pushes one after the other, on standard input and output.
enum BuiltinServer {
    static func serve(_ answer: (JSONView) -> BuiltinAnswer) throws {
        var scanner = JSONScanner()
        var tape = JSONTape()
        let output = StandardOutput()
        while let line = readLine() {
            var text = line
            try text.withUTF8 { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                guard scanner.scan(bytes, into: &tape) == nil, let message = tape.root(of: bytes),
                    let method = message["method"]?.string, method == "didReceive", let id = message["id"]?.int64,
                    let payload = message["request"]?["payload"]
                else { return }
                let answer = answer(payload)
                try output.append { out in
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
                try output.flush()
            }
        }
    }
}

import PayloadJSON

extension GatewayRequest {
    /// Passes the value of the body to `read`; nil if the body is not JSON. The view is valid only for the duration of the call.
    func withJSON<Result>(_ read: (JSONView?) -> Result) -> Result {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the bytes live until the closure returns, and the tape is of these bytes.
        return unsafe body.withUnsafeBytes { text in
            guard unsafe scanner.scan(text, into: &tape) == nil else { return read(nil) }
            return unsafe read(tape.root(of: text))
        }
    }

    /// Where the body stops being JSON, in bytes; nil if it is JSON.
    var offsetOfFault: Int? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the bytes live until the closure returns, and the tape is of these bytes.
        return unsafe body.withUnsafeBytes { unsafe scanner.scan($0, into: &tape)?.offset }
    }
}

extension GatewayAnswer {
    /// A body of JSON that is written to a buffer.
    init(status: Int, headers: [HeaderField] = [], _ write: (inout ByteBuffer) -> Void) {
        var out = ByteBuffer(capacity: 512)
        write(&out)
        // SOUND: the bytes are copied.
        self.init(
            status: status, headers: [HeaderField("content-type", "application/json; charset=UTF-8")] + headers,
            body: unsafe Array(out.bytes))
    }
}

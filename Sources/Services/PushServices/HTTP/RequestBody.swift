import PayloadJSON

extension GatewayRequest {
    /// Passes the value of the body to `read`; nil if the body is not JSON. The view is valid only for the duration of the call.
    func withJSON<Result>(_ read: (JSONView?) -> Result) -> Result {
        body.withJSON { read($0) } ?? read(nil)
    }

    /// Where the body stops being JSON, in bytes; nil if it is JSON.
    var offsetOfFault: Int? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the bytes live until the closure returns, and the tape is of these bytes.
        return unsafe body.withUnsafeBytes { unsafe scanner.scan($0, into: &tape)?.offset }
    }
}

extension GatewayRequest {
    /// The request with the text of its body, if that is compressed with gzip; the same request otherwise.
    var uncompressed: GatewayRequest {
        // RFC 9110, section 8.4.1.3: they are the same.
        guard let coding = header("content-encoding")?.lowercased(), ["gzip", "x-gzip"].contains(coding) else {
            return self
        }
        var request = self
        switch GzipBody(body, limit: GatewayLimits().bodyBytes(ofPath: path)) {
        case .invalid: return self
        case .tooLong:
            request.isTooLarge = true
            request.body = []
        case .text(let text):
            request.body = text
            request.headers.removeAll { $0.name == "content-encoding" }
        }
        return request
    }
}

extension GatewayAnswer {
    init(status: Int, headers: [HeaderField] = [], _ write: (inout ByteBuffer) -> Void) {
        var out = ByteBuffer(capacity: 512)
        write(&out)
        self.init(
            status: status, headers: [HeaderField("content-type", "application/json; charset=UTF-8")] + headers,
            body: out.copy)
    }
}

extension ByteBuffer {
    var copy: [UInt8] {
        // SOUND: the bytes are copied.
        unsafe Array(bytes)
    }

    /// Appends the members of an object, each after a comma.
    mutating func appendMembers(of object: JSONView, except isLeftOut: (JSONString) -> Bool) {
        for (name, value) in object.members where !isLeftOut(name) {
            append(",")
            appendJSONString(name.string)
            append(":")
            append(value.text)
        }
    }

    /// Appends an array, whose elements `append` writes.
    mutating func appendArray<Elements: Sequence>(
        _ elements: Elements, separator: StaticString = ",",
        _ append: (Elements.Element, inout ByteBuffer) -> Void
    ) {
        self.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { self.append(separator) }
            append(element, &self)
        }
        self.append("]")
    }

    /// Appends `,"name":` and an array, whose elements `append` writes.
    mutating func appendArray<Elements: Sequence>(
        named name: StaticString, _ elements: Elements, separator: StaticString = ",",
        _ append: (Elements.Element, inout ByteBuffer) -> Void
    ) {
        appendMemberName(name)
        appendArray(elements, separator: separator, append)
    }
}

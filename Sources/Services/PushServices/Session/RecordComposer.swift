import PushDecoding
import PushJSON
import PushModel

/// Writes requests as records, in the envelope form that `pushpipe run` reads, one per line.
package struct RecordComposer: ~Copyable {
    private(set) var lines = ByteBuffer()
    /// How many there are.
    private(set) var records = 0
    /// True if one of them may be an event.
    private(set) var hasEvents = false
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    mutating func removeAll() {
        lines.removeAll()
        records = 0
        hasEvents = false
    }

    /// Appends the record of a request to APNs.
    ///
    /// - Parameters:
    ///   - device: nil for a request whose path says what it is for, such as a broadcast.
    ///   - refusal: why the gateway refuses the request, before it looks at the message.
    ///   - budget: of the binary interface, if it came over that; nil otherwise.
    /// - Returns: true if the body is a JSON object, and stands in the record as it is.
    @discardableResult
    mutating func appendAPNs(
        _ request: GatewayRequest, device: String?, refusal: Rejection?, budget: Budget? = nil
    ) -> Bool {
        lines.append("{")
        lines.appendMember("device", device)
        lines.appendMemberName("headers")
        lines.append("{")
        if device == nil { lines.appendMember(":path", request.path) }
        // Others have no effect, and some are secrets. Source: Apple (archived), "Communicating with APNs": unknown headers are ignored.
        let channelID = APNsHeader.channelID.name.description
        for field in request.headers where field.name.hasPrefix("apns-") {
            // Of broadcasts alone, and the path says what a request is. Source: Apple, "Sending channel management requests to APNs".
            if device != nil, field.name == channelID { continue }
            lines.appendMemberName(text: field.name)
            lines.appendJSONString(field.value)
        }
        lines.append("}")
        lines.appendMember("budget", budget?.name)
        lines.appendMember("refused", refusal?.reason)
        lines.appendMemberName("payload")
        let isObject = append(request.body, isRefused: refusal != nil)
        lines.append("}\n")
        records += 1
        return isObject
    }

    /// Appends a request of a provider or gateway other than APNs.
    ///
    /// - Parameters:
    ///   - body: the request, byte for byte.
    ///   - device: the target, if the body does not name it.
    ///   - refusal: why the gateway refuses the request, before it looks at the message.
    mutating func append(
        _ body: [UInt8], to format: RecordFormat, device: String? = nil, refusal: Rejection? = nil
    ) {
        lines.append("{")
        lines.appendMember("provider", format.rawValue)
        lines.appendMember("device", device)
        lines.appendMember("refused", refusal?.reason)
        lines.appendMemberName("payload")
        append(body, isRefused: refusal != nil)
        lines.append("}\n")
        records += 1
    }

    mutating func append(_ event: DeviceEvent) {
        lines.appendEvent(event)
        hasEvents = true
        records += 1
    }

    /// Appends a record as it is.
    ///
    /// - Parameter line: without a line break, and with more than white space.
    mutating func append(record line: BorrowedText) {
        lines.append(line)
        lines.append("\n")
        hasEvents = true
        records += 1
    }

    /// A body as the value of `payload`. An object on one line stays as it is, so that records can be read; anything else becomes a
    /// string with exactly its bytes.
    ///
    /// - Parameter isRefused: true if the request is refused whatever its body is.
    /// - Returns: true if it is such an object.
    @discardableResult
    private mutating func append(_ body: [UInt8], isRefused: Bool) -> Bool {
        // No record can have bytes that are not UTF-8.
        guard !body.isEmpty, !isRefused || String(validating: body, as: UTF8.self) != nil else {
            lines.append("null")
            return false
        }
        // SOUND: the bytes live until the closure returns, and are copied.
        return unsafe body.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            let text = unsafe BorrowedText(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
            let isObject = isPlainObject(text)
            if isObject { lines.append(text) } else { lines.appendJSONString(text) }
            return isObject
        }
    }

    /// True if a text is a JSON object without anything around it and without a line break. Such a text cannot end the record that it
    /// stands in.
    private mutating func isPlainObject(_ text: BorrowedText) -> Bool {
        // SOUND: the text lives as long as the call, and the tape is of this text.
        let bytes = unsafe text.buffer
        guard unsafe bytes.first == UInt8(ascii: "{"), unsafe bytes.last == UInt8(ascii: "}"),
            unsafe !bytes.contains(UInt8(ascii: "\n"))
        else { return false }
        return unsafe scanner.scan(text.bytes, into: &tape) == nil
    }
}

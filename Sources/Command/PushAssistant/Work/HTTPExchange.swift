import PushSystem

/// One request over HTTP/1.0, whose answer ends with the connection, to a gateway on this machine.
struct HTTPExchange {
    let address: GatewayAddress
    /// The key of the gateway's API; nil for none.
    let accessKey: String?
    /// The most that is read of an answer, in bytes.
    let maximumBytes: Int
    /// As that of a `PipeReader`.
    var client: (descriptor: FileDescriptor, hear: () -> Heard)?

    func request(
        _ method: String, _ path: String, body: [UInt8], milliseconds: Int
    ) throws(ToolFailure) -> GatewayAnswer {
        let bytes: [UInt8]?
        do throws(SystemError) {
            let connection = try FileDescriptor.connectToThisMachine(port: address.port, isIPv6: address.isIPv6)
            defer { connection.close() }
            try connection.writeAll(head(method, path, body.count) + body)
            var reader = PipeReader([connection], limit: maximumBytes, client: client)
            bytes = try reader.read(milliseconds: milliseconds) ? reader.bytes[0] : nil
        } catch {
            throw ToolFailure("\(address.text): \(error); start pushpipe serve, or name its address with --gateway")
        }
        guard let bytes else { throw ToolFailure("\(address.text) did not answer in time, or with too many bytes") }
        guard let answer = Self.answer(bytes, of: address) else {
            throw ToolFailure(
                bytes.isEmpty
                    ? "\(address.text) ended without an answer" : "\(address.text) is not pushpipe serve")
        }
        return answer
    }

    private func head(_ method: String, _ path: String, _ count: Int) -> [UInt8] {
        let key = accessKey.map { "X-Access-Key: \($0)\r\n" } ?? ""
        return Array(
            "\(method) \(path) HTTP/1.0\r\nHost: \(address.host)\r\n\(key)Content-Length: \(count)\r\n\r\n".utf8)
    }

    /// Status and body; nil if it is not an answer of HTTP.
    static func answer(_ bytes: [UInt8], of address: GatewayAddress) -> GatewayAnswer? {
        let lineEnd: [UInt8] = [0x0D, 0x0A]
        guard bytes.starts(with: Array("HTTP/1.".utf8)), bytes.count > 12,
            let status = Int(String(decoding: bytes[9..<12], as: UTF8.self))
        else { return nil }
        var index = 0
        while index + 4 <= bytes.count {
            if bytes[index] == 0x0D, bytes[index..<index + 4].elementsEqual(lineEnd + lineEnd) {
                return GatewayAnswer(address: address.text, status: status, body: Array(bytes[(index + 4)...]))
            }
            index += 1
        }
        return nil
    }
}

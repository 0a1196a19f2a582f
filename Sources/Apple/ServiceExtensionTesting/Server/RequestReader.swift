/// Reads one request of HTTP/1.1 from bytes as they arrive (RFC 9112). A state machine without a socket.
package struct RequestReader {
    /// A request.
    package struct Request: Equatable, Sendable {
        /// In capitals, such as `GET`.
        package var method: String
        /// As it was sent: a path with its query, an absolute URL, or `HOST:PORT`.
        package var target: String
        /// In the order in which they came, with names as they were sent.
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []

        package static func == (left: Request, right: Request) -> Bool {
            left.method == right.method && left.target == right.target && left.body == right.body
                && left.headers.elementsEqual(right.headers, by: ==)
        }

        /// The first header with this name, which is case-insensitive.
        package func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// The next step of a connection.
    package enum Step: Equatable, Sendable {
        /// Read more bytes.
        case needsMore
        /// The client waits for `100 Continue` before it sends the body. Returned once.
        case needsContinue
        case request(Request)
        /// The bytes are no request; the text says why.
        case invalid(String)
    }

    /// Bytes of a request line and headers, and of a body.
    package static let maximumHead = 64 * 1024
    package static let maximumBody = 16 * 1024 * 1024

    /// Bytes of the line with a chunk's length.
    private static let maximumChunkLine = 1024
    private static let badChunk = "a chunk without a valid length"

    private var bytes: [UInt8] = []
    /// How much of `bytes` has been searched for the end of the head.
    private var searched = 0
    private var head: Request?
    /// Where the next part of the body begins.
    private var position = 0
    private var body: [UInt8] = []
    private var hasAskedToContinue = false

    package init() {}

    /// Adds bytes that have arrived, and looks how far they reach. Bytes behind a request are ignored.
    package mutating func add(_ more: some Collection<UInt8>) -> Step {
        bytes += more
        if head == nil {
            switch readHead() {
            case .success(let request)?: head = request
            case .failure(let fault)?: return .invalid(fault.reason)
            case nil:
                return bytes.count > Self.maximumHead ? .invalid(Fault.longHead.reason) : .needsMore
            }
        }
        guard let head else { return .needsMore }
        let isChunked = head.header("Transfer-Encoding")?.lowercased().hasSuffix("chunked") ?? false
        let step = isChunked ? readChunks(of: head) : readBody(of: head)
        guard step == .needsMore, !hasAskedToContinue, position == bytes.count, body.isEmpty,
            head.header("Expect")?.lowercased() == "100-continue"
        else { return step }
        hasAskedToContinue = true
        return .needsContinue
    }

    private struct Fault: Error {
        static let longHead = Fault(reason: "headers longer than \(maximumHead) bytes")

        var reason: String
    }

    // MARK: - Head

    private mutating func readHead() -> Result<Request, Fault>? {
        // An empty line ends it; clients may leave the carriage returns out (RFC 9112, 2.2).
        var index = max(searched - 3, 0)
        while index < bytes.count {
            if bytes[index] == 10, index + 1 < bytes.count {
                let next = bytes[index + 1] == 13 ? index + 2 : index + 1
                if next < bytes.count, bytes[next] == 10 {
                    guard next <= Self.maximumHead else { return .failure(.longHead) }
                    position = next + 1
                    return parse(bytes[..<index])
                }
            }
            index += 1
        }
        searched = bytes.count
        return nil
    }

    private func parse(_ head: ArraySlice<UInt8>) -> Result<Request, Fault> {
        var lines = head.split(separator: 10, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }[...]
        let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), !words[0].isEmpty, !words[1].isEmpty else {
            return .failure(Fault(reason: "no request line of HTTP/1.1"))
        }
        var request = Request(method: String(words[0]), target: String(words[1]))
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, line.first?.isWhitespace == false
            else {
                return .failure(Fault(reason: "a header without a name"))
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let end = value.lastIndex { $0 != " " && $0 != "\t" }
            request.headers.append((String(line[..<colon]), end.map { String(value[...$0]) } ?? ""))
        }
        return .success(request)
    }

    // MARK: - Body

    private mutating func readBody(of head: Request) -> Step {
        guard let text = head.header("Content-Length") else { return .request(head) }
        guard let length = Int(text), length >= 0 else { return .invalid("Content-Length is not a number") }
        guard length <= Self.maximumBody else { return .invalid("a body longer than \(Self.maximumBody) bytes") }
        guard bytes.count - position >= length else { return .needsMore }
        var request = head
        request.body = Array(bytes[position..<position + length])
        return .request(request)
    }

    private mutating func readChunks(of head: Request) -> Step {
        while let end = bytes[position...].firstIndex(of: 10) {
            // As if it had arrived in pieces.
            guard end - position <= Self.maximumChunkLine else { return .invalid(Self.badChunk) }
            let line = String(decoding: bytes[position..<end], as: UTF8.self)
            let digits = line.prefix { $0.isHexDigit }
            guard let length = Int(digits, radix: 16), length <= Self.maximumBody - body.count else {
                return .invalid(Self.badChunk)
            }
            let start = end + 1
            if length == 0 {
                // Trailers are read and dropped, up to an empty line.
                let rest = endOfTrailers(from: start)
                if (rest ?? bytes.count) - start > Self.maximumHead { return .invalid("trailers are too long") }
                guard let rest else { return .needsMore }
                position = rest
                var request = head
                request.body = body
                return .request(request)
            }
            guard start + length < bytes.count else { return .needsMore }
            // The chunk's line ends as any other.
            let lineEnd = bytes[start + length] == 13 ? start + length + 1 : start + length
            guard lineEnd < bytes.count else { return .needsMore }
            guard bytes[lineEnd] == 10 else { return .invalid("a chunk is longer than it says") }
            body += bytes[start..<start + length]
            position = lineEnd + 1
        }
        return bytes.count - position > Self.maximumChunkLine ? .invalid(Self.badChunk) : .needsMore
    }

    private func endOfTrailers(from start: Int) -> Int? {
        var lineStart = start
        while let end = bytes[lineStart...].firstIndex(of: 10) {
            if end == lineStart || (end == lineStart + 1 && bytes[lineStart] == 13) { return end + 1 }
            lineStart = end + 1
        }
        return nil
    }
}

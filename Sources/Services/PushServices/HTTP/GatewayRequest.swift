import CPushZlib
package import PushFaults
import PushJSON
import PushModel
import PushSystem
import Synchronization

/// A field of a request's or an answer's header.
package struct HeaderField: Sendable, Equatable {
    /// The name in lower case, as HTTP/2 has it.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    init(_ header: APNsHeader, _ value: String) { self.init(header.name.description, value) }
}

/// A request, whatever version of HTTP it came over, or a notification of the binary interface.
package struct GatewayRequest: Sendable {
    package var method: String
    /// The path as it was sent, with the query.
    package var path: String
    /// The headers in the order in which they came, repetitions included; without the pseudo-headers of HTTP/2.
    package var headers: [HeaderField]
    /// Empty if `isTooLarge`.
    package var body: [UInt8] = []
    /// True if the body had more bytes than the gateway takes.
    package var isTooLarge = false
    /// True if it came over HTTP/1.
    package var isHTTP1 = false
    package var sender = RequestSender.none
    /// The fault that a rule assigns to it; nil for none.
    package var fault: FaultEffect?
    /// The message over the binary interface of APNs; nil for a request of HTTP.
    package var binary: BinaryRequest?

    package init(method: String, path: String, headers: [HeaderField] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The first value of a header; nil without one.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    func header(_ header: APNsHeader) -> String? { self.header(header.name.description) }

    /// The token of the header `authorization` with the scheme `Bearer`; nil without one.
    var bearerToken: String? {
        let words = header("authorization")?.split(separator: " ", maxSplits: 1) ?? []
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }
}

package struct GatewayAnswer: Sendable, Equatable {
    /// The status of HTTP, or of an error of the binary interface, there 0 for none.
    package var status: Int
    /// The headers without the length of the body.
    package var headers: [HeaderField]
    package var body: [UInt8]
    /// The fault on its way; nil for none.
    package var fault: TransportFault?
    /// True if the request had a valid provider token.
    package var hasValidToken = false
    /// Counts a long body until it is taken; nil for an answer that does not count.
    package var unread: UnreadBytes.Share?

    package init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The origin of a request. All requests of a connection share one.
package final class RequestSender: Sendable {
    /// The connection's number, from 1; 0 for a request without one.
    package let connection: UInt64
    /// The client's address, without its port; nil if there is none.
    package let address: String?
    /// The rights that the client proved with its certificate; nil without one.
    package let certificate: ClientCertificate?

    /// Nobody.
    static let none = RequestSender()

    package init(connection: UInt64 = 0, address: String? = nil, certificate: ClientCertificate? = nil) {
        self.connection = connection
        self.address = address
        self.certificate = certificate
    }
}

/// The rights at APNs that a client's certificate grants.
///
/// Source: Apple, "Establishing a certificate-based connection to APNs".
package struct ClientCertificate: Sendable, Equatable {
    /// The bundle identifier, from the subject's user id; nil if it has none.
    package var bundle: String?
    /// The topics it may push to, from the extension 1.2.840.113635.100.6.3.6. Without the extension, its bundle identifier alone.
    package var topics: [String]

    package init(bundle: String?, topics: [String]) {
        self.bundle = bundle
        self.topics = topics
    }
}

extension [UInt8] {
    /// Passes the JSON object in a body to `read`. The view is valid only for the duration of the call.
    ///
    /// - Returns: nil also for a body that is not an object.
    func withObject<Result>(_ read: (JSONView) throws -> Result?) rethrows -> Result? {
        try withJSON { try $0.isObject ? read($0) : nil } ?? nil
    }

    /// The members of the JSON object in a body that have one of the names; nil if the body is not an object.
    ///
    /// - Parameter text: the text of a value, by default that of a string; nil to leave the member out.
    func texts(_ names: StaticString..., of text: (JSONView) -> String? = { $0.string?.string }) -> [String: String]? {
        withObject { root in
            var texts: [String: String] = [:]
            for name in names { texts[name.description] = root[name].flatMap(text) }
            return texts
        }
    }
}

extension JSONView {
    /// The text of a member; nil if it is missing or not a string.
    subscript(string name: StaticString) -> String? { self[name]?.string?.string }
}

extension GatewayRequest {
    /// The offset in bytes at which the body stops being JSON; nil if it is JSON.
    var offsetOfFault: Int? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the bytes live until the closure returns, and the tape is of these bytes.
        return unsafe body.withUnsafeBytes { unsafe scanner.scan($0, into: &tape)?.offset }
    }

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

extension ByteBuffer {
    var copy: [UInt8] {
        // SOUND: the bytes are copied.
        unsafe Array(bytes)
    }
}

/// The path of a request in its parts, and its query.
struct RequestTarget {
    /// The texts between the slashes, with percent escapes resolved. Empty ones are kept, except for one at the end.
    var segments: [String]
    var query: FormFields

    init(_ path: String) {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var names = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if names.last?.isEmpty == true { names.removeLast() }
        segments = names.map { FormFields.decoded($0.utf8, plusIsSpace: false) }
        query = FormFields(parts.count > 1 ? Array(parts[1].utf8) : [])
    }

    /// True if a path has an escape without two digits, or escapes that are not UTF-8.
    static func isBroken(_ path: String) -> Bool {
        PercentEncoding.decoded(path.utf8).flatMap { String(validating: $0, as: UTF8.self) } == nil
    }
}

/// The fields of a query, or of a body of the type `application/x-www-form-urlencoded`, in their order.
///
/// Source: WHATWG, URL, "application/x-www-form-urlencoded".
struct FormFields {
    private(set) var fields: [(name: String, value: String)] = []

    init(_ bytes: [UInt8]) {
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = sides.map { Self.decoded($0, plusIsSpace: true) }
            fields.append((texts[0], texts.count > 1 ? texts[1] : ""))
        }
    }

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The first value of each name.
    var texts: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Resolves percent escapes. Anything else stays as it is; bytes that are not UTF-8 become replacement characters.
    static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> String {
        String(
            decoding: PercentEncoding.decoded(text, plusIsSpace: plusIsSpace, keepsBroken: true) ?? [], as: UTF8.self)
    }
}

/// A body that its client has compressed with gzip, as Expo's SDKs compress the longer ones. Source: RFC 1952.
package enum GzipBody: Equatable {
    case text([UInt8])
    /// The text has more bytes than are allowed.
    case tooLong
    /// The body is not gzip, is cut short, or has a wrong checksum.
    case invalid

    /// How much text is taken from zlib at once, and how much more than the limit is ever in memory.
    private static let pieceBytes = 16 * 1024  // 16 KiB

    /// Reads a body of one member, or of several, whose texts follow each other (RFC 1952, section 2.2).
    ///
    /// - Parameter limit: of the text, in bytes.
    package init(_ body: [UInt8], limit: Int) {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // 15 is the largest window, and 16 asks for gzip's header and checksum.
        guard unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
            self = .invalid
            return
        }
        defer { unsafe inflateEnd(&stream) }
        // SOUND: zlib does not write to its input, which lives until the closure returns; so do the stream's other pointers.
        self = unsafe body.withUnsafeBufferPointer { input in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.avail_in = UInt32(clamping: input.count)
            return unsafe Self.reading(&stream, limit: limit)
        }
    }

    private static func reading(_ stream: inout z_stream, limit: Int) -> GzipBody {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        repeat {
            var status = Z_OK
            while status == Z_OK {
                // SOUND: zlib writes at most `avail_out` bytes, and the piece lives until the closure returns.
                let count = unsafe piece.withUnsafeMutableBufferPointer { out in
                    unsafe stream.next_out = out.baseAddress
                    unsafe stream.avail_out = UInt32(out.count)
                    status = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe out.count - Int(stream.avail_out)
                }
                text += piece.prefix(count)
                if text.count > limit { return .tooLong }
            }
            guard status == Z_STREAM_END, unsafe inflateReset(&stream) == Z_OK else { return .invalid }
        } while unsafe stream.avail_in > 0
        return .text(text)
    }
}

/// The bytes of answers that their clients have not taken, of all connections together. Used on any thread.
package final class UnreadBytes: Sendable {
    /// The bytes of one answer, which count until this is released.
    package final class Share: Sendable, Equatable {
        private let owner: UnreadBytes
        private let bytes: Int

        fileprivate init(_ owner: UnreadBytes, _ bytes: Int) {
            self.owner = owner
            self.bytes = bytes
            owner.add(bytes)
        }

        deinit { owner.remove(bytes) }

        /// True: answers are the same whether they count or not.
        package static func == (one: Share, other: Share) -> Bool { true }
    }

    private let count = Atomic(0)
    private let limit: Int
    private let wake: @Sendable () -> Void

    /// Shorter answers are not counted: there is one per request, and these have limits of their own. 1 KiB.
    package static let shortest = 1024

    /// - Parameters:
    ///   - limit: the most bytes with which there is room for another long answer.
    ///   - wake: called on any thread when there is room again.
    package init(limit: Int = .max, wake: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.wake = wake
    }

    package var bytes: Int { count.load(ordering: .relaxed) }

    /// True if another long answer may be composed.
    package var hasRoom: Bool { bytes <= limit }

    package func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

    package func remove(_ bytes: Int) {
        let left = count.subtract(bytes, ordering: .relaxed).newValue
        if left <= limit, left + bytes > limit { wake() }
    }

    /// An answer that counts until its body is released, unless it is short.
    package func counted(_ answer: GatewayAnswer) -> GatewayAnswer {
        guard answer.body.count >= Self.shortest else { return answer }
        var answer = answer
        answer.unread = Share(self, answer.body.count)
        return answer
    }
}

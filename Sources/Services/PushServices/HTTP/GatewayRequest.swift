import PayloadJSON
package import PushFaults
import PushModel
import PushSystem

/// A field of a request's or an answer's header.
package struct HeaderField: Sendable, Equatable {
    /// In lower case, as HTTP/2 has it.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    init(_ header: APNsHeader, _ value: String) { self.init(header.name.description, value) }
}

/// A request, whatever version of HTTP it came over, or a notification of the binary interface.
package struct GatewayRequest: Sendable, Equatable {
    package var method: String
    /// As it was sent, with the query.
    package var path: String
    /// In the order in which they came, repetitions included; without the pseudo-headers of HTTP/2.
    package var headers: [HeaderField]
    /// Empty if `isTooLarge`.
    package var body: [UInt8] = []
    /// True if the body had more bytes than the gateway takes.
    package var isTooLarge = false
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
    /// Of HTTP. Of the binary interface the status of its error, 0 for none.
    package var status: Int
    /// Without the length of the body.
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

/// Where a request comes from. All requests of a connection share one.
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

extension RequestSender: Equatable {
    package static func == (one: RequestSender, other: RequestSender) -> Bool {
        one === other
            || one.connection == other.connection && one.address == other.address
                && one.certificate == other.certificate
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

extension ByteBuffer {
    var copy: [UInt8] {
        // SOUND: the bytes are copied.
        unsafe Array(bytes)
    }
}

/// The path of a request in its parts, and its query.
struct RequestTarget {
    /// Between the slashes, with percent escapes resolved. Empty ones are kept, except for one at the end.
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
            fields.append(
                (
                    Self.decoded(sides.first ?? [], plusIsSpace: true),
                    sides.count > 1 ? Self.decoded(sides[1], plusIsSpace: true) : ""
                ))
        }
    }

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Resolves percent escapes. Anything else stays as it is; bytes that are no UTF-8 become replacement characters.
    static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> String {
        String(
            decoding: PercentEncoding.decoded(text, plusIsSpace: plusIsSpace, keepsBroken: true) ?? [], as: UTF8.self)
    }
}

package import PushFaults
import PushModel

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
    private var rarities: Rarities?

    package init(method: String, path: String, headers: [HeaderField] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Members that few requests have: apart, because requests are copied often.
    private indirect enum Rarities: Sendable, Equatable {
        case both(fault: FaultEffect?, binary: BinaryRequest?)
    }

    /// The fault that a rule assigns to it; nil for none.
    package var fault: FaultEffect? {
        get { if case .both(let fault, _)? = rarities { fault } else { nil } }
        set { rarities = Self.rarities(newValue, binary) }
    }

    /// The message over the binary interface of APNs; nil for a request of HTTP.
    package var binary: BinaryRequest? {
        get { if case .both(_, let binary)? = rarities { binary } else { nil } }
        set { rarities = Self.rarities(fault, newValue) }
    }

    private static func rarities(_ fault: FaultEffect?, _ binary: BinaryRequest?) -> Rarities? {
        fault == nil && binary == nil ? nil : .both(fault: fault, binary: binary)
    }

    /// The first value of a header; nil without one.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    func header(_ header: APNsHeader) -> String? { self.header(header.name.description) }
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

    /// With a body of JSON.
    package init(status: Int, headers: [HeaderField] = [], json: String) {
        self.init(
            status: status, headers: [HeaderField("content-type", "application/json")] + headers, body: Array(json.utf8)
        )
    }
}

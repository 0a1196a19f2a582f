import NIOHPACK
import PushServices

/// The header block of a request over HTTP/2, checked as RFC 9113 (sections 8.2, 8.3 and 8.5) wants it, apart from the bytes of `:path`.
///
/// NIO's own check resets the stream of a request whose path has a space or a control character, because such a path would be dangerous in
/// HTTP/1.1. Nothing is forwarded here, and a sender that puts a wrong token into the path is to be told so by the service: pushy's mock server
/// answers `BadDeviceToken`.
enum RequestHead {
    /// The request without a body; nil for a block that is malformed.
    static func request(_ fields: HPACKHeaders) -> GatewayRequest? {
        var request = GatewayRequest(method: "", path: "")
        request.headers.reserveCapacity(fields.count)
        var authority: String?
        var seen: Pseudo = []
        var isInHeaders = false
        for (name, value, _) in fields {
            guard name.utf8.first == UInt8(ascii: ":") else {
                guard isValid(name, value) else { return nil }
                isInHeaders = true
                request.headers.append(HeaderField(name, value))
                continue
            }
            let pseudo: Pseudo
            switch name {
            case ":method": (pseudo, request.method) = (.method, value)
            case ":path": (pseudo, request.path) = (.path, value)
            // Some clients send it, some `host`, and some neither.
            case ":authority": (pseudo, authority) = (.authority, value)
            case ":scheme": pseudo = .scheme
            default: return nil
            }
            guard !isInHeaders, seen.insert(pseudo).inserted else { return nil }
            guard pseudo == .path || !value.utf8.contains(where: isSpaceOrControl) else { return nil }
        }
        let isConnect = request.method == "CONNECT"
        guard isConnect ? seen == [.method, .authority] : seen.isSuperset(of: [.method, .scheme, .path]) else {
            return nil
        }
        if let authority, request.header("host") == nil { request.headers.append(HeaderField("host", authority)) }
        return request
    }

    /// True if a block may be trailers: it has no pseudo-headers.
    static func isTrailers(_ fields: HPACKHeaders) -> Bool { fields.allSatisfy { isValid($0.name, $0.value) } }

    private struct Pseudo: OptionSet {
        let rawValue: UInt8
        static let method = Pseudo(rawValue: 1)
        static let path = Pseudo(rawValue: 2)
        static let scheme = Pseudo(rawValue: 4)
        static let authority = Pseudo(rawValue: 8)
    }

    /// True for a header in lower case, without line breaks or NUL in its value, that is not about a connection of HTTP/1.1.
    private static func isValid(_ name: String, _ value: String) -> Bool {
        switch name {
        case "": return false
        case "connection", "transfer-encoding", "proxy-connection", "keep-alive", "upgrade": return false
        case "te" where value != "trailers": return false
        default:
            return name.utf8.allSatisfy(isNameByte)
                && !value.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }
    }

    /// RFC 9110, section 5.6.2, without capitals.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
    }

    private static func isSpaceOrControl(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || byte == 0x7F }
}

import PayloadJSON

/// The answers of Google's front ends, before a service sees the request.
enum GoogleAnswer {
    /// A page of HTML, for a path that no service has. Its text is not Google's.
    static func notFound(_ request: GatewayRequest) -> GatewayAnswer {
        html(status: 404, title: "Error 404 (Not Found)", "The requested URL was not found on this server.")
    }

    static func html(status: Int, title: String, _ text: String) -> GatewayAnswer {
        let page = "<!DOCTYPE html>\n<html lang=en>\n<title>\(title)</title>\n<p>\(text)</p>\n"
        return GatewayAnswer(
            status: status, headers: [HeaderField("content-type", "text/html; charset=UTF-8")], body: Array(page.utf8))
    }

    /// An error with nothing but the general words of Google's services.
    ///
    /// - Parameter name: of `google.rpc.Code`.
    static func error(_ status: Int, _ name: StaticString, _ message: StaticString) -> GatewayAnswer {
        GatewayAnswer(status: status) { out in
            out.append("{\"error\":{\"code\":")
            out.append(UInt64(status))
            out.appendMember("message", message.description)
            out.appendMember("status", name.description)
            out.append("}}")
        }
    }

    /// Bytes before and after the place of an error that the parser quotes.
    private static let contextBytes = 20

    /// The words of Google's parser about a body that is not JSON. They are those of the parser's published ancestor,
    /// `json_stream_parser.cc` in protocolbuffers/protobuf; that FCM's uses them is not confirmed.
    ///
    /// - Parameter offset: of the error, in bytes.
    static func syntaxError(in body: [UInt8], at offset: Int) -> String {
        let place = min(max(offset, 0), body.count)
        let start = max(place - contextBytes, 0)
        let context = body[start..<min(place + contextBytes, body.count)]
        let reason = place == body.count ? "Unexpected end of string." : "Unexpected token."
        let mark = String(repeating: " ", count: place - start) + "^"
        return "Invalid JSON payload received. \(reason)\n\(String(decoding: context, as: UTF8.self))\n\(mark)"
    }
}

import Foundation
package import PushServices

/// A push to `ab12` that is accepted.
package func push(
    _ body: String = #"{"aps":{"alert":"Hi"}}"#, to token: String = "ab12", method: String = "POST",
    headers: [(String, String)] = [("apns-topic", "org.example.app")]
) -> GatewayRequest {
    GatewayRequest(
        method: method, path: "/3/device/\(token)", headers: headers.map { HeaderField($0.0, $0.1) },
        body: Array(body.utf8))
}

/// A request to FCM v1.
package func send(_ body: String, to project: String = "demo", headers: [(String, String)] = []) -> GatewayRequest {
    GatewayRequest(
        method: "POST", path: "/v1/projects/\(project)/messages:send",
        headers: headers.map { HeaderField($0.0, $0.1) }, body: Array(body.utf8))
}

extension GatewayAnswer {
    /// The body as JSON; empty if it is no object.
    package var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }
    package var text: String { String(decoding: body, as: UTF8.self) }
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    /// APNs' reason; nil without one.
    package var reason: String? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return nil }
        return object["reason"] as? String
    }
}

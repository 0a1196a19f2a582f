import Foundation
import PushPipeline
import ServiceTestSupport

@testable import PushServices

extension SessionTrial {
    /// APNs and the gateway's own API.
    static func withAPI(
        authentication: ProviderAuthentication = .wellFormed, log: MessageLog = MessageLog(), isRedacted: Bool = false,
        access: APIAccess = APIAccess(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) -> SessionTrial {
        return SessionTrial(
            authentication, traffic: GatewayTraffic(log, isRedacted: isRedacted), access: access,
            configure)
    }

    func get(_ path: String, method: String = "GET", _ headers: [(String, String)] = []) throws -> GatewayAnswer {
        try send("", path, method: method, headers)
    }

    func send(
        _ body: String, _ path: String, method: String = "POST", _ headers: [(String, String)] = []
    ) throws -> GatewayAnswer {
        try answer(
            GatewayRequest(
                method: method, path: path, headers: headers.map { HeaderField($0.0, $0.1) }, body: Array(body.utf8)))
    }
}

extension PendingAnswer {
    func next(now: Double, unread: Int, isStopping: Bool) -> AnswerPart? {
        next(now: now, unread: unread, hasRoom: true, isStopping: isStopping)
    }
}

extension GatewayAnswer {
    struct NoJSON: Error {}

    func parsed() throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { throw NoJSON() }
        return object
    }

    func list(_ name: String) throws -> [[String: Any]] { try parsed()[name] as? [[String: Any]] ?? [] }

    /// The message of an API error, if it says its status.
    var error: String {
        get throws {
            guard let error = try parsed()["error"] as? [String: Any], error["status"] as? Int == status else {
                throw NoJSON()
            }
            return error["message"] as? String ?? ""
        }
    }
}

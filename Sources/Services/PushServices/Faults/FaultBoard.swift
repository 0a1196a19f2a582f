import PayloadJSON
import PushDecoding
package import PushFaults
import PushModel
import PushSystem
import RecordFraming

/// The rules of a gateway, which its session applies and its API changes. Used on the pipeline's thread.
package final class FaultBoard {
    package var rules = FaultRules() {
        didSet { if rules.isEmpty { text = nil } }
    }
    /// The text of the rules; nil without rules, and for rules that were not read from a text.
    var text: String?
    /// Tests replace it.
    var monotonicMilliseconds: () -> Int64 = { Int64(SystemClock.monotonicSeconds() * 1000) }
}

extension FaultRules {
    /// The fault of a request; nil for none. O(number of rules).
    ///
    /// - Parameter now: monotonic milliseconds.
    mutating func effect(on request: GatewayRequest, now: Int64) -> FaultEffect? {
        guard !isEmpty else { return nil }
        return effect(
            devices: needsDevice ? Self.devices(of: request) : [], topic: request.header(.topic),
            path: request.path, now: now)
    }

    /// The devices that a push is for; empty for other requests.
    private static func devices(of request: GatewayRequest) -> [String] {
        if let binary = request.binary {
            if case .notification(let notification) = binary.content { return [notification.device] }
            return []
        }
        if case .device(let token) = APNsRoute(method: request.method, path: request.path) { return [token] }
        return request.withJSON { root in
            guard let root else { return [] }
            if request.path.hasPrefix("/--/") { return ExpoService.tokens(root) }
            guard root.isObject else { return [] }
            let target = root["message"]?["token"] ?? root["to"] ?? root["token"]
            return target?.string.map { [$0.string] } ?? []
        }
    }
}

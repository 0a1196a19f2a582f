import FoundationEssentials
import PayloadJSON
import PushModel

/// The channels of broadcasts that senders have made. They last as long as the gateway.
///
/// Source: Apple, "Sending channel management requests to APNs".
struct BroadcastChannels {
    /// Channels by their ids, in the order in which they were made.
    private struct App {
        var ids: [String] = []
        /// True if a channel keeps its most recent message.
        var keepsMessage: [String: Bool] = [:]
    }

    private var apps: [String: App] = [:]
    private var total = 0
    private static let mostNameBytes = 1024
    /// Of an app: Apple's number.
    private static let mostChannels = 10_000
    /// Of all apps together, which is ours.
    private static let mostOfAll = 100_000

    /// Why a broadcast is refused. Only apps whose senders have made channels are held to them.
    func refusal(ofBroadcast request: GatewayRequest, to bundle: String) -> Rejection? {
        guard let app = apps[bundle], let id = request.header(.channelID) else { return nil }
        guard let keepsMessage = app.keepsMessage[id] else { return .channelNotRegistered }
        let expiration = request.header(.expiration).flatMap { Int64($0) } ?? 0
        return !keepsMessage && expiration != 0 ? .badExpirationDate : nil
    }

    /// Makes, reads or removes a channel.
    mutating func answer(to request: GatewayRequest, _ bundle: String) -> GatewayAnswer {
        if request.method == "POST" { return make(request, bundle) }
        guard let id = request.header(.channelID), !id.isEmpty else {
            return APNsAnswer.refusal(.missingChannelId, of: request)
        }
        guard Data(base64Encoded: id) != nil else { return APNsAnswer.refusal(.badChannelId, of: request) }
        guard let keepsMessage = apps[bundle]?.keepsMessage[id] else {
            return APNsAnswer.refusal(.channelNotRegistered, of: request)
        }
        guard request.method == "DELETE" else {
            let policy = keepsMessage ? 1 : 0
            return GatewayAnswer(
                status: 200, headers: [APNsAnswer.identifier(of: request)],
                json: "{\"message-storage-policy\":\(policy),\"push-type\":\"LiveActivity\"}")
        }
        apps[bundle]?.keepsMessage[id] = nil
        apps[bundle]?.ids.removeAll { $0 == id }
        total -= 1
        return GatewayAnswer(status: 204, headers: [APNsAnswer.identifier(of: request)])
    }

    /// The ids of an app's channels, oldest first.
    func list(for request: GatewayRequest, _ bundle: String) -> GatewayAnswer {
        // Ids are in Base64, of which nothing needs to be escaped.
        let ids = (apps[bundle]?.ids ?? []).map { "\"\($0)\"" }.joined(separator: ",")
        return GatewayAnswer(
            status: 200, headers: [APNsAnswer.identifier(of: request)], json: "{\"channels\":[\(ids)]}")
    }

    private mutating func make(_ request: GatewayRequest, _ bundle: String) -> GatewayAnswer {
        let parsed = request.withJSON { root -> (isObject: Bool, policy: String?, type: String?, isKnown: Bool) in
            guard let root, root.isObject else { return (false, nil, nil, false) }
            let isKnown = root.members.allSatisfy { $0.key == "message-storage-policy" || $0.key == "push-type" }
            return (true, root["message-storage-policy"]?.text.string, root["push-type"]?.string?.string, isKnown)
        }
        guard parsed.isObject else { return APNsAnswer.refusal(.badRequestPayload, of: request) }
        guard let type = parsed.type else { return APNsAnswer.refusal(.missingPushType, of: request) }
        guard type.lowercased() == "liveactivity" else { return APNsAnswer.refusal(.invalidPushType, of: request) }
        // Apple's reason for parameters that are wrong. That an attribute which is not its own is one is UNCONFIRMED.
        guard parsed.isKnown, let policy = parsed.policy, policy == "0" || policy == "1" else {
            return APNsAnswer.refusal(.badRequestParams, of: request)
        }
        var app = apps[bundle] ?? App()
        guard app.ids.count < Self.mostChannels, total < Self.mostOfAll, bundle.utf8.count <= Self.mostNameBytes else {
            return APNsAnswer.refusal(.cannotCreateChannelConfig, of: request)
        }
        let id = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        app.ids.append(id)
        app.keepsMessage[id] = policy == "1"
        apps[bundle] = app
        total += 1
        return GatewayAnswer(
            status: 201, headers: [HeaderField(.channelID, id), APNsAnswer.identifier(of: request)])
    }
}

import FoundationEssentials
import PushDecoding
import PushFaults
import PushFiles
import PushJSON
package import PushModel
import PushPipeline
package import PushSystem

/// APNs: pushes to devices, broadcasts, and the channels of broadcasts.
final class APNsService: GatewayService {
    override var speaker: String? { "apns" }
    private var authentication: ProviderAuthentication
    private var channels = BroadcastChannels()
    /// Epoch milliseconds; tests replace it. The clock of the pipeline may be emulated, that of clients is not.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    init(_ authentication: ProviderAuthentication) { self.authentication = authentication }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard let route = APNsRoute(method: request.method, path: request.path) else { return nil }
        var refusal: Rejection?
        if case .refused(let rejection) = route { refusal = rejection } else { refusal = self.refusal(of: request) }
        switch route {
        case .device(let token):
            // Sources: Apple, "Sending notification requests to APNs"; observed: curl issue 969, reactor-netty issue 399.
            if request.isHTTP1 {
                noteOnce("pushpipe: POST /3/device: this request came over HTTP/1.1; APNs accepts only HTTP/2\n")
            }
            let request = request.withTopicOfCertificate
            records.appendAPNs(request, device: token, refusal: refusal ?? request.refusalByCertificate)
            let hasValidToken = refusal == nil && request.header("authorization") != nil
            return .report(APNsAnswer(to: request, isBroadcast: false, hasValidToken: hasValidToken))
        case .channels(let bundle), .allChannels(let bundle):
            do throws(Rejection) {
                if let refusal { throw refusal }
                if case .allChannels = route { return .answer(channels.list(for: request, bundle)) }
                return .answer(try channels.answer(to: request, bundle))
            } catch {
                return .answer(APNsAnswer.refusal(error, of: request))
            }
        case .broadcast(let bundle): refusal = refusal ?? channels.refusal(ofBroadcast: request, to: bundle)
        case .refused: break
        }
        records.appendAPNs(request, device: nil, refusal: refusal)
        return .report(APNsAnswer(to: request, isBroadcast: !request.path.hasPrefix("/3")))
    }

    /// Why a request is refused before its message is looked at. Apple says that authentication comes first.
    private func refusal(of request: GatewayRequest) -> Rejection? {
        if let refusal = request.fault?.refusal(by: "apns") { return refusal }
        if request.headers.count(where: { $0.name == "authorization" }) > 1 { return .duplicateHeaders }
        return authentication.refusal(request, now: Double(wallMilliseconds()) / 1000)
            ?? (request.isTooLarge ? .payloadTooLarge : nil)
    }
}

extension GatewayRequest {
    /// The request with the topic of its client's certificate, if that has one and the request names none.
    ///
    /// Source: Apple, "Sending notification requests to APNs": with a certificate for several topics, the header is needed.
    fileprivate var withTopicOfCertificate: GatewayRequest {
        guard header(.topic) == nil, let topics = sender.certificate?.topics, let topic = topics.first,
            topics.count == 1
        else { return self }
        var request = self
        request.headers.append(HeaderField(.topic, topic))
        return request
    }

    /// The refusal of a topic that the client's certificate is not for.
    ///
    /// Apple names no rule that decides between `TopicDisallowed` and `BadTopic` here.
    fileprivate var refusalByCertificate: Rejection? {
        guard let certificate = sender.certificate, !certificate.topics.isEmpty, let topic = header(.topic),
            !certificate.topics.contains(topic)
        else { return nil }
        // A certificate without a list of topics is for those of its app.
        if let bundle = certificate.bundle, certificate.topics == [bundle], topic.hasPrefix(bundle + ".") { return nil }
        return .topicDisallowed
    }
}

/// How APNs answers, from what became of the request's record.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct APNsAnswer: AnswerDraft {
    /// The header that names the request.
    private let identifier: HeaderField
    /// True if the request had a valid provider token.
    private let hasValidToken: Bool
    /// Nil while the record has no report line.
    private var result: GatewayAnswer?

    /// - Parameter isBroadcast: true if the request was one, or about its channel.
    init(to request: GatewayRequest, isBroadcast: Bool, hasValidToken: Bool = false) {
        identifier = Self.identifier(of: request, isBroadcast: isBroadcast)
        self.hasValidToken = hasValidToken
    }

    /// The first line decides.
    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard result == nil else { return }
        if let failure = line.decodeFailure {
            // Apple names no reason for a push whose body is not JSON. For a broadcast it does.
            result = Self.refusal(failure.rule == "record.too-long" ? .payloadTooLarge : .badRequestPayload, identifier)
        } else if let rejection = line.refusal {
            result = Self.refusal(
                rejection, identifier,
                timestamp: rejection.hasTimestamp ? line.note?.timestamp ?? SystemClock.wallMilliseconds() : nil)
        } else {
            // For the delivery log of Apple's console: of broadcasts, and of pushes in the development environment.
            let unique = HeaderField("apns-unique-id", RandomUUID.text())
            result = GatewayAnswer(status: 200, headers: [identifier, unique])
        }
    }

    func answer() -> GatewayAnswer {
        var answer = result ?? Self.refusal(.internalServerError, identifier)
        answer.hasValidToken = hasValidToken
        return answer
    }

    /// The header that names a request. Clients find their request by it, so it comes back byte for byte, also if it is invalid.
    static func identifier(of request: GatewayRequest, isBroadcast: Bool = true) -> HeaderField {
        let header = isBroadcast ? APNsHeader.requestID : .id
        let sent = request.header(header) ?? ""
        return HeaderField(header, sent.isEmpty ? RandomUUID.text() : sent)
    }

    /// A refusal without a report line.
    package static func refusal(_ rejection: Rejection, of request: GatewayRequest) -> GatewayAnswer {
        let isBroadcast = request.path.hasPrefix("/1/") || request.path.hasPrefix("/4/")
        return refusal(rejection, identifier(of: request, isBroadcast: isBroadcast))
    }

    private static func refusal(
        _ rejection: Rejection, _ identifier: HeaderField, timestamp: Int64? = nil
    ) -> GatewayAnswer {
        // The binary interface has numbers of its own.
        let status = rejection.row.status < 200 ? Rejection.badRequestPayload.row.status : rejection.row.status
        return GatewayAnswer(status: status, headers: [identifier], reason: rejection.reason, timestamp: timestamp)
    }
}

extension GatewayAnswer {
    /// An answer with APNs' body for an error.
    ///
    /// - Parameter timestamp: epoch milliseconds; nil for none.
    package init(status: Int, headers: [HeaderField] = [], reason: String, timestamp: Int64? = nil) {
        let time = timestamp.map { Int(clamping: $0) }
        self.init(
            status: status, headers: headers, json: #"{"reason":\#(reason)\#(member: "timestamp", time)}"#,
            type: "application/json")
    }
}

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
    /// The most channels of an app: Apple's number.
    private static let mostChannels = 10_000
    /// The most channels of all apps together, which is ours.
    private static let mostOfAll = 100_000

    /// Why a broadcast is refused. Only apps whose senders have made channels are held to them.
    func refusal(ofBroadcast request: GatewayRequest, to bundle: String) -> Rejection? {
        guard let app = apps[bundle], let id = request.header(.channelID) else { return nil }
        guard let keepsMessage = app.keepsMessage[id] else { return .channelNotRegistered }
        let expiration = request.header(.expiration).flatMap { Int64($0) } ?? 0
        return !keepsMessage && expiration != 0 ? .badExpirationDate : nil
    }

    /// Makes, reads or removes a channel.
    mutating func answer(to request: GatewayRequest, _ bundle: String) throws(Rejection) -> GatewayAnswer {
        if request.method == "POST" { return try make(request, bundle) }
        guard let id = request.header(.channelID), !id.isEmpty else { throw .missingChannelId }
        guard Data(base64Encoded: id) != nil else { throw .badChannelId }
        guard let keepsMessage = apps[bundle]?.keepsMessage[id] else { throw .channelNotRegistered }
        guard request.method == "DELETE" else {
            let policy = keepsMessage ? 1 : 0
            return GatewayAnswer(
                status: 200, headers: [APNsAnswer.identifier(of: request)],
                json: #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#, type: "application/json")
        }
        apps[bundle]?.keepsMessage[id] = nil
        apps[bundle]?.ids.removeAll { $0 == id }
        total -= 1
        return GatewayAnswer(status: 204, headers: [APNsAnswer.identifier(of: request)])
    }

    /// The ids of an app's channels, oldest first.
    func list(for request: GatewayRequest, _ bundle: String) -> GatewayAnswer {
        GatewayAnswer(
            status: 200, headers: [APNsAnswer.identifier(of: request)],
            json: #"{"channels":\#(apps[bundle]?.ids ?? [])}"#, type: "application/json")
    }

    private mutating func make(_ request: GatewayRequest, _ bundle: String) throws(Rejection) -> GatewayAnswer {
        let read = request.body.withObject { root in
            let isKnown = root.members.allSatisfy { $0.key == "message-storage-policy" || $0.key == "push-type" }
            return (isKnown, policy: root["message-storage-policy"]?.text.string, type: root[string: "push-type"])
        }
        guard let (isKnown, policy, type) = read else { throw .badRequestPayload }
        guard let type else { throw .missingPushType }
        guard type.lowercased() == "liveactivity" else { throw .invalidPushType }
        // Apple's reason for parameters that are wrong. That an attribute which is not its own is one is UNCONFIRMED.
        guard isKnown, policy == "0" || policy == "1" else { throw .badRequestParams }
        var app = apps[bundle] ?? App()
        guard app.ids.count < Self.mostChannels, total < Self.mostOfAll, bundle.utf8.count <= Self.mostNameBytes else {
            throw .cannotCreateChannelConfig
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

/// The check of provider tokens.
package struct ProviderAuthentication: Sendable {
    private enum Policy {
        /// Tokens are not looked at.
        case none
        /// A token that is sent has to be well-formed and fresh. Requests without one are taken, too.
        case wellFormed
        /// Every request needs a token that this key has signed.
        case signed(SignatureCheck)
    }

    private let policy: Policy
    /// Tokens that passed. Clients send the same one for up to an hour, and a signature costs more to check than a push to deliver.
    private var passed: [String: ProviderToken] = [:]
    private static let mostPassed = 64
    /// Source: Apple, "Establishing a token-based connection to APNs": APNs rejects tokens that are older than an hour.
    private static let lifetime = 3600.0

    /// The key and team that tokens must name; nil for any.
    private let keyID: String?
    private let teamID: String?
    private var connections: [UInt64: TokensOfConnection] = [:]
    private static let mostConnections = 16_384

    /// The default of a gateway without options for tokens: one that is sent must be well-formed and fresh.
    package static let wellFormed = ProviderAuthentication(policy: .wellFormed)

    private init(policy: Policy, keyID: String? = nil, teamID: String? = nil) {
        self.policy = policy
        self.keyID = keyID
        self.teamID = teamID
    }

    /// - Parameters:
    ///   - isOff: true to check no tokens.
    ///   - keyID: the id that tokens have to name their key with; nil for any.
    ///   - teamID: the id of the team that has to issue them; nil for any.
    ///   - keyPath: a file with the key that signs tokens, private (`.p8`) or public, in PEM; nil to check no signature.
    /// - Throws: `PlainError` for a file that has no such key.
    package init(
        isOff: Bool, keyPath: String?, _ signatures: SignatureKeys, check: SignatureCheck? = nil,
        keyID: String? = nil, teamID: String? = nil
    ) throws(PlainError) {
        guard let keyPath, !isOff else {
            let policy = isOff ? Policy.none : check.map { .signed($0) } ?? .wellFormed
            self.init(policy: policy, keyID: keyID, teamID: teamID)
            return
        }
        let text = String(decoding: try FileBytes.readConfiguration(keyPath), as: UTF8.self)
        guard let check = signatures.es256(text) else {
            throw PlainError(
                "\(keyPath): not a key of the curve P-256 in PEM, such as Apple's AuthKey_….p8 or its public key")
        }
        self.init(policy: .signed(check), keyID: keyID, teamID: teamID)
    }

    /// Why a request is refused; nil if it may be answered.
    ///
    /// - Parameter now: epoch seconds.
    mutating func refusal(_ request: GatewayRequest, now: Double) -> Rejection? {
        // A token is ignored when the connection has a certificate.
        if case .none = policy { return nil }
        if request.sender.certificate != nil { return nil }
        guard let header = request.header("authorization"), !header.isEmpty else {
            if case .signed = policy { return .missingProviderToken }
            return nil
        }
        // The order of pushy's mock server: anything else is not a provider token.
        guard let text = ProviderToken.text(inAuthorization: header) else { return .missingProviderToken }
        guard let token = passed[text] ?? ProviderToken(text) else { return .invalidProviderToken }
        if token.issuedAt > now + Self.lifetime { return .invalidProviderToken }
        if keyID.map({ $0 != token.keyID }) == true || teamID.map({ $0 != token.teamID }) == true {
            return .invalidProviderToken
        }
        if passed[text] == nil {
            if case .signed(let check) = policy, !check(token.signature, token.signed) { return .invalidProviderToken }
            if passed.count >= Self.mostPassed { passed.removeAll() }
            passed[text] = token
        }
        if token.issuedAt < now - Self.lifetime { return .expiredProviderToken }
        return refusal(of: token, text, on: request.sender.connection, now: now)
    }

    /// True if a connection keeps to its keys, and renews its tokens slowly enough.
    private mutating func refusal(
        of token: ProviderToken, _ text: String, on connection: UInt64, now: Double
    ) -> Rejection? {
        guard connection > 0 else { return nil }
        if connections.count >= Self.mostConnections, connections[connection] == nil { connections.removeAll() }
        return connections[connection, default: TokensOfConnection(token)].refusal(of: token, text, now: now)
    }
}

/// The provider tokens of one connection.
///
/// Source: Apple, "Establishing a token-based connection to APNs" and "Handling notification responses from APNs": a connection keeps to one
/// team and to related keys, and a token is renewed at most once in 20 minutes. A topic-specific key has at most one related key, and a team at
/// most two keys for all topics of an environment, so a third key is never related. Whether a second one is, nothing in a token says: it is
/// accepted. How exactly APNs counts is not documented, so a second new token within 20 minutes is the first that is refused.
private struct TokensOfConnection: Sendable {
    private struct Key {
        let id: String
        /// Hashes of the tokens that were taken, newest last.
        var known: [Int] = []
        var renewedAt = -Double.infinity
    }

    private var keys: [Key] = []
    private let teamID: String

    private static let interval = 20 * 60.0
    private static let mostKnown = 8
    private static let mostKeys = 2

    init(_ token: ProviderToken) { teamID = token.teamID }

    mutating func refusal(of token: ProviderToken, _ text: String, now: Double) -> Rejection? {
        if token.teamID != teamID { return .invalidProviderToken }
        let index = keys.firstIndex { $0.id == token.keyID } ?? keys.count
        if index == keys.count {
            guard index < Self.mostKeys else { return .unrelatedKeyIdInToken }
            keys.append(Key(id: token.keyID))
        }
        let known = keys[index].known
        if known.contains(text.hashValue) { return nil }
        if !known.isEmpty {
            guard now - keys[index].renewedAt >= Self.interval else { return .tooManyProviderTokenUpdates }
            keys[index].renewedAt = now
        }
        keys[index].known = known.suffix(Self.mostKnown - 1) + [text.hashValue]
        return nil
    }
}

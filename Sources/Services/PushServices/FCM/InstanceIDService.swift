import PayloadJSON
import PushDecoding
import PushDevices
import PushFaults
import PushModel
import PushPipeline
import PushSystem

/// Topics of FCM, as the Instance ID service manages them: `/iid/v1:batchAdd`, `/iid/v1:batchRemove`, `/iid/v1/TOKEN/rel/topics/NAME`,
/// `/iid/info/TOKEN`; and as FCM v1 does: `/v1/projects/PROJECT/registrations/TOKEN/topicSubscriptions`. Also registration tokens for those
/// of APNs, `/iid/v1:batchImport`.
///
/// A subscription is the record of an event, as in a stream that `run` reads.
/// Sources: Firebase, "Manage topic subscriptions on the server"; Google, Instance ID server reference.
final class InstanceIDService: GatewayService {
    /// Source: as above: "You can include up to 1,000 registration tokens in a request".
    private static let mostTokens = 1000

    private let access: GoogleAccess
    private weak var pipeline: Pipeline?
    /// When subscriptions were made, in epoch milliseconds, as far as this gateway has made them.
    var times = SubscriptionTimes()
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    init(_ access: GoogleAccess) { self.access = access }

    func begin(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        let target = RequestTarget(request.path)
        let path = target.segments
        let now = Double(wallMilliseconds()) / 1000
        if request.path.hasPrefix("/v1/projects/"), path.count > 3, path[3] == "registrations" {
            if let denial = access.denial(of: request, to: path[2], now: now) {
                return .answer(
                    FCMSendAnswer.answer(FCMAnswer(denial.rejection, [], message: denial.wordsAboutTopics)))
            }
            return planVersion1(request, target, &records)
        }
        guard request.path.hasPrefix("/iid/") else { return nil }
        switch (request.method, path.count) {
        case ("POST", 2) where path[1] == "v1:batchAdd" || path[1] == "v1:batchRemove":
            guard access.admits(request, now: now) else { return .answer(Self.unauthorized) }
            return batch(request, path[1] == "v1:batchAdd" ? .subscribe : .unsubscribe, &records)
        case ("POST", 2) where path[1] == "v1:batchImport":
            guard access.admits(request, now: now) else { return .answer(Self.unauthorized) }
            return importTokens(request, &records)
        case ("POST", 6) where path[1] == "v1" && path[3] == "rel" && path[4] == "topics":
            guard access.admits(request, now: now) else { return .answer(Self.unauthorized) }
            return subscribe(path[2], to: path[5], &records)
        case ("GET", 3) where path[1] == "info":
            guard access.admits(request, now: now) else { return .answer(Self.unauthorized) }
            return .answer(information(path[2], isDetailed: target.query["details"] == "true"))
        default: return .answer(GoogleAnswer.notFound(request))
        }
    }

    // MARK: - Subscriptions

    private func batch(
        _ request: GatewayRequest, _ operation: DeviceEvent.Name, _ records: inout RecordComposer
    ) -> RequestPlan {
        let read = request.withJSON { root -> (topic: String, tokens: [String?])? in
            guard let root, let topic = root["to"]?.string?.string, let list = root["registration_tokens"],
                list.kind == .array
            else { return nil }
            return (topic, list.elements.prefix(Self.mostTokens + 1).map { $0.string?.string })
        }
        guard let (name, tokens) = read, let topic = Self.topic(name, hasPrefix: true), !tokens.isEmpty,
            tokens.count <= Self.mostTokens
        else { return .answer(Self.error(400, "INVALID_ARGUMENT")) }
        let known = knownTokens(tokens.map { $0 ?? "" })
        var draft = SubscriptionAnswer()
        for (token, known) in zip(tokens, known) {
            if let error = Self.fault(of: token, known, now: wallMilliseconds()) {
                draft.append(error: error)
            } else {
                append(operation, token ?? "", topic, known, &records)
                draft.appendRecord()
            }
        }
        return .report(draft)
    }

    private func subscribe(_ token: String, to name: String, _ records: inout RecordComposer) -> RequestPlan {
        guard let topic = Self.topic(name, hasPrefix: false) else {
            return .answer(Self.error(400, "INVALID_ARGUMENT"))
        }
        let known = knownTokens([token]).first ?? nil
        if let error = Self.fault(of: token, known, now: wallMilliseconds()) {
            return .answer(Self.error(error.description == "NOT_FOUND" ? 404 : 400, error))
        }
        append(.subscribe, token, topic, known, &records)
        var draft = SubscriptionAnswer(.one)
        draft.appendRecord()
        return .report(draft)
    }

    /// Appends the event of a subscription or of its end.
    ///
    /// - Parameter known: the knowledge of the token before it.
    func append(
        _ name: DeviceEvent.Name, _ token: String, _ topic: String, _ known: KnownToken?,
        _ records: inout RecordComposer
    ) {
        let isNew = known?.topics.contains(topic) != true
        if name == .unsubscribe || isNew {
            times.set(name == .subscribe ? wallMilliseconds() : nil, of: topic, for: token)
        }
        var event = DeviceEvent(name, device: token)
        event.topic = topic
        records.append(event)
    }

    /// The name of a topic; nil if it is none. Source: discovery document of FCM v1, `TopicSubscription.topicName`.
    static func topic(_ text: String, hasPrefix: Bool) -> String? {
        guard text.hasPrefix("/topics/") == hasPrefix else { return nil }
        let name = TopicAudience.name(text)
        return TopicName.isValid(name.utf8) ? name : nil
    }

    /// Why a token takes no subscription; nil if it does, as far as is known before its record has run.
    static func fault(of token: String?, _ known: KnownToken?, now: Int64) -> StaticString? {
        guard let token, !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return "INVALID_ARGUMENT"
        }
        if let since = known?.unregisteredAt, since <= now { return "NOT_FOUND" }
        return nil
    }

    // MARK: - Information

    /// A token's properties. The date at which it subscribed to a topic, which Google tells, is not kept.
    private func information(_ token: String, isDetailed: Bool) -> GatewayAnswer {
        guard let known = knownTokens([token]).first ?? nil else {
            return Self.error(404, "No information found about this instance id.")
        }
        return GatewayAnswer(status: 200) { out in
            out.append("{\"application\":")
            out.appendJSONString(known.app)
            out.appendMember("platform", known.platform == .ios ? "IOS" : "ANDROID")
            if isDetailed, !known.topics.isEmpty {
                out.append(",\"rel\":{\"topics\":{")
                for (position, topic) in known.topics.sorted().enumerated() {
                    if position > 0 { out.append(",") }
                    out.appendJSONString(topic)
                    out.append(":{}")
                }
                out.append("}}")
            }
            out.append("}")
        }
    }

    /// Nil for each token that is unknown, and for all of them if the store cannot be read: the next record will say so.
    func knownTokens(_ tokens: [String]) -> [KnownToken?] {
        (try? pipeline?.knownTokens(tokens)) ?? tokens.map { _ in nil }
    }

    private static let unauthorized = error(401, "Unauthorized")

    static func error(_ status: Int, _ text: StaticString) -> GatewayAnswer {
        GatewayAnswer(status: status) { out in
            out.append("{\"error\":\"")
            out.append(text)
            out.append("\"}")
        }
    }
}

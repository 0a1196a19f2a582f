import PayloadJSON
import PushDevices
import PushPipeline
import PushSystem

/// A subscription as FCM v1 describes it.
///
/// Source: discovery document of FCM v1, revision 20261023, and the REST reference, whose names are in snake_case, as those of messages are.
struct TopicSubscription {
    var project: String
    var registration: String
    var topic: String
    /// In epoch milliseconds; nil if it is not known.
    var created: Int64?

    func append(to out: inout ByteBuffer) {
        out.append("{\"name\":")
        out.appendJSONString("projects/\(project)/registrations/\(registration)/topicSubscriptions/\(topic)")
        out.appendMember("topic_name", topic)
        out.appendMember("create_time", created.map(RFC3339.text))
        out.append("}")
    }
}

/// When subscriptions were made. Bounded, and lasts as long as the gateway: the registry does not keep it.
struct SubscriptionTimes {
    private static let most = 100_000
    private var times: [String: Int64] = [:]

    subscript(topic: String, for token: String) -> Int64? { times[Self.key(topic, token)] }

    mutating func set(_ time: Int64?, of topic: String, for token: String) {
        if time != nil, times.count >= Self.most { times.removeAll() }
        times[Self.key(topic, token)] = time
    }

    private static func key(_ topic: String, _ token: String) -> String { "\(topic)\u{0}\(token)" }
}

/// Subscriptions by FCM v1.
///
/// Source: discovery document of FCM v1, `projects.registrations.topicSubscriptions`. Names of parameters are those of the REST reference, or
/// in lowerCamelCase, as Google's generated clients send them. The texts of errors are the general ones of Google's services.
extension InstanceIDService {
    /// The most subscriptions in an answer, and how many there are without a size. Source: as above, `pageSize`.
    private static let (mostOnPage, usualOnPage) = (2000, 1000)

    /// A request about one subscription or all of a registration.
    private struct Request {
        var project: String
        var registration: String
        var known: KnownToken?
        var query: FormFields

        func parameter(_ name: String, _ camelName: String) -> String? { query[name] ?? query[camelName] }

        var allowsMissing: Bool { parameter("allow_missing", "allowMissing") == "true" }

        func subscription(_ topic: String, _ times: SubscriptionTimes) -> TopicSubscription {
            TopicSubscription(
                project: project, registration: registration, topic: topic, created: times[topic, for: registration])
        }
    }

    private static let notFound = GoogleAnswer.error(404, "NOT_FOUND", "Requested entity was not found.")

    func planVersion1(
        _ request: GatewayRequest, _ target: RequestTarget, _ records: inout RecordComposer
    ) -> RequestPlan {
        let path = target.segments
        guard path.count == 6 || path.count == 7, path[5] == "topicSubscriptions",
            ["GET", "POST"].contains(request.method) && path.count == 6
                || ["GET", "PATCH", "DELETE"].contains(request.method) && path.count == 7
        else { return .answer(GoogleAnswer.notFound(request)) }
        var asked = Request(project: path[2], registration: path[4], query: target.query)
        let isList = request.method == "GET" && path.count == 6
        let name = path.count == 7 ? path[6] : asked.parameter("topic_name", "topicName")
        let topic = name.flatMap { Self.topic($0, hasPrefix: false) }
        guard isList || topic != nil else { return .answer(SubscriptionAnswer.ofVersion1(error: "INVALID_ARGUMENT")) }
        asked.known = knownTokens([asked.registration]).first ?? nil
        if let error = Self.fault(of: asked.registration, asked.known, now: wallMilliseconds()) {
            return .answer(SubscriptionAnswer.ofVersion1(error: error))
        }
        guard let topic, !isList else { return .answer(list(asked)) }
        return plan(request.method, asked, topic, &records)
    }

    private func plan(
        _ method: String, _ asked: Request, _ topic: String, _ records: inout RecordComposer
    ) -> RequestPlan {
        let isThere = asked.known?.topics.contains(topic) == true
        switch method {
        case "POST" where isThere:
            return .answer(GoogleAnswer.error(409, "ALREADY_EXISTS", "Requested entity already exists"))
        case "GET" where isThere, "PATCH" where isThere:
            return .answer(GatewayAnswer(status: 200, asked.subscription(topic, times).append))
        case "GET": return .answer(Self.notFound)
        case "PATCH" where !asked.allowsMissing, "DELETE" where !asked.allowsMissing && !isThere:
            return .answer(Self.notFound)
        default: break
        }
        let isEnd = method == "DELETE"
        append(isEnd ? .unsubscribe : .subscribe, asked.registration, topic, asked.known, &records)
        var draft = SubscriptionAnswer(.version1(isEnd ? nil : asked.subscription(topic, times)))
        draft.appendRecord()
        // A second creation comes after it.
        return .reportAndWait(draft)
    }

    /// All subscriptions, in the order of their names. The token of a page is the number of those before it.
    private func list(_ asked: Request) -> GatewayAnswer {
        let topics = (asked.known?.topics ?? []).sorted()
        let size = asked.parameter("page_size", "pageSize").map { Int($0) ?? -1 } ?? 0
        let token = asked.parameter("page_token", "pageToken") ?? ""
        guard size >= 0, let start = token.isEmpty ? 0 : Int(token), topics.indices.contains(start) || start == 0 else {
            return SubscriptionAnswer.ofVersion1(error: "INVALID_ARGUMENT")
        }
        let page = topics.dropFirst(start).prefix(size == 0 ? Self.usualOnPage : min(size, Self.mostOnPage))
        return GatewayAnswer(status: 200) { out in
            // An empty list is an absent one in proto3.
            guard !page.isEmpty else { return out.append("{}") }
            out.append("{\"topic_subscriptions\":")
            out.appendArray(page) { asked.subscription($0, times).append(to: &$1) }
            if page.endIndex < topics.endIndex { out.appendMember("next_page_token", String(page.endIndex)) }
            out.append("}")
        }
    }
}

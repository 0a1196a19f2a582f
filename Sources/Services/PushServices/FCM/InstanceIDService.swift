import PushDecoding
import PushDevices
import PushFaults
import PushJSON
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
    /// The times of the subscriptions that this gateway has made.
    var times = SubscriptionTimes()

    init(_ access: GoogleAccess) { self.access = access }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        let target = RequestTarget(request.path)
        let path = target.segments
        if request.path.hasPrefix("/v1/projects/"), path.count > 3, path[3] == "registrations" {
            if let denial = access.denial(of: request, to: path[2]) {
                return .answer(
                    FCMSendAnswer.answer(
                        FCMAnswer(denial.rejection, [], message: denial.wordsAboutTopics, isFromFCM: false)))
            }
            return planVersion1(request, target, &records)
        }
        guard request.path.hasPrefix("/iid/") else { return nil }
        switch (request.method, path.count) {
        case ("POST", 2) where path[1] == "v1:batchAdd" || path[1] == "v1:batchRemove":
            guard access.admits(request) else { return .answer(Self.unauthorized) }
            return batch(request, path[1] == "v1:batchAdd" ? .subscribe : .unsubscribe, &records)
        case ("POST", 2) where path[1] == "v1:batchImport":
            guard access.admits(request) else { return .answer(Self.unauthorized) }
            return importTokens(request, &records)
        case ("POST", 6) where path[1] == "v1" && path[3] == "rel" && path[4] == "topics":
            guard access.admits(request) else { return .answer(Self.unauthorized) }
            return subscribe(path[2], to: path[5], &records)
        case ("GET", 3) where path[1] == "info":
            guard access.admits(request) else { return .answer(Self.unauthorized) }
            return .answer(information(path[2], isDetailed: target.query["details"] == "true"))
        default: return .answer(GoogleAnswer.notFound)
        }
    }

    // MARK: - Subscriptions

    private func batch(
        _ request: GatewayRequest, _ operation: DeviceEvent.Name, _ records: inout RecordComposer
    ) -> RequestPlan {
        let read = request.body.withObject { root -> (topic: String, tokens: [String?])? in
            guard let topic = root[string: "to"], let list = root["registration_tokens"]?.elements else { return nil }
            return (topic, list.prefix(Self.mostTokens + 1).map { $0.string?.string })
        }
        guard let (name, tokens) = read, let topic = Self.topic(name, hasPrefix: true), !tokens.isEmpty,
            tokens.count <= Self.mostTokens
        else { return .answer(GoogleAnswer.error(400, "INVALID_ARGUMENT")) }
        let known = knownTokens(tokens.map { $0 ?? "" })
        var draft = SubscriptionAnswer()
        for (token, known) in zip(tokens, known) {
            if let error = Self.fault(of: token, known, now: access.wallMilliseconds()) {
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
            return .answer(GoogleAnswer.error(400, "INVALID_ARGUMENT"))
        }
        let known = knownTokens([token]).first ?? nil
        if let error = Self.fault(of: token, known, now: access.wallMilliseconds()) {
            return .answer(GoogleAnswer.error(error == "NOT_FOUND" ? 404 : 400, error))
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
            times.set(name == .subscribe ? access.wallMilliseconds() : nil, of: topic, for: token)
        }
        var event = DeviceEvent(name, device: token)
        event.rare.topic = topic
        records.append(event)
    }

    /// The name of a topic; nil if the text is not one. Source: discovery document of FCM v1, `TopicSubscription.topicName`.
    static func topic(_ text: String, hasPrefix: Bool) -> String? {
        guard text.hasPrefix("/topics/") == hasPrefix else { return nil }
        let name = TopicAudience.name(text)
        return TopicName.isValid(name.utf8) ? name : nil
    }

    /// Why a token takes no subscription; nil if it does, as far as is known before its record has run.
    static func fault(of token: String?, _ known: KnownToken?, now: Int64) -> String? {
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
            return GoogleAnswer.error(404, "No information found about this instance id.")
        }
        let platform = known.platform == .ios ? "IOS" : "ANDROID"
        let topics = known.topics.sorted().map { "\($0):{}" as JSONText }
        let relations: JSONText =
            isDetailed && !topics.isEmpty ? #","rel":{"topics":\#(object: topics)}"# : ""
        return GatewayAnswer(
            status: 200, json: #"{"application":\#(known.app),"platform":\#(platform)\#(relations)}"#)
    }

    /// Nil for each token that is unknown, and for all of them if the store cannot be read: the next record will say so.
    func knownTokens(_ tokens: [String]) -> [KnownToken?] {
        (try? pipeline?.knownTokens(tokens)) ?? tokens.map { _ in nil }
    }

    private static let unauthorized = GoogleAnswer.error(401, "Unauthorized")
}

/// The answer to a request for subscriptions: `{"results":[{},{"error":"NOT_FOUND"}]}`, in the order of the tokens.
struct SubscriptionAnswer: AnswerDraft {
    /// The errors of the tokens; nil for a subscription.
    private var errors: [String?] = []
    /// The positions of those that depend on a record.
    private var positions: [Int] = []

    enum Form {
        case list
        /// The request names one token in its path, and so has no list to answer with.
        case one
        /// A request to FCM v1, with the subscription; nil if it ends.
        case version1(TopicSubscription?)
    }

    private let form: Form

    init(_ form: Form = .list) { self.form = form }

    mutating func append(error: String) { errors.append(error) }

    /// Adds a token with a record.
    mutating func appendRecord() {
        positions.append(errors.count)
        errors.append("INTERNAL")
    }

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard positions.indices.contains(record) else { return }
        errors[positions[record]] =
            switch line.note?.reason?.description {
            case nil: line.decodeFailure == nil ? nil : "INVALID_ARGUMENT"
            case "unknown-device"?: "NOT_FOUND"
            case "too-many-topics"?: "TOO_MANY_TOPICS"
            case _?: "INVALID_ARGUMENT"
            }
    }

    func answer() -> GatewayAnswer {
        switch form {
        case .list:
            let results = errors.map { $0.map { #"{"error":\#($0)}"# as JSONText } ?? "{}" }
            return GatewayAnswer(status: 200, json: #"{"results":\#(results)}"#)
        case .one:
            guard let error = errors.first ?? nil else { return GatewayAnswer(status: 200, json: "{}") }
            return GoogleAnswer.error(error == "NOT_FOUND" ? 404 : 400, error)
        case .version1(let subscription):
            if let error = errors.first ?? nil { return Self.ofVersion1(error: error) }
            return GatewayAnswer(status: 200, json: subscription?.json ?? "{}")
        }
    }

    /// The texts of FCM v1 are not known; these are the errors of its messages.
    static func ofVersion1(error: String) -> GatewayAnswer {
        FCMSendAnswer.answer(FCMAnswer(error == "NOT_FOUND" ? .fcmUnregistered : .invalidArgument, []))
    }
}

/// Registration tokens for those of APNs.
///
/// Source: Google, Instance ID server reference, "Create registration tokens for APNs tokens".
extension InstanceIDService {
    /// Source: as above: "Maximum 100 tokens per request".
    private static let mostImported = 100

    /// `POST /iid/v1:batchImport` with `application`, `sandbox` and `apns_tokens`.
    func importTokens(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan {
        let read = request.body.withObject { root -> (app: String, isSandbox: Bool, tokens: [String])? in
            let sandbox = root["sandbox"]?.kind ?? .false
            guard let app = root[string: "application"], !app.isEmpty, sandbox == .true || sandbox == .false,
                let tokens = root["apns_tokens"]?.elements.prefix(Self.mostImported + 1)
            else { return nil }
            return (app, sandbox == .true, tokens.map { $0.string?.string ?? "" })
        }
        guard let (app, isSandbox, tokens) = read, !tokens.isEmpty, tokens.count <= Self.mostImported else {
            return .answer(GoogleAnswer.error(400, "INVALID_ARGUMENT"))
        }
        var draft = ImportAnswer()
        for (token, known) in zip(tokens, knownTokens(tokens.map(DeviceToken.canonical))) {
            guard !token.isEmpty, BorrowedText.with(token, DeviceToken.isHexadecimalBytes) else {
                draft.results.append((token, "INVALID_ARGUMENT", nil))
                continue
            }
            if let since = known?.unregisteredAt, since <= access.wallMilliseconds() {
                draft.results.append((token, "NOT_FOUND", nil))
                continue
            }
            let registration = Self.registrationToken(app, isSandbox, DeviceToken.canonical(token))
            var event = DeviceEvent(.device, device: registration)
            event.app = app
            event.platform = .ios
            records.append(event)
            draft.results.append((token, "OK", registration))
        }
        return .report(draft)
    }

    /// The registration token for an app and its token, which is the same from every gateway; in the form that those of FCM have.
    private static func registrationToken(_ app: String, _ isSandbox: Bool, _ token: String) -> String {
        var digest = SHA256()
        digest.update("\(app)\u{0}\(isSandbox)\u{0}\(token)".utf8)
        let digits = digest.finish().flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
        return "\(digits.prefix(11)):APA91b\(digits.dropFirst(11))"
    }
}

/// `{"results":[{"apns_token":"…","status":"OK","registration_token":"…"}]}`, in the order of the tokens. Which texts Google has for
/// the status of others is not documented.
private struct ImportAnswer: AnswerDraft {
    var results: [(token: String, status: String, registration: String?)] = []

    mutating func add(_ line: borrowing RecordReport, record: Int) {}

    func answer() -> GatewayAnswer {
        let list = results.map { token, status, registration in
            #"{"apns_token":\#(token),"status":\#(status)\#(member: "registration_token", registration)}"# as JSONText
        }
        return GatewayAnswer(status: 200, json: #"{"results":\#(list)}"#)
    }
}

/// A subscription as FCM v1 describes it.
///
/// Source: discovery document of FCM v1, revision 20261023, and the REST reference, whose names are in snake_case, as those of messages are.
struct TopicSubscription {
    var project: String
    var registration: String
    var topic: String
    /// The time at which it was made, in epoch milliseconds; nil if it is not known.
    var created: Int64?

    var json: JSONText {
        let name = "projects/\(project)/registrations/\(registration)/topicSubscriptions/\(topic)"
        return #"{"name":\#(name),"topic_name":\#(topic)\#(member: "create_time", created.map(RFC3339.text))}"#
    }
}

/// The times at which subscriptions were made. Bounded, and lasts as long as the gateway: the registry does not keep them.
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
        else { return .answer(GoogleAnswer.notFound) }
        var asked = Request(project: path[2], registration: path[4], query: target.query)
        let isList = request.method == "GET" && path.count == 6
        let name = path.count == 7 ? path[6] : asked.parameter("topic_name", "topicName")
        let topic = name.flatMap { Self.topic($0, hasPrefix: false) }
        guard isList || topic != nil else { return .answer(SubscriptionAnswer.ofVersion1(error: "INVALID_ARGUMENT")) }
        asked.known = knownTokens([asked.registration]).first ?? nil
        if let error = Self.fault(of: asked.registration, asked.known, now: access.wallMilliseconds()) {
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
            return .answer(GatewayAnswer(status: 200, json: asked.subscription(topic, times).json))
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
        return .report(draft, isAwaited: true)
    }

    /// All subscriptions, in the order of their names. The token of a page is the number of those before it.
    private func list(_ asked: Request) -> GatewayAnswer {
        let topics = (asked.known?.topics ?? []).sorted()
        let token = asked.parameter("page_token", "pageToken") ?? ""
        guard let size = Int(asked.parameter("page_size", "pageSize") ?? "0"), size >= 0,
            let start = token.isEmpty ? 0 : Int(token), topics.indices.contains(start) || start == 0
        else { return SubscriptionAnswer.ofVersion1(error: "INVALID_ARGUMENT") }
        let page = topics.dropFirst(start).prefix(size == 0 ? Self.usualOnPage : min(size, Self.mostOnPage))
        // An empty list is an absent one in proto3.
        guard !page.isEmpty else { return GatewayAnswer(status: 200, json: "{}") }
        let next = page.endIndex < topics.endIndex ? String(page.endIndex) : nil
        let list = page.map { asked.subscription($0, times).json }
        return GatewayAnswer(
            status: 200, json: #"{"topic_subscriptions":\#(list)\#(member: "next_page_token", next)}"#)
    }
}

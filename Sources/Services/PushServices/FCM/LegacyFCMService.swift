import PushFaults
import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// FCM's legacy HTTP protocol, and GCM's, which has the same form: `POST /fcm/send`, `POST /gcm/send`; and device groups.
///
/// Source: Firebase, "Firebase Cloud Messaging HTTP protocol"; Google, "HTTP Connection Server" of GCM.
final class LegacyFCMService: GatewayService {
    override var speaker: String? { "gcm" }
    private let access: GoogleAccess
    private let groups: DeviceGroups

    init(_ access: GoogleAccess, _ groups: DeviceGroups = DeviceGroups()) {
        self.access = access
        self.groups = groups
    }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        let target = RequestTarget(request.path)
        if target.segments == ["batch"] {
            noteEnd(request)
            return .answer(GoogleAnswer.notFound)
        }
        guard target.segments.count == 2, ["fcm", "gcm", "googlenotification"].contains(target.segments[0]) else {
            return nil
        }
        switch (request.method, target.segments[1]) {
        case ("POST", "send"): return send(request, &records)
        case ("POST", "notification"), ("GET", "notification"):
            guard access.admitsLegacy(request) else { return .answer(Self.unauthorized) }
            return .answer(groups.answer(to: request, target.query))
        default: return .answer(GoogleAnswer.notFound)
        }
    }

    private func send(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan {
        noteEnd(request)
        let isJSON = request.header("content-type")?.lowercased().hasPrefix("application/json") ?? false
        let body = isJSON ? request.body : PlainTextRequest.json(request.body)
        let refusal =
            request.fault?.refusal(by: "gcm") ?? (access.admitsLegacy(request) ? nil : .gcmInvalidKey)
            ?? (request.isTooLarge ? .messageTooBig : nil)
        var draft = LegacyAnswer(request: request, isJSON: isJSON)
        if refusal == nil, let (members, expanded) = groups.expand(body) {
            draft.groupMembers = members
            records.append(expanded, to: .gcm)
        } else {
            records.append(body, to: .gcm, refusal: refusal)
        }
        return .report(draft)
    }

    /// Says once that Google does not answer such requests any more, which those of several messages to `/batch` were, too: each is a request
    /// of its own now. Sources: Firebase, "Migrate from legacy FCM APIs to HTTP v1"; Firebase, release notes of June 2024.
    private func noteEnd(_ request: GatewayRequest) {
        let path = RequestTarget(request.path).segments.joined(separator: "/")
        noteOnce(
            "pushpipe: POST /\(path): Google shut this protocol down in 2024; use HTTP v1, "
                + "POST /v1/projects/PROJECT/messages:send, one request per message\n")
    }

    /// Its text is that of GCM's server.
    static let unauthorized = GatewayAnswer(
        status: 401, headers: [HeaderField("content-type", "text/html; charset=UTF-8")],
        body: Array(
            """
            <HTML>
            <HEAD>
            <TITLE>INVALID_KEY</TITLE>
            </HEAD>
            <BODY BGCOLOR="#FFFFFF" TEXT="#000000">
            <H1>INVALID_KEY</H1>
            <H2>Error 401</H2>
            </BODY>
            </HTML>

            """.utf8))
}

/// A request in the form of plain text, which names one target.
enum PlainTextRequest {
    /// The request as JSON. Source: Google, "HTTP Connection Server" of GCM.
    static func json(_ body: [UInt8]) -> [UInt8] {
        let form = FormFields(body)
        let data = form.fields.filter { $0.name.hasPrefix("data.") }.map { name, value in
            "\(String(name.dropFirst("data.".count))):\(value)" as JSONText
        }
        let target = form["registration_id"].flatMap { $0.isEmpty ? nil : $0 }
        let seconds = form["time_to_live"].flatMap { Int($0) }
        let flag = { (name: String) in form[name].map { $0 == "1" || $0 == "true" } }
        let text: JSONText = #"""
            {"data":\#(object: data)\#(member: "to", target)\#(member: "collapse_key", form["collapse_key"])\#
            \#(member: "restricted_package_name", form["restricted_package_name"])\#
            \#(member: "time_to_live", seconds)\#
            \#(member: "time_to_live", seconds == nil ? form["time_to_live"] : nil)\#
            \#(member: "dry_run", flag("dry_run"))\#(member: "delay_while_idle", flag("delay_while_idle"))}
            """#
        return text.bytes
    }
}

/// How FCM's legacy protocol answers, from what became of each target.
///
///     {"multicast_id":216,"success":1,"failure":1,"canonical_ids":0,"results":[{"message_id":"1:08"},{"error":"NotRegistered"}]}
///
/// Source: Firebase, "Firebase Cloud Messaging HTTP protocol", downstream response; for plain text, Google, "HTTP Connection Server" of GCM.
struct LegacyAnswer: AnswerDraft {
    private enum Result {
        case accepted(message: String, canonical: String?)
        case error(String)
    }

    private let request: GatewayRequest
    /// True if the request is JSON; otherwise it is plain text.
    private let isJSON: Bool
    /// The targets, if the request names a device group.
    var groupMembers: [String]?
    /// The id of the request, and the prefix of its messages' ids.
    private let multicast = LegacyAnswer.randomNumber()
    private let message = LegacyAnswer.randomNumber()
    private var results: [Result] = []
    /// True if the target is a topic or a condition.
    private var isForTopic = false
    private var whole: GatewayAnswer?

    init(request: GatewayRequest, isJSON: Bool) {
        self.request = request
        self.isJSON = isJSON
    }

    private static func randomNumber() -> UInt64 { .random(in: 1...9_000_000_000_000_000_000) }

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        isForTopic = line.message.isForTopic
        if line.decodeFailure != nil {
            whole = malformed
        } else if let rejection = line.refusal {
            add(rejection, line)
        } else {
            let id = line.message.isDryRun ? "fake_message_id" : "0:\(message)%\(results.count)"
            results.append(.accepted(message: id, canonical: line.note?.canonical))
        }
    }

    private mutating func add(_ rejection: Rejection, _ line: borrowing RecordReport) {
        switch rejection.row.status {
        case 401: whole = LegacyFCMService.unauthorized
        case 400 where rejection == .invalidParameters && isJSON:
            let reason = line.findings.first { $0.rule == rejection.rule }
            let place = reason.map { $0.pointer.replacing("/payload", with: "", maxReplacements: 1) } ?? ""
            whole = Self.text(400, "InvalidParameters: \(place) \(reason?.message ?? "")\n")
        case 500...: whole = Self.text(rejection.row.status, "\(rejection.row.reason)\n")
        default:
            // A check of the payload for APNs has names of its own.
            results.append(
                .error(rejection.row.speaker.description == "gcm" ? rejection.reason : "InvalidParameters"))
        }
    }

    func answer() -> GatewayAnswer {
        if let whole { return whole }
        guard !results.isEmpty else { return Self.text(500, "InternalServerError\n") }
        if !isJSON { return plainText }
        if let groupMembers { return answer(for: groupMembers) }
        return GatewayAnswer(status: 200, json: isForTopic ? topicAnswer : resultList)
    }

    private var resultList: JSONText {
        var failures = 0
        var canonicals = 0
        let list = results.map { result -> JSONText in
            switch result {
            case .accepted(let message, let canonical):
                canonicals += canonical == nil ? 0 : 1
                return #"{"message_id":\#(message)\#(member: "registration_id", canonical)}"#
            case .error(let reason):
                failures += 1
                return #"{"error":\#(reason)}"#
            }
        }
        return #"""
            {"multicast_id":\#(multicast),"success":\#(list.count - failures),"failure":\#(failures),\#
            "canonical_ids":\#(canonicals),"results":\#(list)}
            """#
    }

    private var topicAnswer: JSONText {
        if case .error(let reason)? = results.first { return #"{"error":\#(reason)}"# }
        return #"{"message_id":\#(message)}"#
    }

    /// Source: Firebase, "Send messages to device groups" of the legacy protocol.
    private func answer(for members: [String]) -> GatewayAnswer {
        let failed = zip(members, results).compactMap { member, result in
            if case .error = result { member } else { nil }
        }
        let list = failed.isEmpty ? "" : #","failed_registration_ids":\#(failed)"# as JSONText
        return GatewayAnswer(
            status: 200, json: #"{"success":\#(results.count - failed.count),"failure":\#(failed.count)\#(list)}"#)
    }

    private var plainText: GatewayAnswer {
        switch results.first {
        case .accepted(let message, let canonical):
            Self.text(200, "id=\(message)\n" + (canonical.map { "registration_id=\($0)\n" } ?? ""))
        case .error(let reason): Self.text(200, "Error=\(reason)\n")
        case nil: Self.text(500, "InternalServerError\n")
        }
    }

    private var malformed: GatewayAnswer {
        guard let offset = request.offsetOfFault else {
            return Self.text(400, "InvalidParameters: the request must be a JSON object\n")
        }
        return Self.text(400, "JSON_PARSING_ERROR: Unexpected character at position \(offset).\n")
    }

    private static func text(_ status: Int, _ text: String) -> GatewayAnswer {
        GatewayAnswer(
            status: status, headers: [HeaderField("content-type", "text/plain; charset=UTF-8")], body: Array(text.utf8))
    }
}

/// Device groups of FCM: a name, a key that messages are sent to, and the tokens that get them. They last as long as the gateway.
///
/// Source: Firebase, "Send messages to device groups" of the legacy protocol; Google, "Device group messaging" of GCM.
final class DeviceGroups {
    private struct Group {
        var name: String
        var members: [String]
    }

    /// Source: as above: "The maximum number of members allowed for a notification key is 20."
    private static let mostMembers = 20
    private static let mostGroups = 10_000
    /// Bytes of a token. Those of FCM have fewer than 200.
    private static let mostTokenBytes = 1024

    /// The groups by their notification keys.
    private var groups: [String: Group] = [:]
    /// The notification keys by the names of their groups.
    private var keys: [String: String] = [:]

    // MARK: - Management

    func answer(to request: GatewayRequest, _ query: FormFields) -> GatewayAnswer {
        if request.method == "GET" {
            guard let key = query["notification_key_name"].flatMap({ keys[Self.place($0, request)] }) else {
                return Self.error("notification_key not found")
            }
            return Self.answer(key)
        }
        let members = request.body.withObject { root -> [String]? in
            let tokens = root["registration_ids"]?.elements.prefix(Self.mostMembers + 1).map { $0.string?.string } ?? []
            let valid = tokens.compactMap(\.self).filter { $0.utf8.count <= Self.mostTokenBytes }
            return valid.count == tokens.count ? valid : nil
        }
        let texts = request.body.texts("operation", "notification_key_name", "notification_key") ?? [:]
        guard let members, let operation = texts["operation"] else { return Self.error("MissingParameter") }
        guard !members.isEmpty else { return Self.error("no valid registration ids") }
        let name = texts["notification_key_name"]
        switch operation {
        case "create":
            guard let name, name.utf8.count <= Self.mostTokenBytes else { return Self.error("MissingParameter") }
            return create(Self.place(name, request), members)
        case "add", "remove":
            guard let key = texts["notification_key"], let group = groups[key],
                name.map({ Self.place($0, request) == group.name }) ?? true
            else { return Self.error("notification_key not found") }
            return change(key, operation == "add", members)
        default: return Self.error("InvalidOperation")
        }
    }

    private func create(_ name: String, _ members: [String]) -> GatewayAnswer {
        guard keys[name] == nil else { return Self.error("notification_key already exists") }
        guard members.count <= Self.mostMembers else { return Self.error("TooManyMembers") }
        guard groups.count < Self.mostGroups else { return Self.error("TooManyGroups") }
        let digits = (0..<8).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        let key = "APA91b\(digits)"
        keys[name] = key
        groups[key] = Group(name: name, members: Self.unique(members))
        return Self.answer(key)
    }

    private func change(_ key: String, _ isAddition: Bool, _ changed: [String]) -> GatewayAnswer {
        guard var group = groups[key] else { return Self.error("notification_key not found") }
        group.members =
            isAddition ? Self.unique(group.members + changed) : group.members.filter { !changed.contains($0) }
        guard group.members.count <= Self.mostMembers else { return Self.error("TooManyMembers") }
        if group.members.isEmpty {
            // Source: as above: removing the last token deletes the group.
            groups[key] = nil
            keys[group.name] = nil
        } else {
            groups[key] = group
        }
        return Self.answer(key)
    }

    private static func unique(_ tokens: [String]) -> [String] {
        var seen: Set<String> = []
        return tokens.filter { seen.insert($0).inserted }
    }

    /// Names are unique within a sender.
    private static func place(_ name: String, _ request: GatewayRequest) -> String {
        // Longer ids than any project has are cut, so that names stay short.
        "\(request.header("project_id")?.prefix(256) ?? "")\u{0}\(name)"
    }

    private static func answer(_ key: String) -> GatewayAnswer {
        GatewayAnswer(status: 200, json: #"{"notification_key":\#(key)}"#)
    }

    /// Two of the texts are observed; Google documents none.
    private static func error(_ text: String) -> GatewayAnswer { GoogleAnswer.error(400, text) }

    // MARK: - Messages

    /// A request of the legacy protocol for a group, as one for its members; nil for any other request.
    func expand(_ body: [UInt8]) -> (members: [String], body: [UInt8])? {
        guard !groups.isEmpty else { return nil }
        return body.withObject { root -> (members: [String], body: [UInt8])? in
            guard let key = (root["to"] ?? root["notification_key"])?.string?.string, let group = groups[key] else {
                return nil
            }
            let names: [StaticString] = ["to", "notification_key", "registration_ids"]
            let text: JSONText = #"{"registration_ids":\#(group.members)\#(membersOf: root, except: names)}"#
            return (group.members, text.bytes)
        }
    }

    /// A request of FCM v1 for a group, as one for each member; nil for any other request.
    func expandVersion1(_ body: [UInt8]) -> [[UInt8]]? {
        guard !groups.isEmpty else { return nil }
        return body.withObject { root -> [[UInt8]]? in
            guard let message = root["message"], let key = message[string: "token"], let group = groups[key] else {
                return nil
            }
            return group.members.map { member in
                let text: JSONText = #"""
                    {"message":{"token":\#(member)\#(membersOf: message, except: ["token"])}\#
                    \#(membersOf: root, except: ["message"])}
                    """#
                return text.bytes
            }
        }
    }
}

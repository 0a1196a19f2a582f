import PushDevices
import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// Airnotifier, a gateway to FCM and APNs that Moodle uses: version 2 of its interface below `/api/v2/`, and what Moodle uses of
/// version 1 at `/tokens/`, `/accesskeys/` and `/notification/`.
///
/// Sources: airnotifier, `api/*.py`, `hooks/moodle.py`; Moodle, `message_output_airnotifier.php`, `airnotifier_manager.php`.
final class AirnotifierService: GatewayService {
    private(set) var directory: AirnotifierDirectory
    private var objects = AirnotifierObjects()

    init(_ directory: AirnotifierDirectory = AirnotifierDirectory()) { self.directory = directory }

    /// A request whose sender was recognized.
    struct Call {
        var request: GatewayRequest
        var path: [String]
        var isVersion1: Bool
        var app: String
        var key: String
        var permissions: AirnotifierDirectory.Permissions
        var form: FormFields

        func may(_ permission: AirnotifierDirectory.Permissions) -> Bool { permissions.contains(permission) }
    }

    private static let resources: Set<String> = ["push", "tokens", "broadcast", "accesskeys", "users", "objects"]
    private static let resourcesOfVersion1: Set<String> = ["tokens", "accesskeys", "notification"]

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        let target = RequestTarget(request.path)
        var path = target.segments[...]
        let isVersion1 = !path.starts(with: ["api", "v2"])
        if !isVersion1 { path = path.dropFirst(2) }
        guard let resource = path.first, (isVersion1 ? Self.resourcesOfVersion1 : Self.resources).contains(resource)
        else { return nil }
        // Moodle sends JSON under the type of a form.
        let isForm =
            (request.header("content-type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false)
            && request.body.first != UInt8(ascii: "{")
        let form = isForm ? FormFields(request.body) : target.query
        let isPush = request.method == "POST" && (resource == "push" || resource == "notification")
        if request.isTooLarge { return Self.refuseTooLarge(isPush: isPush, &records) }
        do throws(Rejection) {
            return try plan(caller(of: request, Array(path), isVersion1, form), resource, &records)
        } catch {
            guard isPush else { return .answer(AirnotifierAnswer.refusal(error)) }
            if resource == "push" {
                records.append(request.body, to: .airnotifier, refusal: error)
            } else {
                records.append(Self.moodleForm(form, of: request), to: .moodle, refusal: error)
            }
            return .report(AirnotifierPushAnswer(deciding: 0))
        }
    }

    private func plan(
        _ call: Call, _ resource: String, _ records: inout RecordComposer
    ) throws(Rejection) -> RequestPlan {
        switch (call.request.method, resource, call.path.count) {
        case ("POST", "push", 1): try push(call, &records)
        case ("POST", "notification", 1): try notification(call, &records)
        case ("POST", "broadcast", 1): try broadcast(call, &records)
        case ("POST", "tokens", call.isVersion1 ? 2 : 1): try createToken(call, &records)
        case ("DELETE", "tokens", 2): deleteToken(call, &records)
        case ("POST", "accesskeys", 1): createKey(call)
        case ("POST", "users", 1): .answer(objects.createUser(call.form, in: call.app))
        case (_, "objects", 2...3): .answer(objects.answer(to: call.request, call.path, in: call.app))
        case (_, "objects", _): .error(404, "Not Found")
        default: .error(405, "Method Not Allowed")
        }
    }

    // MARK: - Senders

    /// The checks that come before every resource, in Airnotifier's order. Source: airnotifier, `api/__init__.py`, `prepare`.
    private func caller(
        of request: GatewayRequest, _ path: [String], _ isVersion1: Bool, _ form: FormFields
    ) throws(Rejection) -> Call {
        guard let app = request.header("x-an-app-name"), !app.isEmpty else { throw .appNameRequired }
        guard let key = request.header("x-an-app-key"), !key.isEmpty else { throw .appKeyRequired }
        if let token = form["token"], !token.isEmpty, (form["device"] ?? "ios").lowercased() == "ios",
            token.utf8.count < 64 || (token.utf8.count == 64 && !token.utf8.allSatisfy { $0.hexadecimalDigit != nil })
        {
            throw .airnotifierInvalidToken
        }
        guard directory.hasApp(app) else { throw .invalidApplicationName }
        // A proxy's headers say who it is.
        let address =
            request.header("x-real-ip")
            ?? request.header("x-forwarded-for")?.split(separator: ",").first.map(String.init)
            ?? request.sender.address ?? "127.0.0.1"
        if directory.isBlocked(address, by: app) { throw .blockedIP }
        let permissions = directory.permissions(of: key, in: app)
        // Whoever asks for a key has none.
        guard permissions != nil || path.first == "accesskeys" else { throw .invalidAccessKey }
        return Call(
            request: request, path: path, isVersion1: isVersion1, app: app, key: key, permissions: permissions ?? [],
            form: form)
    }

    /// Source: airnotifier, `api/accesskeys.py`; it asks moodle.net about a site, and here every site is registered.
    private func createKey(_ call: Call) -> RequestPlan {
        let processor = call.form["processor"] ?? call.request.body.texts("processor")?["processor"]
        // What version 1 gives to whoever asks is not known; Moodle names no processor there.
        var permissions: AirnotifierDirectory.Permissions = call.isVersion1 ? .moodle : []
        if let processor {
            guard processor == "moodle" else { return .error(403, "No module named 'hooks.\(processor)'") }
            permissions = .moodle
        }
        let key = AirnotifierObjects.digits(32)
        guard directory.add(key, permissions, to: call.app) else { return .error(500, "too many access keys") }
        return .answer(AirnotifierAnswer.object(200, "accesskey", key))
    }

    // MARK: - Tokens

    /// True if tokens are maintained as in `TokenLifeCycle`. Then only keys that registered a token may push to it.
    var maintainsTokens: Bool { pipeline?.configuration.devicePolicy.tokenLifeCycle != nil }

    /// A token's standing in the registry; nil if it is unknown there.
    private func standing(of token: String) -> DeviceEvent.TokenStanding? {
        ((try? pipeline?.knownTokens([token]))?.first ?? nil)?.standing
    }

    private func isKnown(_ token: String, to app: String) -> Bool {
        standing(of: token).map { $0 != .deleted } ?? (directory.token(token, of: app) != nil)
    }

    private func createToken(
        _ call: Call, _ records: inout RecordComposer
    ) throws(Rejection) -> RequestPlan {
        var fields = call.form.texts
        if call.isVersion1 {
            fields["token"] = call.path[1]
        } else if fields["token"] == nil {
            guard let read = call.request.body.texts("token", "device", "channel") else {
                return .error(500, "Expecting value: line 1 column 1 (char 0)")
            }
            fields = read
        }
        guard call.may(.createToken) else { return .error(403, "No permission to create token") }
        let device = (fields["device"] ?? (call.isVersion1 ? "ios" : "fcm")).lowercased()
        guard let token = fields["token"], !token.isEmpty,
            device != "ios" || (token.utf8.count == 64 && token.utf8.allSatisfy { $0.hexadecimalDigit != nil })
        else { throw .airnotifierInvalidToken }
        let isKnown = isKnown(token, to: call.app)
        let isRegistered = directory.register(
            token, device: device, channel: fields["channel"] ?? "default", by: call.key, in: call.app)
        guard isRegistered || !maintainsTokens else { return .error(500, "the token has too many access keys") }
        let status = isKnown ? "token exists" : "ok"
        let answer =
            call.isVersion1 ? AirnotifierAnswer.object(200, "status", status) : AirnotifierAnswer.empty(200)
        guard append(token, device, isConfirmed: true, &records) else { return .answer(answer) }
        return .report(AirnotifierPushAnswer(accepted: answer))
    }

    /// Appends the event that makes a token known, unless only the devices of a file exist.
    ///
    /// - Returns: true if there is an event.
    @discardableResult
    private func append(
        _ token: String, _ device: String, isConfirmed: Bool, _ records: inout RecordComposer
    ) -> Bool {
        guard pipeline?.configuration.devicePolicy.rejectsUnknownDevices != true else { return false }
        var event = DeviceEvent(.device, device: token)
        event.platform = device.hasPrefix("ios") ? .ios : device.hasSuffix("fcm") ? .android : nil
        event.isConfirmed = isConfirmed
        records.append(event)
        return true
    }

    private func deleteToken(_ call: Call, _ records: inout RecordComposer) -> RequestPlan {
        guard call.may(.deleteToken) else { return .error(403, "No permission to delete token") }
        let token = call.path[1]
        guard !token.isEmpty, isKnown(token, to: call.app) else {
            // Spelled so.
            return .answer(AirnotifierAnswer.object(404, "status", "Token does't exist"))
        }
        // Or else a key would be the first to register the token again.
        guard isOpen(token, to: call) else { return .error(403, "No permission to delete token") }
        directory.remove(token, of: call.app)
        let answer = AirnotifierAnswer.object(200, "status", "deleted")
        guard pipeline?.configuration.devicePolicy.rejectsUnknownDevices != true else { return .answer(answer) }
        var event = DeviceEvent(.device, device: token)
        event.token = .deleted
        records.append(event)
        return .report(AirnotifierPushAnswer(accepted: answer))
    }

    // MARK: - Pushes

    /// The body was not kept. A push has a line in the report.
    private static func refuseTooLarge(isPush: Bool, _ records: inout RecordComposer) -> RequestPlan {
        let answer = AirnotifierAnswer.error(413, "Request Entity Too Large")
        guard isPush else { return .answer(answer) }
        records.append([], to: .airnotifier)
        return .report(AirnotifierPushAnswer(accepted: answer))
    }

    private func push(_ call: Call, _ records: inout RecordComposer) throws(Rejection) -> RequestPlan {
        let body = call.request.body
        guard call.may(.sendNotification) else { throw .noPermissionToSend }
        guard let fields = body.texts("token", "device", "channel") else {
            // The record is malformed, and its report line says why.
            records.append(body, to: .airnotifier)
            return .report(AirnotifierPushAnswer(deciding: 0))
        }
        if let processor = body.withObject({ $0["extra"]?[string: "processor"] }), processor != "moodle" {
            records.append(body, to: .airnotifier, refusal: .unknownHook)
            return .report(
                AirnotifierPushAnswer(accepted: AirnotifierAnswer.error(400, "No module named 'hooks.\(processor)'")))
        }
        let device = (fields["device"] ?? "fcm").lowercased()
        let start = records.records
        if let token = fields["token"], !token.isEmpty {
            try admit(call, to: token, device: device, channel: fields["channel"] ?? "default", &records)
        }
        let deciding = records.records - start
        records.append(body, to: .airnotifier)
        return .report(
            AirnotifierPushAnswer(isForAPNs: device == "ios", maintainsTokens: maintainsTokens, deciding: deciding))
    }

    /// Registers a token that is unknown, for every path that takes pushes.
    ///
    /// - Throws: the reason why the key may not push to the token.
    private func admit(
        _ call: Call, to token: String, device: String, channel: String, _ records: inout RecordComposer
    ) throws(Rejection) {
        guard isOpen(token, to: call) else { throw .noPermissionToSend }
        // A deleted token comes back only if its owner confirms it.
        if maintainsTokens, standing(of: token) == .deleted { return }
        if isKnown(token, to: call.app) { return }
        guard call.may(.createToken) else { throw .unknownTokenWithoutPermission }
        directory.register(token, device: device, channel: channel, by: call.key, in: call.app)
        append(token, device, isConfirmed: false, &records)
    }

    /// False if tokens are maintained, and other keys registered a token but this one did not.
    private func isOpen(_ token: String, to call: Call) -> Bool {
        !maintainsTokens || directory.isOpen(token, to: call.key, of: call.app)
    }

    /// Moodle's form of 2013. What the server answered is not known.
    private func notification(_ call: Call, _ records: inout RecordComposer) throws(Rejection) -> RequestPlan {
        guard call.may(.sendNotification) else { throw .noPermissionToSend }
        // Only a form names a token here: JSON does not, whatever its members are.
        guard let token = call.form["token"], !token.isEmpty else { throw .airnotifierInvalidToken }
        let start = records.records
        // What the server of 2013 did with an unknown token is not known; one that maintains tokens has one rule for all paths.
        if maintainsTokens { try admit(call, to: token, device: "ios", channel: "default", &records) }
        let deciding = records.records - start
        records.append(Self.moodleForm(call.form, of: call.request), to: .moodle, device: token)
        return .report(
            AirnotifierPushAnswer(
                isForAPNs: true, maintainsTokens: maintainsTokens, deciding: deciding,
                accepted: AirnotifierAnswer.object(200, "status", "ok")))
    }

    /// The fields of a form as a JSON object; the body of a request that has none.
    private static func moodleForm(_ form: FormFields, of request: GatewayRequest) -> [UInt8] {
        if form.fields.isEmpty { return request.body }
        var seen: Set<String> = []
        let members = form.fields.filter { seen.insert($0.name).inserted }.map { "\($0):\($1)" as JSONText }
        return ("\(object: members)" as JSONText).bytes
    }

    /// The most bytes of the records of one broadcast.
    private static let broadcastBytes = 8 << 20  // 8 MiB

    /// A push to every token of the app. Source: airnotifier, `api/broadcast.py`.
    private func broadcast(_ call: Call, _ records: inout RecordComposer) throws(Rejection) -> RequestPlan {
        guard call.may(.sendBroadcast) else { throw .noPermissionToBroadcast }
        // The members of the request that a push has too.
        let read = call.request.body.withObject { root -> JSONText? in
            guard root["alert"] != nil else { return nil }
            return JSONText { out in
                for name: StaticString in ["alert", "fcm", "apns", "wns", "extra"] {
                    guard let value = root[name] else { continue }
                    out.appendMemberName(name)
                    out.append(value.text)
                }
            }
        }
        guard let members = read, let fields = call.request.body.texts("channel", "device") else {
            return .error(400, "alert is required")
        }
        let tokens = directory.tokens(of: call.app, channel: fields["channel"], device: fields["device"]?.lowercased())
            .filter { isOpen($0.name, to: call) }
        let bytes = tokens.reduce(0) {
            $0 + $1.name.utf8.count + $1.token.device.utf8.count + members.bytes.count + 256
        }
        guard bytes <= Self.broadcastBytes else { return .error(500, "too many tokens for a broadcast of this size") }
        guard !tokens.isEmpty else { return .answer(AirnotifierAnswer.empty(202)) }
        for (name, token) in tokens {
            let push: JSONText = #"{"device":\#(token.device),"token":\#(name)\#(members)}"#
            records.append(push.bytes, to: .airnotifier)
        }
        return .report(AirnotifierPushAnswer())
    }
}

/// Airnotifier's answers, in its own words. Source: airnotifier, `api/__init__.py`, `api/push.py`.
enum AirnotifierAnswer {
    private static let headers = [HeaderField("content-type", "application/json; charset=utf-8")]

    static func empty(_ status: Int) -> GatewayAnswer { GatewayAnswer(status: status, headers: headers) }

    static func object(_ status: Int, _ name: String, _ text: String) -> GatewayAnswer {
        json(status, "{\(name):\(text)}")
    }

    static func error(_ status: Int, _ text: String) -> GatewayAnswer { object(status, "error", text) }

    static func refusal(_ rejection: Rejection) -> GatewayAnswer {
        error(rejection.row.status, rejection.reason)
    }

    static func json(_ status: Int, _ json: JSONText) -> GatewayAnswer {
        GatewayAnswer(status: status, headers: headers, body: json.bytes)
    }
}

extension RequestPlan {
    /// Answers with an error of Airnotifier's at once.
    fileprivate static func error(_ status: Int, _ text: String) -> RequestPlan {
        .answer(AirnotifierAnswer.error(status, text))
    }
}

/// How Airnotifier answers a push, from what became of its record.
struct AirnotifierPushAnswer: AnswerDraft {
    /// The push service's name in an error.
    var isForAPNs = false
    var maintainsTokens = false
    /// The request's record that decides; an earlier one may register its token. Nil if any will do.
    var deciding: Int?
    var accepted = AirnotifierAnswer.empty(202)
    private(set) var result: GatewayAnswer?

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard result == nil, deciding == nil || record == deciding else { return }
        if deciding != nil, let failure = line.decodeFailure, failure.rule != "record.nothing-to-send" {
            // What Python's parser says about it.
            result = AirnotifierAnswer.error(500, failure.message)
        } else if deciding != nil, let rejection = line.refusal {
            result = answer(to: rejection)
        } else {
            result = accepted
        }
    }

    private func answer(to rejection: Rejection) -> GatewayAnswer {
        if rejection.row.speaker.description == "airnotifier" { return AirnotifierAnswer.refusal(rejection) }
        let isDead = rejection == .fcmUnregistered || rejection == .unregistered
        // Its answer to Moodle, which then forgets the device. Source: Moodle, `message_output_airnotifier.php`.
        if isDead, maintainsTokens { return AirnotifierAnswer.error(404, "Unregistered token") }
        if isForAPNs { return AirnotifierAnswer.error(400, "error response from apns") }
        return AirnotifierAnswer.error(rejection.row.status, "error response from fcm")
    }

    func answer() -> GatewayAnswer { result ?? AirnotifierAnswer.error(500, "the push was not processed") }
}

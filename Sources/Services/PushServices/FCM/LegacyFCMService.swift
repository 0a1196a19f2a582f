import PayloadJSON
import PushFaults
import PushModel
import PushSystem

/// FCM's legacy HTTP protocol, and GCM's, which has the same form: `POST /fcm/send`, `POST /gcm/send`; and device groups.
///
/// Source: Firebase, "Firebase Cloud Messaging HTTP protocol"; Google, "HTTP Connection Server" of GCM.
final class LegacyFCMService: GatewayService {
    let speaker: String? = "gcm"
    private let access: GoogleAccess
    private var names = MessageNames()
    private let groups: DeviceGroups
    /// Writes a line to the gateway's log.
    var note: (String) -> Void = { _ in }
    private var hasNoted = false
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    init(_ access: GoogleAccess, _ groups: DeviceGroups = DeviceGroups()) {
        self.access = access
        self.groups = groups
    }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        let target = RequestTarget(request.path)
        guard target.segments.count == 2, ["fcm", "gcm", "googlenotification"].contains(target.segments[0]) else {
            return nil
        }
        let now = Double(wallMilliseconds()) / 1000
        switch (request.method, target.segments[1]) {
        case ("POST", "send"): return send(request, now, &records)
        case ("POST", "notification"), ("GET", "notification"):
            guard access.admitsLegacy(request, now: now) else { return .answer(Self.unauthorized) }
            return .answer(groups.answer(to: request, target.query))
        default: return .answer(GoogleAnswer.notFound(request))
        }
    }

    private func send(_ request: GatewayRequest, _ now: Double, _ records: inout RecordComposer) -> RequestPlan {
        if !hasNoted { noteEnd(request) }
        let isJSON = request.header("content-type")?.lowercased().hasPrefix("application/json") ?? false
        let body = isJSON ? request.body : PlainTextRequest.json(request.body)
        var refusal: Rejection? = request.isTooLarge ? .messageTooBig : nil
        if !access.admitsLegacy(request, now: now) { refusal = .gcmInvalidKey }
        refusal = request.fault?.refusal(by: "gcm") ?? refusal
        var draft = LegacyAnswer(
            to: request, isJSON: isJSON, multicast: names.nextNumber(), message: names.nextNumber())
        if refusal == nil, let (members, expanded) = groups.expand(body) {
            draft.groupMembers = members
            records.append(expanded, to: .gcm)
        } else {
            records.append(body, to: .gcm, refusal: refusal)
        }
        return .report(draft)
    }

    /// Says once that Google does not answer such requests any more. Source: Firebase, "Migrate from legacy FCM APIs to HTTP v1".
    private func noteEnd(_ request: GatewayRequest) {
        hasNoted = true
        let path = RequestTarget(request.path).segments.joined(separator: "/")
        note(
            "pushpipe: POST /\(path): Google switched this protocol off in 2024; HTTP v1 is in its place, "
                + "POST /v1/projects/PROJECT/messages:send\n")
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
    /// The same request as JSON. Source: Google, "HTTP Connection Server" of GCM.
    static func json(_ body: [UInt8]) -> [UInt8] {
        let form = FormFields(body)
        var out = ByteBuffer(capacity: body.count + 64)
        out.append("{\"data\":{")
        var isFirst = true
        for (name, value) in form.fields where name.hasPrefix("data.") {
            if !isFirst { out.append(",") }
            isFirst = false
            out.appendJSONString(String(name.dropFirst("data.".count)))
            out.append(":")
            out.appendJSONString(value)
        }
        out.append("}")
        out.appendMember("to", form["registration_id"].flatMap { $0.isEmpty ? nil : $0 })
        out.appendMember("collapse_key", form["collapse_key"])
        out.appendMember("restricted_package_name", form["restricted_package_name"])
        if let text = form["time_to_live"] {
            if let seconds = Int(text) {
                out.appendMember("time_to_live", seconds)
            } else {
                out.appendMember("time_to_live", text)
            }
        }
        for name: StaticString in ["dry_run", "delay_while_idle"] {
            if let value = form[name.description] { out.appendMember(name, value == "1" || value == "true") }
        }
        out.append("}")
        return out.copy
    }
}

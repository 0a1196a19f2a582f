import PayloadJSON
import PushModel

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

    /// By notification key.
    private var groups: [String: Group] = [:]
    private var keys: [String: String] = [:]

    // MARK: - Management

    func answer(to request: GatewayRequest, _ query: FormFields) -> GatewayAnswer {
        if request.method == "GET" {
            guard let key = query["notification_key_name"].flatMap({ keys[Self.place($0, request)] }) else {
                return Self.error("notification_key not found")
            }
            return Self.answer(key)
        }
        struct Change {
            var operation: String
            var name: String?
            var key: String?
            var members: [String]
        }
        let read = request.withJSON { root -> Change? in
            guard let root, root.isObject, let operation = root["operation"]?.string?.string else { return nil }
            var change = Change(
                operation: operation, name: root["notification_key_name"]?.string?.string,
                key: root["notification_key"]?.string?.string, members: [])
            var elements = root["registration_ids"]?.elements
            while change.members.count <= Self.mostMembers, let element = elements?.next() {
                guard let token = element.string?.string, token.utf8.count <= Self.mostTokenBytes else { return nil }
                change.members.append(token)
            }
            return change
        }
        guard let change = read else { return Self.error("MissingParameter") }
        guard !change.members.isEmpty else { return Self.error("no valid registration ids") }
        switch change.operation {
        case "create":
            guard let name = change.name, name.utf8.count <= Self.mostTokenBytes else {
                return Self.error("MissingParameter")
            }
            return create(Self.place(name, request), change.members)
        case "add", "remove":
            guard let key = change.key, let group = groups[key],
                change.name.map({ Self.place($0, request) == group.name }) ?? true
            else { return Self.error("notification_key not found") }
            return self.change(key, change.operation == "add", change.members)
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
        GatewayAnswer(status: 200) { out in
            out.append("{\"notification_key\":")
            out.appendJSONString(key)
            out.append("}")
        }
    }

    /// Two of the texts are observed; Google documents none.
    private static func error(_ text: StaticString) -> GatewayAnswer {
        GatewayAnswer(status: 400) { out in
            out.append("{\"error\":\"")
            out.append(text)
            out.append("\"}")
        }
    }

    // MARK: - Messages

    /// A request of the legacy protocol for a group, as one for its members; nil for any other request.
    func expand(_ body: [UInt8]) -> (members: [String], body: [UInt8])? {
        guard !groups.isEmpty else { return nil }
        return GatewayRequest(method: "", path: "", body: body).withJSON { root in
            guard let root, root.isObject, let key = (root["to"] ?? root["notification_key"])?.string?.string,
                let group = groups[key]
            else { return nil }
            var out = ByteBuffer(capacity: body.count + 4096)
            out.append("{\"registration_ids\":")
            out.appendArray(group.members) { $1.appendJSONString($0) }
            out.appendMembers(of: root) {
                $0 == "to" || $0 == "notification_key" || $0 == "registration_ids"
            }
            out.append("}")
            return (group.members, out.copy)
        }
    }

    /// A request of FCM v1 for a group, as one for each member; nil for any other request.
    func expandVersion1(_ body: [UInt8]) -> [[UInt8]]? {
        guard !groups.isEmpty else { return nil }
        return GatewayRequest(method: "", path: "", body: body).withJSON { root in
            guard let root, let message = root["message"], message.isObject,
                let key = message["token"]?.string?.string, let group = groups[key]
            else { return nil }
            return group.members.map { member in
                var out = ByteBuffer(capacity: body.count + 256)
                out.append("{\"message\":{\"token\":")
                out.appendJSONString(member)
                out.appendMembers(of: message) { $0 == "token" }
                out.append("}")
                out.appendMembers(of: root) { $0 == "message" }
                out.append("}")
                return out.copy
            }
        }
    }
}

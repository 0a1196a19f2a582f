import PayloadJSON

/// Users and objects of Airnotifier's apps, as long as the gateway runs. Answers are those of airnotifier's `api/users.py`; those of
/// `api/objects.py` are not known, and follow what its interface says of them.
struct AirnotifierObjects {
    /// Bytes of all users and objects.
    private static let mostBytes = 4 << 20  // 4 MiB

    private struct Key: Hashable {
        var app: String
        var name: String
        var id: String
    }

    private var users: Set<[String]> = []
    private var objects: [Key: [UInt8]] = [:]
    private var bytes = 0

    /// Random hexadecimal digits.
    static func digits(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in String(generator.next(upperBound: UInt64(16)), radix: 16) }.joined()
    }

    mutating func createUser(_ form: FormFields, in app: String) -> GatewayAnswer {
        guard let email = form["email"], !email.isEmpty, let password = form["password"], !password.isEmpty else {
            return AirnotifierAnswer.error(400, "email and password are required")
        }
        guard !users.contains([app, email]) else { return AirnotifierAnswer.error(400, "email already exists") }
        guard reserve(email.utf8.count + app.utf8.count + 64) else { return Self.full }
        users.insert([app, email])
        return AirnotifierAnswer.object(200, "userid", Self.digits(24))
    }

    /// `/objects/<class>` and `/objects/<class>/<id>`.
    mutating func answer(to request: GatewayRequest, _ path: [String], in app: String) -> GatewayAnswer {
        let name = path[1]
        guard !name.isEmpty, path.count == 2 || !path[2].isEmpty else { return Self.unknown }
        guard path.count == 3 else {
            switch request.method {
            case "POST": return create(request, name, app)
            case "GET":
                let found = objects.filter { $0.key.app == app && $0.key.name == name }
                    .sorted { $0.key.id < $1.key.id }.map(\.value)
                return AirnotifierAnswer.json(
                    200, Array("[".utf8) + found.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8))
            default: return AirnotifierAnswer.error(405, "Method Not Allowed")
            }
        }
        let key = Key(app: app, name: name, id: path[2])
        guard let object = objects[key] else { return Self.unknown }
        switch request.method {
        case "GET": return AirnotifierAnswer.json(200, object)
        case "PUT":
            guard let changed = Self.object(in: request, id: key.id) else { return Self.notAnObject }
            guard reserve(changed.count - object.count) else { return Self.full }
            objects[key] = changed
            return AirnotifierAnswer.object(200, "objectId", key.id)
        case "DELETE":
            objects[key] = nil
            bytes -= object.count + name.utf8.count + app.utf8.count
            return AirnotifierAnswer.empty(200)
        default: return AirnotifierAnswer.error(405, "Method Not Allowed")
        }
    }

    private mutating func create(_ request: GatewayRequest, _ name: String, _ app: String) -> GatewayAnswer {
        let id = Self.digits(24)
        guard let object = Self.object(in: request, id: id) else { return Self.notAnObject }
        guard reserve(object.count + name.utf8.count + app.utf8.count) else { return Self.full }
        objects[Key(app: app, name: name, id: id)] = object
        return AirnotifierAnswer.object(200, "objectId", id)
    }

    /// The body with an `_id` in front; nil if it is no object.
    private static func object(in request: GatewayRequest, id: String) -> [UInt8]? {
        request.withJSON { root -> [UInt8]? in
            guard let root, root.isObject else { return nil }
            var out = ByteBuffer(capacity: request.body.count + 64)
            out.append("{\"_id\":")
            out.appendJSONString(id)
            out.appendMembers(of: root) { $0 == "_id" }
            out.append("}")
            return out.copy
        }
    }

    private mutating func reserve(_ more: Int) -> Bool {
        guard bytes + more <= Self.mostBytes else { return false }
        bytes += more
        return true
    }

    private static let unknown = AirnotifierAnswer.error(404, "Not Found")
    private static let notAnObject = AirnotifierAnswer.error(400, "a JSON object is required")
    private static let full = AirnotifierAnswer.error(500, "no room for more")
}

import PushDecoding
import PushFiles
import PushJSON
import PushSystem

/// The apps of an Airnotifier, their access keys, and which key brought which token.
///
/// Keys and tokens that come with requests last as long as the gateway. Whether a token is known to the push services is in the registry.
struct AirnotifierDirectory {
    /// The rights of an access key. Source: airnotifier, `constants.py`.
    struct Permissions: OptionSet, Sendable {
        let rawValue: Int
        static let createToken = Permissions(rawValue: 1)
        static let deleteToken = Permissions(rawValue: 2)
        static let sendNotification = Permissions(rawValue: 4)
        static let sendBroadcast = Permissions(rawValue: 8)
        /// The rights of a registered Moodle site.
        static let moodle = Permissions(rawValue: 15)
    }

    struct Token {
        /// The kind of device as it was sent, in lower case.
        var device: String
        var channel: String
        var keys: Set<String>

        /// About what it takes in memory under a name, in bytes.
        func bytes(under name: String) -> Int {
            name.utf8.count + device.utf8.count + channel.utf8.count + keys.reduce(128) { $0 + $1.utf8.count + 32 }
        }
    }

    private struct App {
        var keys: [String: Permissions] = [:]
        var blocked: Set<String> = []
        /// The tokens by their canonical forms: a token in capitals is the same.
        var tokens: [String: Token] = [:]
    }

    private static let mostApps = 1000
    /// The most keys of all apps together.
    private static let mostKeys = 10_000
    /// The most bytes of all tokens.
    private static let mostBytes = 32 << 20  // 32 MiB
    private static let mostKeysOfToken = 1000

    private var apps: [String: App] = [:]
    private var keyCount = 0
    private var tokenBytes = 0
    /// True if there are only the apps and keys of a file, and keys that were made since.
    private let isClosed: Bool

    /// Every app exists, and every key may do what a registered site of Moodle may.
    init() { isClosed = false }

    /// - Parameter path: a file with the apps; nil for every app.
    /// - Throws: `PlainError` for a file that does not have them.
    init(path: String?) throws(PlainError) {
        isClosed = path != nil
        guard let path else { return }
        guard let apps = Self.apps(in: try FileBytes.readConfiguration(path)) else {
            throw PlainError(
                """
                \(path): not a JSON object of apps, such as {"com.example.app":{"keys":{"d41d8cd98f00":15},"blocked":["10.0.0.7"]}}
                """)
        }
        self.apps = apps
    }

    private static func apps(in bytes: [UInt8]) -> [String: App]? {
        bytes.withObject { root -> [String: App]? in
            var apps: [String: App] = [:]
            for (name, value) in root.members {
                guard value.isObject else { return nil }
                var app = App()
                if let keys = value["keys"] {
                    guard keys.isObject else { return nil }
                    for (key, bits) in keys.members {
                        guard let bits = bits.int64, (0...31).contains(bits) else { return nil }
                        app.keys[key.string] = Permissions(rawValue: Int(bits))
                    }
                }
                if let blocked = value["blocked"] {
                    guard blocked.kind == .array, blocked.elements.allSatisfy(\.isString) else { return nil }
                    app.blocked = Set(blocked.elements.compactMap { $0.string?.string })
                }
                apps[name.string] = app
            }
            return apps
        }
    }

    // MARK: - Apps and keys

    func hasApp(_ name: String) -> Bool { !isClosed || apps[name] != nil }

    func isBlocked(_ address: String, by app: String) -> Bool { apps[app]?.blocked.contains(address) ?? false }

    /// The rights of a key; nil if it is unknown.
    func permissions(of key: String, in app: String) -> Permissions? {
        apps[app]?.keys[key] ?? (isClosed ? nil : .moodle)
    }

    /// Adds a key, unless there are too many.
    ///
    /// - Returns: true if it was added.
    mutating func add(_ key: String, _ permissions: Permissions, to app: String) -> Bool {
        guard apps[app] != nil || apps.count < Self.mostApps, keyCount < Self.mostKeys else { return false }
        keyCount += 1
        apps[app, default: App()].keys[key] = permissions
        return true
    }

    // MARK: - Tokens

    func token(_ token: String, of app: String) -> Token? { apps[app]?.tokens[DeviceToken.canonical(token)] }

    /// False if keys of any app registered a token, but this one did not. A token is that of one phone, whichever app a sender names.
    func isOpen(_ token: String, to key: String, of app: String) -> Bool {
        let token = DeviceToken.canonical(token)
        if apps[app]?.tokens[token]?.keys.contains(key) == true { return true }
        return !apps.values.contains { $0.tokens[token]?.keys.isEmpty == false }
    }

    /// Notes that a key registered a token. When there are too many tokens, all of them are forgotten: then any key may register them.
    ///
    /// - Returns: false if a token has too many keys, or there are too many apps; then nothing is noted.
    @discardableResult
    mutating func register(_ token: String, device: String, channel: String, by key: String, in app: String) -> Bool {
        guard apps[app] != nil || apps.count < Self.mostApps else { return false }
        let token = DeviceToken.canonical(token)
        var known = apps[app]?.tokens[token] ?? Token(device: device, channel: channel, keys: [])
        guard known.keys.contains(key) || known.keys.count < Self.mostKeysOfToken else { return false }
        known.keys.insert(key)
        remove(token, of: app)
        if tokenBytes + known.bytes(under: token) > Self.mostBytes {
            for name in apps.keys { apps[name]?.tokens = [:] }
            tokenBytes = 0
        }
        tokenBytes += known.bytes(under: token)
        apps[app, default: App()].tokens[token] = known
        return true
    }

    mutating func remove(_ token: String, of app: String) {
        let token = DeviceToken.canonical(token)
        guard let known = apps[app]?.tokens.removeValue(forKey: token) else { return }
        tokenBytes -= known.bytes(under: token)
    }

    /// The tokens of an app, in order.
    ///
    /// - Parameters:
    ///   - channel: nil for all.
    ///   - device: nil for all.
    func tokens(of app: String, channel: String?, device: String?) -> [(name: String, token: Token)] {
        (apps[app]?.tokens ?? [:])
            .filter { (channel == nil || $1.channel == channel) && (device == nil || $1.device == device) }
            .sorted { $0.key < $1.key }.map { (name: $0.key, token: $0.value) }
    }
}

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
    private var objects: [Key: JSONText] = [:]
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
                return AirnotifierAnswer.json(200, "\(found)")
            default: return AirnotifierAnswer.error(405, "Method Not Allowed")
            }
        }
        let key = Key(app: app, name: name, id: path[2])
        guard let object = objects[key] else { return Self.unknown }
        switch request.method {
        case "GET": return AirnotifierAnswer.json(200, object)
        case "PUT":
            guard let changed = Self.object(in: request, id: key.id) else { return Self.notAnObject }
            guard reserve(changed.bytes.count - object.bytes.count) else { return Self.full }
            objects[key] = changed
            return AirnotifierAnswer.object(200, "objectId", key.id)
        case "DELETE":
            objects[key] = nil
            bytes -= object.bytes.count + name.utf8.count + app.utf8.count
            return AirnotifierAnswer.empty(200)
        default: return AirnotifierAnswer.error(405, "Method Not Allowed")
        }
    }

    private mutating func create(_ request: GatewayRequest, _ name: String, _ app: String) -> GatewayAnswer {
        let id = Self.digits(24)
        guard let object = Self.object(in: request, id: id) else { return Self.notAnObject }
        guard reserve(object.bytes.count + name.utf8.count + app.utf8.count) else { return Self.full }
        objects[Key(app: app, name: name, id: id)] = object
        return AirnotifierAnswer.object(200, "objectId", id)
    }

    /// The body with an `_id` in front; nil if it is not an object.
    private static func object(in request: GatewayRequest, id: String) -> JSONText? {
        request.body.withObject { #"{"_id":\#(id)\#(membersOf: $0, except: ["_id"])}"# }
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

import PayloadJSON
import PushDecoding
import PushFiles
import PushRuns

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
        static let createAccessKey = Permissions(rawValue: 16)
        /// The rights of a registered Moodle site.
        static let moodle = Permissions(rawValue: 15)
    }

    struct Token {
        /// As it was sent, in lower case.
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
        /// By their canonical form: a token in capitals is the same.
        var tokens: [String: Token] = [:]
    }

    private static let mostApps = 1000
    /// Of all apps.
    private static let mostKeys = 10_000
    /// Bytes of all tokens.
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
    /// - Throws: `RunError` for a file that does not have them.
    init(path: String?) throws(RunError) {
        isClosed = path != nil
        guard let path else { return }
        guard let apps = Self.apps(in: try FileBytes.readConfiguration(path)) else {
            throw RunError(
                """
                \(path): not a JSON object of apps, such as {"com.example.app":{"keys":{"d41d8cd98f00":15},"blocked":["10.0.0.7"]}}
                """)
        }
        self.apps = apps
    }

    private static func apps(in bytes: [UInt8]) -> [String: App]? {
        GatewayRequest(method: "", path: "", body: bytes).withJSON { root -> [String: App]? in
            guard let root, root.isObject else { return nil }
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
                    guard blocked.kind == .array else { return nil }
                    for element in blocked.elements {
                        guard let address = element.string?.string else { return nil }
                        app.blocked.insert(address)
                    }
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

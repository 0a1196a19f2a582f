import PushJSON
package import PushModel
package import PushSystem

/// The preferences of devices as JSON text for a file. Members are sorted, and equal settings give equal text. It does
/// no I/O.
///
/// Members that it does not know stay in the file. The format calls sites wikis (`primaryWiki`, `wikis`), after its first client.
package struct PreferenceBook: Sendable {
    /// Version of the file format.
    static let version: Int64 = 1

    /// Preferences by device name.
    package private(set) var devices: [String: DevicePreferences]
    /// The file as it was read, with members that are not ours.
    private let original: JSONValue
    private var changed: Set<String> = []

    package init() {
        devices = [:]
        original = .object([])
    }

    /// - Throws: an error with its line and column.
    package init(parsing text: [UInt8]) throws(PlainError) {
        (devices, original) = try PreferenceBookReader.read(text)
    }

    /// The preferences of a device; nil when the file does not contain it.
    package subscript(_ device: String) -> DevicePreferences? { devices[device] }

    package mutating func set(_ preferences: DevicePreferences, of device: String) {
        devices[device] = preferences
        changed.insert(device)
    }

    /// The text of the file, with a trailing line feed.
    package func serialized() -> [UInt8] {
        var book = original
        book["version"] = .integer(Self.version)
        var entries = book["devices"] ?? .object([])
        for name in changed.sorted() {
            if let device = devices[name] { entries[name] = Self.entry(of: device, over: entries[name]) }
        }
        book["devices"] = entries
        return book.sortedText + [UInt8(ascii: "\n")]
    }

    /// The entry of a device, with the members that an earlier one has beside ours.
    private static func entry(of device: DevicePreferences, over earlier: JSONValue?) -> JSONValue {
        var entry = earlier ?? .object([])
        entry["permission"] = .string(device.permission.rawValue)
        entry["alerts"] = .bool(device.alertsAreOn)
        entry["registration"] = .string(device.registration.state.rawValue)
        entry["registrationError"] = device.registration.failure.map { .string($0) }
        entry["account"] = device.account.map { .string($0) }
        var accounts = entry["accounts"] ?? .object([])
        for (name, preferences) in device.accounts {
            var account = accounts[name] ?? .object([])
            account["primaryWiki"] = .string(preferences.primarySite)
            var sites = account["wikis"] ?? .object([])
            for (name, types) in preferences.typesOn {
                var site = sites[name] ?? .object([])
                site["on"] = .array(types.sorted().map { .string($0.name) })
                sites[name] = site
            }
            account["wikis"] = sites
            accounts[name] = account
        }
        entry["accounts"] = accounts
        return entry
    }
}

extension PreferenceBook {
    /// The events that apply the preferences of each device, in the order of the devices' names.
    package var deviceEvents: [DeviceEvent] {
        devices.sorted { $0.key < $1.key }.map { name, preferences in
            var event = DeviceEvent(.device, device: name)
            event.authorization = preferences.permission
            event.showsAlerts = preferences.alertsAreOn
            event.isLoggedIn = preferences.account != nil
            event.registration = DeviceEvent.Registration(preferences.registration)
            event.settings.types = Set(preferences.typesOn.map(\.name))
            return event
        }
    }
}

extension DeviceEvent.Registration {
    /// The word for a registration in events.
    package init(_ registration: PushRegistration) {
        switch registration.state {
        case .none, .underWay: self = .pending
        case .registered: self = .succeeded
        case .failed: self = .failed
        case .subscriptionFailed: self = .subscriptionFailed
        }
    }
}

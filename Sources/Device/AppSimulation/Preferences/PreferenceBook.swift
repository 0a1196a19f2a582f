package import PayloadJSON
package import PushModel

/// The preferences of devices as JSON text for a file. Members are sorted, and equal settings give equal text. It does
/// no I/O.
///
/// Members that it does not know stay in the file. The format calls sites wikis (`primaryWiki`, `wikis`), after its first client.
package struct PreferenceBook: Sendable {
    /// Version of the file format.
    static let version: Int64 = 1

    /// Preferences by device name.
    package private(set) var devices: [String: DevicePreferences]
    /// The text that was parsed, which contains the unknown members.
    private let original: [UInt8]
    private var changed: Set<String> = []

    /// Why a file cannot be read.
    package struct Failure: Error, Sendable, Equatable {
        /// One line of plain text.
        package var message: String
        /// The position in the file.
        package var position: TextPosition
    }

    /// A book without devices.
    package init() {
        devices = [:]
        original = Array("{}".utf8)
    }

    /// Parses a file.
    package init(parsing text: [UInt8]) throws(Failure) {
        devices = try PreferenceBookReader.read(text)
        original = text
    }

    /// The preferences of a device; nil when the file does not contain it.
    package subscript(_ device: String) -> DevicePreferences? { devices[device] }

    /// Sets the preferences of a device.
    package mutating func set(_ preferences: DevicePreferences, of device: String) {
        devices[device] = preferences
        changed.insert(device)
    }

    /// The text of the file, with a trailing line feed.
    package func serialized() throws -> [UInt8] {
        // SOUND: the bytes live until the closure returns.
        try unsafe original.withUnsafeBytes { try unsafe serialized(over: $0) }
    }

    private func serialized(over text: UnsafeRawBufferPointer) throws(JSONTree.Failure) -> [UInt8] {
        // SOUND: the caller vouches for the bytes.
        var tree = try unsafe JSONTree(parsing: text)
        try tree.set(JSONTree(Self.version), at: "/version")
        try tree.makeObject(at: "/devices")
        for name in changed.sorted() {
            if let device = devices[name] { try Self.write(device, to: &tree, at: Self.join("/devices", name)) }
        }
        return try tree.serialized(.sorted) + [UInt8(ascii: "\n")]
    }

    private static func write(
        _ device: DevicePreferences, to tree: inout JSONTree, at place: String
    ) throws(JSONTree.Failure) {
        try tree.makeObject(at: place)
        try tree.set(JSONTree(device.permission.rawValue), at: place + "/permission")
        try tree.set(JSONTree(device.alertsAreOn), at: place + "/alerts")
        try tree.set(JSONTree(RegistrationName(device.registration).rawValue), at: place + "/registration")
        if let reason = device.registration.failure {
            try tree.set(JSONTree(reason), at: place + "/registrationError")
        } else if tree.has(place + "/registrationError") {
            try tree.remove(at: place + "/registrationError")
        }
        if let account = device.account {
            try tree.set(JSONTree(account), at: place + "/account")
        } else if tree.has(place + "/account") {
            try tree.remove(at: place + "/account")
        }
        try tree.makeObject(at: place + "/accounts")
        for (name, account) in device.accounts.sorted(by: { $0.key < $1.key }) {
            let place = join(place + "/accounts", name)
            try tree.makeObject(at: place)
            try tree.set(JSONTree(account.primarySite), at: place + "/primaryWiki")
            try tree.makeObject(at: place + "/wikis")
            for (site, types) in account.typesOn.sorted(by: { $0.key < $1.key }) {
                let place = join(place + "/wikis", site)
                try tree.makeObject(at: place)
                try tree.set(list(types), at: place + "/on")
            }
        }
    }

    private static func join(_ place: String, _ name: String) -> String { place + "/" + JSONPointer.escape(name) }

    private static func list(_ types: Set<NotificationType>) throws(JSONTree.Failure) -> JSONTree {
        // SOUND: the buffer outlives the call.
        var text = ByteBuffer()
        text.append(UInt8(ascii: "["))
        for (index, type) in types.sorted().enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.appendJSONString(type.name)
        }
        text.append(UInt8(ascii: "]"))
        return try unsafe JSONTree(parsing: text.bytes)
    }
}

enum RegistrationName: String, CaseIterable {
    case none
    case underWay = "under-way"
    case registered, failed
    case subscriptionFailed = "subscription-failed"

    init(_ registration: PushRegistration) {
        switch registration {
        case .none: self = .none
        case .underWay: self = .underWay
        case .registered: self = .registered
        case .failed: self = .failed
        case .subscriptionFailed: self = .subscriptionFailed
        }
    }
}

extension JSONTree {
    /// Adds an object when there is none; an existing one stays as it is.
    fileprivate mutating func makeObject(at place: String) throws(Failure) {
        if !has(place) { try set(JSONTree.object(), at: place) }
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
        switch registration {
        case .none, .underWay: self = .pending
        case .registered: self = .succeeded
        case .failed: self = .failed
        case .subscriptionFailed: self = .subscriptionFailed
        }
    }
}

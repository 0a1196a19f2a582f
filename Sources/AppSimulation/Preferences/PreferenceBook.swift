public import PayloadJSON
import PushModel

/// The preferences of devices as a file keeps them: JSON, sorted, the same for the same settings. It does no I/O.
///
/// What somebody else has put into the file stays there.
public struct PreferenceBook: Sendable {
    /// Of the form of the file.
    static let version: Int64 = 1

    /// By the names of devices.
    public private(set) var devices: [String: DevicePreferences]
    /// The text that it was read from, which has what is not known here.
    private let original: [UInt8]
    private var changed: Set<String> = []

    /// Why a file is none of these.
    public struct Failure: Error, Sendable, Equatable {
        /// One line in plain words.
        public var message: String
        /// Where in the file.
        public var position: TextPosition
    }

    /// No devices.
    public init() {
        devices = [:]
        original = Array("{}".utf8)
    }

    /// Reads a file.
    public init(parsing text: [UInt8]) throws(Failure) {
        devices = try PreferenceBookReader.read(text)
        original = text
    }

    /// The preferences of a device; nil when the file does not have it.
    public subscript(_ device: String) -> DevicePreferences? { devices[device] }

    /// Takes over the preferences of a device.
    public mutating func set(_ preferences: DevicePreferences, of device: String) {
        devices[device] = preferences
        changed.insert(device)
    }

    /// What preferences make of a push. A device that the file does not have, has none: everything is delivered to it.
    public func decision(device: String, about type: NotificationType?) -> PreferenceDecision {
        devices[device]?.decision(about: type) ?? .delivered
    }

    /// The text of the file, with a line feed at its end.
    package func serialized() throws -> [UInt8] {
        try original.withUnsafeBytes { try serialized(over: $0) }
    }

    private func serialized(over text: UnsafeRawBufferPointer) throws(JSONTree.Failure) -> [UInt8] {
        var tree = try JSONTree(parsing: text)
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
        if case .failed(let reason) = device.registration {
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
            try tree.set(JSONTree(account.primaryWiki), at: place + "/primaryWiki")
            try tree.makeObject(at: place + "/wikis")
            for (wiki, types) in account.typesOn.sorted(by: { $0.key < $1.key }) {
                let place = join(place + "/wikis", wiki)
                try tree.makeObject(at: place)
                try tree.set(list(types), at: place + "/on")
            }
        }
    }

    private static func join(_ place: String, _ name: String) -> String { place + "/" + JSONPointer.escape(name) }

    private static func list(_ types: Set<NotificationType>) throws(JSONTree.Failure) -> JSONTree {
        var text = ByteBuffer()
        text.append(UInt8(ascii: "["))
        for (index, type) in types.sorted().enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.appendJSONString(type.name)
        }
        text.append(UInt8(ascii: "]"))
        return try JSONTree(parsing: text.bytes)
    }
}

/// A registration as the file calls it.
enum RegistrationName: String, CaseIterable {
    case none
    case underWay = "under-way"
    case registered, failed

    init(_ registration: PushRegistration) {
        switch registration {
        case .none: self = .none
        case .underWay: self = .underWay
        case .registered: self = .registered
        case .failed: self = .failed
        }
    }
}

extension JSONTree {
    /// Sees to it that there is an object; one that is there stays as it is.
    fileprivate mutating func makeObject(at place: String) throws(Failure) {
        if !has(place) { try set(JSONTree.object(), at: place) }
    }
}

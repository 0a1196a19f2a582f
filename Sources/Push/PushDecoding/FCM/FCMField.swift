package import PayloadJSON
import PushSystem

/// A message type of FCM v1 and of the types that it uses.
///
/// Sources: Firebase, REST Resource: projects.messages, and Method: projects.messages.send; the discovery document of
/// the API, revision of 2026, for `android_v2` and its types.
package enum FCMObject: UInt8, Sendable, CaseIterable {
    case request, message, notification, fcmOptions
    case android, androidNotification, androidOptions, lightSettings, color
    case androidV2, remoteNotification, backgroundSync, notificationV2, lightSettingsV2
    case webpush, webpushOptions
    case apns, apnsOptions

    /// Google's name of the type.
    package var typeName: StaticString {
        switch self {
        case .request: "google.firebase.fcm.v1.SendMessageRequest"
        case .message: "google.firebase.fcm.v1.Message"
        case .notification: "google.firebase.fcm.v1.Notification"
        case .fcmOptions: "google.firebase.fcm.v1.FcmOptions"
        case .android: "google.firebase.fcm.v1.AndroidConfig"
        case .androidNotification: "google.firebase.fcm.v1.AndroidNotification"
        case .androidOptions: "google.firebase.fcm.v1.AndroidFcmOptions"
        case .lightSettings: "google.firebase.fcm.v1.LightSettings"
        case .color: "google.type.Color"
        case .androidV2: "google.firebase.fcm.v1.AndroidConfigV2"
        case .remoteNotification: "google.firebase.fcm.v1.AndroidRemoteNotification"
        case .backgroundSync: "google.firebase.fcm.v1.AndroidBackgroundSyncMessage"
        case .notificationV2: "google.firebase.fcm.v1.AndroidNotificationV2"
        case .lightSettingsV2: "google.firebase.fcm.v1.AndroidNotificationV2.LightSettings"
        case .webpush: "google.firebase.fcm.v1.WebpushConfig"
        case .webpushOptions: "google.firebase.fcm.v1.WebpushFcmOptions"
        case .apns: "google.firebase.fcm.v1.ApnsConfig"
        case .apnsOptions: "google.firebase.fcm.v1.ApnsFcmOptions"
        }
    }
}

/// An enumeration of FCM v1.
package enum FCMEnumeration: UInt8, Sendable, CaseIterable {
    case messagePriority, notificationPriority, visibility, proxy

    /// Google's name of the type.
    package var typeName: StaticString {
        switch self {
        case .messagePriority: "google.firebase.fcm.v1.AndroidConfig.AndroidMessagePriority"
        case .notificationPriority: "google.firebase.fcm.v1.AndroidNotification.NotificationPriority"
        case .visibility: "google.firebase.fcm.v1.AndroidNotification.Visibility"
        case .proxy: "google.firebase.fcm.v1.AndroidNotification.Proxy"
        }
    }

    /// The names of its values, in the order of their numbers from 0.
    package var names: [StaticString] {
        switch self {
        case .messagePriority: ["NORMAL", "HIGH"]
        case .notificationPriority:
            [
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
                "PRIORITY_MAX",
            ]
        case .visibility: ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]
        case .proxy: ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]
        }
    }

    /// The name of a value, which is written as its name in any case, or as its number; in capitals. Source: ProtoJSON Format.
    func name(of value: JSONView) -> String? {
        let text = value.string?.string
        guard let number = value.int64 ?? text.flatMap({ Int64($0) }) else { return text?.uppercased() }
        return Int(exactly: number).flatMap { names.indices.contains($0) ? names[$0].description : nil }
    }
}

/// The type of a field's value. A repeated field has an array of such values.
package enum FCMType: Sendable, Hashable {
    case string, bool, int32, float
    /// Seconds with up to nine decimals, and `s`.
    case duration
    /// RFC 3339.
    case timestamp
    case enumeration(FCMEnumeration)
    case message(FCMObject)
    /// An object whose values are strings.
    case stringMap
    /// An object with anything in it: `google.protobuf.Struct`.
    case structure
}

/// The decoder's use of a field, besides checking its value.
enum FCMPart: UInt8, Sendable {
    case none, message, validateOnly
    case token, fid, topic, condition
    case data, notification, android, androidV2, apns, webpush
    case androidNotification, androidData, timeToLive, collapseKey, packageName, color
    case apnsHeaders, apnsPayload
}

/// A field of an FCM v1 request. The decoder and the linter read the same table.
package struct FCMField: Sendable {
    /// The type that has the field.
    package let object: FCMObject
    /// In snake_case. proto3's JSON mapping also takes it in lowerCamelCase.
    package let name: StaticString
    /// The type of its value, or of each of them.
    package let type: FCMType
    package let isRepeated: Bool
    let part: FCMPart

    private init(
        _ object: FCMObject, _ name: StaticString, _ type: FCMType, isRepeated: Bool = false, _ part: FCMPart = .none
    ) {
        self.object = object
        self.name = name
        self.type = type
        self.isRepeated = isRepeated
        self.part = part
    }

    /// The name in lowerCamelCase: `collapseKey` for `collapse_key`.
    package var camelName: String {
        var camel = ""
        var isUpper = false
        for character in name.description {
            if character == "_" {
                isUpper = true
            } else {
                camel += isUpper ? character.uppercased() : String(character)
                isUpper = false
            }
        }
        return camel
    }

    /// The fields of a type, in the order of the table.
    package static func all(of object: FCMObject) -> [FCMField] { table.filter { $0.object == object } }

    /// Every field of every type.
    package static let table = rows + rows.compactMap(\.inV2)

    /// The same field of a notification of `android_v2`, or of its light; nil for those that only `android` has.
    private var inV2: FCMField? {
        switch (object, name.description) {
        case (.androidNotification, "proxy"), (.androidNotification, "bypass_proxy_notification"): nil
        case (.androidNotification, "light_settings"): FCMField(.notificationV2, name, .message(.lightSettingsV2))
        case (.androidNotification, _): FCMField(.notificationV2, name, type, isRepeated: isRepeated)
        case (.lightSettings, _): FCMField(.lightSettingsV2, name, type)
        default: nil
        }
    }

    /// All fields but those that a notification of `android_v2` has as one of `android` has them. Sources: see `FCMObject`.
    private static let rows: [FCMField] = [
        FCMField(.request, "message", .message(.message), .message),
        FCMField(.request, "validate_only", .bool, .validateOnly),

        FCMField(.message, "name", .string),
        FCMField(.message, "token", .string, .token),
        FCMField(.message, "fid", .string, .fid),
        FCMField(.message, "topic", .string, .topic),
        FCMField(.message, "condition", .string, .condition),
        FCMField(.message, "data", .stringMap, .data),
        FCMField(.message, "notification", .message(.notification), .notification),
        FCMField(.message, "android", .message(.android), .android),
        FCMField(.message, "android_v2", .message(.androidV2), .androidV2),
        FCMField(.message, "webpush", .message(.webpush), .webpush),
        FCMField(.message, "apns", .message(.apns), .apns),
        FCMField(.message, "fcm_options", .message(.fcmOptions)),

        FCMField(.notification, "title", .string),
        FCMField(.notification, "body", .string),
        FCMField(.notification, "image", .string),

        FCMField(.fcmOptions, "analytics_label", .string),

        FCMField(.android, "collapse_key", .string, .collapseKey),
        FCMField(.android, "priority", .enumeration(.messagePriority)),
        FCMField(.android, "ttl", .duration, .timeToLive),
        FCMField(.android, "restricted_package_name", .string, .packageName),
        FCMField(.android, "data", .stringMap, .androidData),
        FCMField(.android, "notification", .message(.androidNotification), .androidNotification),
        FCMField(.android, "fcm_options", .message(.androidOptions)),
        FCMField(.android, "direct_boot_ok", .bool),
        FCMField(.android, "bandwidth_constrained_ok", .bool),
        FCMField(.android, "restricted_satellite_ok", .bool),

        FCMField(.androidNotification, "title", .string),
        FCMField(.androidNotification, "body", .string),
        FCMField(.androidNotification, "icon", .string),
        FCMField(.androidNotification, "color", .string, .color),
        FCMField(.androidNotification, "sound", .string),
        FCMField(.androidNotification, "tag", .string),
        FCMField(.androidNotification, "click_action", .string),
        FCMField(.androidNotification, "body_loc_key", .string),
        FCMField(.androidNotification, "body_loc_args", .string, isRepeated: true),
        FCMField(.androidNotification, "title_loc_key", .string),
        FCMField(.androidNotification, "title_loc_args", .string, isRepeated: true),
        FCMField(.androidNotification, "channel_id", .string),
        FCMField(.androidNotification, "ticker", .string),
        FCMField(.androidNotification, "sticky", .bool),
        FCMField(.androidNotification, "event_time", .timestamp),
        FCMField(.androidNotification, "local_only", .bool),
        FCMField(.androidNotification, "notification_priority", .enumeration(.notificationPriority)),
        FCMField(.androidNotification, "default_sound", .bool),
        FCMField(.androidNotification, "default_vibrate_timings", .bool),
        FCMField(.androidNotification, "default_light_settings", .bool),
        FCMField(.androidNotification, "vibrate_timings", .duration, isRepeated: true),
        FCMField(.androidNotification, "visibility", .enumeration(.visibility)),
        FCMField(.androidNotification, "notification_count", .int32),
        FCMField(.androidNotification, "light_settings", .message(.lightSettings)),
        FCMField(.androidNotification, "image", .string),
        FCMField(.androidNotification, "proxy", .enumeration(.proxy)),
        FCMField(.androidNotification, "bypass_proxy_notification", .bool),

        FCMField(.androidOptions, "analytics_label", .string),

        FCMField(.lightSettings, "color", .message(.color)),
        FCMField(.lightSettings, "light_on_duration", .duration),
        FCMField(.lightSettings, "light_off_duration", .duration),

        FCMField(.color, "red", .float),
        FCMField(.color, "green", .float),
        FCMField(.color, "blue", .float),
        FCMField(.color, "alpha", .float),

        FCMField(.androidV2, "collapse_key", .string),
        FCMField(.androidV2, "ttl", .duration),
        FCMField(.androidV2, "restricted_package_name", .string),
        FCMField(.androidV2, "data", .stringMap),
        FCMField(.androidV2, "fcm_options", .message(.androidOptions)),
        FCMField(.androidV2, "direct_boot_ok", .bool),
        FCMField(.androidV2, "bandwidth_constrained_ok", .bool),
        FCMField(.androidV2, "restricted_satellite_ok", .bool),
        FCMField(.androidV2, "remote_notification", .message(.remoteNotification)),
        FCMField(.androidV2, "background_sync", .message(.backgroundSync)),

        FCMField(.remoteNotification, "notification", .message(.notificationV2)),
        FCMField(.remoteNotification, "mutable_content", .bool),
        FCMField(.remoteNotification, "use_as_v1_data_message", .bool),

        FCMField(.notificationV2, "id", .int32),

        FCMField(.webpush, "headers", .stringMap),
        FCMField(.webpush, "data", .stringMap),
        FCMField(.webpush, "notification", .structure),
        FCMField(.webpush, "fcm_options", .message(.webpushOptions)),

        FCMField(.webpushOptions, "link", .string),
        FCMField(.webpushOptions, "analytics_label", .string),

        FCMField(.apns, "headers", .stringMap, .apnsHeaders),
        FCMField(.apns, "payload", .structure, .apnsPayload),
        FCMField(.apns, "fcm_options", .message(.apnsOptions)),
        FCMField(.apns, "live_activity_token", .string),

        FCMField(.apnsOptions, "analytics_label", .string),
        FCMField(.apnsOptions, "image", .string),
    ]
}

/// Finds a field by the type that has it and one of its two spellings.
///
///     "collapseKey" in an AndroidConfig
///     → hash of the type, the length, and the first, middle and last byte
///     → slot with this type, this length and these bytes → row of FCMField.table
///
/// A slot that is taken is passed over for the next one. There is one index, made at first use and never freed: a
/// lookup neither allocates nor counts references, because every FCM message makes a dozen.
@safe  // SOUND: owns its memory, which only `init` writes, before anyone else sees it, and which is never freed.
package struct FCMFieldIndex: @unchecked Sendable {
    /// A spelling of a field's name. Without a start the slot is free.
    @safe  // SOUND: its bytes are those of a name, which are never freed.
    private struct Spelling {
        var start: UnsafePointer<UInt8>?
        var count: UInt8 = 0
        var object: UInt8 = 0
        var row: UInt8 = 0
    }

    private static let size = 512
    private let slots: UnsafePointer<Spelling>
    private let fields: UnsafePointer<FCMField>

    /// The index over `FCMField.table`.
    package static let shared = FCMFieldIndex()

    private init() {
        // SOUND: every slot and every field is initialized before it is read, and nothing is freed.
        let slots = UnsafeMutablePointer<Spelling>.allocate(capacity: Self.size)
        unsafe slots.initialize(repeating: Spelling(), count: Self.size)
        let fields = UnsafeMutablePointer<FCMField>.allocate(capacity: FCMField.table.count)
        for (row, field) in FCMField.table.enumerated() {
            unsafe (fields + row).initialize(to: field)
            let names = Set([field.name.description, field.camelName])
            for name in names.sorted() {
                let bytes = Array(name.utf8)
                let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
                for (offset, byte) in bytes.enumerated() { unsafe (copy + offset).initialize(to: byte) }
                var slot = unsafe Self.slot(of: copy, count: bytes.count, in: field.object)
                while unsafe slots[slot].start != nil { slot = (slot + 1) % Self.size }
                unsafe slots[slot] = unsafe Spelling(
                    start: copy, count: UInt8(bytes.count), object: field.object.rawValue, row: UInt8(row))
            }
        }
        unsafe self.slots = unsafe UnsafePointer(slots)
        unsafe self.fields = unsafe UnsafePointer(fields)
    }

    /// - Parameter count: at least 1.
    @inline(__always)
    private static func slot(of start: UnsafePointer<UInt8>, count: Int, in object: FCMObject) -> Int {
        // SOUND: every offset is below `count`.
        let bytes = unsafe UInt32(start[0]) | UInt32(start[count >> 1]) << 8 | UInt32(start[count - 1]) << 16
        let word = (bytes | UInt32(truncatingIfNeeded: count) << 24) ^ UInt32(object.rawValue) &* 0x0101_0101
        return Int((word &* 0x9E37_79B1) >> 23)
    }

    /// The field with this name in either spelling; nil if the type has none.
    @inline(__always)
    package func field(_ key: JSONString, of object: FCMObject) -> FCMField? {
        // SOUND: the bytes are those of the key.
        if key.hasEscapes { return escapedField(key, of: object) }
        let text = key.raw
        return unsafe field(text.start, count: text.count, of: object)
    }

    @inline(never)
    private func escapedField(_ key: JSONString, of object: FCMObject) -> FCMField? {
        // SOUND: the bytes live until the closure returns.
        unsafe key.decodedBytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.flatMap { unsafe field($0, count: bytes.count, of: object) }
        }
    }

    @inline(__always)
    private func field(_ start: UnsafePointer<UInt8>, count: Int, of object: FCMObject) -> FCMField? {
        // SOUND: a slot's count is compared before its bytes are, and its row is one of the table.
        guard count > 0 else { return nil }
        var slot = unsafe Self.slot(of: start, count: count, in: object)
        while true {
            let spelling = unsafe slots[slot]
            guard let name = unsafe spelling.start else { return nil }
            if Int(spelling.count) == count, spelling.object == object.rawValue,
                unsafe Memory.isEqual(name, start, count: count)
            {
                return unsafe fields[Int(spelling.row)]
            }
            slot = (slot + 1) & (Self.size - 1)
        }
    }
}

package import PushJSON
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
    /// The name in snake_case. proto3's JSON mapping also takes it in lowerCamelCase.
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

    /// The field as a notification of `android_v2`, or its light, has it; nil for those that only `android` has.
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

/// Which JSON values FCM's parser takes for a type.
///
/// Source: Protocol Buffers, ProtoJSON Format. Where the parsers of protocol buffers differ, this is the format's own
/// rule: a boolean is `true` or `false`, and no string.
package enum FCMValue {
    /// True if a value that is neither null nor part of an array is one of this type. Says nothing of the values in an
    /// object.
    static func isValid(_ value: JSONView, _ type: FCMType) -> Bool {
        switch type {
        case .string: value.kind == .string
        case .bool: value.kind == .true || value.kind == .false
        case .message, .stringMap, .structure: value.isObject
        case .int32: isInt32(value)
        case .float: isFloat(value)
        case .duration: durationFault(value) == nil
        case .timestamp: timestampFault(value) == nil
        case .enumeration(let enumeration): isValue(value, of: enumeration)
        }
    }

    // MARK: - Numbers

    /// A whole number of 32 bits in any spelling, or a string that holds one.
    private static func isInt32(_ value: JSONView) -> Bool {
        number(value).map { $0 == $0.rounded() && abs($0) <= 2_147_483_648 && $0 != 2_147_483_648 } ?? false
    }

    private static func isFloat(_ value: JSONView) -> Bool {
        if let text = value.string, text == "NaN" || text == "Infinity" || text == "-Infinity" { return true }
        return number(value).map { abs($0) <= Double(Float.greatestFiniteMagnitude) } ?? false
    }

    /// The number, or that in a string; nil if it is none, or beyond a double.
    static func number(_ value: JSONView) -> Double? {
        if let string = value.string {
            let text = string.string
            // A number of JSON, and nothing that only Swift reads as one.
            guard text.utf8.allSatisfy({ $0 &- 48 < 10 || "+-.eE".utf8.contains($0) }),
                text.utf8.first != UInt8(ascii: "+")
            else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        return value.double
    }

    // MARK: - Durations

    /// The largest number of seconds in a `google.protobuf.Duration`.
    private static let longest: UInt64 = 315_576_000_000

    /// Why a value is no duration, in the words of Google's parser; nil if it is one.
    static func durationFault(_ value: JSONView) -> StaticString? {
        guard let string = value.string else { return "Invalid data type for duration, value is " }
        return string.withDecoded(durationFault)
    }

    private static func durationFault(_ text: BorrowedText) -> StaticString? {
        // SOUND: reads only through the buffer's own iterator.
        guard unsafe text.buffer.last == UInt8(ascii: "s") else {
            return "Illegal duration format; duration must end with 's'"
        }
        var digits = unsafe text.buffer.dropLast()
        if unsafe digits.first == UInt8(ascii: "-") { unsafe digits = digits.dropFirst() }
        var seconds: UInt64 = 0
        var isEmpty = true
        var decimals: Int?
        var bytes = unsafe digits.makeIterator()
        while let byte = unsafe bytes.next() {
            if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else if byte &- UInt8(ascii: "0") >= 10 {
                return decimals == nil
                    ? "Invalid duration format, failed to parse seconds"
                    : "Invalid duration format, failed to parse nano seconds"
            } else if let count = decimals {
                decimals = count + 1
            } else {
                isEmpty = false
                seconds = min(seconds * 10 + UInt64(byte - UInt8(ascii: "0")), longest + 1)
            }
        }
        if isEmpty { return "Invalid duration format, failed to parse seconds" }
        if let decimals, !(1...9).contains(decimals) { return "Invalid duration format, failed to parse nano seconds" }
        return seconds > longest ? "Duration value exceeds limits" : nil
    }

    /// True if a duration is below zero. `-0s` is not.
    package static func isNegative(_ value: JSONView) -> Bool {
        // SOUND: the bytes live as long as the value.
        value.string?.withDecoded { text in
            unsafe text.buffer.first == UInt8(ascii: "-")
                && text.buffer.contains { $0 &- UInt8(ascii: "1") < 9 }
        } ?? false
    }

    /// True if a duration is from zero to a number of whole seconds.
    package static func isDuration(_ value: JSONView, upTo limit: Int64) -> Bool {
        guard let string = value.string, !isNegative(value) else { return false }
        return string.withDecoded { isDuration($0, upTo: limit) }
    }

    private static func isDuration(_ text: BorrowedText, upTo limit: Int64) -> Bool {
        // SOUND: reads only through the buffer's own iterator.
        var seconds: Int64 = 0
        var isFraction = false
        var bytes = unsafe text.buffer.makeIterator()
        while let byte = unsafe bytes.next() {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte &- UInt8(ascii: "0") < 10 {
                if isFraction {
                    // The limit and a fraction of a second are over it.
                    if seconds == limit, byte != UInt8(ascii: "0") { return false }
                } else {
                    seconds = seconds * 10 + Int64(byte - UInt8(ascii: "0"))
                    if seconds > limit { return false }
                }
            }
        }
        return true
    }

    // MARK: - Times

    /// Why a value is no time, in the words of Google's parser; nil if it is one.
    static func timestampFault(_ value: JSONView) -> StaticString? {
        guard let text = value.string?.string else { return "Invalid data type for timestamp, value is " }
        let decimals = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first?
            .prefix { $0 &- 48 < 10 }
        let isSeparated = text.utf8.dropFirst(10).first.map { $0 | 0x20 == UInt8(ascii: "t") } ?? false
        if isSeparated, EventTime.milliseconds(text) != nil, decimals?.count ?? 0 <= 9 { return nil }
        let hasZone = text.utf8.last.map { $0 | 0x20 == UInt8(ascii: "z") } ?? false
        let time = text.split(separator: "T", maxSplits: 1).dropFirst().first ?? ""
        return hasZone || time.contains("+") || time.contains("-")
            ? "Invalid time format: "
            : "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
    }

    // MARK: - Enumerations

    /// A value's name, whatever its case and with `-` for `_`, as FCM's samples write priorities in lower case; or a
    /// number of 32 bits, of a value that the receiver need not know. A string may hold the number of a value.
    private static func isValue(_ value: JSONView, of enumeration: FCMEnumeration) -> Bool {
        guard let string = value.string else { return value.kind == .number && isInt32(value) }
        let names = enumeration.names
        if string.withDecoded({ isName($0, among: names) }) { return true }
        return number(value).map { $0 == $0.rounded() && $0 >= 0 && $0 < Double(names.count) } ?? false
    }

    private static func isName(_ text: BorrowedText, among names: [StaticString]) -> Bool {
        // SOUND: the name has as many bytes as are compared.
        for name in names where text.count == name.utf8CodeUnitCount {
            var index = 0
            while index < text.count {
                let byte = unsafe text.start[index]
                let upper = byte &- UInt8(ascii: "a") < 26 ? byte & 0xDF : byte == UInt8(ascii: "-") ? 0x5F : byte
                if unsafe upper != name.utf8Start[index] { break }
                index += 1
            }
            if index == text.count, index > 0 { return true }
        }
        return false
    }

    /// True if it has the form `#rrggbb`.
    package static func isColor(_ value: JSONView) -> Bool {
        // SOUND: the text has seven bytes.
        value.string?.withDecoded { text in
            unsafe text.count == 7 && text.start[0] == UInt8(ascii: "#")
                && text.buffer.dropFirst().allSatisfy { $0.hexadecimalDigit != nil }
        } ?? false
    }
}

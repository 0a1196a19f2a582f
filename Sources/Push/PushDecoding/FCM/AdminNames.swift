package import PayloadJSON
import PushSystem

/// The names and units of the Node.js Admin SDK that differ from those of FCM v1, which it writes in their place.
///
/// Source: firebase-admin-node, `messaging-internal.ts`. The other SDKs have objects of their languages, which nobody writes as JSON.
package enum AdminNames {
    /// How the SDK writes a value.
    private enum Form {
        case asWritten
        /// `high` → `PRIORITY_HIGH`.
        case priority
        /// `1500` → `1.500000000s`.
        case milliseconds
        case listOfMilliseconds
        /// `#rrggbb` or `#rrggbbaa` → `google.type.Color`.
        case color

        /// True if the SDK takes the value.
        func fits(_ value: JSONView) -> Bool {
            switch self {
            case .asWritten: true
            case .priority: value.isString
            case .milliseconds: value.double.map { $0 >= 0 && $0 <= longest } ?? false
            case .listOfMilliseconds: value.kind == .array && value.elements.allSatisfy(Form.milliseconds.fits)
            case .color: components(of: value) != nil
            }
        }

        /// Milliseconds that a duration can have.
        private var longest: Double { 315_576_000_000_000 }

        /// - Precondition: it fits.
        func write(_ value: JSONView, to out: inout ByteBuffer) {
            switch self {
            case .asWritten: out.append(value.text)
            case .priority: out.appendJSONString("PRIORITY_" + (value.string?.string ?? "").uppercased())
            case .milliseconds: out.appendJSONString(duration(value))
            case .listOfMilliseconds:
                let durations = value.elements.map { "\"\(duration($0))\"" }
                out.appendText("[\(durations.joined(separator: ","))]")
            case .color:
                out.append("{")
                let names: [StaticString] = ["red", "green", "blue", "alpha"]
                for (name, component) in zip(names, components(of: value) ?? []) {
                    out.appendMemberName(name)
                    out.appendText("\(Double(component) / 255)")
                }
                out.append("}")
            }
        }

        private func duration(_ value: JSONView) -> String {
            let milliseconds = Int64(value.double ?? 0)
            let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
            if rest == 0 { return "\(seconds)s" }
            let digits = "\(rest)"
            return "\(seconds).\(String(repeating: "0", count: 3 - digits.count))\(digits)000000s"
        }

        private func components(of value: JSONView) -> [UInt8]? {
            guard let digits = value.string?.decodedBytes, digits.first == UInt8(ascii: "#"),
                digits.count == 7 || digits.count == 9
            else { return nil }
            let nibbles = digits.dropFirst().compactMap(\.hexadecimalDigit)
            guard nibbles.count == digits.count - 1 else { return nil }
            let bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
            return bytes.count == 3 ? bytes + [255] : bytes
        }
    }

    private struct Row {
        let object: FCMObject
        let name: StaticString
        let field: StaticString
        let form: Form

        init(_ object: FCMObject, _ name: StaticString, _ field: StaticString, _ form: Form = .asWritten) {
            self.object = object
            self.name = name
            self.field = field
            self.form = form
        }
    }

    private static let table = [
        Row(.notification, "imageUrl", "image"),
        Row(.android, "ttl", "ttl", .milliseconds),
        Row(.androidNotification, "imageUrl", "image"),
        Row(.androidNotification, "eventTimestamp", "event_time"),
        Row(.androidNotification, "priority", "notification_priority", .priority),
        Row(.androidNotification, "vibrateTimingsMillis", "vibrate_timings", .listOfMilliseconds),
        Row(.lightSettings, "lightOnDurationMillis", "light_on_duration", .milliseconds),
        Row(.lightSettings, "lightOffDurationMillis", "light_off_duration", .milliseconds),
        Row(.lightSettings, "color", "color", .color),
        Row(.apnsOptions, "imageUrl", "image"),
    ]

    private static func row(_ object: FCMObject, _ key: JSONString, _ value: JSONView) -> Row? {
        table.first { $0.object == object && key == $0.name && $0.form.fits(value) }
    }

    /// True if the SDK writes something else for what FCM's parser would not read.
    static func takes(_ violation: FCMViolation) -> Bool {
        guard let key = violation.key else { return false }
        return row(violation.object, key, violation.value) != nil
    }

    // MARK: - Payloads for APNs

    /// True if `apns.payload` has members with the SDK's names.
    package static func areIn(payload: JSONView) -> Bool {
        var out = ByteBuffer()
        var writer = Writer()
        writer.write(payload: payload, to: &out)
        return writer.hasRenamed
    }

    private static let apsNames: [(StaticString, StaticString)] = [
        ("contentAvailable", "content-available"), ("mutableContent", "mutable-content"), ("threadId", "thread-id"),
    ]
    private static let alertNames: [(StaticString, StaticString)] = [
        ("locKey", "loc-key"), ("locArgs", "loc-args"), ("titleLocKey", "title-loc-key"),
        ("titleLocArgs", "title-loc-args"), ("subtitleLocKey", "subtitle-loc-key"),
        ("subtitleLocArgs", "subtitle-loc-args"), ("actionLocKey", "action-loc-key"), ("launchImage", "launch-image"),
    ]
    /// Members that are 1 or missing, and true or false for the SDK.
    private static let flags: [StaticString] = ["content-available", "mutable-content", "critical"]

    // MARK: - Writing

    /// Writes a message as the SDK sends it.
    struct Writer {
        /// True if something differs from what is written.
        private(set) var hasRenamed = false

        mutating func write(
            _ object: JSONView, as type: FCMObject, to out: inout ByteBuffer,
            where isWanted: (JSONString, JSONView) -> Bool = { _, _ in true }
        ) {
            out.append("{")
            for (key, value) in object.members where isWanted(key, value) {
                if let row = row(type, key, value) {
                    hasRenamed = true
                    out.appendMemberName(row.field)
                    row.form.write(value, to: &out)
                    continue
                }
                if value.isObject, type == .apns, key == "payload" {
                    out.appendMemberName(key)
                    write(payload: value, to: &out)
                } else if value.isObject, case .message(let inner)? = FCMFieldIndex.shared.field(key, of: type)?.type {
                    out.appendMemberName(key)
                    write(value, as: inner, to: &out)
                } else {
                    out.appendMember(key, value)
                }
            }
            out.append("}")
        }

        mutating func write(payload: JSONView, to out: inout ByteBuffer) {
            out.append("{")
            for (key, value) in payload.members {
                if key == "aps", value.isObject {
                    out.appendMemberName(key)
                    write(value, names: apsNames, to: &out)
                } else {
                    out.appendMember(key, value)
                }
            }
            out.append("}")
        }

        /// Writes `aps`, its alert, or its sound.
        private mutating func write(
            _ object: JSONView, names: [(StaticString, StaticString)], to out: inout ByteBuffer
        ) {
            out.append("{")
            for (key, value) in object.members {
                let name = names.first { key == $0.0 }?.1
                let isFlag = flags.contains { key == $0 || name?.description == $0.description }
                let isBoolean = value.kind == .true || value.kind == .false
                if name != nil || (isFlag && isBoolean) { hasRenamed = true }
                if isFlag, value.kind == .false { continue }
                if let name { out.appendMemberName(name) } else { out.appendMemberName(key) }
                if isFlag, value.kind == .true {
                    out.append("1")
                } else if value.isObject, key == "alert" || key == "sound" {
                    write(value, names: key == "alert" ? alertNames : [], to: &out)
                } else {
                    out.append(value.text)
                }
            }
            out.append("}")
        }
    }
}

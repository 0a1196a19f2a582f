package import PushJSON
import PushModel
import PushSystem

/// A message of an Admin SDK as a record of its own: what an FCM v1 request has under `message`. With `tokens` or `fids` in place
/// of a target it is a multicast message, which the SDK sends once for each of them.
///
/// Source: firebase-admin-node, `messaging-api.ts`, `sendEachForMulticast` in `messaging.ts`.
struct BareMessage {
    private let root: JSONView
    private let message: FCMMessage
    /// The targets of a multicast message.
    private let lists: [(name: StaticString, list: JSONView)]

    init(_ root: JSONView) {
        self.root = root
        message = FCMMessage(bare: root)
        let names: [StaticString] = message.hasNoTarget ? ["tokens", "fids"] : []
        lists = names.compactMap { name in root[name].flatMap { $0.kind == .array ? (name, $0) : nil } }
    }

    /// True for the targets of a multicast message.
    static func isList(_ key: JSONString, _ value: JSONView) -> Bool {
        (key == "tokens" || key == "fids") && value.kind == .array
    }

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let first = batch.messageCount
        var origin = origin
        if !lists.isEmpty { origin.impliesTarget = true }
        let decodeFailure: DecodeFailure?
        // What FCM refuses is pointed at where it is written.
        if message.violations.isEmpty, !lists.isEmpty || hasOtherNames {
            decodeFailure = decoder.decodeDerived(origin, as: .fcm, into: &batch) { out in compose(into: &out) }
        } else {
            var message = message
            decodeFailure = decoder.decodeFCM(root, &message, in: root, at: "", origin, into: &batch)
        }
        guard decodeFailure == nil, batch.messageCount > first else { return decodeFailure }
        let finding = Finding(
            rule: "fcm.bare-message", severity: .info, pointer: "",
            message: lists.isEmpty
                ? "a message for an Admin SDK; over HTTP, it belongs in an object under message"
                : "a multicast message for an Admin SDK, which sends one HTTP request per target")
        batch.report(finding, message: first)
        return lists.isEmpty ? nil : spread(origin, by: &decoder, into: &batch)
    }

    /// Replaces the last message by one for each target.
    private func spread(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let first = batch.messageCount - 1
        var message = batch.removeLast()
        message.isTopicOfTarget = !message.topic.isEmpty
        for (name, list) in lists {
            for (position, target) in list.elements.enumerated() {
                message.device = decoder.text(of: target, in: &batch)
                batch.append(message)
                guard !target.isString || !RegistrationToken.isPlausible(message.device) else { continue }
                batch.reject(
                    .invalidArgument, pointer: "/\(name)/\(position)", "the target is malformed",
                    message: batch.messageCount - 1)
            }
        }
        if batch.messageCount > first { return nil }
        batch.removeMessages(from: first)
        return DecodeFailure(.nothingToSend, "the multicast message has no targets", at: root)
    }

    // MARK: - As the SDK sends it

    private var hasOtherNames: Bool {
        var out = ByteBuffer()
        var writer = AdminNames.Writer()
        writer.write(root, as: .message, to: &out)
        return writer.hasRenamed
    }

    /// `{"message":{…}}` without the targets of a multicast message.
    private func compose(into out: inout ByteBuffer) {
        out.appendObject { out in
            var writer = AdminNames.Writer()
            out.appendMemberName("message")
            writer.write(root, as: .message, to: &out) { key, value in
                !(key == "provider" || Self.isList(key, value))
            }
        }
    }
}

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
                out.appendObject { out in
                    let names: [StaticString] = ["red", "green", "blue", "alpha"]
                    for (name, component) in zip(names, components(of: value) ?? []) {
                        out.appendMemberName(name)
                        out.appendText("\(Double(component) / 255)")
                    }
                }
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
                let bytes = Hexadecimal.bytes(digits.dropFirst())
            else { return nil }
            return bytes.count == 3 ? bytes + [255] : bytes.count == 4 ? bytes : nil
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
            out.appendObject { out in
                for (key, value) in object.members where isWanted(key, value) {
                    if let row = row(type, key, value) {
                        hasRenamed = true
                        out.appendMemberName(row.field)
                        row.form.write(value, to: &out)
                    } else if value.isObject, type == .apns, key == "payload" {
                        out.appendMemberName(key)
                        write(payload: value, to: &out)
                    } else if value.isObject,
                        case .message(let inner)? = FCMFieldIndex.shared.field(key, of: type)?.type
                    {
                        out.appendMemberName(key)
                        write(value, as: inner, to: &out)
                    } else {
                        out.appendMember(key, value)
                    }
                }
            }
        }

        mutating func write(payload: JSONView, to out: inout ByteBuffer) {
            out.appendObject { out in
                for (key, value) in payload.members {
                    if key == "aps", value.isObject {
                        out.appendMemberName(key)
                        write(value, names: apsNames, to: &out)
                    } else {
                        out.appendMember(key, value)
                    }
                }
            }
        }

        /// Writes `aps`, its alert, or its sound.
        private mutating func write(
            _ object: JSONView, names: [(StaticString, StaticString)], to out: inout ByteBuffer
        ) {
            out.appendObject { out in
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
            }
        }
    }
}

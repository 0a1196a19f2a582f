package import PayloadJSON
import PushModel

/// An FCM v1 message: the fields that the decoder reads, and what FCM's parser refuses in any field.
///
/// One walk over the message's tape, by the table of `FCMField`.
package struct FCMMessage {
    /// Four weeks in seconds. Source: FCM v1, `AndroidConfig.ttl`.
    static let maximumTimeToLive: Int64 = 2_419_200

    /// The violations that FCM's parser finds, in the order of the text.
    package private(set) var violations: [FCMViolation] = []

    private(set) var topic: JSONView?
    private(set) var condition: JSONView?
    private(set) var data: JSONView?
    private(set) var notification: JSONView?
    private(set) var android: JSONView?
    private(set) var androidV2: JSONView?
    private(set) var webpush: JSONView?
    private(set) var apns: JSONView?
    private(set) var androidNotification: JSONView?
    private(set) var androidData: JSONView?
    private(set) var packageName: JSONView?
    private(set) var collapseKey: JSONView?
    private(set) var timeToLive: JSONView?
    private(set) var apnsHeaders: JSONView?
    private(set) var isDryRun = false
    /// True if `failure` has seen a name in `data` that `DataKeys` advises against.
    private(set) var hasDiscouragedKeys = false
    private var registration: JSONView?
    private var installation: JSONView?
    private var color: JSONView?
    private var payload: JSONView?

    /// Reads the message of a request.
    ///
    /// - Parameters:
    ///   - request: `{"message":{…},"validate_only":…}`.
    ///   - isRecord: true if the request stands in a record of its own, which may name its `provider`.
    package init(request: JSONView, isRecord: Bool) {
        read(request, as: .request, FCMFieldIndex.shared)
        guard isRecord, !violations.isEmpty else { return }
        violations.removeAll {
            $0.problem == .unknownName && $0.object == .request && $0.key.map { $0 == "provider" } ?? false
        }
    }

    /// Reads a message of an Admin SDK, which stands in a record of its own, without a request around it.
    package init(bare message: JSONView) {
        read(message, as: .message, FCMFieldIndex.shared)
        guard !violations.isEmpty else { return }
        let isMulticast = hasNoTarget
        violations.removeAll { violation in
            if AdminNames.takes(violation) { return true }
            guard violation.problem == .unknownName, violation.object == .message, let key = violation.key else {
                return false
            }
            return key == "provider" || (isMulticast && BareMessage.isList(key, violation.value))
        }
    }

    init(_ message: JSONView) { read(message, as: .message, FCMFieldIndex.shared) }

    /// The registration token, or the installation id in its place.
    var token: JSONView? { registration ?? installation }

    /// `apns.live_activity_token`: the token of a Live Activity, or the one that starts activities.
    var liveActivityToken: JSONView? { apns.flatMap { $0["live_activity_token"] ?? $0["liveActivityToken"] } }

    /// The address of the picture for an Apple device: `apns.fcm_options.image`, which overrides that of the common notification.
    /// Source: Firebase, REST Resource: projects.messages, `ApnsFcmOptions`.
    var appleImage: JSONView? {
        func isGiven(_ image: JSONView) -> Bool { image.string.map { $0.count > 0 } ?? false }
        let options = apns.flatMap { $0["fcm_options"] ?? $0["fcmOptions"] }
        return [options?["image"], notification?["image"]].compactMap(\.self).first(where: isGiven)
    }

    var webHeaders: JSONView? { webpush?["headers"].flatMap { $0.isObject ? $0 : nil } }

    var webNotification: JSONView? { webpush?["notification"].flatMap { $0.isObject ? $0 : nil } }

    var webData: JSONView? { webpush?["data"].flatMap { $0.isObject ? $0 : nil } }

    var apnsPayload: JSONView? { payload.flatMap { $0.isObject ? $0 : nil } }

    /// The parts of which FCM makes a payload for APNs.
    var derivedParts: DerivedParts {
        DerivedParts(notification: notification, data: data, payload: apnsPayload, image: appleImage)
    }

    /// True if it names no target: its origin implies one.
    var hasNoTarget: Bool { registration == nil && installation == nil && topic == nil && condition == nil }

    // MARK: - Walk

    private mutating func read(_ object: JSONView, as type: FCMObject, _ index: FCMFieldIndex) {
        for (key, value) in object.members {
            guard let field = index.field(key, of: type) else {
                refuse(FCMViolation(.unknownName, type, nil, key, value, in: object))
                continue
            }
            // Source: ProtoJSON Format; null is an absent field of any type.
            if value.kind == .null { continue }
            if field.part != .none { note(field, key, value, in: object) }
            switch field.type {
            case _ where field.isRepeated: readElements(of: value, field, key, in: object)
            case .string where value.kind == .string: break
            case .message(let inner) where value.isObject: read(value, as: inner, index)
            case .stringMap where value.isObject: readValues(of: value, field)
            case let type where FCMValue.isValid(value, type): break
            default: refuse(FCMViolation(.wrongValue, field.object, field, key, value, in: object))
            }
        }
    }

    /// An array of values; null is none of them.
    private mutating func readElements(of value: JSONView, _ field: FCMField, _ key: JSONString, in object: JSONView) {
        guard value.kind == .array else {
            return refuse(FCMViolation(.wrongValue, field.object, field, key, value, in: object))
        }
        for element in value.elements where !FCMValue.isValid(element, field.type) {
            refuse(FCMViolation(.wrongElement, field.object, field, nil, element, in: value))
        }
    }

    /// The values of a map, which are strings and never null.
    private mutating func readValues(of map: JSONView, _ field: FCMField) {
        for (key, value) in map.members {
            if value.kind != .string { refuse(FCMViolation(.wrongMapValue, field.object, field, key, value, in: map)) }
        }
    }

    @inline(never)
    private mutating func refuse(_ violation: FCMViolation) {
        if violations.count < FCMViolation.maximum { violations.append(violation) }
    }

    @inline(__always)
    private mutating func note(_ field: FCMField, _ key: JSONString, _ value: JSONView, in object: JSONView) {
        switch field.part {
        case .none, .message: break
        case .validateOnly: isDryRun = value.kind == .true
        case .token:
            claimTarget(registration == nil, field, key, value, in: object)
            registration = value
        case .fid:
            claimTarget(installation == nil, field, key, value, in: object)
            installation = value
        case .topic:
            claimTarget(topic == nil, field, key, value, in: object)
            topic = value
        case .condition:
            claimTarget(condition == nil, field, key, value, in: object)
            condition = value
        case .data: data = value
        case .notification: notification = value
        case .android: android = value
        case .androidV2: androidV2 = value
        case .apns: apns = value
        case .webpush: webpush = value
        case .androidNotification: androidNotification = value
        case .androidData: androidData = value
        case .timeToLive: timeToLive = value
        case .collapseKey: collapseKey = value
        case .packageName: packageName = value
        case .color: color = value
        case .apnsHeaders: apnsHeaders = value
        case .apnsPayload: payload = value
        }
    }

    /// The four targets are one `oneof`. The same name twice is left to the note about duplicate names.
    private mutating func claimTarget(
        _ isFirst: Bool, _ field: FCMField, _ key: JSONString, _ value: JSONView, in object: JSONView
    ) {
        if isFirst, !hasNoTarget { refuse(FCMViolation(.secondTarget, .message, field, key, value, in: object)) }
    }

    // MARK: - Beyond types

    /// Why FCM refuses a message that its parser has read.
    struct Failure {
        /// JSON Pointer into the message.
        var pointer: String
        var message: String
        /// FCM's own words, where they are known.
        var detail: Finding.Detail?

        init(_ pointer: String, _ message: String, _ detail: Finding.Detail? = nil) {
            self.pointer = pointer
            self.message = message
            self.detail = detail
        }
    }

    /// The first reason for which FCM answers INVALID_ARGUMENT to a message that its parser has read.
    /// Sources: FCM v1 `projects.messages`, `ErrorCode`.
    ///
    /// - Parameter message: the object that has been read.
    mutating func failure(in message: JSONView, impliesTarget: Bool, device: BorrowedText) -> Failure? {
        if hasNoTarget, !impliesTarget {
            return Failure(
                "", "exactly one of token, topic and condition must be given", FCMSentence.detail(.noTarget))
        }
        return targetFailure(device) ?? dataFailure(in: data, at: "/data")
            ?? dataFailure(in: androidData, at: "/android/data") ?? androidFailure() ?? failureOfV2(in: message)
    }

    private func targetFailure(_ device: BorrowedText) -> Failure? {
        if token != nil, !RegistrationToken.isPlausible(device) {
            guard registration != nil else { return Failure("/fid", "the installation id is malformed") }
            return Failure(
                "/token", "the registration token is malformed", FCMSentence.detail(.malformedToken))
        }
        if let topic, !(topic.string.map(TopicName.isValid) ?? false) {
            return Failure(
                "/topic",
                "a topic name is made of 1 to \(TopicName.maximumBytes) letters, digits and -_.~%, without /topics/")
        }
        if let condition, !(condition.string.map(TopicCondition.isValid) ?? false) {
            return Failure("/condition", TopicCondition.rule)
        }
        return nil
    }

    private mutating func dataFailure(in object: JSONView?, at pointer: StaticString) -> Failure? {
        guard let object else { return nil }
        for (key, _) in object.members where DataKeys.isReserved(key, by: .gcm) {
            guard DataKeys.isReserved(key, by: .fcm) else {
                hasDiscouragedKeys = true
                continue
            }
            let name = key.string
            return Failure(
                "\(pointer)/\(JSONPointer.escape(name))", "the name \"\(name)\" is reserved",
                FCMSentence.detail(.reservedKey, name, at: "message" + pointer.description.replacing("/", with: ".")))
        }
        return nil
    }

    /// A finding for each name in `data` that `DataKeys` advises against, with JSON Pointers into the message.
    func discouragedKeys() -> [Finding] {
        [
            (data, "/data"), (androidData, "/android/data"),
            (androidV2.flatMap { AndroidV2($0).data }, "/android_v2/data"),
        ].flatMap { object, pointer in
            (object?.members.filter { DataKeys.isDiscouraged($0.key) } ?? []).map { key, _ in
                Finding(
                    rule: DataKeys.discouragedRule, severity: .warning,
                    pointer: "\(pointer)/\(JSONPointer.escape(key.string))",
                    message: DataKeys.advice(against: key.string))
            }
        }
    }

    private func androidFailure() -> Failure? {
        Self.timeToLiveFailure(timeToLive, at: "/android/ttl")
            ?? Self.colorFailure(color, at: "/android/notification/color")
    }

    private static func timeToLiveFailure(_ value: JSONView?, at pointer: String) -> Failure? {
        guard let value, !FCMValue.isDuration(value, upTo: maximumTimeToLive) else { return nil }
        return Failure(pointer, "must be seconds from 0 to 2419200s, four weeks")
    }

    private static func colorFailure(_ value: JSONView?, at pointer: String) -> Failure? {
        guard let value, !FCMValue.isColor(value) else { return nil }
        return Failure(pointer, "must be #rrggbb")
    }

    /// The same for `android_v2`. That FCM checks its values like those of `android` is not confirmed.
    private mutating func failureOfV2(in message: JSONView) -> Failure? {
        guard let block = androidV2 else { return nil }
        let android = AndroidV2(block)
        let color = android.notification?["color"].flatMap { $0.kind == .null ? nil : $0 }
        let name = "/android_v2"
        let found =
            dataFailure(in: android.data, at: "/android_v2/data")
            ?? Self.timeToLiveFailure(android.timeToLive, at: name + "/ttl")
            ?? Self.colorFailure(color, at: color.map { name + block.pointer(to: $0.index) } ?? "")
        guard var failure = found else { return nil }
        // As the message spells it.
        failure.pointer = message.pointer(to: block.index) + failure.pointer.dropFirst(name.utf8.count)
        return failure
    }

    /// True if `android.ttl` is in the range that FCM takes.
    package static func isTimeToLive(_ value: JSONView) -> Bool {
        FCMValue.durationFault(value) == nil && FCMValue.isDuration(value, upTo: maximumTimeToLive)
    }
}

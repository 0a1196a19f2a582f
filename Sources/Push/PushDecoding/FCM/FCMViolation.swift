package import PushJSON
package import PushModel

/// A place in a request where FCM's parser refuses it. Valid as long as the request's view is.
package struct FCMViolation {
    /// The most that are kept for one request.
    static let maximum = Finding.maximumPerRecord / 2

    package enum Problem: Sendable {
        /// The type has no such field.
        case unknownName
        case wrongValue
        /// A value in an array is wrong.
        case wrongElement
        case wrongMapValue
        /// A second one of token, fid, topic and condition.
        case secondTarget
    }

    /// A violation as `google.rpc.BadRequest` writes it.
    package struct Field: Sendable, Equatable {
        /// Names of protocol buffers with dots between them: `message.data[0].value`. Empty for the request itself.
        package var path: String
        package var description: String
    }

    package let problem: Problem
    /// The type that has the field, or lacks it.
    package let object: FCMObject
    /// Nil for an unknown name.
    package let field: FCMField?
    /// The name as written; nil for a value in an array.
    package let key: JSONString?
    package let value: JSONView
    /// The object or array with the value.
    package let parent: JSONView

    @inline(never)
    init(
        _ problem: Problem, _ object: FCMObject, _ field: FCMField?, _ key: JSONString?, _ value: JSONView,
        in parent: JSONView
    ) {
        self.problem = problem
        self.object = object
        self.field = field
        self.key = key
        self.value = value
        self.parent = parent
    }

    /// JSON Pointer into the request, to the value. For a second target, to the message.
    func pointer(in request: JSONView) -> String {
        request.pointer(to: problem == .secondTarget ? parent.index : value.index)
    }
}

/// The words of Google's parser.
///
/// Sources: Firebase, "FCM error codes", has the form with `TYPE_STRING`. Observed of FCM: unknown names
/// (firebase-admin-node issue 2180, sygnal pull request 387), several joined (sylk-pushserver issue 16), an array in the
/// place of one value (firebase-php issue 341), an object in the place of a string (firebase_cloud_messenger issue 15), a
/// number for a boolean (firebase-admin-python issue 369), two targets (laravel-notification-channels/fcm issue 43).
/// Observed of other services of Google with the same parser: durations (magic-modules pull request 9400), times
/// (cloud-custodian pull request 7629), enumerations (AiNiee issue 746). The rest are the words of the parser's published
/// ancestor, `protostream_objectwriter.cc` in protocolbuffers/protobuf; that FCM's uses them is not confirmed.
extension FCMViolation {
    /// The longest value that is quoted, in characters.
    private static let longestValue = 256

    /// The part of FCM's answer about it: one violation, or one for each member of an object that stands for a scalar.
    ///
    /// - Parameter type: `message` if the record is a message without a request around it, which FCM would see.
    func fields(in request: JSONView, as type: FCMObject = .request) -> [Field] {
        switch problem {
        case .unknownName:
            return [Self.unknown(key?.string ?? "", at: path(to: parent, in: request, type), "Cannot find field.")]
        case .secondTarget:
            let path = path(to: parent, in: request, type)
            let name = key?.string ?? ""
            return [
                Self.invalid(path, "oneof", "oneof field 'target' is already set. Cannot set '\(name)'")
            ]
        case .wrongValue, .wrongElement, .wrongMapValue:
            return wrongValue(at: path(to: value, in: request, type), in: path(to: parent, in: request, type))
        }
    }

    /// - Parameter outer: the path of the object or array with the value.
    private func wrongValue(at path: String, in outer: String) -> [Field] {
        let name = key?.string ?? field?.name.description ?? ""
        guard let field else { return [] }
        if value.kind == .array, !(field.isRepeated && problem == .wrongValue) {
            if problem == .wrongMapValue {
                return [Self.invalid(path, "Map", "Cannot have repeated items ('\(name)') within a map.")]
            }
            if field.type == .stringMap {
                return [Self.invalid(outer, "Map", "Cannot bind a list to map for field '\(name)'.")]
            }
            return [Self.unknown(name, at: outer, "Proto field is not repeating, cannot start list.")]
        }
        let type = problem == .wrongMapValue ? FCMType.string : field.type
        if value.isObject, type.isScalar {
            var found: [Field] = []
            var members = value.members
            while found.count < Self.maximum, let (key, _) = members.next() {
                found.append(Self.unknown(key.string, at: path, "Cannot find field."))
            }
            if !found.isEmpty { return found }
        }
        return [Self.invalid(path, type.wireName(of: field), reason(type, name))]
    }

    private func reason(_ type: FCMType, _ name: String) -> String {
        switch type {
        case .duration: "Field '\(name)', \(FCMValue.durationFault(value) ?? "")\(value.isString ? "" : quotedValue)"
        case .timestamp:
            "Field '\(name)', \(FCMValue.timestampFault(value) ?? "")"
                + (FCMValue.timestampFault(value)?.description.hasSuffix(" ") ?? false ? bareValue : "")
        default: quotedValue
        }
    }

    /// The value as the parser writes it: a string in quotes, with its escapes resolved.
    private var quotedValue: String { value.isString ? "\"\(bareValue)\"" : bareValue }

    private var bareValue: String {
        let text = value.string?.string ?? value.text.string
        return text.count > Self.longestValue ? text.prefix(Self.longestValue) + "…" : text
    }

    /// A description without the value that it quotes; nil for one that quotes none, or quotes it in quotation marks only.
    package static func hidingValue(in description: String) -> String? {
        guard description.hasPrefix("Invalid value at '") else { return nil }
        // Paths and types have neither a bracket nor a comma.
        let parts = description.split(separator: "), ", maxSplits: 1)
        return parts.count == 2 ? parts[0] + "), …" : nil
    }

    private static func unknown(_ name: String, at path: String, _ why: String) -> Field {
        let place = path.isEmpty ? "" : " at '\(path)'"
        let name = name.count > longestValue ? name.prefix(longestValue) + "…" : name
        return Field(path: path, description: "Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(why)")
    }

    private static func invalid(_ path: String, _ type: String, _ value: String) -> Field {
        Field(path: path, description: "Invalid value at '\(path)' (\(type)), \(value)")
    }

    /// The path of a value in the names of protocol buffers: as far as the names are known.
    private func path(to place: JSONView, in request: JSONView, _ root: FCMObject) -> String {
        var path = root == .message ? "message" : ""
        var view = request
        var type = root
        while view.index < place.index, let (field, value) = Self.member(of: view, type, around: place.index) {
            path += (path.isEmpty ? "" : ".") + field.name.description
            guard value.index < place.index else { return path }
            switch field.type {
            case .message(let inner) where !field.isRepeated:
                view = value
                type = inner
            case .stringMap: return path + "[\(Self.position(of: place.index, in: value))].value"
            default: return value.kind == .array ? path + "[\(Self.position(of: place.index, in: value))]" : path
            }
        }
        return path
    }

    private static func member(
        of object: JSONView, _ type: FCMObject, around index: Int
    ) -> (field: FCMField, value: JSONView)? {
        object.members.first { index < $0.value.endIndex }.flatMap { key, value in
            FCMFieldIndex.shared.field(key, of: type).map { ($0, value) }
        }
    }

    /// The position of the member or element around an entry.
    private static func position(of index: Int, in value: JSONView) -> Int {
        var position = 0
        var members = value.members
        while let (_, value) = members.next(), value.endIndex <= index { position += 1 }
        var elements = value.elements
        while let element = elements.next(), element.endIndex <= index { position += 1 }
        return position
    }
}

extension FCMType {
    /// True if its value is neither a message nor a map.
    fileprivate var isScalar: Bool {
        switch self {
        case .message, .stringMap, .structure: false
        default: true
        }
    }

    /// The type as the parser names it.
    package func wireName(of field: FCMField) -> String {
        func url(_ name: StaticString) -> String { "type.googleapis.com/\(name)" }
        return switch self {
        case .string: "TYPE_STRING"
        case .bool: "TYPE_BOOL"
        case .int32: "TYPE_INT32"
        case .float: "TYPE_FLOAT"
        case .duration: url("google.protobuf.Duration")
        case .timestamp: url("google.protobuf.Timestamp")
        case .structure: url("google.protobuf.Struct")
        case .enumeration(let enumeration): url(enumeration.typeName)
        case .message(let object): url(object.typeName)
        case .stringMap:
            url(field.object.typeName) + "." + field.camelName.prefix(1).uppercased() + field.camelName.dropFirst()
                + "Entry"
        }
    }
}

/// A sentence of FCM about a message that its parser has read and that it refuses.
///
/// `run` has them in its report's `answer`, and `serve` in the bodies of its answers. Only published ones are here; where two
/// texts were published for one cause, it is the newer one.
package struct FCMSentence: Sendable {
    /// The path of the field in FCM's answer; empty if it names none.
    package let field: StaticString
    /// The sentence, which the name that it is about follows, if there is one.
    package let text: StaticString
    /// The page on which somebody has published it.
    package let source: StaticString

    private init(at field: StaticString, _ text: StaticString, _ source: StaticString) {
        self.field = field
        self.text = text
        self.source = source
    }

    static let noTarget = FCMSentence(at: "message", "Recipient of the message is not set.", "pushiko, FCM responses")
    static let malformedToken = FCMSentence(
        at: "message.token", "The registration token is not a valid FCM registration token",
        "firebase-admin-dotnet issue 45")
    /// That its field is this one is not confirmed.
    static let reservedKey = FCMSentence(at: "message.data", "Invalid data payload key: ", "firebase-php issue 574")
    /// That its field is this one is not confirmed.
    static let collapseID = FCMSentence(
        at: "message.apns.headers", "The length of [apns-collapse-id] header must not exceed [64] bytes.",
        "ha-llmvision issue 545")
    /// Also beside a notification for all platforms. That its field is this one is not confirmed.
    static let noAps = FCMSentence(
        at: "message.apns.payload", "Payload of Apple Push Notification Service must contain an [aps] key.",
        "firebase-admin-dotnet issue 323, fcm-cloudflare-workers issue 10")
    /// An empty object does not get it here: that FCM still refuses one is not confirmed. That its field is this one is not confirmed either.
    static let apsNotDictionary = FCMSentence(
        at: "message.apns.payload.aps", "Value of [aps] must be a non-empty dictionary.",
        "firebase-admin-dotnet issue 39")
    /// The name of the key and its type follow.
    static let apsType = FCMSentence(
        at: "message.apns.payload.aps", "Value type for APS key ", "async-firebase pull request 5")
    /// About a push that APNs does not take for the app's token. That its field is this one is not confirmed.
    static let invalidToken = FCMSentence(
        at: "message.token", "Invalid registration token",
        "firebase-ios-sdk issue 4605, firebase-php issue 700, firebase-admin-node issue 1224, firebase-admin-java issue 607"
    )
    /// Since 2026, in logs of four public projects. Before, it was "Android message is too big" or "iOS message is too big"
    /// (firebase-admin-go issue 580). For one to a browser none is published.
    package static let tooBig = FCMSentence(
        at: "", "Message is too large. The maximum is 4K (4096 bytes).", "reown-com/push-server pull request 346")

    package static let table = [
        noTarget, malformedToken, reservedKey, collapseID, noAps, apsNotDictionary, apsType, invalidToken,
        tooBig,
    ]

    /// The sentence as a finding has it.
    ///
    /// - Parameter name: the name that it is about; empty for none.
    package func detail(_ name: String = "", at field: String? = nil) -> Finding.Detail {
        .fcmError(field: field ?? self.field.description, description: text.description + name)
    }
}

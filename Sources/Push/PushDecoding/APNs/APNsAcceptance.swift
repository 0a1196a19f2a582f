import CBlockScan
package import PayloadJSON
package import PushModel
import PushSystem

/// APNs' reasons for rejecting a push, in the order in which the emulator checks.
///
/// Apple documents the reasons but not their order. This is the order of pushy's mock server, where it has one.
package enum APNsAcceptance {
    /// In bytes, not characters. Source: Apple, "Sending notification requests to APNs".
    package static let maximumCollapseIDBytes = 64

    /// A rejection and the message of its finding.
    private struct Refusal {
        var rejection: Rejection
        var pointer: String
        var text: String?

        init(_ rejection: Rejection, at pointer: String, _ text: String? = nil) {
            self.rejection = rejection
            self.pointer = pointer
            self.text = text
        }
    }

    /// Drops what the binary interface cannot carry: everything but expiration and priority.
    /// Source: Apple (archived), "Binary Provider API".
    static func dropHeaders(of message: UnsafeMutablePointer<DecodedMessage>) {
        // SOUND: the caller keeps the message in place during the call.
        unsafe message.pointee.headers.id = nil
        unsafe message.pointee.headers.collapseID = nil
        unsafe message.pointee.headers.channelID = nil
        unsafe message.pointee.headers.pushTypeText = nil
        unsafe message.pointee.headers.isRequest = false
    }

    /// - Parameter isBinary: true if every message goes through the binary interface.
    @inline(__always)
    static func check(_ index: Int, isBinary: Bool, in batch: inout MessageBatch) {
        // SOUND: the batch has a message at `index`, which stays in place because nothing is appended here.
        guard let base = unsafe batch.messages.baseAddress else { return }
        // Read in place: a message is too large to copy.
        let message = unsafe UnsafePointer(base + index)
        if let id = unsafe message.pointee.headers.id, uuidIsLowercase(id) == false {
            let finding = unsafe Finding(
                rule: "apns.id-uppercase", severity: .warning, pointer: pointer(to: .id, of: message.pointee),
                message: "Apple defines the UUID in lower case; whether APNs accepts upper case is not documented")
            batch.report(finding, message: index)
        }
        if let refusal = unsafe refusal(message) {
            // Moodle's form of 2013 was sent through the binary interface, which its limit shows.
            let isBinary =
                unsafe isBinary
                || message.pointee.byteLimit == Budget.apnsBinary.bytes && message.pointee.gateway == .moodle
            let rejection = isBinary ? refusal.rejection.overBinaryInterface ?? refusal.rejection : refusal.rejection
            batch.reject(rejection, pointer: refusal.pointer, refusal.text, message: index)
        }
    }

    /// Inlined with the check, because a call costs as much as what most messages need.
    @inline(__always)
    private static func refusal(_ message: UnsafePointer<DecodedMessage>) -> Refusal? {
        // SOUND: the caller's message stays in place during the call.
        func header(_ header: APNsHeader) -> String {
            // SOUND: the message stays in place during the call.
            unsafe Self.pointer(to: header, of: message.pointee)
        }
        func place() -> String {
            // SOUND: the message stays in place during the call.
            unsafe message.pointee.place.string
        }
        func payload() -> String {
            // SOUND: the message stays in place during the call.
            unsafe "\(place())\(message.pointee.payloadPointer)"
        }

        if let id = unsafe message.pointee.headers.id, uuidIsLowercase(id) == nil,
            // The path comes before everything else, as in `serve`.
            unsafe message.pointee.headers.rejection != .badPath || !message.pointee.headers.isRequest
        {
            return Refusal(.badMessageId, at: header(.id))
        }
        if unsafe message.pointee.headers.isRequest {
            if let rejection = unsafe message.pointee.headers.rejection {
                return Refusal(rejection, at: rejection == .badPath ? header(.path) : place() + "/headers")
            }
            if let channel = unsafe message.pointee.headers.channelID {
                if let refusal = unsafe broadcastRefusal(message, channel) { return refusal }
            } else if unsafe message.pointee.topic.isEmpty {
                return Refusal(.missingTopic, at: place())
            }
        }
        if let wrong = unsafe wrongValue(message) {
            return Refusal(wrong.rejection, at: header(wrong.header), wrong.text)
        }
        if unsafe mayHaveSuffix(message.pointee.topic), let text = unsafe mismatch(message) {
            return Refusal(.invalidPushType, at: header(.pushType), text)
        }
        if unsafe message.pointee.headers.isTargetNamed {
            if unsafe message.pointee.device.isEmpty {
                return unsafe Refusal(.missingDeviceToken, at: device(of: message.pointee))
            }
            // A token that decoding did not see is looked at here.
            if unsafe !message.pointee.headers.hasHexadecimalToken,
                unsafe !DeviceToken.isHexadecimalBytes(message.pointee.device)
            {
                return unsafe Refusal(
                    .badDeviceToken, at: device(of: message.pointee),
                    "a device token is an even number of hexadecimal digits")
            }
        }
        if unsafe message.pointee.payload.isEmpty { return Refusal(.payloadEmpty, at: payload()) }
        let (count, limit) = unsafe (message.pointee.byteCount, message.pointee.byteLimit)
        if count > limit {
            return Refusal(
                .payloadTooLarge, at: payload(), "the payload has \(count) bytes, \(limit) are allowed")
        }
        return nil
    }

    /// A header that APNs refuses for its value, and the message of the finding, if it says more than the rejection.
    package typealias WrongValue = (rejection: Rejection, header: APNsHeader, text: String?)

    /// The first header that APNs refuses for its value, `apns-id` included, in a push that FCM hands on to APNs.
    static func refusedHeader(_ message: DecodedMessage) -> WrongValue? {
        // SOUND: the message lives until the call returns.
        unsafe refusal(of: message.headers.id, in: .id) ?? withUnsafePointer(to: message) { unsafe wrongValue($0) }
    }

    @inline(__always)
    private static func wrongValue(_ message: UnsafePointer<DecodedMessage>) -> WrongValue? {
        // SOUND: the caller's message stays in place during the call.
        if let wrong = unsafe refusal(of: message.pointee.headers.collapseID, in: .collapseID) { return wrong }
        if let wrong = unsafe refusal(of: message.pointee.headers.priority, in: .priority) { return wrong }
        if let wrong = unsafe refusal(of: message.pointee.headers.expiration, in: .expiration) { return wrong }
        guard unsafe message.pointee.headers.pushType == nil else { return nil }
        return unsafe refusal(of: message.pointee.headers.pushTypeText, in: .pushType)
    }

    /// The refusal of a header's value; nil for one that APNs takes, and for a header that is missing.
    @inline(__always)
    package static func refusal(of value: BorrowedText?, in header: APNsHeader) -> WrongValue? {
        // SOUND: the bytes of the value are alive during the call.
        guard let value else { return nil }
        return switch header {
        case .collapseID where value.count > maximumCollapseIDBytes:
            (.badCollapseId, header, "the collapse id has \(value.count) bytes, \(maximumCollapseIDBytes) are allowed")
        case .priority where !(value == "10" || value == "5" || value == "1"):
            (.badPriority, header, "apns-priority is \"\(value.string)\"; 10, 5 and 1 are allowed")
        case .expiration where unsafe JSONNumber.int64(value.buffer) == nil: (.badExpirationDate, header, nil)
        case .pushType where PushType(wireName: value) == nil:
            (.invalidPushType, header, "apns-push-type is \"\(value.string)\", which is not one of Apple's values")
        case .id where uuidIsLowercase(value) == nil: (.badMessageId, header, nil)
        default: nil
        }
    }

    /// True if a topic ends as the suffix of a push type does. Nearly all topics do not, and their last four bytes tell.
    @inline(__always)
    static func mayHaveSuffix(_ topic: BorrowedText) -> Bool {
        guard topic.count > 4 else { return false }
        // SOUND: the topic has at least four bytes.
        let end = unsafe UnsafeRawPointer(topic.start + (topic.count - 4)).loadUnaligned(as: UInt32.self)
        return switch UInt32(bigEndian: end) {
        // tion, rols, gets, ider, vity, uery, -ptt, voip
        case 0x7469_6F6E, 0x726F_6C73, 0x6765_7473, 0x6964_6572, 0x7669_7479, 0x7565_7279, 0x2D70_7474, 0x766F_6970:
            true
        default: false
        }
    }

    /// The fault of a topic that has the suffix of another push type; nil if it has none.
    ///
    /// A `.voip` topic with the types alert and background is `InvalidPushType`, and without a type it is accepted (AndrewBarba/apns2, issue 23;
    /// Pr0Ger/PyAPNs2, issue 87; sideshow/apns2, issue 149). That the other suffixes and types are refused alike is UNCONFIRMED. A topic without
    /// a suffix that its type needs is accepted: no answer to it is known.
    @inline(never)
    private static func mismatch(_ message: UnsafePointer<DecodedMessage>) -> String? {
        // SOUND: the caller's message stays in place during the call.
        let topic = unsafe message.pointee.topic
        guard let type = unsafe message.pointee.headers.pushType, type != .mdm,
            unsafe message.pointee.headers.pushTypeText != nil, unsafe message.pointee.headers.channelID == nil,
            !hasSuffix(topic, of: type.row), let other = PushType.table.first(where: { hasSuffix(topic, of: $0) })
        else { return nil }
        let owner = other.wireName
        return
            "the topic ends with \(other.topicSuffix), which belongs to apns-push-type \(owner), not \(type.row.wireName)"
    }

    private static func hasSuffix(_ topic: BorrowedText, of row: PushType.Row) -> Bool {
        row.topicSuffix.utf8CodeUnitCount > 0 && topic.hasSuffix(row.topicSuffix)
    }

    /// The byte limit of a request. `DecodedMessage.byteLimit` is 0 when no gateway has set one.
    static func byteLimit(_ message: UnsafePointer<DecodedMessage>, forced: Budget?) -> Int {
        // SOUND: the caller keeps the message in place during the call.
        if let forced { return forced.bytes }
        if unsafe message.pointee.byteLimit != 0 { return unsafe message.pointee.byteLimit }
        if unsafe message.pointee.headers.pushType == .voip { return Budget.apnsVoIP.bytes }
        return unsafe message.pointee.headers.channelID != nil ? Budget.apnsBroadcast.bytes : Budget.apns.bytes
    }

    /// The further requirements of a broadcast. Apple requires an expiration and a priority, too, and does not document the answer
    /// to a request without them: it is accepted here. Sources: Apple, "Sending broadcast push notification requests
    /// to APNs" and "Handling error responses from Apple Push Notification service".
    @inline(never)
    private static func broadcastRefusal(
        _ message: UnsafePointer<DecodedMessage>, _ channel: BorrowedText
    ) -> Refusal? {
        // SOUND: the caller's message stays in place during the call.
        let headers = unsafe message.pointee.place.string + "/headers"
        if unsafe message.pointee.headers.hasBroadcastPath && message.pointee.topic.isEmpty {
            return unsafe Refusal(.badPath, at: pointer(to: .path, of: message.pointee), "the path names no app")
        }
        if channel.isEmpty { return Refusal(.missingChannelId, at: headers) }
        if !isBase64(channel) {
            return unsafe Refusal(.badChannelId, at: pointer(to: .channelID, of: message.pointee))
        }
        guard unsafe message.pointee.headers.pushTypeText != nil else { return Refusal(.missingPushType, at: headers) }
        if unsafe message.pointee.headers.pushType != .liveactivity {
            return unsafe Refusal(
                .invalidPushType, at: pointer(to: .pushType, of: message.pointee),
                "a broadcast has apns-push-type liveactivity")
        }
        let topic = unsafe message.pointee.topic
        if unsafe message.pointee.headers.hasBroadcastPath, PushType.table.contains(where: { hasSuffix(topic, of: $0) })
        {
            return Refusal(
                .topicDisallowed, at: headers, "the path of a broadcast has the bundle identifier, without a suffix")
        }
        return nil
    }

    /// True if a text may be the id of a channel.
    package static func isChannelID(_ text: String) -> Bool { BorrowedText.with(text) { isBase64($0) } }

    /// True for bytes in Base64, with or without padding. Apple documents no length.
    private static func isBase64(_ text: BorrowedText) -> Bool {
        // SOUND: the bytes live as long as the message.
        let bytes = unsafe text.buffer
        let padding = unsafe bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let digits = unsafe bytes.dropLast(padding)
        // One digit more than a multiple of four stands for no byte.
        return unsafe padding <= 2 && digits.count > 0 && digits.count % 4 != 1
            && digits.allSatisfy { byte in
                byte.isDigit || byte.isLetter || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            }
    }

    /// JSON Pointer to a header, by its name as written in the record.
    private static func pointer(to header: APNsHeader, of message: DecodedMessage) -> String {
        if message.gateway == .sns { return SNSAttributes.pointer(to: header, of: message) }
        let name = message.headers.text.withJSON { header.name(in: $0) } ?? header.name.description
        return message.place.string + "/headers/" + JSONPointer.escape(name)
    }

    /// JSON Pointer to the target, by its name in the request's format.
    private static func device(of message: DecodedMessage) -> String {
        switch message.gateway {
        case .airnotifier: message.place.string + "/token"
        case .wikimedia: message.place.string + "/deviceTokens/\(message.target ?? 0)"
        default:
            message.headers.isTargetInPath ? pointer(to: .path, of: message) : message.place.string + "/device"
        }
    }

    /// True if a text is a UUID of the form 8-4-4-4-12, in any case.
    package static func isUUID(_ text: String) -> Bool { BorrowedText.with(text) { uuidIsLowercase($0) != nil } }

    /// True if a canonical UUID, 8-4-4-4-12 hexadecimal digits, is in lower case; nil for any other text.
    private static func uuidIsLowercase(_ text: BorrowedText) -> Bool? {
        // SOUND: the text has as many bytes as are read.
        guard text.count == BLOCKSCAN_UUID_LENGTH else { return nil }
        let digits = unsafe blockscan_uuid(text.start)
        return digits == BLOCKSCAN_NOT_HEXADECIMAL ? nil : digits == BLOCKSCAN_HEXADECIMAL
    }
}

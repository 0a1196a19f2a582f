import CPushBlockScan
package import PushJSON
package import PushModel
import PushSystem

/// Checks messages against their budgets and their providers' rules.
package struct Acceptance: Sendable {
    private let forced: Budget?
    private let isBinary: Bool

    package init(budget: Budget?) {
        forced = budget
        isBinary = budget?.isBinaryInterface ?? false
    }

    /// Sets the verdict of the message at `index`, unless it has been rejected already.
    package func check(_ index: Int, in batch: inout MessageBatch) {
        switch batch[index].provider {
        case .apns:
            // A record that names the budget came over the binary interface, whatever the user forces. Moodle's form has none to force.
            let named = batch[index].byteLimit
            let isBinary =
                isBinary || named != 0 && batch[index].gateway == nil && Budget.isLimitOfBinaryInterface(named)
            batch[index].byteLimit = batch[index].limitOfAPNs(forced: forced)
            batch[index].byteCount = batch[index].payload.count
            guard case .accepted = batch[index].verdict else { return }
            if isBinary { APNsAcceptance.dropHeaders(&batch[index].headers) }
            APNsAcceptance.check(index, isBinary: isBinary, in: &batch)
        case .gcm: checkSize(index, .messageTooBig, in: &batch)
        case .fcm: checkSize(index, .invalidArgument, in: &batch)
        }
        if batch[index].isDryRun, case .accepted = batch[index].verdict {
            batch[index].verdict = .suppressed("dry-run")
        }
    }

    /// A message's size and limit in bytes at this point: a stage may still change both.
    ///
    /// For GCM and FCM, decoding computes the size and the limit. For APNs, a limit of 0 means that no gateway has set
    /// one.
    package func size(of message: DecodedMessage) -> (bytes: Int, limit: Int) {
        message.provider == .apns
            ? (message.payload.count, message.limitOfAPNs(forced: forced)) : (message.byteCount, message.byteLimit)
    }

    private func checkSize(_ index: Int, _ rejection: Rejection, in batch: inout MessageBatch) {
        guard batch[index].byteCount > batch[index].byteLimit else { return }
        var message = batch[index]
        guard case .accepted = message.verdict else { return }
        if message.isForTopic, message.provider == .fcm, forced == nil {
            if let finding = TopicSize.finding(message) {
                batch.report(finding, message: index)
                guard message.platform == .ios, !message.isDryRun else { return }
                batch[index].verdict = .suppressed(TopicSize.lost)
                return
            }
            message.byteLimit = Budget.fcm.bytes
            batch[index].byteLimit = message.byteLimit
        }
        batch.reject(
            rejection, pointer: message.payloadPath,
            "message of \(message.byteCount) bytes, over the limit of \(message.byteLimit)",
            detail: message.provider == .fcm ? FCMSentence.tooBig.detail() : nil, message: index)
    }
}

/// Sizes of FCM v1 messages to topics and conditions that FCM accepts.
///
/// Firebase documents 2,048 bytes for the `data` of such a message ("FCM error codes"), and senders report that more passes, so it is
/// advice. What goes to APNs may have 4,096 bytes. FCM answers 200 before it asks APNs, which refuses more: nothing arrives, and nobody
/// is told. Sources: binwiederhier/ntfy-android issue 186, invertase/react-native-firebase issue 5332.
package enum TopicSize {
    /// Why a message that FCM accepted does not reach an Apple device, as in reports.
    package static let lost: StaticString = "too-large-for-apns"

    /// Looks at what a message also has for devices of another kind than the one that its topic stands for.
    @inline(never)
    static func check(_ parts: DerivedParts, _ message: DecodedMessage, _ index: Int, in batch: inout MessageBatch) {
        guard message.platform == .ios else {
            guard parts.isLonger(than: Budget.apns.bytes) else { return }
            return batch.report(lostFinding(at: message.payloadPath), message: index)
        }
        let bytes = GoogleParts.countedBytes(parts.data) + GoogleParts.countedBytes(parts.notification)
        if bytes > Budget.fcm.bytes {
            batch.reject(
                .invalidArgument, pointer: message.payloadPath,
                "data and notification have \(bytes) bytes, over the limit of \(Budget.fcm.bytes)",
                detail: FCMSentence.tooBig.detail(), message: index)
        } else if GoogleParts.countedBytes(parts.data) > Budget.fcmTopic.bytes {
            let size = "data has \(GoogleParts.countedBytes(parts.data)) bytes"
            batch.report(overDocumented(size, at: message.payloadPath), message: index)
        }
    }

    /// The finding about a message over its limit that FCM accepts all the same; nil for one that it refuses.
    static func finding(_ message: DecodedMessage) -> Finding? {
        if message.platform == .ios { return lostFinding(at: message.payloadPath) }
        guard message.byteCount <= Budget.fcm.bytes else { return nil }
        return overDocumented("the message has \(message.byteCount) bytes", at: message.payloadPath)
    }

    /// The finding about what APNs refuses to take from FCM.
    package static func lostFinding(at pointer: String) -> Finding {
        Finding(
            rule: "fcm.topic-apns-size", severity: .error, pointer: pointer,
            message:
                "no Apple device receives the message: APNs accepts at most \(Budget.apns.bytes) bytes, and FCM does not report larger ones"
        )
    }

    /// True if a message to a topic does not reach Apple devices for its size. Other subscribers get it.
    package static func isLost(_ message: borrowing DecodedMessage) -> Bool {
        guard message.isForTopic, case .suppressed(let reason) = message.verdict else { return false }
        return reason.description == lost.description
    }

    private static func overDocumented(_ size: String, at pointer: String) -> Finding {
        Finding(
            rule: "fcm.topic-size", severity: .warning, pointer: pointer,
            message:
                "\(size); Firebase documents \(Budget.fcmTopic.bytes) for topics, but senders report that more passes")
    }
}

/// APNs' reasons for rejecting a push, in the order in which the emulator checks.
///
/// Apple documents the reasons but not their order. This is the order of pushy's mock server, where it has one.
package enum APNsAcceptance {
    /// The longest collapse id, in bytes and not characters. Source: Apple, "Sending notification requests to APNs".
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
    static func dropHeaders(_ headers: inout PushHeaders) {
        headers.id = nil
        headers.collapseID = nil
        headers.channelID = nil
        headers.pushTypeText = nil
        headers.isRequest = false
    }

    /// Reads the message in place, as what it calls does: it is too large to copy.
    ///
    /// - Parameter isBinary: true if every message goes through the binary interface.
    @inline(__always)
    static func check(_ index: Int, isBinary: Bool, in batch: inout MessageBatch) {
        if let id = batch[index].headers.id, uuidIsLowercase(id) == false {
            let finding = Finding(
                rule: "apns.id-uppercase", severity: .warning, pointer: pointer(to: .id, of: batch[index]),
                message: "Apple defines the UUID in lower case; it does not say whether APNs accepts upper case")
            batch.report(finding, message: index)
        }
        if let refusal = refusal(of: index, in: batch) {
            // Moodle's form of 2013 was sent through the binary interface, which its limit shows.
            let isBinary =
                isBinary || batch[index].byteLimit == Budget.apnsBinary.bytes && batch[index].gateway == .moodle
            let rejection = isBinary ? refusal.rejection.overBinaryInterface ?? refusal.rejection : refusal.rejection
            batch.reject(rejection, pointer: refusal.pointer, refusal.text, message: index)
        }
    }

    /// Inlined with the check, because a call costs as much as what most messages need.
    @inline(__always)
    private static func refusal(of index: Int, in batch: borrowing MessageBatch) -> Refusal? {
        if let id = batch[index].headers.id, uuidIsLowercase(id) == nil,
            // The path comes before everything else, as in `serve`.
            batch[index].headers.rejection != .badPath || !batch[index].headers.isRequest
        {
            return Refusal(.badMessageId, at: pointer(to: .id, of: batch[index]))
        }
        if batch[index].headers.isRequest {
            if let rejection = batch[index].headers.rejection {
                let isPath = rejection == .badPath
                return Refusal(
                    rejection, at: isPath ? pointer(to: .path, of: batch[index]) : pointerToHeaders(of: batch[index]))
            }
            if let channel = batch[index].headers.channelID {
                if let refusal = broadcastRefusal(batch[index], channel) { return refusal }
            } else if batch[index].topic.isEmpty {
                return Refusal(.missingTopic, at: batch[index].place.string)
            }
        }
        if let wrong = wrongValue(batch[index].headers) {
            return Refusal(wrong.rejection, at: pointer(to: wrong.header, of: batch[index]), wrong.text)
        }
        if mayHaveSuffix(batch[index].topic), let text = mismatch(batch[index]) {
            return Refusal(.invalidPushType, at: pointer(to: .pushType, of: batch[index]), text)
        }
        if batch[index].headers.isTargetNamed {
            if batch[index].device.isEmpty { return Refusal(.missingDeviceToken, at: device(of: batch[index])) }
            // A token that decoding did not see is looked at here. The digest of a redacted one stands for it.
            // SOUND: the buffer is of the device's name, which lives as long as the batch.
            if !batch[index].headers.hasHexadecimalToken, !DeviceToken.isHexadecimalBytes(batch[index].device),
                unsafe !SecretDigest.isDigest(batch[index].device.buffer)
            {
                return Refusal(
                    .badDeviceToken, at: device(of: batch[index]),
                    "a device token must be an even number of hexadecimal digits")
            }
        }
        if batch[index].payload.isEmpty { return Refusal(.payloadEmpty, at: batch[index].payloadPath) }
        let (count, limit) = (batch[index].byteCount, batch[index].byteLimit)
        guard count > limit else { return nil }
        return Refusal(
            .payloadTooLarge, at: batch[index].payloadPath,
            "payload of \(count) bytes, over the limit of \(limit)")
    }

    /// A header that APNs refuses for its value, and the message of the finding, if it says more than the rejection.
    package typealias WrongValue = (rejection: Rejection, header: APNsHeader, text: String?)

    /// The first header that APNs refuses for its value, `apns-id` included, in a push that FCM hands on to APNs.
    static func refusedHeader(_ message: DecodedMessage) -> WrongValue? {
        refusal(of: message.headers.id, in: .id) ?? wrongValue(message.headers)
    }

    @inline(__always)
    private static func wrongValue(_ headers: PushHeaders) -> WrongValue? {
        if let wrong = refusal(of: headers.collapseID, in: .collapseID) { return wrong }
        if let wrong = refusal(of: headers.priority, in: .priority) { return wrong }
        if let wrong = refusal(of: headers.expiration, in: .expiration) { return wrong }
        guard headers.pushType == nil else { return nil }
        return refusal(of: headers.pushTypeText, in: .pushType)
    }

    /// The refusal of a header's value; nil for one that APNs takes, and for a header that is missing.
    @inline(__always)
    package static func refusal(of value: BorrowedText?, in header: APNsHeader) -> WrongValue? {
        // SOUND: the bytes of the value are alive during the call.
        guard let value else { return nil }
        return switch header {
        case .collapseID where value.count > maximumCollapseIDBytes:
            (.badCollapseId, header, "collapse id of \(value.count) bytes, over the limit of \(maximumCollapseIDBytes)")
        case .priority where !(value == "10" || value == "5" || value == "1"):
            (.badPriority, header, "apns-priority is \"\(value.string)\", but only 10, 5 and 1 are allowed")
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
        // tion, rols, gets, ider, vity, uery, -ptt, voip, ying
        case 0x7469_6F6E, 0x726F_6C73, 0x6765_7473, 0x6964_6572, 0x7669_7479, 0x7565_7279, 0x2D70_7474, 0x766F_6970,
            0x7969_6E67:
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
    private static func mismatch(_ message: DecodedMessage) -> String? {
        let topic = message.topic
        guard let type = message.headers.pushType, type != .mdm, message.headers.pushTypeText != nil,
            message.headers.channelID == nil, !hasSuffix(topic, of: type.row),
            let other = PushType.table.first(where: { hasSuffix(topic, of: $0) })
        else { return nil }
        let owner = other.wireName
        return
            "the topic ends with \(other.topicSuffix), which belongs to apns-push-type \(owner), not \(type.row.wireName)"
    }

    private static func hasSuffix(_ topic: BorrowedText, of row: PushType.Row) -> Bool {
        row.topicSuffix.utf8CodeUnitCount > 0 && topic.hasSuffix(row.topicSuffix)
    }

    /// The further requirements of a broadcast. Apple requires an expiration and a priority, too, and does not document the answer
    /// to a request without them: it is accepted here. Sources: Apple, "Sending broadcast push notification requests
    /// to APNs" and "Handling error responses from Apple Push Notification service".
    @inline(never)
    private static func broadcastRefusal(_ message: DecodedMessage, _ channel: BorrowedText) -> Refusal? {
        let headers = pointerToHeaders(of: message)
        if message.headers.hasBroadcastPath && message.topic.isEmpty {
            return Refusal(.badPath, at: pointer(to: .path, of: message), "the path names no app")
        }
        if channel.isEmpty { return Refusal(.missingChannelId, at: headers) }
        if !isBase64(channel) { return Refusal(.badChannelId, at: pointer(to: .channelID, of: message)) }
        guard message.headers.pushTypeText != nil else { return Refusal(.missingPushType, at: headers) }
        if message.headers.pushType != .liveactivity {
            return Refusal(
                .invalidPushType, at: pointer(to: .pushType, of: message),
                "a broadcast needs apns-push-type liveactivity")
        }
        guard message.headers.hasBroadcastPath, PushType.table.contains(where: { hasSuffix(message.topic, of: $0) })
        else { return nil }
        return Refusal(
            .topicDisallowed, at: headers, "the path of a broadcast must have the bundle identifier without a suffix")
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

    private static func pointerToHeaders(of message: DecodedMessage) -> String { message.place.string + "/headers" }

    /// JSON Pointer to a header, by its name as written in the record.
    private static func pointer(to header: APNsHeader, of message: DecodedMessage) -> String {
        if message.gateway == .sns { return SNSAttributes.pointer(to: header, of: message) }
        let name = message.headers.text.withJSON { header.name(in: $0) } ?? header.name.description
        return pointerToHeaders(of: message) + "/" + JSONPointer.escape(name)
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

extension DecodedMessage {
    /// JSON Pointer to the payload in the record.
    var payloadPath: String { "\(place.string)\(payloadPointer)" }

    /// The byte limit of a request to APNs. `byteLimit` is 0 when no gateway has set one.
    @inline(__always)
    func limitOfAPNs(forced: Budget?) -> Int {
        if let forced { return forced.bytes }
        if byteLimit != 0 { return byteLimit }
        if headers.pushType == .voip { return Budget.apnsVoIP.bytes }
        return headers.channelID != nil ? Budget.apnsBroadcast.bytes : Budget.apns.bytes
    }
}

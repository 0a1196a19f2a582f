import PushJSON
import PushModel

extension RecordDecoder {
    /// The hot path: `{"device":…,"headers":{…},"payload":{…}}`, in any order, without other members. False for any
    /// other record.
    mutating func decodePlainEnvelope(_ root: JSONView, record: Int, into batch: inout MessageBatch) -> Bool {
        // SOUND: the message stays in place until the next one is appended.
        guard readsEnvelopes else { return false }
        // Places on the tape, where the root is none of its members: an optional view takes three words.
        var device = root.index
        var headers = root.index
        var body = root.index
        var members = root.members
        while let (key, value) = members.next() {
            switch key {
            case "payload": body = value.index
            case "device": device = value.index
            case "headers": headers = value.index
            default: return false
            }
        }
        let payload = root.value(at: body)
        guard body != root.index, payload.isObject else { return false }
        // Before anything is written: from there on, the compiler no longer knows that it is an object.
        let text = payload.text
        members = payload.members
        let message = unsafe batch.appendCopy(of: blank)
        unsafe message.pointee.record = record
        unsafe readEnvelope(
            device == root.index ? nil : root.value(at: device), headers == root.index ? nil : root.value(at: headers),
            into: message, &batch)
        unsafe message.pointee.payload = text
        var found = body
        while let (key, value) = members.next() {
            if key == "aps" { found = value.index }
        }
        if found != body {
            let aps = root.value(at: found)
            let oddities = unsafe Self.readAps(aps, into: &message.pointee.content)
            if !oddities.isEmpty { unsafe settle(oddities, of: aps, message, &batch) }
        } else if headers == root.index, options.format == nil, TopLevelKeys.isForGoogle(payload) {
            batch.removeLast()
            return false
        }
        return true
    }

    /// Reads what an envelope says about its request.
    ///
    /// Mutating, though it changes nothing: the compiler copies a decoder that may change for the call of a method that
    /// may not change it.
    @inline(__always)
    private mutating func readEnvelope(
        _ device: JSONView?, _ headers: JSONView?, into message: UnsafeMutablePointer<DecodedMessage>,
        _ batch: inout MessageBatch
    ) {
        // SOUND: the caller's message stays in place during the call.
        unsafe message.pointee.payloadPointer = "/payload"
        if let device, device.kind != .null {
            unsafe message.pointee.headers.isTargetNamed = true
            let token = Self.text(of: device, in: &batch)
            unsafe message.pointee.setToken(token, &batch.scratch)
        }
        if let headers {
            unsafe message.pointee.readHeaders(headers, defaultTopic: blank.pointee.topic, &batch)
        }
    }

    /// `{"device":…,"headers":{…},"payload":…}`.
    mutating func decodeAPNsEnvelope(
        _ payload: JSONView, _ keys: TopLevelKeys, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: the message stays in place until the next one is appended. Nested decoding appends some only after it
        // was removed.
        let message = unsafe appendMessage(origin, &batch)
        unsafe readEnvelope(keys.device, keys.headers, into: message, &batch)
        if let name = keys.budget {
            guard let budget = name.string.flatMap({ Budget.ofBinaryInterface(named: $0.string) }) else {
                batch.removeLast()
                return DecodeFailure(.unknownShape, "\"budget\" must be apns-2048 or apns-256", at: name)
            }
            unsafe message.pointee.byteLimit = budget.bytes
        }
        if let refused = keys.refused { return unsafe refuse(refused, payload, message, &batch) }
        if payload.isObject {
            unsafe message.pointee.payload = payload.text
            unsafe readAPNsRequest(payload, into: message, &batch)
            return nil
        }
        // A request without a body.
        if payload.kind == .null { return nil }
        guard let body = payload.string else {
            batch.removeLast()
            return Self.notAPayload(payload)
        }
        let bytes = batch.scratch.text(body)
        unsafe message.pointee.payload = bytes
        if bytes.isEmpty { return nil }
        let isTooLarge = unsafe bytes.count > message.pointee.limitOfAPNs(forced: options.budget)
        // Appended again once its payload is known to be a request: findings inside the payload belong to the messages
        // from there.
        let unfinished = batch.removeLast()
        var inner = origin
        inner.pointer += "/payload"
        let decodeFailure = withText(in: body, at: payload.offset, inner, into: &batch) { decoder, root, _, batch in
            guard root.isObject else { return Self.notAnObject(root) }
            if decoder.options.format == nil, keys.provider == nil, !keys.describesAPNsRequest,
                TopLevelKeys.isForGoogle(root)
            {
                return UnknownShape.failureOfPayload(root, decoder.options.advice)
            }
            batch.append(unfinished)
            // SOUND: the message was just appended, and stays in place until the next one is.
            guard let base = unsafe batch.messages.baseAddress else { return nil }
            unsafe decoder.readAPNsRequest(root, into: base + (batch.messageCount - 1), &batch)
            return nil
        }
        guard decodeFailure != nil, isTooLarge else { return decodeFailure }
        batch.append(unfinished)
        rejectForSize(&batch)
        return nil
    }

    /// A request that a gateway refused before it looked at the message, such as one without a provider token: `"refused"` has
    /// APNs' reason. The payload is measured, and not read.
    private func refuse(
        _ refused: JSONView, _ payload: JSONView, _ message: UnsafeMutablePointer<DecodedMessage>,
        _ batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: the caller's message stays in place during the call.
        let isBinary = unsafe Budget.isLimitOfBinaryInterface(message.pointee.byteLimit)
        guard let reason = refused.string?.string,
            let rejection = isBinary ? Rejection.overBinaryInterface(reason) : Rejection.ofAPNs(reason)
        else {
            batch.removeLast()
            return DecodeFailure(
                .unknownShape, "\"refused\" must be an APNs reason, such as \"BadPath\"", at: refused)
        }
        if payload.kind != .null { unsafe message.pointee.payload = Self.text(of: payload, in: &batch) }
        let pointer = unsafe message.pointee.place.string + "/refused"
        batch.reject(rejection, pointer: pointer, message: batch.messageCount - 1)
        return nil
    }

    /// The body of a request: a bare payload, or a gateway's request.
    mutating func decodeAPNsBody(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: the message stays in place until the next one is appended, which happens after the last use.
        let message = unsafe appendMessage(origin, &batch)
        unsafe message.pointee.payload = root.text
        unsafe message.pointee.headers.pushType = origin.pushType
        if origin.pushType == .liveactivity { batch.hasLiveActivities = true }
        if let bundle = root["Simulator Target Bundle"]?.string {
            unsafe message.pointee.topic = batch.scratch.text(bundle)
        }
        unsafe readAPNsRequest(root, into: message, &batch)
        return nil
    }

    /// Appends a message with the properties of its origin, to be filled in place: a message is large, and APNs is the
    /// hot path.
    private func appendMessage(
        _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> UnsafeMutablePointer<DecodedMessage> {
        // SOUND: the message was just appended, and stays in place until the next one is.
        let message = unsafe batch.appendCopy(of: blank)
        unsafe message.pointee.record = origin.record
        if let device = origin.device { unsafe message.pointee.setToken(device, &batch.scratch) }
        unsafe adopt(origin, for: &message.pointee, .apns, &batch)
        return unsafe message
    }

    /// Mutating for the same reason as `readEnvelope`.
    mutating func newMessage(
        _ provider: Provider, _ origin: RecordOrigin, _ batch: inout MessageBatch
    ) -> DecodedMessage {
        var message = DecodedMessage(record: origin.record, device: origin.device ?? defaultDevice.text)
        adopt(origin, for: &message, provider, &batch)
        return message
    }

    private func adopt(
        _ origin: RecordOrigin, for message: inout DecodedMessage, _ provider: Provider, _ batch: inout MessageBatch
    ) {
        message.provider = provider
        message.gateway = origin.gateway
        if !origin.pointer.isEmpty { message.place = batch.scratch.copy(origin.pointer) }
        message.topic = defaultTopic.text
        message.byteLimit = origin.budget?.bytes ?? 0
        message.isDryRun = origin.isDryRun
        message.secondsKept = origin.secondsKept
        message.isDerived = origin.isDerived
    }

    /// A string's contents, or the text of any other value.
    func text(of view: JSONView, in batch: inout MessageBatch) -> BorrowedText { Self.text(of: view, in: &batch) }

    @inline(__always)
    private static func text(of view: JSONView, in batch: inout MessageBatch) -> BorrowedText {
        guard let string = view.string else { return view.text }
        return string.hasEscapes ? batch.scratch.text(string) : string.raw
    }

    /// Reads the payload of the batch's last message.
    private func readAPNsRequest(
        _ payload: JSONView, into message: UnsafeMutablePointer<DecodedMessage>, _ batch: inout MessageBatch
    ) {
        // SOUND: the caller's message stays in place during the call.
        let oddities = unsafe readAPNsContent(payload, into: &message.pointee, &batch)
        if !oddities.isEmpty, let aps = payload["aps"] { unsafe settle(oddities, of: aps, message, &batch) }
    }

    /// Keys that few payloads have.
    struct Oddities: OptionSet {
        let rawValue: UInt8
        /// A badge below 0, which sets nothing.
        static let negativeBadge = Oddities(rawValue: 1)
        /// An `event`: perhaps that of a Live Activity.
        static let event = Oddities(rawValue: 2)
    }

    /// Reports or applies the oddities of the batch's last message.
    @inline(never)
    private func settle(
        _ oddities: Oddities, of aps: JSONView, _ message: UnsafeMutablePointer<DecodedMessage>,
        _ batch: inout MessageBatch
    ) {
        // SOUND: the caller's message stays in place during the call.
        // Without a push type the keys say that a push is for a Live Activity, as the linter reads them.
        if oddities.contains(.event), unsafe message.pointee.headers.pushTypeText == nil,
            unsafe message.pointee.headers.pushType == nil, aps["content-state"] != nil || aps["timestamp"] != nil
        {
            unsafe message.pointee.headers.pushType = .liveactivity
            batch.hasLiveActivities = true
        }
        if oddities.contains(.negativeBadge) {
            let finding = unsafe Finding(
                rule: "aps.badge-value", severity: .warning, pointer: message.pointee.payloadPath + "/aps/badge",
                message: "a badge must be a whole number from 0; this one does not change the number on the icon")
            batch.report(finding, message: batch.messageCount - 1)
        }
    }

    /// Reads the parts of an APNs payload that a device acts on.
    @discardableResult
    func readAPNsContent(
        _ payload: JSONView, into message: inout DecodedMessage, _ batch: inout MessageBatch
    ) -> Oddities {
        message.content = NotificationContent()
        var aps: JSONView?
        for (key, value) in payload.members {
            if key == "aps" {
                aps = value
            } else if let wanted = replacementKey, let rule = options.replacement,
                batch.scratch.text(key) == wanted.text
            {
                message.content.customID = CustomID.text(of: value, rule, &batch)
            }
        }
        if let rule = options.replacement { CustomID.complete(&message.content, from: payload, rule, &batch) }
        let oddities = aps.map { Self.readAps($0, into: &message.content) } ?? []
        if options.assumesMutable { message.content.isMutable = message.content.hasAlert }
        return oddities
    }

    private static func readAps(_ aps: JSONView, into content: inout NotificationContent) -> Oddities {
        var oddities: Oddities = []
        for (key, value) in aps.members {
            switch key {
            case "alert": readAlert(value, into: &content)
            case "badge":
                content.badge = value.int64.flatMap { Int(exactly: $0) } ?? value.double.flatMap { Int(exactly: $0) }
                if let badge = content.badge, badge < 0 {
                    content.badge = nil
                    oddities.insert(.negativeBadge)
                }
            case "thread-id": content.thread = value.string
            case "mutable-content": content.isMutable = value.isOne
            case "category": content.tapOptions.add(action: value)
            case "event": oddities.insert(.event)
            default: break
            }
        }
        if !content.hasAlert { content.silence = silence(of: aps) }
        return oddities
    }

    /// Why a push without an alert shows nothing. Only such pushes are read twice.
    @inline(never)
    private static func silence(of aps: JSONView) -> SilenceReason {
        var isBackground = false
        for (key, value) in aps.members {
            switch key {
            case "content-available": isBackground = value.isOne
            case "alert":
                for (key, _) in value.members where isMisspelled(key, alertTexts) { return .misspelledKey }
            case "badge", "sound", "category", "thread-id", "mutable-content", "interruption-level": break
            default: if isMisspelled(key, ["alert"]) { return .misspelledKey }
            }
        }
        return isBackground ? .background : .noAlert
    }

    private static let alertTexts = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]

    private static func isMisspelled(_ key: JSONString, _ names: [String]) -> Bool {
        guard key.count <= NameSuggestion.longest else { return false }
        let name = key.string
        return NameSuggestion.nearest(to: name, among: names).map { $0 != name } ?? false
    }

    private static func readAlert(_ alert: JSONView, into content: inout NotificationContent) {
        content.title = nil
        content.subtitle = nil
        content.body = alert.string
        var titleKey: JSONString?
        var subtitleKey: JSONString?
        var bodyKey: JSONString?
        for (key, value) in alert.members {
            switch key {
            case "title": content.title = value.string
            case "body": content.body = value.string
            case "subtitle": content.subtitle = value.string
            case "title-loc-key": titleKey = value.string
            case "loc-key": bodyKey = value.string
            case "subtitle-loc-key": subtitleKey = value.string
            default: break
            }
        }
        // The app's localized strings are not available, so the key stands for the text. An empty text is none: libraries
        // send it next to a key. Source: Apple, "Generating a remote notification": the key is used instead of the text.
        if titleKey != nil, content.title?.count ?? 0 == 0 { content.title = titleKey }
        if subtitleKey != nil, content.subtitle?.count ?? 0 == 0 { content.subtitle = subtitleKey }
        if bodyKey != nil, content.body?.count ?? 0 == 0 { content.body = bodyKey }
        content.hasAlert =
            (content.body?.count ?? 0) > 0 || (content.title?.count ?? 0) > 0 || (content.subtitle?.count ?? 0) > 0
    }
}

package import PayloadJSON
package import PushModel

extension RecordDecoder {
    /// `{"message":{…},"validate_only":…}`, FCM HTTP v1; or, in a record of its own, the message without the request.
    mutating func decodeFCM(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let isRecord = origin.level == 0 && origin.pointer.isEmpty
        guard let body = root["message"], body.isObject else {
            if isRecord, root["message"] == nil, TopLevelKeys(of: root).hasMessageTarget {
                return BareMessage(root).decode(origin, by: &self, into: &batch)
            }
            return decodeWithoutMessage(root, origin, into: &batch)
        }
        var request = FCMMessage(request: root, isRecord: isRecord)
        return decodeFCM(body, &request, in: root, at: "/message", origin, into: &batch)
    }

    /// - Parameters:
    ///   - body: the message, and `request` what has been read of it.
    ///   - root: the request, or the message if there is none around it.
    ///   - place: JSON Pointer from there to the message.
    mutating func decodeFCM(
        _ body: JSONView, _ request: inout FCMMessage, in root: JSONView, at place: StaticString,
        _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var message = newMessage(.fcm, origin, &batch)
        if !origin.isDerived { message.payloadPointer = place }
        message.payload = body.text
        message.isDryRun = message.isDryRun || request.isDryRun
        let isForIOSAlone =
            request.apns != nil && request.android == nil && request.androidV2 == nil && request.webpush == nil
        // Only an Apple device has Live Activities.
        let activityToken = request.liveActivityToken?.string.flatMap { $0.count > 0 ? $0 : nil }
        let isForIOS = isForIOSAlone || activityToken != nil
        message.platform = options.platform ?? origin.platform ?? (isForIOS ? .ios : .android)
        if let target = request.token ?? request.topic ?? request.condition {
            message.device = text(of: target, in: &batch)
        }
        message.isForTopic = request.token == nil && (request.topic != nil || request.condition != nil)
        let isForWeb = message.platform == .web
        let parts = GoogleParts(request, on: message.platform)
        message.byteCount = parts.byteCount
        // Source: Firebase, FCM error codes: 2048 bytes are for `data`. APNs takes 4096: binwiederhier/ntfy-android issue 186.
        var isLimitedAsTopic = message.isForTopic && message.platform != .ios
        if isLimitedAsTopic, message.byteCount > Budget.fcmTopic.bytes {
            isLimitedAsTopic = parts.dataByteCount > Budget.fcmTopic.bytes
        }
        message.byteLimit = (options.budget ?? (isLimitedAsTopic ? .fcmTopic : .fcm)).bytes
        parts.read(into: &message.content, &batch)
        // An empty string is an absent one in proto3. A package name does not apply to a browser.
        let packageName = request.androidV2.flatMap { AndroidV2($0).packageName } ?? request.packageName
        if !isForWeb, let package = packageName?.string, package.count > 0 {
            message.topic = batch.scratch.text(package)
            message.isTopicOfTarget = request.token != nil || (request.hasNoTarget && origin.impliesTarget)
        }
        if message.platform == .ios {
            message.readHeaders(request.apnsHeaders, &batch)
            // Source: Firebase, "Get started with Live Activity": requests name no push type.
            if activityToken != nil { message.headers.pushType = .liveactivity }
        } else if let headers = request.apnsHeaders {
            // A device that is registered as one of Apple's gets them.
            var other = message
            other.readHeaders(headers, &batch)
            if other.headers.pushType == .liveactivity || other.headers.channelID != nil {
                batch.hasLiveActivities = true
            }
        }

        let index = batch.messageCount
        batch.append(copyOf: &message)
        if isForWeb, let fault = request.webNotification.flatMap(WebNotification.fault) {
            let pointer = origin.isDerived ? origin.pointer : origin.pointer + place.description
            batch.report(fault.finding(at: pointer, isDerived: origin.isDerived), message: index)
        }
        if message.headers.pushType == .liveactivity {
            batch.hasLiveActivities = true
            batch.activityTokens[index] = activityToken.map { batch.scratch.text($0) }
        }
        if !request.violations.isEmpty {
            request.refuse(
                root, as: place.utf8CodeUnitCount == 0 ? .message : .request, origin, message: index, in: &batch)
        } else if let failure = request.failure(in: body, impliesTarget: origin.impliesTarget, device: message.device) {
            let pointer = origin.isDerived ? "" : "\(place)\(failure.pointer)"
            batch.reject(
                .invalidArgument, pointer: origin.pointer + pointer, failure.message, detail: failure.detail,
                message: index)
        } else if request.hasDiscouragedKeys {
            for var finding in request.discouragedKeys() {
                finding.pointer = origin.pointer + (origin.isDerived ? "" : "\(place)\(finding.pointer)")
                batch.report(finding, message: index)
            }
        }
        if request.hasNoTarget, !RegistrationToken.isPlausible(message.device) {
            batch.reject(.invalidArgument, pointer: "/device", "the registration token is malformed", message: index)
        }
        if message.isForTopic, request.apns != nil, options.budget == nil {
            TopicSize.check(request.derivedParts, message, index, in: &batch)
        }
        let isForApple = message.platform == .ios
        let headers = request.apnsHeaders
        let refusal =
            isForApple
            ? FCMMessage.refusalOfHeaders(in: message, headers, at: origin.pointer, isDerived: origin.isDerived)
            : headers.flatMap {
                FCMMessage.refusalOfCollapseID(in: message, $0, at: origin.pointer, isDerived: origin.isDerived)
            }
        if let refusal {
            batch.reject(
                .invalidArgument, pointer: refusal.pointer, refusal.message, detail: refusal.detail, message: index)
        }
        guard isForApple else { return nil }
        return deriveForIOS(request.derivedParts, origin, from: index, into: &batch)
    }
}

extension RecordDecoder {
    /// A request without a message, as senders of the legacy protocol, and those who leave `message` out, send it. FCM's parser
    /// refuses each of its names: sylk-pushserver issue 16.
    @inline(never)
    private mutating func decodeWithoutMessage(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let request = FCMMessage(request: root, isRecord: origin.level == 0 && origin.pointer.isEmpty)
        // What FCM says to a request that is empty is not known, and a gateway would not send one.
        guard !request.violations.isEmpty, origin.gateway == nil else {
            return DecodeFailure(
                rule: "record.unknown-shape", message: "an FCM v1 request needs a \"message\" object",
                offset: root.offset)
        }
        var message = newMessage(.fcm, origin, &batch)
        message.payload = root.text
        message.platform = options.platform ?? origin.platform ?? .android
        message.byteLimit = (options.budget ?? .fcm).bytes
        if let target = (root["token"] ?? root["fid"] ?? root["to"] ?? root["topic"])?.string {
            message.device = batch.scratch.text(target)
        }
        batch.append(message)
        request.refuse(root, as: .request, origin, message: batch.messageCount - 1, in: &batch)
        return nil
    }
}

extension FCMMessage {
    /// Rejects a message that FCM's parser does not read, with a finding for each of its violations.
    @inline(never)
    fileprivate func refuse(
        _ request: JSONView, as type: FCMObject, _ origin: RecordOrigin, message index: Int,
        in batch: inout MessageBatch
    ) {
        for violation in violations {
            let pointer = origin.pointer + (origin.isDerived ? "" : violation.pointer(in: request))
            for field in violation.fields(in: request, as: type) {
                batch.refuse(
                    .invalidArgument, pointer: pointer, field.description, detail: .fieldViolation(field.path),
                    message: index)
            }
        }
    }

    /// The finding about a header that APNs refuses, for which FCM answers INVALID_ARGUMENT.
    ///
    /// FCM waits for APNs, and answers with its reason: observed for `DeviceTokenNotForTopic` (fcm-django issue 201). That
    /// it is so for these reasons, too, is not confirmed.
    ///
    /// - Parameters:
    ///   - headers: where the header stands, to be named as it is written.
    ///   - place: JSON Pointer to the request.
    ///   - isDerived: true if the request was composed, so that there is no place in it.
    package static func refusalOfHeaders(
        in message: DecodedMessage, _ headers: JSONView?, at place: @autoclosure () -> String, isDerived: Bool
    ) -> Finding? {
        guard let wrong = APNsAcceptance.refusedHeader(message) else { return nil }
        let place = isDerived ? place() : pointer(to: wrong.header, in: message, headers, at: place())
        // FCM looks at this header itself.
        if wrong.rejection == .badCollapseId { return longCollapseID(at: place) }
        let row = wrong.rejection.row
        var finding = Finding(
            rule: Rejection.invalidArgument.rule, severity: .error, pointer: place,
            message: "APNs answers \(row.status) \(row.reason): \(wrong.text ?? row.cause.description)")
        finding.detail = .apnsError(wrong.rejection)
        return finding
    }

    /// The same for a device that is not Apple's. FCM looks at the length of the collapse id itself, whatever the device is.
    @inline(never)
    fileprivate static func refusalOfCollapseID(
        in message: DecodedMessage, _ headers: JSONView, at place: @autoclosure () -> String, isDerived: Bool
    ) -> Finding? {
        var id: JSONString?
        for (key, value) in headers.members where APNsHeader(key) == .collapseID { id = value.string }
        guard let id, id.decodedCount > APNsAcceptance.maximumCollapseIDBytes else { return nil }
        return longCollapseID(at: isDerived ? place() : pointer(to: .collapseID, in: message, headers, at: place()))
    }

    private static func longCollapseID(at pointer: String) -> Finding? {
        guard let sentence = FCMSentence.table.first(where: { $0.cause == .collapseID }) else { return nil }
        var finding = Finding(
            rule: Rejection.invalidArgument.rule, severity: .error, pointer: pointer,
            message: sentence.text.description)
        finding.detail = FCMSentence.detail(.collapseID)
        return finding
    }

    private static func pointer(
        to header: APNsHeader, in message: DecodedMessage, _ headers: JSONView?, at place: String
    ) -> String {
        "\(place)\(message.payloadPointer)/apns/headers/\(JSONPointer.escape(header.name(in: headers)))"
    }
}

extension DecodedMessage {
    /// FCM passes `apns.headers` to APNs.
    fileprivate mutating func readHeaders(_ headers: JSONView?, _ batch: inout MessageBatch) {
        guard let headers else { return }
        for (key, value) in headers.members {
            guard let name = APNsHeader(key), let string = value.string, string.count > 0 else { continue }
            set(name, batch.scratch.text(string))
            if name == .topic { isTopicOfTarget = false }
        }
    }
}

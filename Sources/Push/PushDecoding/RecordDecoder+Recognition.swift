import PayloadJSON
import PushModel

extension RecordDecoder {
    mutating func decode(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard root.isObject else {
            if options.format == .expo && root.kind == .array || options.format == nil && ExpoRequest.isList(root) {
                return ExpoRequest(root).decode(origin, by: &self, into: &batch)
            }
            let advice = root.kind == .array ? ", not an array: jq -c '.[]' FILE | pushpipe …" : ""
            return DecodeFailure(
                rule: "record.not-an-object", message: "a record must be a JSON object\(advice)", offset: root.offset)
        }
        let keys = TopLevelKeys(of: root)
        var format = options.format
        if let named = keys.provider, !keys.hasAps {
            guard let known = named.string.flatMap({ RecordFormat(rawValue: $0.string) }) else {
                let names = RecordFormat.allCases.map(\.rawValue).joined(separator: ", ")
                return DecodeFailure(
                    rule: "record.unknown-shape", message: "\"provider\" is not one of \(names)", offset: named.offset)
            }
            format = known
            // An envelope can contain any provider's request as its payload.
            if known != .apns, let payload = keys.payload {
                return decodeEnveloped(payload, keys, as: known, origin, into: &batch)
            }
        }
        if options.readsDevices, keys.event == nil { return EventDecoder.decode(root, .device, origin, into: &batch) }
        if let event = keys.event {
            if let name = event.string.flatMap({ DeviceEvent.Name(rawValue: $0.string) }) {
                return EventDecoder.decode(root, name, origin, into: &batch)
            }
            if format == nil { return EventDecoder.unknown(event) }
        }
        guard let format = format ?? keys.format else { return UnknownShape.failure(root, options.advice) }
        return decode(root, keys, as: format, origin, into: &batch)
    }

    private mutating func decode(
        _ root: JSONView, _ keys: TopLevelKeys, as format: RecordFormat, _ origin: RecordOrigin,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        switch format {
        case .apns:
            if let payload = keys.payload, !keys.hasAps {
                return decodeAPNsEnvelope(payload, keys, origin, into: &batch)
            }
            return decodeAPNsBody(root, origin, into: &batch)
        case .gcm: return decodeGCM(root, origin, into: &batch)
        case .fcm: return decodeFCM(root, origin, into: &batch)
        case .airnotifier: return AirnotifierPush(root).decode(origin, by: &self, into: &batch)
        case .sns: return SNSRequest(root).decode(origin, by: &self, into: &batch)
        case .wikimedia: return WikimediaRequest(root: root).decode(origin, by: &self, into: &batch)
        case .moodle: return MoodleForm(root: root).decode(origin, by: &self, into: &batch)
        case .expo: return ExpoRequest(root).decode(origin, by: &self, into: &batch)
        }
    }

    /// `{"provider":"gcm","device":…,"payload":{…}}`: a request in an envelope, for a provider other than APNs.
    private mutating func decodeEnveloped(
        _ payload: JSONView, _ keys: TopLevelKeys, as format: RecordFormat, _ origin: RecordOrigin,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var inner = origin
        inner.pointer += "/payload"
        if let device = keys.device?.string {
            inner.device = batch.scratch.text(device)
            inner.impliesTarget = true
        }
        if let refused = keys.refused {
            let first = batch.messageCount
            // A body with line breaks stands in a string.
            if let string = payload.string {
                _ = withText(in: string, at: payload.offset, inner, into: &batch) { decoder, root, inner, batch in
                    decoder.refuse(refused, root, as: format, inner, into: &batch)
                }
            }
            return batch.messageCount > first ? nil : refuse(refused, payload, as: format, inner, into: &batch)
        }
        if let string = payload.string {
            return withText(in: string, at: payload.offset, inner, into: &batch) { decoder, root, inner, batch in
                guard root.isObject || format == .expo && root.kind == .array else { return Self.notAnObject(root) }
                return decoder.decode(root, TopLevelKeys(of: root), as: format, inner, into: &batch)
            }
        }
        guard payload.isObject || format == .expo && payload.kind == .array else { return Self.notAPayload(payload) }
        return decode(payload, TopLevelKeys(of: payload), as: format, inner, into: &batch)
    }

    /// The same for a request that a gateway refused before it looked at the message: `"refused"` has the provider's reason, or
    /// Airnotifier's. Of the payload only the target is read, and which service sends.
    private mutating func refuse(
        _ refused: JSONView, _ payload: JSONView, as format: RecordFormat, _ origin: RecordOrigin,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let service: (provider: Provider, platform: Platform)? =
            switch format {
            case .fcm: (.fcm, .android)
            case .gcm: (.gcm, .android)
            case .airnotifier: AirnotifierPush(payload).service ?? (.fcm, .android)
            case .moodle, .expo: (.apns, .ios)
            case .apns, .sns, .wikimedia: nil
            }
        let speaker = format == .moodle ? RecordFormat.airnotifier : format
        guard let (provider, platform) = service,
            let rejection = refused.string.flatMap({ Rejection.named($0.string, by: speaker.rawValue) })
        else {
            return DecodeFailure(
                rule: "record.unknown-shape", message: "\"refused\" takes a reason of the record's provider",
                offset: refused.offset)
        }
        var origin = origin
        if format == .airnotifier { origin.gateway = .airnotifier }
        if format == .expo { origin.gateway = .expo }
        if format == .moodle {
            origin.gateway = .moodle
            origin.budget = .apnsBinary
        }
        var message = newMessage(provider, origin, &batch)
        message.platform = provider == .apns ? .ios : options.platform ?? platform
        if provider != .apns { message.byteLimit = (options.budget ?? (provider == .gcm ? .gcm : .fcm)).bytes }
        let named = format == .fcm ? payload["message"] : payload
        if let target = (named?["token"] ?? named?["fid"] ?? named?["to"] ?? named?["topic"])?.string {
            let token = batch.scratch.text(target)
            if provider == .apns, format != .expo {
                message.setToken(token, &batch.scratch)
            } else {
                message.device = token
            }
        }
        message.payload = text(of: payload, in: &batch)
        batch.append(message)
        batch.reject(rejection, pointer: "/refused", message: batch.messageCount - 1)
        return nil
    }

    static func notAPayload(_ view: JSONView) -> DecodeFailure {
        DecodeFailure(
            rule: "record.payload-type", message: "payload must be an object, or a string that holds the exact body",
            offset: view.offset)
    }

    static func notAnObject(_ view: JSONView) -> DecodeFailure {
        DecodeFailure(rule: "record.payload-type", message: "the payload must be a JSON object", offset: view.offset)
    }
}

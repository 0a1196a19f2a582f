package import PushJSON
package import PushModel

enum EventDecoder {
    /// `{"event":"device","device":…}`: a device event.
    ///
    /// A member that the event does not have is a finding; an invalid value makes the record malformed.
    static func decode(
        _ root: JSONView, _ name: DeviceEvent.Name, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var event = DeviceEvent(name)
        var unknown: [String] = []
        let required = EventMember.required(by: name)
        // A bit for each of them.
        var seen = 0
        for (key, value) in root.members {
            if key == "event" { continue }
            guard let place = EventMember.place(of: key), case let member = EventMember.table[place],
                member.events.contains(name)
            else {
                let name = key.string
                // Only as many as will be reported are kept.
                if unknown.count < Finding.maximumPerRecord, !unknown.contains(name) { unknown.append(name) }
                continue
            }
            if value.kind == .null { continue }
            do throws(DecodeFailure) {
                guard try member.read(value, &event) else {
                    return DecodeFailure(
                        rule: "event.value", message: "\(member.name) must be \(member.form.words)",
                        offset: value.offset)
                }
            } catch {
                return error
            }
            if key == "device", value.string?.count == 0 {
                return DecodeFailure(rule: "event.value", message: "device must not be empty", offset: value.offset)
            }
            if let position = required.firstIndex(of: place) { seen |= 1 << position }
        }
        if let missing = required.indices.first(where: { seen & 1 << $0 == 0 }) {
            let member = EventMember.table[required[missing]]
            let near = NameSuggestion.nearest(to: member.name.description, among: unknown)
            let advice = near.map { "; is \"\($0)\" a misspelling?" } ?? ""
            return DecodeFailure(
                rule: "event.missing-member", message: "\(name.withArticle) needs \"\(member.name)\"\(advice)",
                offset: root.offset)
        }
        // An event without a platform may be about a device of APNs. `DeviceRegistry` finds the others.
        if event.platform == nil || event.platform == .ios { event.device = event.device.map(DeviceToken.canonical) }
        batch.append(event, record: origin.record, pointer: origin.pointer, unknown: unknown)
        return nil
    }

    static func unknown(_ name: JSONView) -> DecodeFailure {
        let known = DeviceEvent.Name.allCases.map(\.rawValue)
        let typed = name.string.map(\.string) ?? ""
        let message =
            NameSuggestion.nearest(to: typed, among: known).map {
                "unknown event \"\(typed)\"; did you mean \"\($0)\"?"
            }
            ?? "\"event\" is not one of \(known.joined(separator: ", "))"
        return DecodeFailure(rule: "event.unknown", message: message, offset: name.offset)
    }
}

extension MessageBatch {
    mutating func append(_ event: consuming DeviceEvent, record: Int, pointer: String, unknown: [String]) {
        let name = event.name
        var message = DecodedMessage(record: record, device: copy(event.device))
        message.topic = copy(event.app)
        message.platform = event.platform ?? (event.name == .post && !isToken(event.device) ? .android : .ios)
        message.verdict = .event
        append(message)
        events.append((messageCount - 1, event))
        let known = unknown.isEmpty ? [] : EventMember.names(of: name)
        for member in unknown {
            let isEvent = DeviceEvent.Name(rawValue: member) != nil
            let near =
                isEvent
                ? "; \"\(member)\" is an event of its own"
                : NameSuggestion.nearest(to: member, among: known).map { "; did you mean \"\($0)\"?" }
            let finding = Finding(
                rule: "event.unknown-member", severity: .warning, pointer: pointer + "/" + JSONPointer.escape(member),
                message: "\(name.withArticle) has no member \(UnknownShape.named(member))\(near ?? "; it is ignored")")
            report(finding, message: messageCount - 1)
        }
    }

    /// True if a device may be a token of APNs. No event of it need have said what kind of device posts something.
    private func isToken(_ device: String?) -> Bool { device?.allSatisfy(\.isHexDigit) ?? false }

    private mutating func copy(_ text: String?) -> BorrowedText { text.map { scratch.copy($0) } ?? .empty }
}

extension Finding {
    /// True if an event is not written as its author meant it: a warning about its text, or an error. What a device makes of the event, such
    /// as `android.no-activity`, is no mistake in it.
    package var isSlip: Bool {
        severity == .error || severity == .warning && (rule.hasPrefix("event.") || rule.hasPrefix("json."))
    }

    /// The message, with the nearest member or a list of all members.
    ///
    /// - Parameter event: the name of the event that has the finding.
    package func words(of event: String) -> String {
        guard rule == "event.unknown-member" else {
            return (pointer.isEmpty ? "" : "\(pointer): ") + "\(message) (\(rule))"
        }
        let token = String(pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let typed = token.replacing("~1", with: "/").replacing("~0", with: "~")
        let members = DeviceEvent.Name(rawValue: event).map(EventMember.names) ?? []
        let near = NameSuggestion.nearest(to: typed, among: members)
        return "\(event) events have no member \"\(typed.prefix(NameSuggestion.longest))\""
            + (near.map { "; did you mean \"\($0)\"?" } ?? "; they have \(members.joined(separator: ", "))")
    }
}

extension LocalNotification {
    /// The payload that has the same content as a push: of APNs, of FCM's `android_v2` with a notification that is shown in the foreground, too,
    /// or of web push.
    ///
    /// - Parameter data: members, each after a comma.
    package func payload(for platform: Platform, data: String) -> String {
        let texts: [(name: StaticString, value: String?)] = [("title", title), ("body", body)]
        let members: String
        switch platform {
        case .ios: members = #""aps":{"alert":\#(Self.object(texts))}"#
        case .android:
            let notification = Self.object(texts + [("tag", tag), ("channel_id", channel), ("group", group)])
            members = #""android_v2":{"remote_notification":{"notification":\#(notification)}}"#
        case .web: members = #""webpush":{"notification":\#(Self.object(texts + [("tag", tag)]))}"#
        }
        return #"{\#(members)\#(data),"\#(Self.mark)":true}"#
    }

    /// The part of a message that the notification takes along, so that a tap can lead somewhere by it: `data` of GCM and FCM; everything but `aps` of
    /// APNs.
    package static func data(of payload: JSONView) -> String {
        let isApple = payload["aps"] != nil
        return .composed { out in
            out.appendMembers(of: payload) { key in isApple ? !(key == "aps" || key == mark) : key == "data" }
        }
    }

    private static func object(_ members: [(name: StaticString, value: String?)]) -> String {
        .composed { out in
            out.appendObject { out in
                for (name, value) in members {
                    if let value, !value.isEmpty { out.appendMember(name, value) }
                }
            }
        }
    }
}

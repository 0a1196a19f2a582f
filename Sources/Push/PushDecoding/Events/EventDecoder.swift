import PayloadJSON
import PushModel

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
            guard let place = EventMember.place(of: key), EventMember.table[place].events.contains(name) else {
                let name = key.string
                // Only as many as will be reported are kept.
                if unknown.count < Finding.maximumPerRecord, !unknown.contains(name) { unknown.append(name) }
                continue
            }
            if value.kind == .null { continue }
            let form = EventMember.table[place].form
            let read: EventMember.Value
            do throws(ListMistake) {
                guard let found = try form.value(of: value) else {
                    return DecodeFailure(
                        rule: "event.value", message: "\(EventMember.table[place].name) must be \(form.words)",
                        offset: value.offset)
                }
                read = found
            } catch {
                return DecodeFailure(rule: "event.value", message: error.words, offset: error.offset)
            }
            if read.isEmptyText, key == "device" {
                return DecodeFailure(rule: "event.value", message: "device must not be empty", offset: value.offset)
            }
            EventMember.table[place].set(&event, read)
            if let position = required.firstIndex(of: place) { seen |= 1 << position }
        }
        if let missing = required.indices.first(where: { seen & 1 << $0 == 0 }) {
            let member = EventMember.table[required[missing]]
            let near = NameSuggestion.nearest(to: member.name.description, among: unknown)
            let advice = near.map { "; is \"\($0)\" meant?" } ?? ""
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
        let known =
            unknown.isEmpty ? [] : EventMember.table.filter { $0.events.contains(name) }.map(\.name.description)
        for member in unknown {
            let near = NameSuggestion.nearest(to: member, among: known).map { "; did you mean \"\($0)\"?" }
            let finding = Finding(
                rule: "event.unknown-member", severity: .warning, pointer: pointer + "/" + JSONPointer.escape(member),
                message: "\(name.withArticle) has no such member\(near ?? "; it changes nothing")")
            report(finding, message: messageCount - 1)
        }
    }

    /// True if a device may be a token of APNs. No event of it need have said what kind of device posts something.
    private func isToken(_ device: String?) -> Bool { device?.allSatisfy(\.isHexDigit) ?? false }

    private mutating func copy(_ text: String?) -> BorrowedText {
        // SOUND: the bytes are copied before `withUTF8` returns.
        guard var text else { return .empty }
        return text.withUTF8 { unsafe scratch.copy(UnsafeRawBufferPointer($0)) }
    }
}

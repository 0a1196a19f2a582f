import DeviceScreens
import NotificationStore
import PayloadJSON
import PushDecoding

/// What happened on devices, and what they showed after it.
extension APIService {
    /// Lines of a device that are read for a screen of the past, at most.
    static let mostLinesOfScreen = 50_000

    func journal(_ target: APITarget) throws(APIError) -> GatewayAnswer {
        var query = JournalQuery()
        for (name, value) in target.parameters {
            switch name {
            case "device": query.device = DeviceToken.canonical(value)
            case "app": query.app = value
            case "identifier": query.identifier = value
            case "after": query.after = try MessageQuery.number(name, value)
            case "before": query.before = try MessageQuery.number(name, value)
            case "limit": query.limit = try MessageQuery.number(name, value, 1...MessageQuery.maximumLimit)
            default:
                throw .badRequest(
                    "there is no parameter \(name); there are device, app, identifier, after, before, limit")
            }
        }
        let asked = query
        let (lines, ends) = try reading { (try screens.store.journal(asked), try screens.store.journalEnds()) }
        var out = ByteBuffer()
        out.append("{\"journal\":[")
        for (index, line) in lines.enumerated() {
            if index > 0 { out.append(",") }
            out.append("\n")
            screens.append(line, to: &out)
        }
        out.append(lines.isEmpty ? "]" : "\n]")
        if let ends {
            out.appendMember("first", Int(clamping: ends.lowerBound))
            out.appendMember("last", Int(clamping: ends.upperBound))
        }
        if let limit = host.journalLimit { out.appendMember("kept", limit) }
        out.append("}\n")
        return .api(out)
    }

    /// The screens of a device after a line of the journal.
    func screens(_ device: String, app: String?, at place: UInt64) throws(APIError) -> GatewayAnswer {
        let device = DeviceToken.canonical(device)
        var out = ByteBuffer()
        out.append("{\"device\":")
        out.appendJSONString(device)
        out.appendMember("at", Int(clamping: place))
        do {
            let past = try screens.store.screen(of: device, app: app, at: place, limit: Self.mostLinesOfScreen)
            let shown = past.shown.prefix(MessageQuery.maximumLimit)
            // Whatever is still on the screen is known in full.
            let now = try screens.store.newest(
                on: device, app: app, before: .max, limit: MessageQuery.maximumLimit)
            let known = Dictionary(
                now.map { (ContentHistory.Key($0.notification), $0.notification) },
                uniquingKeysWith: { first, _ in first })
            out.appendMember("complete", past.isComplete && shown.count == past.shown.count)
            out.appendMemberName("notifications")
            out.append("[")
            for (index, line) in shown.enumerated() {
                if index > 0 { out.append(",\n") }
                let key = ContentHistory.Key(line.line.entry)
                if let notification = known[key] {
                    screens.append(notification, to: &out)
                } else {
                    screens.append(line.line.entry, traffic.history[key], to: &out)
                }
            }
            out.append("]")
        } catch {
            throw Self.failure(error)
        }
        // States of Live Activities are not in the journal.
        out.append(",\"activities\":[]}\n")
        return .api(out)
    }
}

extension ContentHistory.Key {
    init(_ notification: DeliveredNotification) {
        self.init(seq: notification.seq, device: notification.device, identifier: notification.identifier)
    }

    init(_ entry: JournalEntry) { self.init(seq: entry.seq, device: entry.device, identifier: entry.identifier) }
}

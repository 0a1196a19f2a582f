import DeviceScreens
import PayloadJSON
import PushDecoding
import PushModel
import PushStore
import ScreenPictures

/// The events on devices, and their screens after each.
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
            case "after": query.after = try MessageQuery.number(name, value, MessageQuery.line)
            case "before": query.before = try MessageQuery.number(name, value, MessageQuery.line)
            case "limit": query.limit = try MessageQuery.number(name, value, 1...MessageQuery.maximumLimit)
            default:
                throw .unknownParameter(name, of: ["device", "app", "identifier", "after", "before", "limit"])
            }
        }
        let asked = query
        let (lines, kept) = try reading { (try screens.store.journal(asked), try screens.store.journalPlaces()) }
        var out = ByteBuffer()
        out.append("{\"journal\":[")
        for (index, line) in lines.enumerated() {
            if index > 0 { out.append(",") }
            out.append("\n")
            screens.append(line, to: &out)
        }
        out.append(lines.isEmpty ? "]" : "\n]")
        if !kept.isEmpty {
            out.appendMember("first", Int(clamping: kept.lowerBound))
            out.appendMember("last", Int(clamping: kept.upperBound - 1))
        }
        if let limit = host.journalLimit { out.appendMember("kept", limit) }
        out.append("}\n")
        return .api(out)
    }

    func screens(_ device: String, app: String?, at place: UInt64) throws(APIError) -> GatewayAnswer {
        let device = DeviceToken.canonical(device)
        var out = ByteBuffer()
        out.append("{\"device\":")
        out.appendJSONString(device)
        out.appendMember("at", Int(clamping: place))
        let past = try past(of: device, app: app, at: place)
        out.appendMember("complete", past.isComplete)
        out.appendArray(named: "notifications", past.shown, separator: ",\n") { shown, out in
            switch shown {
            case .kept(let notification): screens.append(notification, to: &out)
            case .gone(let entry, let content): screens.append(entry, content, to: &out)
            }
        }
        // States of Live Activities are not in the journal.
        out.append(",\"activities\":[]}\n")
        return .api(out)
    }
}

extension APIService {
    enum PastNotification {
        /// It still is.
        case kept(DeliveredNotification)
        /// Its content is nil if it is not known.
        case gone(JournalEntry, ShownContent?)

        /// For a picture.
        var notification: DeliveredNotification {
            switch self {
            case .kept(let notification): notification
            case .gone(let entry, let content):
                DeliveredNotification(
                    seq: entry.seq, device: entry.device, app: entry.app, identifier: entry.identifier,
                    content: content ?? ShownContent(body: "Text not recorded"), deliveredAt: entry.at, payload: "{}"
                )
            }
        }
    }

    /// The newest notifications that were on a screen after a line of the journal, newest first, and whether those are all.
    func past(
        of device: String, app: String?, at place: UInt64
    ) throws(APIError) -> (shown: [PastNotification], isComplete: Bool) {
        let limit = MessageQuery.maximumLimit
        let (past, now) = try reading {
            (
                try screens.store.screen(of: device, app: app, at: place, limit: Self.mostLinesOfScreen),
                // Whatever is still on the screen is known in full.
                try screens.store.newest(on: device, app: app, before: .max, limit: limit)
            )
        }
        let known = Dictionary(
            now.map { (ContentHistory.Key($0.notification), $0.notification) }, uniquingKeysWith: { first, _ in first })
        let shown = past.shown.prefix(limit).map { shown in
            let key = ContentHistory.Key(shown.line.entry)
            return known[key].map { .kept($0) } ?? PastNotification.gone(shown.line.entry, traffic.history[key])
        }
        return (shown, past.isComplete && past.shown.count <= limit)
    }

    /// A device's screen, now or after a line of the journal, as SVG.
    func picture(_ device: String, _ target: APITarget) throws(APIError) -> GatewayAnswer {
        var app: String?
        var place: UInt64?
        for (name, value) in target.parameters {
            switch name {
            case "app": app = value
            case "at": place = try MessageQuery.number(name, value, MessageQuery.line)
            default: throw .unknownParameter(name, of: ["app", "at"])
            }
        }
        let device = DeviceToken.canonical(device)
        let wanted = app
        var notifications: [DeliveredNotification]
        if let place {
            notifications = try past(of: device, app: app, at: place).shown.map(\.notification)
        } else {
            notifications = try reading {
                try screens.store.newest(
                    on: device, app: wanted, before: .max, limit: MessageQuery.maximumLimit)
            }.map(\.notification)
        }
        let delivered = notifications
        notifications = try reading {
            try AndroidScreens(screens.store, device: device).seen(delivered, newestFirst: true)
        }
        // States of Live Activities and numbers on icons are not in the journal.
        let isNow = place == nil
        let (activities, badges, registered) = try reading {
            (
                isNow ? try screens.store.liveActivities(device: device, app: wanted) : [],
                isNow ? try screens.store.badges(on: device) : [],
                try screens.store.registered(on: device)
            )
        }
        let contents = ScreenContents(
            device: device, platform: registered.lazy.compactMap(\.event.platform).first,
            notifications: notifications, activities: activities.filter { $0.state != .dismissed },
            badges: badges.filter { $0.badge > 0 && (wanted ?? $0.app) == $0.app },
            eventTime: AndroidScreen.time, seen: HiddenPreviews(registered).content)
        var out = ByteBuffer()
        out.appendText(ScreensPicture.draw(contents).svg)
        // In a tab of its own, it may do nothing but have a style.
        let policy = HeaderField(
            "content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
        return .api(out, headers: [policy], type: "image/svg+xml")
    }
}

extension ContentHistory.Key {
    init(_ notification: DeliveredNotification) {
        self.init(seq: notification.seq, device: notification.device, identifier: notification.identifier)
    }

    init(_ entry: JournalEntry) { self.init(seq: entry.seq, device: entry.device, identifier: entry.identifier) }
}

import PushDevices
import PushModel
import TestSupport

/// A random record that can be sent and also evaluated by the model.
struct RandomPush {
    var isAndroid = false
    var device = ""
    var app = ""
    /// What a request to Android names as its app; the screen is that of the registration id.
    var package = ""
    /// Collapse id or tag.
    var identifier: String?
    var customID: String?
    var isMutable = false
    var hasAlert = true
    var badge: Int?
    /// In the body, to tell notifications apart.
    var number = 0

    /// Few names, so that they repeat, and so that different pairs concatenate to the same text.
    init(_ generator: inout SeededGenerator, number: Int) {
        self.number = number
        isAndroid = generator.below(5) == 0
        (device, app) = generator.pick([("ab", "c"), ("a", "bc"), ("abc", ""), ("b", "c"), ("dd", "org.example.news")])
        if isAndroid { (package, app) = (app, "") }
        if generator.below(2) == 0 { identifier = "id\(generator.below(6))" }
        // Sometimes an identifier that was or will be generated.
        if generator.below(20) == 0 { identifier = "push-\(max(1, number - 10 + generator.below(20)))" }
        hasAlert = generator.below(8) != 0
        guard !isAndroid else { return }
        if generator.below(3) == 0 { customID = generator.pick(["s1", "s2", "s3", "id1"]) }
        isMutable = generator.below(4) == 0
        if generator.below(4) == 0 { badge = generator.below(4) }
    }

    var record: String {
        let body = hasAlert ? "text \(number)" : nil
        guard isAndroid else {
            return apns(
                device: device, app: app, collapseID: identifier, body: body, badge: badge, customID: customID,
                isMutable: isMutable)
        }
        let tag = identifier.map { ",\"tag\":\"\($0)\"" } ?? ""
        let content = body.map { "\"notification\":{\"body\":\"\($0)\"\(tag)}" } ?? "\"data\":{}"
        return "{\"to\":\"\(device)\",\"restricted_package_name\":\"\(package)\",\(content)}"
    }
}

/// A minimal model of delivery and replacement: one list, searched linearly.
struct NaiveScreens {
    struct Shown: Equatable {
        var seq: UInt64
        var device: String
        var app: String
        var identifier: String
        var customID: String?
        var body: String
    }

    struct Event: Equatable {
        var kind: JournalKind
        var seq: UInt64
        var identifier: String
    }

    /// AOSP, `NotificationManagerService.MAX_PACKAGE_NOTIFICATIONS`.
    static let mostOnAndroid = 50

    /// Newest last.
    private(set) var shown: [Shown] = []
    private(set) var events: [Event] = []
    private(set) var badges: [[String]: Int] = [:]

    mutating func deliver(_ push: RandomPush, seq: UInt64) -> Delivery {
        var cleared = 0
        if let badge = push.badge {
            let before = badges.updateValue(badge, forKey: [push.device, push.app]) ?? 0
            if badge == 0, before != 0 { cleared = clear(push, seq: seq) }
            if !push.hasAlert, badge != before {
                events.append(Event(kind: .badgeSet, seq: seq, identifier: "\(badge)"))
            }
        }
        var delivery = push.hasAlert ? show(push, seq: seq) : Delivery(outcome: .silent)
        delivery.cleared = cleared
        return delivery
    }

    private mutating func clear(_ push: RandomPush, seq: UInt64) -> Int {
        let found = shown.filter { $0.device == push.device && $0.app == push.app }
        for gone in found { events.append(Event(kind: .cleared, seq: seq, identifier: gone.identifier)) }
        shown.removeAll { found.contains($0) }
        return found.count
    }

    private mutating func show(_ push: RandomPush, seq: UInt64) -> Delivery {
        var delivery = Delivery(outcome: .delivered)
        if let customID = push.customID, push.isMutable {
            let found = shown.filter { $0.device == push.device && $0.app == push.app && $0.customID == customID }
            for gone in found {
                events.append(Event(kind: .removed, seq: seq, identifier: gone.identifier))
                shown.removeAll { $0 == gone }
            }
            if let newest = found.last { delivery = Delivery(outcome: .reposted, replaces: newest.seq) }
        }
        let identifier = push.identifier ?? "push-\(seq)"
        var event = JournalKind.delivered
        if let place = shown.firstIndex(where: {
            $0.device == push.device && $0.app == push.app && $0.identifier == identifier
        }) {
            event = .replaced
            if delivery.outcome == .delivered { delivery = Delivery(outcome: .replaced, replaces: shown[place].seq) }
            shown.remove(at: place)
        } else if push.isAndroid,
            shown.count(where: { $0.device == push.device && $0.app == push.app }) >= Self.mostOnAndroid
        {
            events.append(Event(kind: .suppressed, seq: seq, identifier: identifier))
            return Delivery(outcome: .suppressed)
        }
        shown.append(
            Shown(
                seq: seq, device: push.device, app: push.app, identifier: identifier, customID: push.customID,
                body: "text \(push.number)"))
        events.append(Event(kind: event, seq: seq, identifier: identifier))
        return delivery
    }
}

import PushDevices
import PushModel
import TestSupport

/// A random record that can be sent and also evaluated by the model.
struct RandomPush {
    var isAndroid: Bool
    var device: String
    var app: String
    /// What a request to Android names as its app; the screen is that of the registration id.
    var package = ""
    /// Collapse id or tag.
    var identifier: String?
    /// Custom ids under two keys; a run replaces by one of them.
    var ids: [String: String] = [:]
    var isMutable = false
    var body: String?
    var badge: Int?

    init(_ generator: inout SeededGenerator) {
        isAndroid = generator.below(5) == 0
        (device, app) = generator.pick([("ab", "c"), ("a", "bc"), ("abc", ""), ("b", "c"), ("dd", "org.example.news")])
        if isAndroid { (package, app) = (app, "") }
        if generator.below(2) == 0 { identifier = "id\(generator.below(6))" }
        if generator.below(20) == 0 { identifier = "push-\(generator.below(400))" }
        if generator.below(8) != 0 {
            body =
                "\(generator.below(1000)) "
                + generator.pick(["it's", "\\\"q\\\"", "日本", "😀", "\\ud83d\\ude00", "\\n", "a;--"])
        }
        guard !isAndroid else { return }
        if generator.below(3) == 0 { ids["story"] = generator.pick(["s1", "s2", "id1"]) }
        if generator.below(3) == 0 { ids["match"] = generator.pick(["s1", "m1", "m2"]) }
        isMutable = generator.below(4) == 0
        if generator.below(4) == 0 { badge = generator.below(4) }
    }

    var record: String {
        guard isAndroid else {
            return apns(
                device: device, app: app, collapseID: identifier, body: body, badge: badge, ids: ids,
                isMutable: isMutable)
        }
        let tag = identifier.map { ",\"tag\":\"\($0)\"" } ?? ""
        let content = body.map { "\"notification\":{\"body\":\"\($0)\"\(tag)}" } ?? "\"data\":{}"
        return "{\"to\":\"\(device)\",\"restricted_package_name\":\"\(package)\",\(content)}"
    }

    static func stream(seed: UInt64, count: Int) -> [RandomPush] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in RandomPush(&generator) }
    }

    /// Splits a stream into chunks of different lengths.
    static func chunks(_ stream: [RandomPush], seed: UInt64, atMost: Int) -> [[RandomPush]] {
        var generator = SeededGenerator(seed: seed)
        var chunks: [[RandomPush]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(1 + generator.below(atMost))
            chunks.append(Array(chunk))
            rest = rest.dropFirst(chunk.count)
        }
        return chunks
    }
}

/// A minimal model of delivery and replacement, with a replacement key that may change.
struct NaiveScreens {
    /// Newest last.
    private var shown: [(seq: UInt64, push: RandomPush, identifier: String)] = []
    private var badges: [[String]: Int] = [:]
    private var lastSequence: UInt64 = 0

    /// Numbers and identifiers, newest last.
    var lines: [String] { shown.map { "\($0.seq) \($0.push.device)/\($0.push.app) \($0.identifier)" } }

    mutating func run(_ pushes: [RandomPush], replacementKey: String?) -> [Delivery] {
        pushes.map { push in
            lastSequence += 1
            return deliver(push, replacementKey)
        }
    }

    private mutating func deliver(_ push: RandomPush, _ replacementKey: String?) -> Delivery {
        var delivery = Delivery(outcome: push.body == nil ? .silent : .delivered)
        if let badge = push.badge {
            let before = badges.updateValue(badge, forKey: [push.device, push.app]) ?? 0
            if badge == 0, before != 0 {
                let count = shown.count
                shown.removeAll { $0.push.device == push.device && $0.push.app == push.app }
                delivery.cleared = count - shown.count
            }
        }
        guard push.body != nil else { return delivery }
        if push.isMutable, let replacementKey, let id = push.ids[replacementKey] {
            let isSame = { (other: RandomPush) in
                other.device == push.device && other.app == push.app && other.ids[replacementKey] == id
            }
            if let newest = shown.last(where: { isSame($0.push) }) {
                (delivery.outcome, delivery.replaces) = (.reposted, newest.seq)
            }
            shown.removeAll { isSame($0.push) }
        }
        let identifier = push.identifier ?? "push-\(lastSequence)"
        if let place = shown.firstIndex(where: {
            $0.push.device == push.device && $0.push.app == push.app && $0.identifier == identifier
        }) {
            if delivery.outcome == .delivered {
                (delivery.outcome, delivery.replaces) = (.replaced, shown[place].seq)
            }
            shown.remove(at: place)
        }
        shown.append((lastSequence, push, identifier))
        return delivery
    }
}

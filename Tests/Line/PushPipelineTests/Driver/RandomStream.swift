import PushDecoding
import PushModel
import TestSupport

/// Records of all kinds to a few devices, so that most of them meet: messages of each provider, every event with any of its members, and
/// records that are damaged. The same for the same seed.
struct RandomStream {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func records(_ count: Int) -> [String] { (0..<count).map { record($0) } }

    /// The devices of messages and events. The first three are Apple's, as far as their names tell.
    static let devices = ["aa11", "bb22", "cc33", "reg-1", "reg-2", "reg-3"]
    private static let apps = ["org.example.a", "org.example.b"]
    private static let identifiers = ["one", "two", "push-3", "push-40", "activity-9"]

    private mutating func record(_ index: Int) -> String {
        let record =
            switch generator.below(20) {
            case ..<8: event()
            case ..<13: apns(index)
            case ..<15: liveActivity()
            case ..<18: fcm(index)
            case 18: gcm(index)
            default: expo(index)
            }
        return generator.below(25) == 0 ? damaged(record) : record
    }

    /// With a byte less, or one that does not belong there.
    private mutating func damaged(_ record: String) -> String {
        var bytes = Array(record.utf8)
        let place = generator.below(bytes.count)
        if generator.below(2) == 0 {
            bytes.remove(at: place)
        } else {
            bytes[place] = generator.pick(Array(#"",:{}[]0x\"#.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Messages

    private mutating func members(_ choices: [String]) -> String {
        choices.filter { _ in generator.below(3) == 0 }.joined(separator: ",")
    }

    private mutating func after(_ first: String, _ choices: [String]) -> String {
        ([first] + choices.filter { _ in generator.below(3) == 0 }).joined(separator: ",")
    }

    private mutating func apns(_ index: Int) -> String {
        let background = generator.below(6) == 0
        let category = generator.pick(["TALK", "NEWS", "none"])
        let aps =
            background
            ? #""content-available":1"#
            : after(
                #""alert":{"title":"\#(index)"}"#,
                [
                    #""badge":\#(generator.below(3))"#, #""category":"\#(category)""#, #""thread-id":"t""#,
                    #""mutable-content":1"#,
                    #""interruption-level":"\#(generator.pick(["passive", "time-sensitive"]))""#,
                ])
        let headers = after(
            #""apns-topic":"\#(generator.pick(Self.apps))","apns-push-type":"\#(background ? "background" : "alert")""#,
            [
                #""apns-collapse-id":"\#(generator.pick(Self.identifiers))""#,
                #""apns-expiration":"\#(generator.pick(["0", "1700000300", "1800000000"]))""#,
                #""apns-priority":"\#(generator.pick(["5", "10", "1"]))""#,
            ])
        let custom = generator.below(3) == 0 ? #","custom-payload-id":"\#(generator.below(3))""# : ""
        return request(generator.pick(Self.devices), headers, #"{"aps":{\#(aps)}\#(custom)}"#)
    }

    private func request(_ device: String, _ headers: String, _ payload: String) -> String {
        #"{"device":"\#(device)","headers":{\#(headers)},"payload":\#(payload)}"#
    }

    private mutating func liveActivity() -> String {
        let app = generator.pick(Self.apps)
        let event = generator.pick(["start", "update", "update", "end"])
        let start = #","attributes-type":"T","attributes":{"a":1},"alert":{"title":"t","body":"b"}"#
        let time = 1_700_000_000 + generator.below(4)
        let aps = after(
            #""timestamp":\#(time),"event":"\#(event)","content-state":{"n":\#(generator.below(9))}"#,
            [#""stale-date":1700000100"#, #""dismissal-date":1700000200"#])
        let headers =
            #""apns-topic":"\#(app).push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"10""#
            + (generator.below(4) == 0 ? #","apns-channel-id":"Y2hhbm5lbA==""# : "")
        let token = generator.pick(Self.devices + ["dd44", "ee55"])
        return request(token, headers, #"{"aps":{\#(aps)\#(event == "start" ? start : "")}}"#)
    }

    private mutating func fcm(_ index: Int) -> String {
        let target =
            switch generator.below(8) {
            case 0: #""topic":"\#(generator.pick(["a", "b"]))""#
            case 1: #""condition":"'a' in topics && !('b' in topics)""#
            default: #""token":"\#(generator.pick(Self.devices))""#
            }
        let android = members([
            #""ttl":"\#(generator.pick(["0s", "60s"]))""#, #""collapse_key":"\#(generator.pick(["k1", "k2"]))""#,
            #""priority":"\#(generator.pick(["high", "normal"]))""#,
            #""restricted_package_name":"\#(generator.pick(Self.apps))""#,
        ])
        let notification = members([
            #""tag":"\#(generator.pick(Self.identifiers))""#, #""sticky":true"#,
            #""click_action":"\#(generator.pick(["TALK", "OPEN"]))""#,
            #""visibility":"\#(generator.pick(["SECRET", "PUBLIC"]))""#,
            #""channel_id":"\#(generator.pick(["c1", "c2"]))""#,
        ])
        let block = (android.isEmpty ? "" : android + ",") + #""notification":{\#(notification)}"#
        let body = after(
            target,
            [
                #""notification":{"title":"\#(index)"}"#, #""data":{"a":"\#(generator.below(3))"}"#,
                #""android":{\#(block)}"#, #""apns":{"payload":{"aps":{"category":"TALK"}}}"#,
                #""webpush":{"notification":{"title":"w"}}"#,
            ])
        return #"{"message":{\#(body)}}"#
    }

    private mutating func gcm(_ index: Int) -> String {
        let target =
            generator.below(3) == 0
            ? #""registration_ids":["reg-1","\#(generator.pick(Self.devices))"]"#
            : #""to":"\#(generator.pick(Self.devices))""#
        let body = after(
            target,
            [
                #""notification":{"title":"\#(index)","tag":"one","click_action":"TALK"}"#, #""data":{"a":"1"}"#,
                #""collapse_key":"k1""#, #""time_to_live":\#(generator.pick([0, 60]))"#,
            ])
        return "{\(body)}"
    }

    private mutating func expo(_ index: Int) -> String {
        #"{"to":"ExponentPushToken[\#(generator.pick(["x", "y"]))]","title":"\#(index)","badge":\#(generator.below(2))}"#
    }

    // MARK: - Events

    private mutating func event() -> String {
        let others = DeviceEvent.Name.allCases.filter { $0 != .clock }
        let name = generator.below(3) == 0 ? DeviceEvent.Name.device : generator.pick(others)
        if generator.below(12) == 0 { return #"{"event":"clock","advance":"\#(generator.pick(["1s", "90s", "2h"]))"}"# }
        let all = EventMember.table.filter { $0.events.contains(name) }
        let rare = all.filter { !$0.required.contains(name) && $0.name.description != "app" }
        var chosen = all.filter { $0.required.contains(name) }
        if generator.below(2) == 0, let app = all.first(where: { $0.name.description == "app" }) { chosen.append(app) }
        for _ in 0..<generator.below(3) where !rare.isEmpty {
            let member = generator.pick(rare)
            if !chosen.contains(where: { $0.name.description == member.name.description }) { chosen.append(member) }
        }
        let members = chosen.map { member in #""\#(member.name)":\#(value(of: member))"# }
        return #"{"event":"\#(name.rawValue)",\#(members.joined(separator: ","))}"#
    }

    private mutating func value(of member: EventMember) -> String {
        let name = member.name.description
        let choices = member.form.choices
        switch (member.form.kind, name) {
        case (.text, _): return "\"\(text(name))\""
        case (.word, _):
            let flags = isChoice(member) ? [] : ["true", "false"]
            return generator.pick(choices.map { "\"\($0)\"" } + flags)
        case (.number, "advance"): return "\"\(generator.below(90))s\""
        case (.number, "unregistered_at"), (.number, "token_since"): return "\(1_700_000_000 + generator.below(200))"
        case (.number, _): return "\(generator.below(60))"
        case (.texts, _) where choices.isEmpty:
            return generator.below(4) == 0 ? "[]" : "[\"\(text(name))\",\"\(text(name))\"]"
        case (.texts, _): return "[\"\(generator.pick(choices))\",\"\(generator.pick(choices))\"]"
        case (.objects, "categories"):
            let talk = #"{"id":"TALK","actions":[{"id":"REPLY","text":true},{"id":"MUTE"}],"dismissal":true}"#
            return #"[\#(talk),{"id":"NEWS","actions":[{"id":"SHOW","foreground":true}]}]"#
        case (.objects, "start_tokens"): return #"{"T":"\#(text("start_token"))","U":"\#(text("start_token"))"}"#
        case (.objects, _):
            return #"[{"id":"c1","importance":"\#(generator.pick(["none", "low", "high"]))"},{"id":"c2"}]"#
        }
    }

    /// True if the member takes nothing but its words.
    private func isChoice(_ member: EventMember) -> Bool {
        !member.form.choices.isEmpty && member.name.description != "locked"
    }

    private mutating func text(_ member: String) -> String {
        switch member {
        case "device", "restored_from": generator.pick(Self.devices)
        case "app", "apps": generator.pick(Self.apps)
        case "canonical", "start_token", "activity_tokens", "outdated_tokens":
            generator.pick(["dd44", "ee55", "reg-2", "bb22"])
        case "expo": generator.pick(["ExponentPushToken[x]", "ExponentPushToken[y]", ""])
        case "identifier", "tag": generator.pick(Self.identifiers)
        case "topic", "topics": generator.pick(["a", "b", "/topics/a"])
        case "action": generator.pick(["REPLY", "MUTE", "SHOW", "no"])
        case "activities": generator.pick(["OPEN", "TALK"])
        case "channel": generator.pick(["c1", "c2", "c3"])
        default: generator.pick(["a", "b", "main"])
        }
    }
}

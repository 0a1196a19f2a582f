import PushDecoding
import PushDevices
import PushModel
import Testing

/// Sources: Apple, "Starting and updating Live Activities with ActivityKit push notifications" (A-LA below), "Displaying live
/// data with Live Activities" (A-live), `ActivityUIDismissalPolicy`, `ActivityState`.
struct LiveActivityTests {
    private static let hour: Int64 = 3_600_000

    private var activities = LiveActivities()
    private var seq: UInt64 = 0

    private func push(
        _ event: LiveActivityPush.Event, state: String? = "{}", timestamp: Int64? = nil, token: String? = nil,
        device: String = "ab"
    ) -> LiveActivityPush {
        var push = LiveActivityPush(event: event, device: device, app: "org.example.sport", token: token)
        push.contentState = state
        push.timestamp = timestamp
        if event == .start {
            push.attributesType = "ScoreAttributes"
            push.attributes = #"{"home":"Elbe"}"#
            push.alert = LiveActivityPush.Alert(title: "Kick-off")
        }
        return push
    }

    @discardableResult
    private mutating func apply(_ push: LiveActivityPush, at: Int64 = 0) -> LiveActivities.Answer {
        seq += 1
        return activities.apply(push, seq: seq, target: nil, at: at)
    }

    private func all(at time: Int64 = 0) -> [LiveActivity] { activities.activities(device: nil, app: nil, at: time) }

    // MARK: - Life cycle

    @Test mutating func `A-LA: a start makes an activity, an update changes its content, and an end ends it`() throws {
        #expect(apply(push(.start, state: #"{"goals":0}"#)).changed.map(\.identifier) == ["activity-1"])
        var activity = try #require(all().first)
        #expect(activity.attributesType == "ScoreAttributes" && activity.attributes == #"{"home":"Elbe"}"#)
        #expect(activity.contentState == #"{"goals":0}"# && activity.state == .active)
        #expect(apply(push(.update, state: #"{"goals":1}"#), at: 1000).changed.map(\.identifier) == ["activity-1"])
        apply(push(.end, state: #"{"goals":2}"#), at: 2000)
        activity = try #require(all(at: 2000).first)
        #expect(all().count == 1)
        #expect(activity.contentState == #"{"goals":2}"# && activity.state == .ended)
        #expect(activity.startedAt == 0 && activity.updatedAt == 2000 && activity.endedAt == 2000)
    }

    @Test mutating func `A-LA: an end without a content-state keeps the last one`() {
        apply(push(.start, state: #"{"goals":0}"#))
        apply(push(.end, state: nil), at: 1)
        #expect(all().map(\.contentState) == [#"{"goals":0}"#])
    }

    @Test mutating func `A-LA: a push that comes after the end is ignored`() {
        apply(push(.start))
        apply(push(.end))
        #expect(apply(push(.update, state: #"{"goals":9}"#)).refusal == .activityEnded)
        #expect(apply(push(.end)).refusal == .activityEnded)
        #expect(all().map(\.contentState) == ["{}"])
    }

    @Test(arguments: ["attributes-type", "attributes", "alert", "content-state"])
    mutating func `A-LA: a start without what an activity needs starts none`(missing: String) {
        var start = push(.start)
        switch missing {
        case "attributes-type": start.attributesType = nil
        case "attributes": start.attributes = nil
        case "alert": start.alert = nil
        default: start.contentState = nil
        }
        #expect(apply(start).refusal == .startIncomplete)
        #expect(all().isEmpty)
    }

    @Test mutating func `A-LA: the system shows the newest timestamp; an older one is ignored, an equal one is not`() {
        apply(push(.start, timestamp: 5))
        #expect(apply(push(.update, state: "[4]", timestamp: 4)).refusal == .olderTimestamp)
        #expect(apply(push(.update, state: "[5]", timestamp: 5)).refusal == nil)
        // Not documented: without a timestamp the push is taken as the newest.
        #expect(apply(push(.update, state: "[]")).refusal == nil)
        #expect(apply(push(.end, state: "[3]", timestamp: 3)).refusal == .olderTimestamp)
        #expect(all().map(\.contentState) == ["[]"])
    }

    @Test mutating func `an update needs a content-state, and every push an event`() {
        apply(push(.start))
        #expect(apply(push(.update, state: nil)).refusal == .noContentState)
        #expect(apply(LiveActivityPush(event: nil, device: "ab")).refusal == .noEvent)
    }

    // MARK: - Time

    @Test mutating func `ActivityState: an activity is stale from its stale-date on, until the next content`() {
        var start = push(.start)
        start.staleAt = 1000
        apply(start)
        #expect(all(at: 999).map(\.state) == [.active])
        #expect(all(at: 1000).map(\.state) == [.stale])
        apply(push(.update), at: 2000)
        #expect(all(at: 2000).map(\.state) == [.active])
    }

    @Test(
        arguments: [
            (nil, 4 * 3_600_000), (3_600_000, 3_600_000), (-3_600_000, 0), (0, 0), (18_000_000, 4 * 3_600_000),
        ] as [(Int64?, Int64)])
    mutating func
        `ActivityUIDismissalPolicy: it leaves the lock screen at its dismissal-date, and after 4 hours at the latest`(
            dismissal: Int64?, leaves: Int64
        )
    {
        let end = 10 * Self.hour
        apply(push(.start), at: end - 1)
        var push = push(.end)
        push.dismissAt = dismissal.map { end + $0 }
        apply(push, at: end)
        if leaves > 0 { #expect(all(at: end + leaves - 1).map(\.state) == [.ended]) }
        #expect(all(at: end + leaves).map(\.state) == [.dismissed])
    }

    @Test mutating func `A-live: the system ends an activity after 8 hours, and removes it 4 hours later`() {
        apply(push(.start))
        #expect(all(at: 8 * Self.hour - 1).map(\.state) == [.active])
        #expect(all(at: 8 * Self.hour).map(\.state) == [.ended])
        #expect(all(at: 12 * Self.hour).map(\.state) == [.dismissed])
        #expect(apply(push(.update), at: 8 * Self.hour).refusal == .activityEnded)
    }

    @Test func `A-live: the lock screen shows the greatest relevance score first, and the earlier of two equal ones`() {
        var activities = LiveActivities()
        for (number, score) in ["50", nil, "100", "50.0"].enumerated() {
            var start = push(.start, device: "d\(number)")
            start.relevanceScore = score
            _ = activities.apply(start, seq: UInt64(number), target: nil, at: 0)
        }
        let sorted = LiveActivity.inOrderOfRelevance(activities.activities(device: nil, app: nil, at: 0))
        #expect(sorted.map(\.seq) == [2, 0, 3, 1])
    }

    // MARK: - Which activity

    @Test mutating func `an app starts activities itself: a token that is new has one from its first push on`() {
        #expect(apply(push(.update, state: "[1]")).changed.map(\.identifier) == ["activity-1"])
        #expect(apply(push(.update, state: "[2]")).changed.map(\.identifier) == ["activity-1"])
        #expect(all().map(\.contentState) == ["[2]"] && all().map(\.attributesType) == [nil])
        #expect(apply(push(.end, device: "cd")).changed.map(\.identifier) == ["activity-3"])
    }

    @Test mutating func `devices and apps have activities of their own`() {
        apply(push(.start))
        apply(push(.start, device: "cd"))
        var other = push(.update, state: "[]", device: "cd")
        other.app = "org.example.news"
        apply(other)
        apply(push(.update, state: "[1]", device: "cd"))
        #expect(all().map(\.contentState) == ["{}", "[1]", "[]"])
    }

    @Test mutating func `each start makes another activity, and pushes go to the newest one that runs`() {
        apply(push(.start))
        apply(push(.start))
        #expect(apply(push(.update)).changed.map(\.identifier) == ["activity-2"])
        apply(push(.end))
        #expect(apply(push(.update)).changed.map(\.identifier) == ["activity-1"])
    }

    @Test mutating func `the first push to another token goes to the oldest activity started by push that has none`() {
        apply(push(.start, token: "start"))
        apply(push(.start, token: "start"))
        #expect(apply(push(.update, token: "one")).changed.map(\.identifier) == ["activity-1"])
        #expect(apply(push(.update, token: "two")).changed.map(\.identifier) == ["activity-2"])
        #expect(apply(push(.update, token: "one")).changed.map(\.identifier) == ["activity-1"])
        #expect(apply(push(.update, token: "three")).changed.map(\.identifier) == ["activity-6"])
        #expect(all().map(\.token) == ["one", "two", "three"])
    }

    // MARK: - Channels

    private func broadcast(_ event: LiveActivityPush.Event, state: String?) -> LiveActivityPush {
        var push = push(event, state: state, device: "default")
        push.channel = "c29tZUNoYW5uZWw="
        return push
    }

    private mutating func subscribe(_ device: String) {
        var start = push(.start, device: device)
        start.inputChannel = "c29tZUNoYW5uZWw="
        apply(start)
    }

    @Test mutating func `A-LA: a broadcast changes the activities of its channel on all devices, and no other`() {
        subscribe("ab")
        apply(push(.start, device: "cd"))
        subscribe("ef")
        let answer = apply(broadcast(.update, state: "[1]"))
        #expect(answer.changed.map(\.device) == ["ab", "ef"])
        #expect(all().map(\.contentState) == ["[1]", "{}", "[1]"])
        apply(push(.end, device: "ab"))
        #expect(apply(broadcast(.end, state: nil)).changed.map(\.device) == ["ef"])
        #expect(apply(broadcast(.end, state: nil)).refusal == .activityEnded)
    }

    /// Apple, "Sending broadcast push notification requests to APNs": the path of a broadcast names the app, so a channel is one app's.
    @Test mutating func `a channel belongs to its app`() {
        subscribe("ab")
        var other = broadcast(.update, state: "[1]")
        other.app = "org.example.other"
        let answer = apply(other)
        #expect(answer.refusal == nil)
        #expect(answer.changed.map(\.app) == ["org.example.other"])
        #expect(answer.changed.map(\.device) == ["default"])
        other.event = .end
        #expect(apply(other).changed.map(\.device) == ["default"])
        #expect(apply(other).refusal == .activityEnded)
    }

    @Test mutating func `A-LA: a broadcast cannot start an activity`() {
        #expect(apply(broadcast(.start, state: "{}")).refusal == .startByBroadcast)
        #expect(all().isEmpty)
    }

    @Test mutating func `a channel that no push has named has an activity that an app started`() {
        #expect(apply(broadcast(.update, state: "[1]")).changed.map(\.device) == ["default"])
        #expect(apply(broadcast(.update, state: "[2]")).changed.map(\.identifier) == ["activity-1"])
    }

    // MARK: - Limits

    @Test mutating func `A-LA: pushes of priority 10 have a budget per hour; one push says when it is used up`() {
        apply(push(.start))
        var counts: [Int] = []
        for minute in 0..<130 {
            var update = push(.update)
            update.hasHighPriority = true
            counts.append(apply(update, at: Int64(minute) * 30_000).overBudget.count)
        }
        #expect(counts.indices.filter { counts[$0] > 0 } == [LiveActivities.prioritiesPerHour])
        #expect(apply(push(.update), at: 130 * 30_000).overBudget.isEmpty)
    }

    @Test mutating func `A-live: attributes and content have 4 KB together`() {
        var start = push(.start)
        start.attributes = "{" + String(repeating: " ", count: 2046) + "}"
        apply(start)
        let state = { (count: Int) in "{" + String(repeating: " ", count: count - 2) + "}" }
        #expect(apply(push(.update, state: state(2048))).bytes == nil)
        #expect(apply(push(.update, state: state(2049))).bytes == 4097)
    }
}

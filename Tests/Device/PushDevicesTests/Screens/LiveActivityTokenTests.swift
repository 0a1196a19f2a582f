import PushDecoding
import PushDevices
import PushModel
import Testing

/// Sources: Apple, "Starting and updating Live Activities with ActivityKit push notifications" (A-LA below): a push-to-start token starts
/// activities, and each activity has an update token of its own; `ActivityState`.
struct LiveActivityTokenTests {
    private static let hour: Int64 = 3_600_000

    private var activities = LiveActivities()
    private var seq: UInt64 = 0

    private func push(
        _ event: LiveActivityPush.Event, _ device: String, token: String? = nil, app: String = "org.example.sport"
    ) -> LiveActivityPush {
        var push = LiveActivityPush(event: event, device: device, app: app, token: token)
        push.contentState = "{}"
        // A token of APNs that no event has made known as a device.
        push.mayBeOfOtherDevice = token == nil
        if event == .start {
            push.attributesType = "ScoreAttributes"
            push.attributes = "{}"
            push.alert = LiveActivityPush.Alert(title: "Kick-off")
        }
        return push
    }

    @discardableResult
    private mutating func apply(_ push: LiveActivityPush, at: Int64 = 0) -> String {
        seq += 1
        let answer = activities.apply(push, seq: seq, target: nil, at: at)
        return answer.changed.first?.identifier ?? answer.refusal?.name.description ?? "nothing"
    }

    private var count: Int { activities.activities(device: nil, app: nil, at: 0).count }

    // MARK: - Tokens

    @Test mutating func `A-LA: a start to one token and updates to another are one activity`() {
        #expect(apply(push(.start, "start")) == "activity-1")
        #expect(apply(push(.update, "update")) == "activity-1")
        #expect(apply(push(.update, "update")) == "activity-1")
        #expect(apply(push(.end, "update")) == "activity-1")
        #expect(apply(push(.update, "update")) == "activity-ended")
        #expect(count == 1)
    }

    @Test mutating func `A-LA: a start token starts another activity, and updates none`() {
        apply(push(.start, "start"))
        apply(push(.update, "update"))
        #expect(apply(push(.update, "start")) == "start-token")
        #expect(apply(push(.end, "start")) == "start-token")
        #expect(apply(push(.start, "start")) == "activity-5")
        #expect(apply(push(.update, "start")) == "start-token")
        #expect(apply(push(.update, "second")) == "activity-5")
        #expect(apply(push(.update, "update")) == "activity-1")
    }

    @Test mutating func `a name that stands for the device and all its tokens starts and updates`() {
        apply(push(.start, "ab"))
        #expect(apply(push(.update, "ab")) == "activity-1")
        // It has its token, so another one is that of an activity that an app has started.
        #expect(apply(push(.update, "cd")) == "activity-3")
        #expect(apply(push(.end, "ab")) == "activity-1")
        #expect(apply(push(.end, "ab")) == "activity-ended")
    }

    @Test mutating func `with two activities that wait, the order does not say whose a token is`() {
        apply(push(.start, "one"))
        apply(push(.start, "two"))
        #expect(apply(push(.update, "update")) == "activity-3")
        #expect(apply(push(.update, "one")) == "activity-1")
        #expect(apply(push(.update, "last")) == "activity-2")
        #expect(apply(push(.update, "update")) == "activity-3")
    }

    @Test mutating func `an activity of another app, one with a channel, and a device that is known are not meant`() {
        var start = push(.start, "start")
        start.inputChannel = "c29t"
        apply(start)
        #expect(apply(push(.update, "update")) == "activity-2")
        apply(push(.start, "start"))
        #expect(apply(push(.update, "other", app: "org.example.news")) == "activity-4")
        var known = push(.update, "known")
        known.mayBeOfOtherDevice = false
        #expect(apply(known) == "activity-5")
        #expect(apply(push(.update, "third")) == "activity-3")
    }

    /// Firebase, "Get started with Live Activity": `live_activity_token` is the push-to-start token, then the activity's own.
    @Test mutating func `through FCM the tokens of start and update differ`() {
        apply(push(.start, "fid", token: "start"))
        #expect(apply(push(.update, "fid", token: "start")) == "start-token")
        #expect(apply(push(.update, "fid", token: "update")) == "activity-1")
        #expect(apply(push(.end, "fid", token: "start")) == "start-token")
        #expect(apply(push(.end, "fid", token: "update")) == "activity-1")
        #expect(count == 1)
    }

    @Test mutating func `an app says which activity a token is for as soon as it has it`() {
        apply(push(.start, "phone"))
        _ = activities.claim(["first"], of: [], device: "phone", app: "org.example.sport", at: 0)
        apply(push(.start, "phone"))
        _ = activities.claim(["second"], of: [], device: "phone", app: "org.example.sport", at: 0)
        _ = activities.claim(["second"], of: [], device: "phone", app: "org.example.sport", at: 0)
        #expect(apply(push(.update, "phone", token: "second")) == "activity-2")
        #expect(apply(push(.update, "phone", token: "first")) == "activity-1")
        #expect(apply(push(.update, "phone")) == "start-token")
    }

    @Test mutating func `an activity that is over gets its token for as long as it could be on the lock screen`() {
        apply(push(.start, "start"))
        #expect(apply(push(.update, "late"), at: 8 * Self.hour) == "activity-ended")
        apply(push(.start, "start"), at: 9 * Self.hour)
        #expect(apply(push(.update, "next"), at: 21 * Self.hour) == "activity-4")
    }

    // MARK: - Swiping away

    @Test mutating func `ActivityState.dismissed: an activity that is swiped away is over`() {
        apply(push(.start, "ab"))
        apply(push(.update, "ab"))
        #expect(activities.dismiss("activity-1", device: "ab", app: nil, at: 5).first?.state(at: 5) == .dismissed)
        #expect(apply(push(.update, "ab"), at: 6) == "activity-dismissed")
        #expect(apply(push(.end, "ab"), at: 6) == "activity-dismissed")
        #expect(activities.dismiss("activity-1", device: "ab", app: nil, at: 7).isEmpty)
        #expect(apply(push(.start, "ab"), at: 8) == "activity-5")
        #expect(apply(push(.update, "ab"), at: 8) == "activity-5")
    }

    @Test mutating func `an activity that is swiped away before its first update gets none`() {
        apply(push(.start, "start"))
        _ = activities.dismiss("activity-1", device: "start", app: "org.example.sport", at: 0)
        #expect(apply(push(.update, "update")) == "activity-dismissed")
        #expect(apply(push(.update, "update")) == "activity-dismissed")
        #expect(count == 1)
    }

    @Test mutating func `an activity that has ended can be swiped away, and stays ended`() {
        apply(push(.start, "ab"))
        apply(push(.end, "ab"))
        #expect(activities.dismiss("activity-1", device: "ab", app: nil, at: 1).first?.state(at: 1) == .dismissed)
        #expect(apply(push(.update, "ab"), at: 2) == "activity-ended")
    }

    @Test mutating func `what is swiped away is one activity of one device and app`() {
        apply(push(.start, "ab"))
        #expect(activities.dismiss("activity-2", device: "ab", app: nil, at: 0).isEmpty)
        #expect(activities.dismiss("activity-1", device: "cd", app: nil, at: 0).isEmpty)
        #expect(activities.dismiss("activity-1", device: "ab", app: "org.example.news", at: 0).isEmpty)
        #expect(apply(push(.update, "ab")) == "activity-1")
    }

    // MARK: - Budget

    /// A-LA: priority 10 has a budget per hour, priority 5 does not; the system throttles what is over it. Apple publishes no number.
    @Test(arguments: [0, 1, 3]) mutating func `updates of priority 10 over a limit are dropped until the hour is over`(
        limit: Int
    ) {
        var update = push(.update, "ab")
        update.hasHighPriority = true
        update.prioritiesPerHour = limit
        var start = push(.start, "ab")
        start.hasHighPriority = true
        start.prioritiesPerHour = limit
        apply(start)
        let first = (0..<4).map { _ in apply(update, at: 1) }
        #expect(first.map { $0 == "throttled" } == (0..<4).map { $0 >= limit })
        #expect(apply(push(.update, "ab"), at: 2) == "activity-1")
        #expect(apply(update, at: 1 + Self.hour) == (limit == 0 ? "throttled" : "activity-1"))
        update.event = .end
        #expect(apply(update, at: 2 + Self.hour) == "activity-1")
    }
}

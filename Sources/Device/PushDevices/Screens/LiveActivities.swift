package import PushDecoding
package import PushModel

/// The Live Activities of all apps on all devices, in memory.
///
/// Pure state: it reads no clock and does no I/O. What a push to a token changes belongs to one device, so the devices can be
/// divided like those of `NotificationCenters`; a broadcast changes activities on many devices. Expected O(1) per push to a
/// token, and O(n log n) in the subscribers per broadcast, which changes them in the order of device and app.
///
/// Which activity a push addresses is described in `Documentation/explanation/live-activities.md`.
package struct LiveActivities {
    /// An app on a device.
    struct Place: Hashable {
        var device: String
        var app: String
    }

    struct Address: Hashable {
        var place: Place
        var token: String
    }

    /// Why a push changes nothing.
    package enum Refusal: Sendable, CaseIterable {
        case noEvent, startIncomplete, startByBroadcast, noContentState, activityEnded, activityDismissed, startToken
        case outdatedToken
        case olderTimestamp, throttled

        /// The reason in reports.
        package var name: StaticString {
            switch self {
            case .noEvent: "no-event"
            case .startIncomplete: "start-incomplete"
            case .startByBroadcast: "start-by-broadcast"
            case .noContentState: "no-content-state"
            case .activityEnded: "activity-ended"
            case .activityDismissed: "activity-dismissed"
            case .startToken: "start-token"
            case .outdatedToken: "outdated-token"
            case .olderTimestamp: "older-timestamp"
            case .throttled: "throttled"
            }
        }
    }

    /// The effect of a push.
    package struct Answer: Sendable {
        /// Why it changed nothing; nil if it changed something.
        package var refusal: Refusal?
        /// The device of the activity, where the push only named its token; nil where it named the device.
        package var owner: String?
        package var changed: [LiveActivity] = []
        /// The activities whose pushes of priority 10 have just become too many within an hour.
        package var overBudget: [LiveActivity] = []
        /// The bytes of attributes and content of an activity that has more than the system allows.
        package var bytes: Int?
    }

    /// Pushes of priority 10 within an hour above which a finding says so. Apple publishes no number; this many is one a minute.
    package static let prioritiesPerHour = 60
    /// Bytes of attributes and content together. Source: Apple, "Displaying live data with Live Activities".
    package static let maximumBytes = 4096

    var activities: [LiveActivity] = []
    /// The activities of a token, oldest first: those that run, and the last one that has ended. Also of tokens that only started them.
    var byToken: [Address: [Int]] = [:]
    /// The activities whose own tokens are not known yet: of an app on a device, with and without a channel, and of an app on any device.
    var waiting: [Place: WaitingActivities] = [:]
    var waitingWithChannel: [Place: WaitingActivities] = [:]
    var waitingOfApp: [String: WaitingActivities] = [:]
    /// The device of the activity that a token is for; the token takes the place of the device.
    var owners: [Place: String] = [:]
    /// The apps that have or had activities on a device.
    private var appsOfDevice: [String: Set<String>] = [:]
    /// The tokens that start activities and do not update them.
    var startTokens: Set<Address> = []
    private var byIdentifier: [String: Int] = [:]
    /// The running activities of a channel, and some that have ended.
    private var byChannel: [String: [Int]] = [:]
    /// The apps that have or had an activity with a channel. A channel belongs to one app.
    private var appsOfChannel: [String: Set<String>] = [:]
    /// Positions of activities that `saveChanges` has not passed on.
    var unsaved: Set<Int> = []
    let keepsChanges: Bool

    /// - Parameter keepsChanges: true if `saveChanges` will be called.
    package init(keepsChanges: Bool = false) { self.keepsChanges = keepsChanges }

    package var count: Int { activities.count }

    /// Adds an activity from a store, and says that it is saved. Call it for those of a device in the order in which they began, before the
    /// device gets others.
    package mutating func restore(_ activity: LiveActivity) { insert(activity) }

    package mutating func removeAll() { self = LiveActivities(keepsChanges: keepsChanges) }

    /// All activities on a device and of an app, in the order in which they began; nil selects every device or app.
    package func activities(device: String?, app: String?, at time: Int64) -> [LiveActivity] {
        activities.lazy.filter { (device ?? $0.device) == $0.device && (app ?? $0.app) == $0.app }.map { activity in
            var activity = activity
            activity.state = activity.state(at: time)
            return activity
        }
    }

    /// Passes the activities that changed since the last call to `save`, in the order in which they began; `save` may set
    /// their rows.
    package mutating func saveChanges(_ save: (inout LiveActivity) throws -> Void) rethrows {
        for position in unsaved.sorted() { try save(&activities[position]) }
        unsaved.removeAll(keepingCapacity: true)
    }

    // MARK: - Swiping away

    /// The user swipes an activity away, or deletes its app.
    ///
    /// - Parameter identifier: nil for all on the device; O(activities).
    /// - Returns: the activities; none if none with the identifier is on the lock screen.
    package mutating func dismiss(_ identifier: String?, device: String, app: String?, at: Int64) -> [LiveActivity] {
        let named = identifier.map { byIdentifier[$0].map { [$0] } ?? [] } ?? Array(activities.indices)
        let found = named.filter { position in
            activities[position].device == device && (app ?? activities[position].app) == activities[position].app
                && activities[position].state(at: at) != .dismissed
        }
        for position in found { activities[position].dismissedAt = at }
        if keepsChanges { unsaved.formUnion(found) }
        return found.map { activities[$0] }
    }

    // MARK: - Pushes

    /// Applies a push.
    ///
    /// - Parameters:
    ///   - seq: the record's number.
    ///   - target: index of the target; nil for a request with one target.
    ///   - at: milliseconds since the epoch.
    package mutating func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) -> Answer {
        var push = push
        var answer = Answer()
        answer.owner = owner(of: push, at: at)
        if let owner = answer.owner { push.device = owner }
        switch push.event {
        case nil: answer.refusal = .noEvent
        case _? where push.isForOutdatedToken && push.channel == nil: answer.refusal = .outdatedToken
        case .start?:
            if push.channel != nil {
                answer.refusal = .startByBroadcast
            } else if push.attributesType == nil || push.attributes == nil || push.contentState == nil
                || push.alert == nil
            {
                answer.refusal = .startIncomplete
            } else {
                let position = begin(push, seq: seq, target: target, at: at, isStartedByPush: true)
                change(position, push, at: at, &answer)
            }
        case .update? where push.contentState == nil: answer.refusal = .noContentState
        case .update?, .end?:
            if push.channel != nil {
                broadcast(push, seq: seq, target: target, at: at, &answer)
            } else {
                switch find(push, at: at) {
                case .running(let position): changeIfNewer(position, push, at: at, &answer)
                case .refused(let refusal): answer.refusal = refusal
                case .unknown:
                    let position = begin(push, seq: seq, target: target, at: at, isStartedByPush: false)
                    change(position, push, at: at, &answer)
                }
            }
        }
        return answer
    }

    /// True if a broadcast is for activities of its channel; otherwise it begins one.
    private func knowsChannel(of push: LiveActivityPush) -> Bool {
        let apps = appsOfChannel[push.channel ?? ""] ?? []
        return push.app.isEmpty ? !apps.isEmpty : apps.contains(push.app) || apps.contains("")
    }

    /// The activities that a broadcast is for, in an order that does not depend on other devices.
    private func ordered(_ running: [Int], _ push: LiveActivityPush) -> [Int] {
        let addressed = push.app.isEmpty ? running : running.filter { [push.app, ""].contains(activities[$0].app) }
        return addressed.sorted { left, right in
            let first = activities[left]
            let second = activities[right]
            return (first.device, first.app, left) < (second.device, second.app, right)
        }
    }

    /// Applies a broadcast to every activity of its channel. One that an app has started is not known before its first
    /// push, so a channel without any gets one on the device of the request.
    private mutating func broadcast(
        _ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64, _ answer: inout Answer
    ) {
        let channel = push.channel ?? ""
        guard knowsChannel(of: push), let subscribers = byChannel[channel] else {
            let position = begin(push, seq: seq, target: target, at: at, isStartedByPush: false)
            return change(position, push, at: at, &answer)
        }
        let running = subscribers.filter { activities[$0].isRunning(at: at) }
        byChannel[channel] = running
        var refusal: Refusal?
        for position in ordered(running, push) {
            changeIfNewer(position, push, at: at, &answer)
            refusal = answer.refusal ?? refusal
            answer.refusal = nil
        }
        if answer.changed.isEmpty { answer.refusal = refusal ?? .activityEnded }
    }

    private mutating func begin(
        _ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64, isStartedByPush: Bool
    ) -> Int {
        var activity = LiveActivity(
            seq: seq, device: push.device, app: push.app,
            identifier: "activity-\(seq)" + (target.map { ".\($0)" } ?? ""), token: push.token,
            hasOwnToken: !isStartedByPush, startedAt: at)
        activity.channel = isStartedByPush ? push.inputChannel : push.channel
        activity.attributesType = isStartedByPush ? push.attributesType : nil
        activity.attributes = isStartedByPush ? push.attributes : nil
        return insert(activity)
    }

    @discardableResult
    private mutating func insert(_ activity: LiveActivity) -> Int {
        let position = activities.count
        activities.append(activity)
        byIdentifier[activity.identifier] = position
        appsOfDevice[activity.device, default: []].insert(activity.app)
        indexTokens(of: position)
        if let channel = activity.channel {
            byChannel[channel, default: []].append(position)
            appsOfChannel[channel, default: []].insert(activity.app)
        }
        return position
    }

    private mutating func changeIfNewer(
        _ position: Int, _ push: LiveActivityPush, at: Int64, _ answer: inout Answer
    ) {
        if let last = activities[position].timestamp, let next = push.timestamp, next < last {
            answer.refusal = .olderTimestamp
        } else if push.event == .update, push.hasHighPriority, let limit = push.prioritiesPerHour,
            activities[position].countOfPriority(at: at) >= limit
        {
            answer.refusal = .throttled
            answer.overBudget.append(activities[position])
        } else {
            change(position, push, at: at, &answer)
        }
    }

    private mutating func change(_ position: Int, _ push: LiveActivityPush, at: Int64, _ answer: inout Answer) {
        var activity = activities[position]
        activity.timestamp = push.timestamp ?? activity.timestamp
        if let state = push.contentState {
            activity.contentState = state
            activity.staleAt = push.staleAt
            let bytes = (activity.attributes?.utf8.count ?? 0) + state.utf8.count
            if bytes > Self.maximumBytes { answer.bytes = max(answer.bytes ?? 0, bytes) }
        }
        activity.relevanceScore = push.relevanceScore ?? activity.relevanceScore
        if let alert = push.alert { (activity.alertTitle, activity.alertBody) = (alert.title, alert.body) }
        activity.updatedAt = at
        if push.event == .end { activity.end(at: at, dismissAt: push.dismissAt) }
        if push.hasHighPriority, push.channel == nil, push.prioritiesPerHour == nil || push.event == .update {
            activity.countPriority(at: at)
            if push.prioritiesPerHour == nil, activity.hourCount == Self.prioritiesPerHour + 1 {
                answer.overBudget.append(activity)
            }
        }
        activity.state = activity.state(at: at)
        activities[position] = activity
        if keepsChanges { unsaved.insert(position) }
        answer.changed.append(activity)
    }
}

extension LiveActivity {
    /// True if a push can still change it.
    func isRunning(at time: Int64) -> Bool {
        endedAt == nil && dismissedAt == nil && time < startedAt &+ Self.longestActive
    }

    /// True if the user swiped it away before a push had ended it. Source: Apple, `ActivityState.dismissed`: it will not be updated again.
    var isSwipedAway: Bool { endedAt == nil && dismissedAt != nil }

    /// Ends it.
    ///
    /// - Parameter dismissAt: when it leaves the lock screen: at once if that is past, and after 4 hours at the latest.
    mutating func end(at time: Int64, dismissAt: Int64?) {
        endedAt = time
        dismissedAt = min(max(dismissAt ?? .max, time), time &+ Self.longestEnded)
    }

    /// How many pushes of priority 10 there were in the hour of a time.
    fileprivate func countOfPriority(at time: Int64) -> Int { time &- hourStart >= 3_600_000 ? 0 : hourCount }

    /// Counts a push of priority 10.
    fileprivate mutating func countPriority(at time: Int64) {
        hourCount = countOfPriority(at: time) + 1
        if hourCount == 1 { hourStart = time }
    }
}

/// Which activity a token is for. A push-to-start token only starts activities; each then gets an update token of its own.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
extension LiveActivities {
    /// The activity that a push to a token is for.
    enum Addressee {
        case running(Int)
        case refused(Refusal)
        /// An activity that is not known, because the app has started it itself.
        case unknown
    }

    /// The device of the activity that a push is for, where the push only names a token: known from an earlier push, or that of the only
    /// activity of the app that has no token of its own yet. Nil where the token stands for its own device. Amortized O(1).
    package mutating func owner(of push: LiveActivityPush, at: Int64) -> String? {
        guard push.mayBeOfOtherDevice, push.channel == nil, push.event == .update || push.event == .end else {
            return nil
        }
        let place = Place(device: push.token, app: push.app)
        if let owner = owners[place] { return owner }
        guard byToken[Address(place: place, token: push.token)] == nil,
            let position = waitingOfApp[push.app]?.only(activities, at: at)
        else { return nil }
        return activities[position].device
    }

    /// The app has tokens for its activities on a device. A new one is that of the oldest activity that a push has started and that has none; or
    /// else that of the only running one whose token is not among them, as a token may change while its activity runs. If as many are new as are
    /// not among them, each is that of the activity in the same place in the order in which they started.
    ///
    /// Source: Apple, `Activity.pushTokenUpdates`.
    ///
    /// - Parameters:
    ///   - known: the tokens that the app has or had.
    ///   - app: empty for every app on the device, as of one that is registered without an app.
    /// - Returns: the tokens that others have replaced.
    package mutating func claim(
        _ tokens: [String], of known: [String], device: String, app: String, at: Int64
    ) -> [String] {
        let apps = app.isEmpty ? (appsOfDevice[device] ?? []).sorted() : [app]
        let places = apps.map { Place(device: device, app: $0) }
        var said: Set<String> = []
        let new = tokens.filter { token in
            said.insert(token).inserted && places.allSatisfy { byToken[Address(place: $0, token: token)] == nil }
                && bind(token, places, at: at) == nil
        }
        guard !new.isEmpty else { return [] }
        let missing = known.compactMap { other -> (token: String, position: Int)? in
            guard !said.contains(other) else { return nil }
            let positions = places.compactMap { byToken[Address(place: $0, token: other)]?.last }
            let running = positions.first { activities[$0].token == other && activities[$0].isRunning(at: at) }
            return running.map { (other, $0) }
        }
        guard missing.count == 1 || missing.count == new.count else { return [] }
        var replaced: [String] = []
        for (token, (old, position)) in zip(new, missing.sorted { $0.position < $1.position }) {
            let place = Place(device: device, app: activities[position].app)
            byToken[Address(place: place, token: old)] = nil
            replaced.append(old)
            owners[Place(device: old, app: place.app)] = nil
            byToken[Address(place: place, token: token)] = [position]
            activities[position].token = token
            activities[position].hasOwnToken = true
            noteTokens(of: activities[position])
            if keepsChanges { unsaved.insert(position) }
        }
        return replaced
    }

    func refusal(of activity: LiveActivity) -> Refusal { activity.isSwipedAway ? .activityDismissed : .activityEnded }

    mutating func find(_ push: LiveActivityPush, at: Int64) -> Addressee {
        let place = Place(device: push.device, app: push.app)
        let address = Address(place: place, token: push.token)
        if push.isForStartToken { return .refused(.startToken) }
        let isStartToken = startTokens.contains(address)
        while let position = byToken[address]?.last {
            let activity = activities[position]
            if activity.isRunning(at: at), activity.token == push.token, activity.hasOwnToken || !isStartToken {
                setOwnToken(push.token, of: position)
                return .running(position)
            }
            if isStartToken { return .refused(.startToken) }
            if byToken[address]?.count == 1 { return .refused(refusal(of: activity)) }
            byToken[address]?.removeLast()
        }
        guard let position = bind(push.token, [place], at: at) else { return .unknown }
        let activity = activities[position]
        return activity.isRunning(at: at) ? .running(position) : .refused(refusal(of: activity))
    }

    /// Gives a token to the oldest activity of an app on a device that waits for one; one with a channel may never get any, and is the last.
    private mutating func bind(_ token: String, _ places: [Place], at: Int64) -> Int? {
        var found: Int?
        for place in places {
            let oldest =
                waiting[place]?.oldest(activities, at: at) ?? waitingWithChannel[place]?.oldest(activities, at: at)
            if let oldest { found = min(oldest, found ?? oldest) }
        }
        guard let position = found else { return nil }
        let place = Place(device: activities[position].device, app: activities[position].app)
        byToken[Address(place: place, token: token)] = [position]
        setOwnToken(token, of: position)
        return position
    }

    private mutating func setOwnToken(_ token: String, of position: Int) {
        let old = activities[position].token
        guard !activities[position].hasOwnToken || old != token else { return }
        activities[position].token = token
        activities[position].hasOwnToken = true
        if old != token { activities[position].startToken = old }
        noteTokens(of: activities[position])
        // Also when the push changes nothing else.
        if keepsChanges { unsaved.insert(position) }
    }

    /// Notes the tokens of an activity that is new here.
    mutating func indexTokens(of position: Int) {
        let activity = activities[position]
        let place = Place(device: activity.device, app: activity.app)
        byToken[Address(place: place, token: activity.token), default: []].append(position)
        if let token = activity.startToken {
            byToken[Address(place: place, token: token), default: []].append(position)
        }
        noteTokens(of: activity)
        guard !activity.hasOwnToken else { return }
        if activity.channel == nil {
            waiting[place, default: WaitingActivities()].append(position)
            waitingOfApp[activity.app, default: WaitingActivities()].append(position)
        } else {
            waitingWithChannel[place, default: WaitingActivities()].append(position)
        }
    }

    private mutating func noteTokens(of activity: LiveActivity) {
        let place = Place(device: activity.device, app: activity.app)
        // A stream may use one name for the device, its start token, and the token of the activity.
        let mayUpdate = activity.hasOwnToken || activity.token == activity.device
        let startToken = mayUpdate ? activity.startToken : activity.token
        if let startToken { startTokens.insert(Address(place: place, token: startToken)) }
        if activity.hasOwnToken, activity.token != activity.device {
            owners[Place(device: activity.token, app: activity.app)] = activity.device
        }
    }
}

/// Activities that a push has started and whose own tokens are not known yet, oldest first.
struct WaitingActivities {
    private var running: [Int] = []
    private var firstRunning = 0
    /// Those that are over, and whose tokens may still be used.
    private var over: [Int] = []
    private var firstOver = 0

    mutating func append(_ position: Int) { running.append(position) }

    /// The oldest one that runs, or else the oldest one that is over.
    mutating func oldest(_ activities: [LiveActivity], at: Int64) -> Int? {
        while firstRunning < running.count {
            let position = running[firstRunning]
            if !activities[position].hasOwnToken {
                if activities[position].isRunning(at: at) { return position }
                over.append(position)
            }
            firstRunning += 1
        }
        while firstOver < over.count {
            if activities[over[firstOver]].waits(at: at) { return over[firstOver] }
            firstOver += 1
        }
        return nil
    }

    /// The only one that runs; if none does, the only one that is over.
    mutating func only(_ activities: [LiveActivity], at: Int64) -> Int? {
        var found: [Int] = []
        while found.count < 2, running.count > firstRunning, let position = running.popLast() {
            guard !activities[position].hasOwnToken else { continue }
            if activities[position].isRunning(at: at) { found.append(position) } else { over.append(position) }
        }
        running += found.reversed()
        guard found.isEmpty else { return found.count == 1 ? found[0] : nil }
        while found.count < 2, over.count > firstOver, let position = over.popLast() {
            if activities[position].waits(at: at) { found.append(position) }
        }
        over += found.reversed()
        return found.count == 1 ? found[0] : nil
    }
}

extension LiveActivity {
    /// True if it has no token of its own, and has not been over for so long that it cannot be meant any more.
    fileprivate func waits(at time: Int64) -> Bool {
        !hasOwnToken && time < startedAt &+ Self.longestActive &+ Self.longestEnded
    }
}

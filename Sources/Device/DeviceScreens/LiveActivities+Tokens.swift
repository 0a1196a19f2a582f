package import PushDecoding
import PushModel

/// Which activity a token is for. A push-to-start token only starts activities; each then gets an update token of its own.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
extension LiveActivities {
    /// The activity that a push to a token is for.
    enum Addressee {
        case running(Int)
        case refused(Refusal)
        /// None that is known: one that the app has started itself.
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

    /// The app has a token for an activity on a device: that of the oldest one that a push has started and that has none.
    package mutating func claim(_ token: String, device: String, app: String, at: Int64) {
        let place = Place(device: device, app: app)
        if byToken[Address(place: place, token: token)] == nil { _ = bind(token, place, at: at) }
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
        guard let position = bind(push.token, place, at: at) else { return .unknown }
        let activity = activities[position]
        return activity.isRunning(at: at) ? .running(position) : .refused(refusal(of: activity))
    }

    /// Gives a token to the oldest activity of an app on a device that waits for one; one with a channel may never get any, and is the last.
    private mutating func bind(_ token: String, _ place: Place, at: Int64) -> Int? {
        let found =
            waiting[place]?.oldest(activities, at: at) ?? waitingWithChannel[place]?.oldest(activities, at: at)
        guard let position = found else { return nil }
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
        index(position, under: Address(place: place, token: activity.token))
        if let token = activity.startToken { index(position, under: Address(place: place, token: token)) }
        noteTokens(of: activity)
        guard !activity.hasOwnToken else { return }
        if activity.channel == nil {
            waiting[place, default: WaitingActivities()].append(position)
            waitingOfApp[activity.app, default: WaitingActivities()].append(position)
        } else {
            waitingWithChannel[place, default: WaitingActivities()].append(position)
        }
    }

    /// Keeps the activities of a token in the order in which they began. One from a store may come after younger ones.
    private mutating func index(_ position: Int, under address: Address) {
        let row = activities[position].row ?? .max
        let last = byToken[address]?.lastIndex { (activities[$0].row ?? .max) <= row }
        byToken[address, default: []].insert(position, at: last.map { $0 + 1 } ?? 0)
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

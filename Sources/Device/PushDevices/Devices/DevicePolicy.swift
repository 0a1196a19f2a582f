package import AppSimulation
package import PushModel

/// Which limits an emulated provider and its devices enforce.
public struct DevicePolicy: Sendable, Equatable {
    /// True if a token that no event has registered counts as unregistered. Otherwise it is reachable.
    public var rejectsUnknownDevices = false
    /// Pushes to one token per minute; nil for no limit.
    public var pushesPerMinute: Int?
    /// Pushes of one sender, which is an app at its provider, per minute; nil for no limit.
    public var pushesPerMinuteOfSender: Int?
    /// Background pushes that a device delivers to one app per hour; nil for no limit.
    public var backgroundPushesPerHour: Int?
    /// True if FCM delays collapsible messages to an Android app after a burst of 20, and lets one more pass every 3 minutes.
    ///
    /// Source: Firebase, "FCM throttling and quotas".
    public var delaysCollapsibleBursts = false
    /// Updates of priority 10 that a device shows of one Live Activity per hour; nil for no limit.
    public var activityUpdatesPerHour: Int?
    /// Notifications that an app on an Android device shows at most; further ones are dropped.
    public var notificationsPerAndroidApp = Platform.mostNotificationsOnAndroid
    /// Maps a push to its notification type, for devices on which types are switched on and off; nil when there are no
    /// rules.
    package var typeMapping: PreferenceMapping?
    /// Where taps on notifications lead in the apps; nil when every tap leads to the app's own list.
    package var tapRoutes: TapRoutes?
    /// The reactions of apps to messages; nil when they have none that shows.
    package var messageRules: MessageRules?
    /// How the sender treats dead and unconfirmed tokens; nil when it does not track them.
    package var tokenLifeCycle: TokenLifeCycle?

    /// Values that options and scenarios accept as a rate limit.
    package static let limits = 0...1_000_000_000

    /// Every unknown device is reachable, and nothing is rate-limited.
    public init() {}

    /// True if messages to devices that no event has named pass without a look at the registry. What an Android app shows at most is counted
    /// on its screen.
    var isPlain: Bool {
        var plain = DevicePolicy()
        plain.notificationsPerAndroidApp = notificationsPerAndroidApp
        return self == plain
    }
}

/// How a sender treats the tokens that it stores, after the plan for Moodle's notification server. A policy of the
/// sender: no push service requires it. Pure.
///
/// A token that is not confirmed is swept. When a push service reports a token as unregistered, its owner is notified
/// once, and nothing more is sent to the token; later it is deleted, unless it was confirmed again.
package struct TokenLifeCycle: Sendable, Equatable {
    /// Minimum time that an unconfirmed token is kept, in milliseconds.
    package var confirmWithin: Int64 = 60_000
    /// Time between sweeps, in milliseconds. Sweeps are at its multiples since the epoch: on the hour.
    package var sweepInterval: Int64 = 3_600_000
    /// Time from a token's first failure to its deletion, in milliseconds: 30 days.
    package var keepsDisabled: Int64 = 30 * 86_400_000

    /// The defaults: a minute, an hour, 30 days.
    package init() {}

    /// The standing of a token with the sender.
    package typealias Standing = DeviceEvent.TokenStanding

    /// Why nothing is sent to a token; nil for one that gets pushes.
    package static func silence(_ standing: Standing) -> StaticString? {
        switch standing {
        case .confirmed, .unconfirmed: nil
        case .disabled: "token-disabled"
        case .deleted: "token-deleted"
        }
    }

    /// True if nothing is sent for this reason because of the token's standing.
    package static func isSilence(_ reason: StaticString) -> Bool {
        let reason = reason.description
        return Standing.allCases.contains { silence($0)?.description == reason }
    }

    /// When a token that has had its standing since a time is due; nil when nothing is scheduled.
    package func due(_ standing: Standing, since: Int64) -> Int64? {
        switch standing {
        case .confirmed, .deleted: return nil
        case .disabled: return since &+ max(keepsDisabled, 0)
        case .unconfirmed:
            // The first sweep at which it is older than that.
            let interval = max(sweepInterval, 1)
            let end = since &+ max(confirmWithin, 0)
            return end &+ (interval &- (end % interval &+ interval) % interval)
        }
    }
}

/// Counts pushes in a fixed window, which begins with the first push after the end of the previous one.
package struct RateWindow: BitwiseCopyable, Sendable, Equatable {
    /// Lengths of windows, in milliseconds.
    package static let second: Int64 = 1000
    package static let minute: Int64 = 60_000
    package static let hour: Int64 = 60 * minute

    /// When it began, in milliseconds since the epoch.
    package private(set) var start = Int64.min
    /// Pushes counted.
    package private(set) var count: Int32 = 0

    package init() {}

    /// Restores a window from a store.
    package init(start: Int64, count: Int32) {
        self.start = start
        self.count = count
    }

    /// True if a push now falls into the current window.
    package func isOpen(at: Int64, within length: Int64) -> Bool {
        // A start in the future means that the clock was set back.
        let (age, overflowed) = at.subtractingReportingOverflow(start)
        return !overflowed && age >= 0 && age < length
    }

    /// When it ends, in milliseconds since the epoch.
    package func end(within length: Int64) -> Int64 {
        let (end, overflowed) = start.addingReportingOverflow(length)
        return overflowed ? .max : end
    }

    /// Counts one push. False when it is over the limit; it counts all the same, so a sender that does not stop stays
    /// over it.
    package mutating func admits(at: Int64, limit: Int, within length: Int64) -> Bool {
        if !isOpen(at: at, within: length) {
            start = at
            count = 0
        }
        count = count == .max ? .max : count + 1
        return Int(count) <= limit
    }

    /// Counts one push unless as many as the limit have been counted, of which one is forgotten in each step of time. False if it is not counted.
    mutating func admits(at: Int64, limit: Int, forgettingEach step: Int64) -> Bool {
        let forgotten = isOpen(at: at, within: step * Int64(limit)) ? (at - start) / step : Int64(limit)
        if forgotten < count {
            start += forgotten * step
            count -= Int32(forgotten)
        } else {
            start = at
            count = 0
        }
        guard Int(count) < limit else { return false }
        count += 1
        return true
    }
}

/// Windows by name: of a token, a sender, an app on a device. Closed windows are removed from time to time, so that it
/// holds at most about twice as many as are open.
struct RateTable: Sendable {
    private static let smallestSweep = 65_536

    private let length: Int64
    /// The time after which a push is forgotten, in milliseconds; nil if all are when the window ends.
    private let step: Int64?
    private var windows: [String: RateWindow] = [:]
    private var sweepsAt = RateTable.smallestSweep
    /// Names of windows that have changed since `takeChanges`; nil when nobody asks for them.
    private var changed: Set<String>?
    /// The last time at which closed windows were removed, since `takeChanges`.
    private var sweptAt: Int64?

    /// - Parameters:
    ///   - length: of the windows, in milliseconds.
    ///   - step: the time after which a push is forgotten, in milliseconds; nil if all are when the window ends.
    init(within length: Int64, forgettingEach step: Int64? = nil) {
        self.length = length
        self.step = step
    }

    /// Counts one push for the name; see `RateWindow.admits`. Expected O(1).
    mutating func admits(_ name: String, at: Int64, limit: Int) -> Bool {
        if windows.count >= sweepsAt {
            windows = windows.filter { $0.value.isOpen(at: at, within: length) }
            sweepsAt = max(2 * windows.count, Self.smallestSweep)
            sweptAt = at
        }
        changed?.insert(name)
        if let step { return windows[name, default: RateWindow()].admits(at: at, limit: limit, forgettingEach: step) }
        return windows[name, default: RateWindow()].admits(at: at, limit: limit, within: length)
    }

    /// When the name's next push is admitted, if it is over the limit, in milliseconds since the epoch.
    func end(of name: String) -> Int64 { (windows[name] ?? RateWindow()).end(within: step ?? length) }

    var count: Int { windows.count }

    /// The names of all windows, in no order.
    var names: [String] { Array(windows.keys) }

    // MARK: - Persistence

    /// Sets a window that a store has kept.
    mutating func restore(_ window: RateWindow, of name: String) { windows[name] = window }

    /// Notes from now on which windows change.
    mutating func noteChanges() { if changed == nil { changed = [] } }

    /// Removes and returns what has changed since the last call, ordered by name: windows, and the latest start of those
    /// that may be forgotten.
    mutating func takeChanges() -> RateChanges {
        guard let names = changed, !names.isEmpty || sweptAt != nil else { return RateChanges() }
        defer {
            changed = []
            sweptAt = nil
        }
        return RateChanges(
            windows: names.sorted().compactMap { name in windows[name].map { (name, $0) } },
            closedSince: sweptAt.map { $0 &- length })
    }
}

/// The windows of one kind that a store has to write.
package struct RateChanges {
    package var windows: [(name: String, window: RateWindow)] = []
    /// Windows that began then or earlier are closed; nil when none need be removed.
    package var closedSince: Int64?
}

/// The subjects of windows. The names are those in stores.
package enum RateKind: String, CaseIterable, Sendable {
    case token, sender, background, collapsible, update
}

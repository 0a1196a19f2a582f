import Dispatch
import Foundation
import PushModel
import Synchronization
import UserNotifications

/// When removals of delivered notifications take effect.
public enum RemovalTiming: Sendable, Equatable {
    /// At once.
    case immediate
    /// After a while, whatever the extension does meanwhile.
    case delayed(Duration)
    /// After a while, and not at all when the extension has called its content handler before: its process is suspended.
    case lostAfterHandler(Duration)
}

/// One app's notifications on one device: what stands behind `UNUserNotificationCenter.current()` while a harness works.
///
/// Every change happens under one lock. Completion handlers are called on a background queue, in the order of the calls.
final class SimulatedDevice: UserNotificationHost {
    struct State {
        var delivered: [UNNotification] = []
        var pending: [UNNotificationRequest] = []
        var pendingSince: [String: Date] = [:]
        var categories: Set<UNNotificationCategory> = []
        var badge = 0
        var isAuthorized = true
        var alertsAreOn = true
        /// Of the extension at work.
        var removals: [Removal] = []
        var added: [String] = []
        /// When the delivered notifications were last listed for the extension, and what was in the list.
        var lastListing: (at: Duration, identifiers: Set<String>)?
        var hasCalledHandler = false
    }

    /// A removal that the extension asked for. Nil identifiers: all.
    struct Removal {
        var identifiers: [String]?
        var at: Duration
        var removed: [String]
        var isDone: Bool
    }

    private let state = Mutex(State())
    private let answers = DispatchQueue(label: "pushpipe.notification-center")
    private let clock: any ExtensionClock
    private let start: Date
    private let removalTiming: RemovalTiming

    init(clock: any ExtensionClock, start: Date, removalTiming: RemovalTiming) {
        self.clock = clock
        self.start = start
        self.removalTiming = removalTiming
    }

    func withState<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try state.withLock { state in
            fireTriggers(&state)
            return try body(&state)
        }
    }

    /// The clock's time as a date.
    var date: Date {
        let (seconds, attoseconds) = clock.now.components
        return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    // MARK: - Delivering

    /// Puts a notification on the screen, on top, in the place of one with the same identifier. Returns whether there was one.
    func show(_ request: UNNotificationRequest) -> Bool {
        withState { state in
            if let badge = request.content.badge { state.badge = badge.intValue }
            return Self.show(UNNotification(date: date, request: request), in: &state)
        }
    }

    private static func show(_ notification: UNNotification, in state: inout State) -> Bool {
        let before = state.delivered.count
        state.delivered.removeAll { $0.request.identifier == notification.request.identifier }
        let isReplacement = state.delivered.count < before
        state.delivered.append(notification)
        return isReplacement
    }

    /// Delivers local notifications whose time has come.
    private func fireTriggers(_ state: inout State) {
        guard !state.pending.isEmpty else { return }
        let now = date
        for request in state.pending {
            guard let since = state.pendingSince[request.identifier],
                let due = Self.date(of: request.trigger, since: since),
                due <= now
            else { continue }
            _ = Self.show(UNNotification(date: due, request: request), in: &state)
            if request.trigger?.repeats == true {
                state.pendingSince[request.identifier] = due
            } else {
                state.pending.removeAll { $0.identifier == request.identifier }
            }
        }
    }

    private static func date(of trigger: UNNotificationTrigger?, since: Date) -> Date? {
        switch trigger {
        case let trigger as UNTimeIntervalNotificationTrigger: since.addingTimeInterval(trigger.timeInterval)
        case let trigger as UNCalendarNotificationTrigger:
            Calendar.current.nextDate(after: since, matching: trigger.dateComponents, matchingPolicy: .nextTime)
        default: nil
        }
    }

    // MARK: - Removing

    /// Carries a removal out, if it still may be.
    private func finish(_ position: Int) {
        withState { state in
            guard position < state.removals.count, !state.removals[position].isDone else { return }
            if case .lostAfterHandler = removalTiming, state.hasCalledHandler { return }
            Self.apply(position, in: &state)
        }
    }

    private static func apply(_ position: Int, in state: inout State) {
        let wanted = state.removals[position].identifiers.map(Set.init)
        let gone = state.delivered.filter { wanted?.contains($0.request.identifier) ?? true }
        state.delivered.removeAll { wanted?.contains($0.request.identifier) ?? true }
        state.removals[position].removed = gone.map(\.request.identifier)
        state.removals[position].isDone = true
    }

    // MARK: - UserNotificationHost

    func requestAuthorization(
        _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let isAuthorized = withState { $0.isAuthorized }
        answers.async { completion(isAuthorized, nil) }
    }

    func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
        let (isAuthorized, alertsAreOn) = withState { ($0.isAuthorized, $0.alertsAreOn) }
        answers.async {
            completion(
                UNNotificationSettings(
                    authorizationStatus: isAuthorized ? .authorized : .denied,
                    alertSetting: alertsAreOn ? .enabled : .disabled))
        }
    }

    func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        if count >= 0 { withState { $0.badge = count } }
        answers.async { completion(count >= 0 ? nil : UNError(.badgeInputInvalid)) }
    }

    func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        let error: UNError? = withState { state in
            guard state.isAuthorized else { return UNError(.notificationsNotAllowed) }
            state.added.append(request.identifier)
            state.pending.removeAll { $0.identifier == request.identifier }
            if request.trigger == nil {
                if let badge = request.content.badge { state.badge = badge.intValue }
                _ = Self.show(UNNotification(date: date, request: request), in: &state)
            } else {
                state.pending.append(request)
                state.pendingSince[request.identifier] = date
            }
            return nil
        }
        answers.async { completion(error) }
    }

    func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
        let pending = withState { $0.pending }
        answers.async { completion(pending) }
    }

    func removePendingRequests(_ identifiers: [String]?) {
        withState { state in
            state.pending.removeAll { identifiers?.contains($0.identifier) ?? true }
        }
    }

    func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void) {
        answers.async { [self] in
            let delivered = withState { state in
                state.lastListing = (clock.now, Set(state.delivered.map(\.request.identifier)))
                return state.delivered
            }
            completion(delivered)
        }
    }

    func removeDeliveredNotifications(_ identifiers: [String]?) {
        let (position, now) = withState { state in
            let now = clock.now
            state.removals.append(Removal(identifiers: identifiers, at: now, removed: [], isDone: false))
            if removalTiming == .immediate { Self.apply(state.removals.count - 1, in: &state) }
            return (state.removals.count - 1, now)
        }
        switch removalTiming {
        case .immediate: break
        case .delayed(let delay), .lostAfterHandler(let delay):
            _ = clock.schedule(at: now + delay) { [weak self] in self?.finish(position) }
        }
    }

    func setCategories(_ categories: Set<UNNotificationCategory>) { withState { $0.categories = categories } }

    func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
        let categories = withState { $0.categories }
        answers.async { completion(categories) }
    }
}

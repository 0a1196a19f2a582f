#if os(Linux)
    public import Foundation
    import Synchronization

    /// The app's notifications: authorization, delivered and pending ones.
    ///
    /// Forwards everything to the host, in the order of the calls. It can be used from any thread. Completion handlers are called on a thread of
    /// the host's.
    open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
        private struct WeakDelegate {
            weak var delegate: (any UNUserNotificationCenterDelegate)?
        }

        private static let center = UNUserNotificationCenter(only: ())
        private static let currentHost = Locked<any UserNotificationHost>(MemoryHost())

        private let weakDelegate = Locked(WeakDelegate())

        private init(only: Void) {
            super.init()
        }

        /// The app's center.
        open class func current() -> UNUserNotificationCenter { center }

        /// Sets the device behind the center for the whole process. Nil sets a new host in memory.
        package static func setHost(_ host: (any UserNotificationHost)?) {
            let host = host ?? MemoryHost()
            // The old host is released after the lock: it may hold more than memory.
            _ = currentHost.withLock { current in
                defer { current = host }
                return current
            }
        }

        private var host: any UserNotificationHost { Self.currentHost.snapshot }

        /// The delegate for notifications in the foreground and for responses. Held weakly.
        open var delegate: (any UNUserNotificationCenterDelegate)? {
            get { weakDelegate.delegate }
            set { weakDelegate.delegate = newValue }
        }

        /// True if content extensions can show notifications: false, there is no screen here.
        open var supportsContentExtensions: Bool { false }

        // MARK: Leave and settings

        /// Requests authorization to show notifications.
        open func requestAuthorization(
            options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            host.requestAuthorization(options, completionHandler)
        }

        /// Passes the settings of the app's notifications to a handler.
        open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
            host.settings(completionHandler)
        }

        /// Sets the number on the app's icon; 0 removes it.
        open func setBadgeCount(
            _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
        ) {
            host.setBadgeCount(newBadgeCount, completionHandler ?? { _ in })
        }

        // MARK: Notifications to come

        /// Schedules a local notification, or delivers it at once without a trigger. Replaces one with the same identifier.
        open func add(
            _ request: UNNotificationRequest,
            withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
        ) {
            host.add(request, completionHandler ?? { _ in })
        }

        /// The pending local notifications.
        open func getPendingNotificationRequests(
            completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
        ) {
            host.pendingRequests(completionHandler)
        }

        /// Removes pending local notifications. Unknown identifiers are ignored.
        open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
            host.removePendingRequests(identifiers)
        }

        /// Removes all pending local notifications.
        open func removeAllPendingNotificationRequests() {
            host.removePendingRequests(nil)
        }

        // MARK: Notifications on the screen

        /// The delivered notifications.
        open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
            host.deliveredNotifications(completionHandler)
        }

        /// Removes delivered notifications. Returns before they are gone. Unknown identifiers are ignored.
        open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
            host.removeDeliveredNotifications(identifiers)
        }

        /// Removes all of the app's delivered notifications. Returns before they are gone.
        open func removeAllDeliveredNotifications() {
            host.removeDeliveredNotifications(nil)
        }

        // MARK: Categories

        /// Replaces the app's categories. Returns before that is done.
        open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
            host.setCategories(categories)
        }

        /// The app's categories.
        open func getNotificationCategories(
            completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
        ) {
            host.categories(completionHandler)
        }

        /// Reports a finding about the push in progress. Apple's center has no such method.
        package func report(_ rule: String, _ message: String) { host.report(rule, message) }
    }

    extension UNUserNotificationCenter {
        /// Requests authorization, and returns the answer.
        public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
            try await withCheckedThrowingContinuation { continuation in
                requestAuthorization(options: options) { isGranted, error in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: isGranted)
                    }
                }
            }
        }

        /// The settings of the app's notifications.
        public func notificationSettings() async -> UNNotificationSettings {
            await withCheckedContinuation { continuation in
                getNotificationSettings { continuation.resume(returning: $0) }
            }
        }

        /// Sets the number on the app's icon; 0 removes it.
        public func setBadgeCount(_ newBadgeCount: Int) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                setBadgeCount(newBadgeCount) { continuation.resume(with: Self.result($0)) }
            }
        }

        /// Schedules a local notification, and returns when that is done. Replaces one with the same identifier.
        public func add(_ request: UNNotificationRequest) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                add(request) { continuation.resume(with: Self.result($0)) }
            }
        }

        /// The pending local notifications.
        public func pendingNotificationRequests() async -> [UNNotificationRequest] {
            await withCheckedContinuation { continuation in
                getPendingNotificationRequests { continuation.resume(returning: $0) }
            }
        }

        /// The delivered notifications.
        public func deliveredNotifications() async -> [UNNotification] {
            await withCheckedContinuation { continuation in
                getDeliveredNotifications { continuation.resume(returning: $0) }
            }
        }

        /// The app's categories.
        public func notificationCategories() async -> Set<UNNotificationCategory> {
            await withCheckedContinuation { continuation in
                getNotificationCategories { continuation.resume(returning: $0) }
            }
        }

        private static func result(_ error: (any Error)?) -> Result<Void, any Error> {
            error.map { .failure($0) } ?? .success(())
        }
    }

    /// There is one center per process, as on a device, so hosts have to take turns.
    extension UNUserNotificationCenter {
        private struct Turns {
            var isTaken = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private static let turns = Mutex(Turns())

        /// Waits for its turn, and makes `host` the device behind the center until `endHosting`. Nil is a new host in memory.
        package static func beginHosting(_ host: (any UserNotificationHost)?) async {
            await withCheckedContinuation { continuation in
                let isFree = turns.withLock { turns in
                    defer { turns.isTaken = true }
                    if turns.isTaken { turns.waiting.append(continuation) }
                    return !turns.isTaken
                }
                if isFree { continuation.resume() }
            }
            setHost(host)
        }

        /// Ends the turn. The host stays until the next one takes over: an app may go on working.
        package static func endHosting() {
            let next = turns.withLock { turns in
                if turns.waiting.isEmpty {
                    turns.isTaken = false
                    return CheckedContinuation<Void, Never>?.none
                }
                return turns.waiting.removeFirst()
            }
            next?.resume()
        }
    }

    /// The device behind `UNUserNotificationCenter.current()`.
    ///
    /// Methods are called on any thread, in the order in which the app calls the center, and have to return soon. A completion is called once, on a
    /// thread of the host's, never on the calling thread while the call lasts. A host validates arguments: a negative badge is
    /// `UNError.badgeInputInvalid`.
    package protocol UserNotificationHost: AnyObject, Sendable {
        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
        /// Passes the settings of the app's notifications to a handler.
        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void)
        /// Sets the number on the app's icon; 0 removes it.
        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void)
        /// Schedules a local notification. Replaces one with the same identifier.
        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void)
        /// The pending local notifications.
        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void)
        /// Removes pending local notifications; nil for all.
        func removePendingRequests(_ identifiers: [String]?)
        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void)
        /// Removes delivered notifications; nil for all.
        func removeDeliveredNotifications(_ identifiers: [String]?)
        func setCategories(_ categories: Set<UNNotificationCategory>)
        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void)
        /// Reports a finding about the push in progress, under a rule of `pushpipe run`.
        func report(_ rule: String, _ message: String)
    }

    extension UserNotificationHost {
        /// A host without pushes has no place for findings.
        package func report(_ rule: String, _ message: String) {}
    }

    /// The default host: an app with full authorization, and a screen in memory.
    ///
    /// It serves code that runs outside a harness. Requests without a trigger are delivered at once; those with one stay pending, because nothing
    /// here waits for a time.
    final class MemoryHost: UserNotificationHost {
        private struct State {
            var badge = 0
            var pending: [UNNotificationRequest] = []
            var delivered: [UNNotification] = []
            var categories: Set<UNNotificationCategory> = []
        }

        /// Serial, so that answers and changes come in the order of the calls.
        private let queue = DispatchQueue(label: "UserNotifications.MemoryHost")
        private let state = Locked(State())

        private func enqueue(_ change: @escaping @Sendable (inout State) -> Void) {
            queue.async { self.state.withLock(change) }
        }

        private func answer<Answer>(
            _ completion: @escaping @Sendable (Answer) -> Void, _ read: @escaping @Sendable (inout State) -> Answer
        ) {
            queue.async { completion(self.state.withLock(read)) }
        }

        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            queue.async { completion(true, nil) }
        }

        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
            queue.async { completion(UNNotificationSettings()) }
        }

        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            answer(completion) { state in
                guard count >= 0 else { return UNError(.badgeInputInvalid) }
                state.badge = count
                return nil
            }
        }

        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            answer(completion) { state in
                state.pending.removeAll { $0.identifier == request.identifier }
                if request.trigger != nil {
                    state.pending.append(request)
                } else {
                    state.delivered.removeAll { $0.request.identifier == request.identifier }
                    state.delivered.append(UNNotification(date: UNNotificationTrigger.now(), request: request))
                }
                return nil
            }
        }

        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
            answer(completion) { $0.pending }
        }

        func removePendingRequests(_ identifiers: [String]?) {
            enqueue { $0.pending.removeAll { identifiers?.contains($0.identifier) ?? true } }
        }

        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void) {
            answer(completion) { $0.delivered }
        }

        func removeDeliveredNotifications(_ identifiers: [String]?) {
            enqueue { $0.delivered.removeAll { identifiers?.contains($0.request.identifier) ?? true } }
        }

        func setCategories(_ categories: Set<UNNotificationCategory>) {
            enqueue { $0.categories = categories }
        }

        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
            answer(completion) { $0.categories }
        }
    }
#endif

public import Foundation
public import PushModel
import Synchronization
public import UserNotifications

/// Runs a Notification Service Extension in this process, as a device would: for unit tests, with Swift Testing or XCTest.
///
///     let harness = ServiceExtensionHarness { NotificationService() }
///     let result = try await harness.deliver(#"{"aps":{"alert":"Hi","mutable-content":1}}"#)
///     #expect(result.outcome == .modified)
///     #expect(result.content?.title == "Hi [modified]")
///
/// A harness is one app on one device. Its extension gets a new instance for each push and keeps the process, so that state in
/// static variables leaks from one push to the next, as it may on a device. `UNUserNotificationCenter.current()` is one for the
/// whole process, so pushes to several harnesses wait for each other.
///
/// The app has its side too: see `appState` and `respond(to:actionIdentifier:userText:)`.
///
/// What cannot be had in one process: a crash of the extension is a crash of the test. Sources of the behaviour: Apple,
/// `UNNotificationServiceExtension` and "Modifying content in newly delivered notifications".
public final class ServiceExtensionHarness: Sendable {
    /// How the device behaves where Apple leaves room, or where a test wants to be done sooner.
    public struct Options: Sendable {
        /// From `didReceive` to `serviceExtensionTimeWillExpire`. Apple: about 30 seconds. The app's delegate has as long for its
        /// handlers, for which Apple gives no figure.
        public var timeLimit = Duration.seconds(30)
        /// How long the content handler still counts after `serviceExtensionTimeWillExpire` has returned. Apple gives no figure.
        public var grace = Duration.zero
        /// When removals of delivered notifications take effect. Apple: in the background, after the call has returned.
        public var removal = RemovalTiming.immediate
        /// Whether the app has the entitlement `com.apple.developer.usernotifications.filtering`, so that empty content shows nothing.
        public var mayFilter = false
        /// Where attachments are moved to. A folder of the harness's own unless given.
        public var attachmentStore: URL?
        /// The bundle of the app's texts, for the keys of payloads (`title-loc-key`) and for what the extension looks up without naming a
        /// bundle. A folder such as `de.lproj` is one language. The main bundle unless given, which in a test has no texts.
        public var bundle: Bundle?

        /// As a device, with removals that are done at once.
        public init() {}
    }

    /// A payload that no provider could have sent.
    public struct InvalidPayload: Error, Sendable, CustomStringConvertible {
        /// What is wrong with it.
        public var description: String
    }

    let options: Options
    let clock: any ExtensionClock
    let device: SimulatedDevice
    private let makeExtension: @Sendable () -> UNNotificationServiceExtension
    private let counter = Mutex(0)
    private let log = Mutex<[Finding]>([])

    /// - Parameters:
    ///   - options: how the device behaves, such as its time limit.
    ///   - clock: what the time limit is counted in; a `ManualExtensionClock` makes a test of expiry take no time.
    ///   - start: the date on the device when the clock is at zero.
    ///   - makeExtension: makes an instance for each push.
    public init(
        options: Options = Options(), clock: any ExtensionClock = SystemExtensionClock(), start: Date = Date(),
        makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
    ) {
        self.options = options
        self.clock = clock
        self.makeExtension = makeExtension
        device = SimulatedDevice(clock: clock, start: start, removalTiming: options.removal)
    }

    // MARK: - The device

    /// What is in Notification Center, oldest first.
    public var delivered: [UNNotification] { device.withState { $0.delivered.all } }

    /// Local notifications that wait for their trigger.
    public var pending: [UNNotificationRequest] { device.withState { $0.pending } }

    /// The number on the app's icon.
    public var badge: Int { device.withState { $0.badge } }

    /// Everything that was found since the harness was made, also what an extension did after its push was done with.
    public var findings: [Finding] { log.withLock { $0 } }

    /// Whether the user allows notifications.
    public func setAuthorized(_ isAuthorized: Bool) { device.withState { $0.isAuthorized = isAuthorized } }

    /// Whether the user has alerts switched on.
    public func setAlerts(areOn: Bool) { device.withState { $0.alertsAreOn = areOn } }

    /// Puts a notification into Notification Center that no extension has seen.
    public func place(_ payload: String, identifier: String) throws {
        var reader = PushReader(headers: [:], bundle: options.bundle)
        let push = try reader.read(payload) { identifier }
        let notification = UNNotification(date: device.date, request: push.request)
        _ = device.withState { SimulatedDevice.show(notification, [.list, .badge], in: &$0) }
    }

    // MARK: - Delivering

    /// Lets a push arrive, and waits until it is done with.
    ///
    /// - Parameters:
    ///   - payload: the body of the request, a JSON object.
    ///   - headers: the request's headers, of which `apns-collapse-id` and `apns-push-type` count on a device.
    /// - Throws: `InvalidPayload`.
    public func deliver(_ payload: String, headers: [String: String] = [:]) async throws -> ServiceExtensionResult {
        let push = try read([payload], headers)[0]
        // Nobody has to be asked, so there is nothing to wait for.
        if device.delegateToAsk == nil, let reason = whyNotStarted(push) { return showUnchanged(push, reason) }
        return await deliver([push])[0]
    }

    /// Lets pushes arrive one right after another, and waits until the last one is done with. Each is run as `deliver(_:headers:)` runs it,
    /// at a fraction of the time: the thread is changed once, and not for each.
    ///
    /// - Parameters:
    ///   - payloads: the bodies of the requests. All are read before the first one arrives.
    ///   - headers: the headers of each of them.
    /// - Throws: `InvalidPayload`, when one of them is invalid; then none has arrived.
    public func deliver(
        _ payloads: [String], headers: [String: String] = [:]
    ) async throws -> [ServiceExtensionResult] {
        await deliver(try read(payloads, headers))
    }

    private func deliver(_ pushes: [Push]) async -> [ServiceExtensionResult] {
        await beginHosting()
        defer { UNUserNotificationCenter.endHosting() }
        return await ExtensionTurn.run(pushes, of: self)
    }

    /// Waits for the harness's turn, and makes its device the one behind the notification centre.
    func beginHosting() async {
        await UNUserNotificationCenter.beginHosting(device)
        // For `nextTriggerDate()`.
        UNNotificationTrigger.now = { [device] in device.date }
        Bundle.ofApp = options.bundle ?? .main
    }

    private func read(_ payloads: [String], _ headers: [String: String]) throws -> [Push] {
        var reader = PushReader(headers: headers, bundle: options.bundle)
        var pushes: [Push] = []
        pushes.reserveCapacity(payloads.count)
        for payload in payloads {
            pushes.append(
                try reader.read(payload) {
                    let number = counter.withLock { counter in
                        counter += 1
                        return counter
                    }
                    return "push-\(number)"
                })
        }
        return pushes
    }

    // MARK: - One push, as a turn runs it

    /// Why the extension is not run for a push; nil when it is.
    func whyNotStarted(_ push: Push) -> ServiceExtensionResult.Reason? {
        if !push.isShownType { return .pushType }
        let (isAuthorized, alertsAreOn) = device.withState { ($0.isAuthorized, $0.alertsAreOn) }
        if !isAuthorized || !alertsAreOn { return .notAuthorized }
        if !push.request.content.hasText { return .noAlert }
        return push.isMutable ? nil : .notMutable
    }

    /// Presents a push that the extension is not run for, as far as there is something to present.
    func showUnchanged(_ push: Push, _ reason: ServiceExtensionResult.Reason) -> ServiceExtensionResult {
        var result = ServiceExtensionResult(
            outcome: .notStarted(reason), content: nil, presentation: nil, identifier: push.request.identifier,
            isReplacement: false, duration: nil, didExpire: false, removed: [], added: [], findings: [])
        let content = push.request.content
        switch reason {
        case .notMutable: result.content = content
        // A sound or a number alone.
        case .noAlert where content.sound != nil || content.badge != nil: break
        default: return result
        }
        present(push.request, in: &result)
        return result
    }

    /// Makes an instance of the extension for a push, with the device ready for it.
    func begin(didEnd: @escaping @Sendable (ExtensionAttempt.Ending) -> Void) -> ExtensionAttempt {
        device.withState { state in
            state.removals = []
            state.added = []
            state.removalWatch = RemovalWatch()
            state.hasCalledHandler = false
        }
        return ExtensionAttempt(
            makeExtension(), clock: clock, grace: options.grace,
            willHandle: { [device] in device.withState { $0.hasCalledHandler = true } },
            report: { [self] finding in log.withLock { $0.append(finding) } }, didEnd: didEnd)
    }

    /// Presents what came of a push.
    func finish(_ request: UNNotificationRequest, _ ending: ExtensionAttempt.Ending) -> ServiceExtensionResult {
        var findings = ending.findings
        let (outcome, content) = decide(ending.content, request.content, &findings)
        let (removed, added) = device.withState { state in
            if let handledAt = ending.handledAt { findings += state.removalWatch.findings(handledAt: handledAt) }
            return (state.removals.flatMap(\.removed), state.added)
        }
        if !findings.isEmpty { log.withLock { $0 += findings } }
        var result = ServiceExtensionResult(
            outcome: outcome, content: content, presentation: nil, identifier: request.identifier, isReplacement: false,
            duration: ending.handledAt.map { $0 - ending.startedAt }, didExpire: ending.didExpire, removed: removed,
            added: added, findings: findings)
        if let content {
            present(
                UNNotificationRequest(identifier: request.identifier, content: content, trigger: request.trigger),
                in: &result)
        }
        return result
    }

    private func decide(
        _ handed: UNNotificationContent?, _ original: UNNotificationContent, _ findings: inout [Finding]
    ) -> (ServiceExtensionResult.Outcome, UNNotificationContent?) {
        guard let handed else { return (.original(.handlerNotCalled), original) }
        guard handed.hasText else {
            return options.mayFilter ? (.suppressed, nil) : (.original(.emptyText), original)
        }
        return (.modified, AttachmentStore(folder: options.attachmentStore).takeOver(handed, &findings))
    }
}

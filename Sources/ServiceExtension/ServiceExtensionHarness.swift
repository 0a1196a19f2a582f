public import Foundation
import PayloadJSON
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
/// What cannot be had in one process: a crash of the extension is a crash of the test. Sources of the behaviour: Apple,
/// `UNNotificationServiceExtension` and "Modifying content in newly delivered notifications".
public final class ServiceExtensionHarness: Sendable {
    /// How the device behaves where Apple leaves room, or where a test wants to be done sooner.
    public struct Options: Sendable {
        /// From `didReceive` to `serviceExtensionTimeWillExpire`. Apple: about 30 seconds.
        public var timeLimit = Duration.seconds(30)
        /// How long the content handler still counts after `serviceExtensionTimeWillExpire` has returned. Apple gives no figure.
        public var grace = Duration.zero
        /// When removals of delivered notifications take effect. Apple: in the background, after the call has returned.
        public var removal = RemovalTiming.immediate
        /// Whether the app has the entitlement `com.apple.developer.usernotifications.filtering`, so that empty content shows nothing.
        public var mayFilter = false
        /// Where attachments are moved to. A folder of the harness's own unless given.
        public var attachmentStore: URL?

        /// As a device, with removals that are done at once.
        public init() {}
    }

    /// A payload that no provider could have sent.
    public struct InvalidPayload: Error, Sendable, CustomStringConvertible {
        /// What is wrong with it.
        public var description: String
    }

    /// Time between a removal and the end of an extension that apps are known to leave, because it is not done when the call returns.
    /// Observed; Apple gives no figure.
    static let safeRemovalTime = Duration.milliseconds(200)

    private let options: Options
    private let clock: any ExtensionClock
    private let device: SimulatedDevice
    private let makeExtension: @Sendable () -> UNNotificationServiceExtension
    private let counter = Mutex(0)
    private let log = Mutex<[Finding]>([])

    /// - Parameters:
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
    public var delivered: [UNNotification] { device.withState { $0.delivered } }

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
        let content = try Self.read(payload).content
        _ = device.show(
            UNNotificationRequest(identifier: identifier, content: content, trigger: UNPushNotificationTrigger()))
    }

    // MARK: - Delivering

    /// Lets a push arrive, and waits until it is done with.
    ///
    /// - Parameters:
    ///   - payload: the body of the request, a JSON object.
    ///   - headers: the request's headers, of which `apns-collapse-id` and `apns-push-type` count on a device.
    /// - Throws: `InvalidPayload`.
    public func deliver(_ payload: String, headers: [String: String] = [:]) async throws -> ServiceExtensionResult {
        let push = try Self.read(payload)
        let names = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $1 })
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        let identifier = names["apns-collapse-id"].flatMap { $0.isEmpty ? nil : $0 } ?? "push-\(number)"
        let request = UNNotificationRequest(
            identifier: identifier, content: push.content, trigger: UNPushNotificationTrigger())
        if let reason = whyNotStarted(push, pushType: names["apns-push-type"]) {
            let isShown = push.hasAlert && (reason == .notMutable)
            return ServiceExtensionResult(
                outcome: .notStarted(reason), content: isShown ? request.content : nil, identifier: identifier,
                isReplacement: isShown && device.show(request), duration: nil, didExpire: false, removed: [], added: [],
                findings: [])
        }
        await UNUserNotificationCenter.beginHosting(device)
        // For `nextTriggerDate()`.
        UNNotificationTrigger.now = { [device] in device.date }
        defer { UNUserNotificationCenter.endHosting() }
        return await run(request)
    }

    private func whyNotStarted(_ push: Push, pushType: String?) -> ServiceExtensionResult.Reason? {
        if let pushType, let row = PushType.table.first(where: { $0.wireName.description == pushType }), !row.isShown {
            return .pushType
        }
        let (isAuthorized, alertsAreOn) = device.withState { ($0.isAuthorized, $0.alertsAreOn) }
        if !isAuthorized || !alertsAreOn { return .notAuthorized }
        if !push.hasAlert { return .noAlert }
        return push.isMutable ? nil : .notMutable
    }

    private func run(_ request: UNNotificationRequest) async -> ServiceExtensionResult {
        device.withState { state in
            state.removals = []
            state.added = []
            state.lastListing = nil
            state.hasCalledHandler = false
        }
        let attempt = ExtensionAttempt(
            makeExtension(), clock: clock, limit: options.timeLimit, grace: options.grace,
            willHandle: { [device] in device.withState { $0.hasCalledHandler = true } },
            report: { [self] finding in log.withLock { $0.append(finding) } })
        let ending = await attempt.run(request)
        var findings = ending.findings + raceFindings(handledAt: ending.handledAt)
        let (outcome, content) = decide(ending.content, request.content, &findings)
        let isReplacement =
            content.map {
                device.show(
                    UNNotificationRequest(identifier: request.identifier, content: $0, trigger: request.trigger))
            } ?? false
        log.withLock { $0 += findings }
        let (removed, added) = device.withState { state in (state.removals.flatMap(\.removed), state.added) }
        return ServiceExtensionResult(
            outcome: outcome, content: content, identifier: request.identifier, isReplacement: isReplacement,
            duration: ending.handledAt.map { $0 - ending.startedAt }, didExpire: ending.didExpire, removed: removed,
            added: added, findings: findings)
    }

    private func decide(
        _ handed: UNNotificationContent?, _ original: UNNotificationContent, _ findings: inout [Finding]
    ) -> (ServiceExtensionResult.Outcome, UNNotificationContent?) {
        guard let handed else { return (.original(.handlerNotCalled), original) }
        guard !handed.title.isEmpty || !handed.subtitle.isEmpty || !handed.body.isEmpty else {
            return options.mayFilter ? (.suppressed, nil) : (.original(.emptyText), original)
        }
        return (.modified, AttachmentStore(folder: options.attachmentStore).takeOver(handed, &findings))
    }

    /// A removal that was asked for just before the content handler was called may not have happened on a device.
    private func raceFindings(handledAt: Duration?) -> [Finding] {
        guard let handledAt else { return [] }
        return device.withState { state in
            state.removals.compactMap { removal in
                if let listing = state.lastListing, listing.at >= removal.at,
                    removal.identifiers.map({ listing.identifiers.isDisjoint(with: $0) }) ?? listing.identifiers.isEmpty
                {
                    return nil
                }
                guard handledAt - removal.at < Self.safeRemovalTime else { return nil }
                let names = removal.identifiers.map { $0.joined(separator: ", ") } ?? "all"
                return Finding(
                    rule: "extension.removal-race", severity: .warning, pointer: "",
                    message:
                        "the content handler was called right after the removal of \(names): a device removes in the "
                        + "background, and may not get to it before the extension is suspended")
            }
        }
    }

    // MARK: - Reading

    private struct Push {
        var content: UNNotificationContent
        var hasAlert: Bool
        var isMutable: Bool
    }

    private static func read(_ payload: String) throws -> Push {
        var text = payload
        let isMutable: Bool = try text.withUTF8 { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            let raw = UnsafeRawBufferPointer(bytes)
            if let fault = scanner.scan(raw, into: &tape) {
                throw InvalidPayload(description: "not JSON at byte \(fault.offset): \(fault.message(in: raw))")
            }
            guard let root = tape.root(of: raw), root.isObject else {
                throw InvalidPayload(description: "a payload is a JSON object")
            }
            return root["aps"]?["mutable-content"]?.isOne ?? false
        }
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw InvalidPayload(description: "Foundation cannot read the payload")
        }
        let content = UNMutableNotificationContent(apnsPayload: object)
        let hasAlert = !content.title.isEmpty || !content.subtitle.isEmpty || !content.body.isEmpty
        return Push(content: content, hasAlert: hasAlert, isMutable: isMutable)
    }
}

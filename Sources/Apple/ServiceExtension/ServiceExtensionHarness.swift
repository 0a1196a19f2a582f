#if os(Linux)
    import Dispatch
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
    /// A harness is one app on one device. Each push gets a new instance of the extension in the same process, so state in static variables
    /// leaks from one push to the next, as it may on a device. There is one `UNUserNotificationCenter.current()` for the process, so pushes
    /// to several harnesses wait for each other.
    ///
    /// The app has its side too: see `appState` and `respond(to:actionIdentifier:userText:)`.
    ///
    /// One process has a limit: a crash of the extension crashes the test. Sources of the behavior: Apple, `UNNotificationServiceExtension` and
    /// "Modifying content in newly delivered notifications".
    public final class ServiceExtensionHarness: Sendable {
        /// How the device behaves where Apple does not say, or where a test wants to be faster.
        public struct Options: Sendable {
            /// Time from `didReceive` to `serviceExtensionTimeWillExpire`. Apple: about 30 seconds. The app's delegate has as long for its handlers,
            /// for which Apple gives no figure.
            public var timeLimit = Duration.seconds(30)
            /// How long the content handler still counts after `serviceExtensionTimeWillExpire` has returned. Apple gives no figure.
            public var grace = Duration.zero
            /// When removals of delivered notifications take effect. Apple: in the background, after the call has returned.
            public var removal = RemovalTiming.immediate
            /// True if the app has the entitlement `com.apple.developer.usernotifications.filtering`, so that empty content shows nothing.
            public var mayFilter = false
            /// The folder that attachments are moved to; by default one of the harness's own.
            public var attachmentStore: URL?
            /// The bundle with the app's localized texts: for the keys of payloads (`title-loc-key`) and for lookups of the extension that name no
            /// bundle. A folder such as `de.lproj` is one language. By default the main bundle, which in a test has no texts.
            public var bundle: Bundle?
            /// The language of texts, such as `de`; by default that of the bundle's development region.
            public var language: String?

            /// Behaves as a device, with removals that take effect at once.
            public init() {}
        }

        /// A payload that no provider could send, or a response that a person could not give.
        public struct ImpossibleInput: Error, Sendable, CustomStringConvertible {
            /// The problem, for people to read.
            public var description: String
        }

        let options: Options
        let clock: any ExtensionClock
        let device: SimulatedDevice
        /// Names its app groups.
        let scope = "pushpipe-\(UUID().uuidString)"
        private let makeExtension: @Sendable () -> UNNotificationServiceExtension
        private let counter = Mutex(0)
        private let log = Mutex<[Finding]>([])

        /// - Parameters:
        ///   - options: how the device behaves, such as its time limit.
        ///   - clock: the clock for the time limit; a `ManualExtensionClock` lets a test of expiration finish at once.
        ///   - start: the date on the device when the clock is at zero.
        ///   - makeExtension: returns a new instance for each push.
        public init(
            options: Options = Options(), clock: any ExtensionClock = SystemExtensionClock(), start: Date = Date(),
            makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
        ) {
            self.options = options
            self.clock = clock
            self.makeExtension = makeExtension
            device = SimulatedDevice(clock: clock, start: start, removalTiming: options.removal)
        }

        deinit {
            AppGroupScope.remove(scope)
            DeviceLock.set(.unlocked, scope: scope)
        }

        // MARK: - The device

        /// The defaults of an app group on this device: what `UserDefaults(suiteName:)` returns in the extension. They begin as a copy of those
        /// that the test's own code gets with `UserDefaults(suiteName:)`, and what the extension writes stays in this harness.
        public func defaults(suiteName: String) -> UserDefaults? { UserDefaults(suiteName: suiteName, scope: scope) }

        /// The container of an app group on this device, in the same way.
        public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: groupIdentifier, scope: scope)
        }

        /// Adds an item to the keychain of this device, as `SecItemAdd` does in the app.
        @discardableResult
        public func addToKeychain(_ attributes: [CFString: Any]) -> OSStatus {
            let item = NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: attributes.map { ($0 as String, $1) }))
            return AppGroupScope.$ofTask.withValue(scope) { SecItemAdd(item, nil) }
        }

        /// The notifications in Notification Center, oldest first.
        public var delivered: [UNNotification] { device.withState { $0.delivered.values } }

        /// Pending local notifications.
        public var pending: [UNNotificationRequest] { device.withState { $0.pending } }

        /// The number on the app's icon.
        public var badge: Int { device.withState { $0.badge } }

        /// All findings since the harness was created, including those about what an extension did after its push was finished.
        public var findings: [Finding] { log.withLock { $0 } }

        /// True if the user allows notifications.
        public func setAuthorized(_ isAuthorized: Bool) { device.withState { $0.isAuthorized = isAuthorized } }

        /// True if the user has alerts switched on.
        public func setAlerts(areOn: Bool) { device.withState { $0.alertsAreOn = areOn } }

        /// Sets when the texts of the app's notifications are shown; by default always. The extension and the app read it in their settings.
        public func setShowPreviews(_ setting: UNShowPreviewsSetting) { device.withState { $0.previews = setting } }

        /// Access to what the device protects.
        public enum Lock: Sendable {
            /// Everything can be read.
            case unlocked
            /// The keychain keeps items of `kSecAttrAccessibleWhenUnlocked` back, which an item is by default.
            case locked
            /// The device was restarted, and not unlocked since: the keychain keeps items of `kSecAttrAccessibleAfterFirstUnlock` back, too.
            case beforeFirstUnlock
        }

        /// Locks or unlocks the device; by default it is unlocked. Most notifications arrive while it is locked.
        ///
        /// `SecItemCopyMatching` and the other functions of the keychain then answer `errSecInteractionNotAllowed` for items that it protects.
        /// Source: Apple, "Restricting keychain item accessibility".
        public func setLock(_ lock: Lock) {
            let state: DeviceLock =
                switch lock {
                case .unlocked: .unlocked
                case .locked: .locked
                case .beforeFirstUnlock: .beforeFirstUnlock
                }
            DeviceLock.set(state, scope: scope)
        }

        /// Adds a notification to Notification Center that no extension has handled.
        public func place(_ payload: String, identifier: String) throws {
            let push = try PushReader(headers: [:], options: options).pushes([payload]) { identifier }[0]
            let notification = UNNotification(date: device.date, request: push.request)
            _ = device.withState { SimulatedDevice.show(notification, [.list, .badge], in: &$0) }
        }

        // MARK: - Delivering

        /// Delivers a push, and waits until it is finished.
        ///
        /// - Parameters:
        ///   - payload: the body of the request, a JSON object.
        ///   - headers: the request's headers; a device uses `apns-collapse-id` and `apns-push-type`.
        /// - Throws: `ImpossibleInput`.
        public func deliver(_ payload: String, headers: [String: String] = [:]) async throws -> ServiceExtensionResult {
            let pushes = try read([payload], headers)
            let push = pushes[0]
            // No extension and no delegate is involved, so there is nothing to wait for.
            if device.delegateToAsk == nil, let reason = whyNotStarted(push) { return showUnchanged(push, reason) }
            return await deliver(pushes)[0]
        }

        /// Delivers pushes one right after another, and waits until the last one is finished. Each runs as in `deliver(_:headers:)`, in a fraction
        /// of the time: there is one change of threads for all of them.
        ///
        /// - Parameters:
        ///   - payloads: the bodies of the requests. All are checked before the first one is delivered.
        ///   - headers: the headers of every request.
        /// - Throws: `ImpossibleInput` if one is invalid; then none has been delivered.
        public func deliver(
            _ payloads: [String], headers: [String: String] = [:]
        ) async throws -> [ServiceExtensionResult] {
            await deliver(try read(payloads, headers))
        }

        private func deliver(_ pushes: [Push]) async -> [ServiceExtensionResult] {
            await beginHosting()
            defer { endHosting() }
            return await ExtensionTurn.run(pushes, of: self)
        }

        /// Waits for the harness's turn, and connects its device to `UNUserNotificationCenter.current()`.
        func beginHosting() async {
            await UNUserNotificationCenter.beginHosting(device)
            // For `nextTriggerDate()`.
            UNNotificationTrigger.now = { [device] in device.date }
            Bundle.ofApp = options.bundle ?? .main
            LocalizedText.language = options.language
            AppGroupScope.ofTurn = scope
        }

        func endHosting() {
            AppGroupScope.ofTurn = nil
            UNUserNotificationCenter.endHosting()
        }

        private func read(_ payloads: [String], _ headers: [String: String]) throws -> [Push] {
            try PushReader(headers: headers, options: options).pushes(payloads) {
                let number = counter.withLock { counter in
                    counter += 1
                    return counter
                }
                return "push-\(number)"
            }
        }

        // MARK: - One push, as a turn runs it

        /// Why the extension does not run for a push; nil if it does.
        func whyNotStarted(_ push: Push) -> ServiceExtensionResult.Reason? {
            if !push.isShownType { return .pushType }
            let (isAuthorized, alertsAreOn) = device.withState { ($0.isAuthorized, $0.alertsAreOn) }
            if !isAuthorized || !alertsAreOn { return .notAuthorized }
            if !push.request.content.hasText { return .noAlert }
            return push.isMutable ? nil : .notMutable
        }

        /// Presents a push for which the extension does not run, if there is anything to present.
        func showUnchanged(_ push: Push, _ reason: ServiceExtensionResult.Reason) -> ServiceExtensionResult {
            var result = ServiceExtensionResult(outcome: .notStarted(reason), identifier: push.request.identifier)
            let content = push.request.content
            switch reason {
            case .notMutable: result.content = content
            // Only a sound or a badge.
            case .noAlert where content.sound != nil || content.badge != nil: break
            default: return result
            }
            present(push.request, in: &result)
            return result
        }

        /// Prepares the device and makes an instance of the extension for a push.
        func begin(didEnd: @escaping @Sendable (ExtensionAttempt.Ending) -> Void) -> ExtensionAttempt {
            device.withState { state in
                state.removals = []
                state.added = []
                state.removalWatch = RemovalWatch()
                state.hasCalledHandler = false
                state.reported = []
            }
            return ExtensionAttempt(
                makeExtension(), clock: clock, grace: options.grace, scope: scope,
                willHandle: { [device] in device.withState { $0.hasCalledHandler = true } },
                report: { [self] finding in log.withLock { $0.append(finding) } }, didEnd: didEnd)
        }

        /// Presents the result of a push.
        func finish(_ request: UNNotificationRequest, _ ending: ExtensionAttempt.Ending) -> ServiceExtensionResult {
            var findings = ending.findings
            let (outcome, content) = decide(ending.content, request.content, &findings)
            let (removed, added) = device.withState { state in
                findings += state.reported
                if let handledAt = ending.handledAt { findings += state.removalWatch.findings(handledAt: handledAt) }
                return (state.removals.flatMap(\.removed), state.added)
            }
            if !findings.isEmpty { log.withLock { $0 += findings } }
            var result = ServiceExtensionResult(
                outcome: outcome, content: content, identifier: request.identifier,
                duration: ending.handledAt.map { $0 - ending.startedAt }, didExpire: ending.didExpire, removed: removed,
                added: added, findings: findings)
            if let content {
                present(
                    UNNotificationRequest(identifier: request.identifier, content: content, trigger: request.trigger),
                    in: &result)
                if options.removal != .immediate { result.stale = device.stale(beside: request.identifier) }
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

    /// The app's side: calls of its delegate on the main queue, as on a device.
    extension ServiceExtensionHarness {
        /// The state of the app; by default in the background. In the foreground the delegate decides how a notification is presented.
        public var appState: AppState {
            get { device.withState { $0.appState } }
            set { device.withState { $0.appState = newValue } }
        }

        /// The app's delegate, held weakly; by default that of `UNUserNotificationCenter.current()`. Tests that run at the same time share that
        /// one, so set it here instead.
        public var delegate: (any UNUserNotificationCenterDelegate)? {
            get { device.delegate }
            set { device.delegate = newValue }
        }

        /// A local notification that was presented.
        public struct LocalPresentation: Sendable {
            /// The notification.
            public var notification: UNNotification
            /// How it was presented.
            public var presentation: ServiceExtensionResult.Presentation
        }

        /// Presents the local notifications that are due while the app is in the foreground and has a delegate, which is asked about each. In
        /// every other case they are presented automatically, and the result is empty.
        @discardableResult
        public func presentDue() async -> [LocalPresentation] {
            guard device.delegateToAsk != nil else { return [] }
            await beginHosting()
            defer { endHosting() }
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    let due = device.takeDue()
                    continuation.resume(
                        returning: due.map {
                            LocalPresentation(notification: $0, presentation: present($0).presentation)
                        })
                }
            }
        }

        /// Presents a notification as the delegate or the system decides. Waits for the delegate, so it may not be called on the main queue.
        func present(_ notification: UNNotification) -> (
            presentation: ServiceExtensionResult.Presentation, isReplacement: Bool
        ) {
            let presentation = decide(about: notification)
            let isReplacement = device.withState { SimulatedDevice.show(notification, presentation.options, in: &$0) }
            return (presentation, isReplacement)
        }

        func present(_ request: UNNotificationRequest, in result: inout ServiceExtensionResult) {
            let (presentation, isReplacement) = present(UNNotification(date: device.date, request: request))
            result.presentation = presentation
            result.isReplacement = isReplacement
        }

        private func decide(about notification: UNNotification) -> ServiceExtensionResult.Presentation {
            let content = notification.request.content
            guard let delegate = device.delegateToAsk else { return .bySystem(content) }
            let reply = DelegateQuestion<UNNotificationPresentationOptions>.ask(
                delegate, clock: clock, limit: options.timeLimit
            ) { delegate, answer in
                delegate.userNotificationCenter(.current(), willPresent: notification, withCompletionHandler: answer)
            }
            switch reply {
            case .answer(let options): return .byDelegate(options, content)
            case .missing: return .init(decision: .methodMissing, options: [])
            case .late: return .init(decision: .noAnswer, options: [])
            }
        }

        // MARK: - Responses

        /// The effect of a person's response to a notification.
        public enum ResponseOutcome: Sendable, Equatable {
            /// The delegate was called, and called its handler.
            case handled
            /// The delegate was called, and did not call its handler in time.
            case noAnswer
            /// The delegate does not implement `didReceive`.
            case methodMissing
            /// There is no delegate.
            case noDelegate
            /// It was dismissed, and its category does not have `customDismissAction`: the app is not called.
            case notReported
        }

        /// Responds to a notification in Notification Center as a person would, which removes it from there, and waits until the delegate has
        /// handled the response.
        ///
        /// Opening it, or an action with the option `foreground`, brings the app to the foreground. Any other action starts an app that is not
        /// running, in the background.
        ///
        /// - Parameters:
        ///   - identifier: of a notification that is in the list.
        ///   - actionIdentifier: `UNNotificationDefaultActionIdentifier`, `UNNotificationDismissActionIdentifier`, or that of an action of
        ///     the notification's category, which the app has to have registered.
        ///   - userText: what the person typed, for a `UNTextInputNotificationAction`.
        /// - Throws: `ImpossibleInput`.
        @discardableResult
        public func respond(
            to identifier: String, actionIdentifier: String = UNNotificationDefaultActionIdentifier,
            userText: String? = nil
        ) async throws -> ResponseOutcome {
            let (response, isReported) = try response(to: identifier, actionIdentifier, userText)
            guard isReported else { return .notReported }
            guard let delegate = device.delegate else { return .noDelegate }
            await beginHosting()
            defer { endHosting() }
            // SOUND: the delegate is used on the main queue only.
            nonisolated(unsafe) let held = delegate
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    let reply = DelegateQuestion<Void>.ask(held, clock: clock, limit: options.timeLimit) {
                        delegate, answer in
                        delegate.userNotificationCenter(.current(), didReceive: response) { answer(()) }
                    }
                    let outcome: ResponseOutcome =
                        switch reply {
                        case .answer: .handled
                        case .missing: .methodMissing
                        case .late: .noAnswer
                        }
                    continuation.resume(returning: outcome)
                }
            }
        }

        /// Removes the notification from Notification Center. Returns the response, and true if the app learns of it.
        private func response(
            to identifier: String, _ action: String, _ userText: String?
        ) throws -> (UNNotificationResponse, isReported: Bool) {
            try device.withState { state in
                guard let notification = state.delivered[identifier] else {
                    throw ImpossibleInput(description: "no notification \(identifier) is in Notification Center")
                }
                let name = notification.request.content.categoryIdentifier
                let category = state.categories.first { $0.identifier == name }
                let chosen = category?.actions.first { $0.identifier == action }
                let isSystems = [UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier].contains(
                    action)
                guard chosen != nil || isSystems else {
                    throw ImpossibleInput(description: "category \"\(name)\" has no action \(action)")
                }
                let response: UNNotificationResponse
                if chosen is UNTextInputNotificationAction {
                    response = UNTextInputNotificationResponse(
                        notification: notification, actionIdentifier: action, userText: userText ?? "")
                } else if userText != nil {
                    throw ImpossibleInput(description: "action \(action) takes no text")
                } else {
                    response = UNNotificationResponse(notification: notification, actionIdentifier: action)
                }
                let isReported =
                    action != UNNotificationDismissActionIdentifier
                    || category?.options.contains(.customDismissAction) == true
                if action == UNNotificationDefaultActionIdentifier || chosen?.options.contains(.foreground) == true {
                    state.appState = .foreground
                } else if isReported, state.appState != .foreground {
                    state.appState = .background
                }
                state.delivered.remove([identifier])
                return (response, isReported)
            }
        }
    }

    /// A call of the app's delegate on the main queue, as on a device. The first answer counts, if it comes in time.
    final class DelegateQuestion<Answer: Sendable>: Sendable {
        enum Reply: Sendable {
            case answer(Answer)
            /// The delegate does not implement the method.
            case missing
            /// The delegate did not call its handler in time.
            case late
        }

        private let reply = Mutex<Reply?>(nil)
        private let isOver = DispatchSemaphore(value: 0)

        private init() {}

        /// Calls the delegate and waits for its answer. Not on the main queue, which it would block.
        static func ask(
            _ delegate: any UNUserNotificationCenterDelegate, clock: any ExtensionClock, limit: Duration,
            _ call:
                @escaping @Sendable (any UNUserNotificationCenterDelegate, @escaping @Sendable (Answer) -> Void) -> Void
        ) -> Reply {
            let question = DelegateQuestion()
            // SOUND: the delegate is used on the main queue only.
            nonisolated(unsafe) let delegate = delegate
            DispatchQueue.main.async {
                let method = MissingMethod()
                method.whileAsking {
                    call(delegate) { question.end(method.isMissing ? .missing : .answer($0)) }
                }
            }
            let call = clock.schedule(at: clock.now + limit) { question.end(.late) }
            question.isOver.wait()
            call.cancel()
            return question.reply.withLock { $0 } ?? .late
        }

        private func end(_ answer: Reply) {
            let isFirst = reply.withLock { reply in
                defer { reply = reply ?? answer }
                return reply == nil
            }
            if isFirst { isOver.signal() }
        }
    }
#endif

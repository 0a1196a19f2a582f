#if os(Linux)
    import Dispatch
    import Foundation
    import PushModel
    import Synchronization
    import UserNotifications

    /// One app's notifications on one device: the host of `UNUserNotificationCenter.current()` while a harness runs a push.
    ///
    /// Every change happens under one lock. Completion handlers are called on a background queue, in the order of the calls.
    final class SimulatedDevice: UserNotificationHost {
        struct State {
            var delivered = Arrivals<UNNotification>()
            var pending: [UNNotificationRequest] = []
            var pendingSince: [String: Date] = [:]
            var categories: Set<UNNotificationCategory> = []
            var badge = 0
            var appState = ServiceExtensionHarness.AppState.background
            var isAuthorized = true
            var alertsAreOn = true
            var previews = UNShowPreviewsSetting.always
            /// State of the extension that is running.
            var removals: [Removal] = []
            var removalCount = 0
            var added: [String] = []
            var removalWatch = RemovalWatch()
            var hasCalledHandler = false
            /// Findings that stand-ins for SDKs have reported.
            var reported: [Finding] = []
        }

        /// A removal that the extension requested. Nil identifiers: all.
        struct Removal {
            /// Among those of all pushes.
            var number: Int
            var identifiers: [String]?
            /// When it takes effect.
            var due: Duration
            var removed: [String] = []
            var isDone = false
        }

        private struct AppDelegate {
            weak var own: (any UNUserNotificationCenterDelegate)?
        }

        private let state = Mutex(State())
        private let appDelegate = Locked(AppDelegate())
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
                if !state.pending.isEmpty { fireTriggers(&state) }
                return try body(&state)
            }
        }

        /// The app's delegate, held weakly: this device's own, else that of the notification center.
        var delegate: (any UNUserNotificationCenterDelegate)? {
            get { appDelegate.snapshot.own ?? UNUserNotificationCenter.current().delegate }
            set { appDelegate.withLock { $0.own = newValue } }
        }

        /// The delegate to ask before anything is presented: that of an app in the foreground.
        var delegateToAsk: (any UNUserNotificationCenterDelegate)? {
            state.withLock { $0.appState } == .foreground ? delegate : nil
        }

        var date: Date {
            let (seconds, attoseconds) = clock.now.components
            return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
        }

        // MARK: - Delivering

        /// Presents a notification with these options. In the list it goes to the top and replaces one with the same identifier. Returns true if
        /// there was one.
        static func show(
            _ notification: UNNotification, _ options: UNNotificationPresentationOptions, in state: inout State
        ) -> Bool {
            if options.contains(.badge), let badge = notification.request.content.badge?.intValue {
                // Source: openradar 17743. For iOS 18 and later UNCONFIRMED.
                if badge == 0, state.badge != 0, notification.request.trigger is UNPushNotificationTrigger {
                    state.delivered.remove(nil)
                }
                state.badge = badge
            }
            return options.contains(.list)
                && state.delivered.append(notification, as: notification.request.identifier)
        }

        /// Presents a notification as the system does.
        private static func show(_ notification: UNNotification, in state: inout State) {
            _ = show(
                notification, ServiceExtensionResult.Presentation.bySystem(notification.request.content).options,
                in: &state
            )
        }

        /// Delivers local notifications that are due. While there is a delegate to ask they wait for `takeDue`.
        private func fireTriggers(_ state: inout State) {
            if state.appState == .foreground, delegate != nil { return }
            for notification in due(&state) { Self.show(notification, in: &state) }
        }

        /// Takes the local notifications that are due, so that the delegate can be asked about them.
        func takeDue() -> [UNNotification] { state.withLock { due(&$0) } }

        private func due(_ state: inout State) -> [UNNotification] {
            let now = date
            var due: [UNNotification] = []
            for request in state.pending {
                guard let since = state.pendingSince[request.identifier],
                    let time = Self.date(of: request.trigger, since: since), time <= now
                else { continue }
                due.append(UNNotification(date: time, request: request))
                if request.trigger?.repeats == true {
                    state.pendingSince[request.identifier] = time
                } else {
                    state.pending.removeAll { $0.identifier == request.identifier }
                }
            }
            return due.sorted { $0.date < $1.date }
        }

        private static func date(of trigger: UNNotificationTrigger?, since: Date) -> Date? {
            switch trigger {
            case let trigger as UNTimeIntervalNotificationTrigger: since.addingTimeInterval(trigger.timeInterval)
            case let trigger as UNCalendarNotificationTrigger:
                Calendar.current.nextDate(after: since, matching: trigger.dateComponents, matchingPolicy: .nextTime)
            case nil: since
            default: nil
            }
        }

        // MARK: - Removing

        /// Applies a removal, if it still may take effect: that of an earlier push only if removals are not lost with the extension.
        private func finish(_ number: Int, _ identifiers: [String]?) {
            withState { state in
                let position = state.removals.firstIndex { $0.number == number }
                if case .lostAfterHandler = removalTiming, position == nil || state.hasCalledHandler { return }
                if let position {
                    if !state.removals[position].isDone { Self.apply(position, in: &state) }
                } else {
                    state.delivered.remove(identifiers)
                }
            }
        }

        /// The notifications that the running extension has asked to be removed, and that are in the list beside its own.
        func stale(beside own: String) -> [ServiceExtensionResult.StaleDuplicate] {
            withState { state in
                let now = clock.now
                var found: [ServiceExtensionResult.StaleDuplicate] = []
                for removal in state.removals where !removal.isDone {
                    var remaining: Duration? = max(removal.due - now, .zero)
                    if case .lostAfterHandler = removalTiming { remaining = nil }
                    for notification in state.delivered.values {
                        let identifier = notification.request.identifier
                        guard identifier != own, removal.identifiers?.contains(identifier) ?? true,
                            !found.contains(where: { $0.identifier == identifier })
                        else { continue }
                        found.append(.init(identifier: identifier, remaining: remaining))
                    }
                }
                return found
            }
        }

        private static func apply(_ position: Int, in state: inout State) {
            state.removals[position].removed = state.delivered.remove(state.removals[position].identifiers)
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
            let (isAuthorized, alertsAreOn, previews) = withState { ($0.isAuthorized, $0.alertsAreOn, $0.previews) }
            answers.async {
                completion(
                    UNNotificationSettings(
                        authorizationStatus: isAuthorized ? .authorized : .denied,
                        alertSetting: alertsAreOn ? .enabled : .disabled, showPreviewsSetting: previews))
            }
        }

        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            if count >= 0 { withState { $0.badge = count } }
            answers.async { completion(count >= 0 ? nil : UNError(.badgeInputInvalid)) }
        }

        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            let asksDelegate = delegateToAsk != nil
            let error: UNError? = withState { state in
                guard state.isAuthorized else { return UNError(.notificationsNotAllowed) }
                state.added.append(request.identifier)
                state.pending.removeAll { $0.identifier == request.identifier }
                if request.trigger == nil, !asksDelegate {
                    Self.show(UNNotification(date: date, request: request), in: &state)
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
                    state.removalWatch.didList(Set(state.delivered.identifiers), at: clock.now)
                    return state.delivered.values
                }
                completion(delivered)
            }
        }

        func removeDeliveredNotifications(_ identifiers: [String]?) {
            let now = clock.now
            let due =
                switch removalTiming {
                case .immediate: now
                case .delayed(let delay), .lostAfterHandler(let delay): now + delay
                }
            let number = withState { state in
                state.removalCount += 1
                state.removals.append(Removal(number: state.removalCount, identifiers: identifiers, due: due))
                state.removalWatch.didRemove(identifiers, at: now)
                if removalTiming == .immediate { Self.apply(state.removals.count - 1, in: &state) }
                return state.removalCount
            }
            if removalTiming == .immediate { return }
            _ = clock.schedule(at: due) { [weak self] in self?.finish(number, identifiers) }
        }

        func report(_ rule: String, _ message: String) {
            let severity: Finding.Severity = rule == "extension.stand-in" ? .info : .warning
            let finding = Finding(rule: rule, severity: severity, pointer: "", message: message)
            withState { $0.reported.append(finding) }
        }

        func setCategories(_ categories: Set<UNNotificationCategory>) { withState { $0.categories = categories } }

        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
            let categories = withState { $0.categories }
            answers.async { completion(categories) }
        }
    }

    /// Moves the files of attachments out of the extension's reach, as a device does.
    ///
    /// It moves only files that an extension may have written: in a temporary folder or an app group. It copies others, such as a test's own;
    /// on a device the extension's sandbox keeps such files out of its reach.
    struct AttachmentStore {
        /// The folder for attachments; a temporary one when nil.
        let folder: URL?

        /// The content with its attachments moved. An attachment whose file is gone is left out, with a finding.
        func takeOver(_ content: UNNotificationContent, _ findings: inout [Finding]) -> UNNotificationContent {
            guard !content.attachments.isEmpty, let taken = content.mutableCopy() as? UNMutableNotificationContent
            else {
                return content
            }
            let folder = folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("pushpipe-attachments")
            taken.attachments = content.attachments.compactMap { attachment in
                do {
                    let target = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
                    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                    let file = target.appendingPathComponent(attachment.url.lastPathComponent)
                    if Self.isOwn(attachment.url) {
                        try FileManager.default.moveItem(at: attachment.url, to: file)
                    } else {
                        try FileManager.default.copyItem(at: attachment.url, to: file)
                    }
                    return attachment.moved(to: file)
                } catch {
                    findings.append(
                        Finding(
                            rule: "extension.attachment-lost", severity: .warning, pointer: "",
                            message:
                                "the attachment \(attachment.identifier) cannot be moved, and is left out: \(error.localizedDescription)"
                        ))
                    return nil
                }
            }
            return taken.copy() as? UNNotificationContent ?? taken
        }

        private static func isOwn(_ file: URL) -> Bool {
            let path = file.resolvingSymlinksInPath().path
            return [FileManager.default.temporaryDirectory, FileManager.appGroupsDirectory].contains {
                path.hasPrefix($0.resolvingSymlinksInPath().path + "/")
            }
        }
    }
#endif

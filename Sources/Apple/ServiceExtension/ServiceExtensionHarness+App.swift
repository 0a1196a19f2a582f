#if os(Linux)
    import Dispatch
    import Foundation
    public import UserNotifications

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

        /// A response that a person could not give.
        public struct ImpossibleResponse: Error, Sendable, CustomStringConvertible {
            /// Why not.
            public var description: String
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
        /// - Throws: `ImpossibleResponse`.
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
                    throw ImpossibleResponse(description: "no notification \(identifier) is in Notification Center")
                }
                let name = notification.request.content.categoryIdentifier
                let category = state.categories.first { $0.identifier == name }
                let chosen = category?.actions.first { $0.identifier == action }
                let isSystems = [UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier].contains(
                    action)
                guard chosen != nil || isSystems else {
                    throw ImpossibleResponse(description: "category \"\(name)\" has no action \(action)")
                }
                let response: UNNotificationResponse
                if chosen is UNTextInputNotificationAction {
                    response = UNTextInputNotificationResponse(
                        notification: notification, actionIdentifier: action, userText: userText ?? "")
                } else if userText != nil {
                    throw ImpossibleResponse(description: "action \(action) takes no text")
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
                _ = state.delivered.remove([identifier])
                return (response, isReported)
            }
        }
    }
#endif

#if os(Linux)
    import Foundation
    import SampleExtension
    import ServiceExtension
    import Testing
    import UserNotifications

    extension HarnessTests {
        /// The app's side. Within the other suite, whose tests take turns: extensions share a process.
        @Suite struct AppTests {
            private static let plain = #"{"aps":{"alert":{"title":"Result"},"badge":3,"sound":"default"}}"#
            private static let mutable =
                #"{"aps":{"alert":{"title":"Result"},"badge":3,"sound":"default","mutable-content":1}}"#

            private func harness(
                _ state: ServiceExtensionHarness.AppState = .foreground,
                clock: any ExtensionClock = ManualExtensionClock()
            ) -> ServiceExtensionHarness {
                let harness = ServiceExtensionHarness(clock: clock) { TemplateService() }
                harness.appState = state
                return harness
            }

            // MARK: - Presentation

            @Test(
                arguments: [
                    ([.banner, .list, .sound, .badge], 1, 3),
                    (.banner, 0, 0), (.list, 1, 0), (.sound, 0, 0), (.badge, 0, 3), ([], 0, 0),
                ] as [(UNNotificationPresentationOptions, Int, Int)])
            func `in the foreground the delegate's options decide, and each for itself`(
                _ options: UNNotificationPresentationOptions, _ listed: Int, _ badge: Int
            ) async throws {
                let harness = harness()
                let delegate = HandlerDelegate(options)
                harness.delegate = delegate
                let result = try await harness.deliver(Self.plain)
                #expect(result.presentation == .init(decision: .delegate, options: options))
                #expect(result.content?.title == "Result")
                #expect(delegate.journal.all == ["main Result"])
                #expect(harness.delivered.count == listed)
                #expect(harness.badge == badge)
            }

            @Test func `the old option alert is banner and list`() async throws {
                let harness = harness()
                let delegate = HandlerDelegate(.alert)
                harness.delegate = delegate
                let result = try await harness.deliver(Self.plain)
                #expect(result.presentation?.options == [.banner, .list])
                withExtendedLifetime(delegate) {}
                #expect(harness.delivered.count == 1)
            }

            @Test func `options without content for them come to nothing`() async throws {
                let harness = harness()
                let delegate = HandlerDelegate([.banner, .sound, .badge])
                harness.delegate = delegate
                let result = try await harness.deliver(#"{"aps":{"alert":"Hi"}}"#)
                #expect(result.presentation?.options == [.banner])
                withExtendedLifetime(delegate) {}
            }

            @Test func `the extension runs first, and the delegate sees what it made`() async throws {
                let harness = harness()
                let delegate = HandlerDelegate(.list)
                harness.delegate = delegate
                let result = try await harness.deliver(Self.mutable)
                #expect(result.outcome == .modified)
                #expect(delegate.journal.all == ["main Result [modified]"])
                #expect(harness.delivered.map(\.request.content.title) == ["Result [modified]"])
            }

            @Test func `an awaited delegate decides too`() async throws {
                let harness = harness()
                let delegate = AwaitedDelegate()
                harness.delegate = delegate
                let result = try await harness.deliver(Self.plain)
                #expect(result.presentation == .init(decision: .delegate, options: .list))
                #expect(delegate.journal.all == ["Result"])
            }

            @Test func `a delegate without the method presents nothing`() async throws {
                let harness = harness()
                let delegate = EmptyDelegate()
                harness.delegate = delegate
                let result = try await harness.deliver(Self.plain)
                #expect(result.presentation == .init(decision: .methodMissing, options: []))
                withExtendedLifetime(delegate) {}
                #expect(harness.delivered.isEmpty && harness.badge == 0)
            }

            @Test func `a delegate that does not answer in time presents nothing`() async throws {
                let clock = ManualExtensionClock()
                let harness = harness(clock: clock)
                let delegate = SilentDelegate()
                harness.delegate = delegate
                async let pending = harness.deliver(Self.plain)
                await clock.advance(by: .seconds(30))
                let result = try await pending
                #expect(result.presentation == .init(decision: .noAnswer, options: []))
                withExtendedLifetime(delegate) {}
                #expect(harness.delivered.isEmpty)
            }

            @Test func `the delegate that the app has given the center counts too`() async throws {
                let harness = ServiceExtensionHarness(clock: ManualExtensionClock()) { LaunchingService() }
                harness.appState = .foreground
                let result = try await harness.deliver(Self.mutable)
                #expect(result.presentation == .init(decision: .delegate, options: .sound))
            }

            @Test func `without a delegate a notification is presented as usual`() async throws {
                let harness = harness()
                let result = try await harness.deliver(Self.plain)
                #expect(
                    result.presentation == .init(decision: .system, options: [.banner, .list, .sound, .badge]))
                #expect(harness.delivered.count == 1 && harness.badge == 3)
            }

            @Test(arguments: [ServiceExtensionHarness.AppState.background, .terminated, .forceQuit])
            func `outside the foreground the delegate is not asked`(_ state: ServiceExtensionHarness.AppState)
                async throws
            {
                let harness = harness(state)
                let delegate = HandlerDelegate()
                harness.delegate = delegate
                let result = try await harness.deliver(Self.mutable)
                #expect(result.presentation?.decision == .system)
                #expect(delegate.journal.all.isEmpty)
                #expect(harness.delivered.count == 1)
            }

            @Test func `a passive notification goes to the list, without sound`() async throws {
                let result = try await harness(.background).deliver(
                    #"{"aps":{"alert":"Hi","sound":"default","interruption-level":"passive"}}"#)
                #expect(result.presentation?.options == .list)
            }

            @Test func `a number alone is set, and nothing is listed`() async throws {
                let harness = harness(.background)
                let result = try await harness.deliver(#"{"aps":{"badge":5}}"#)
                #expect(result.content == nil && result.presentation?.options == .badge)
                #expect(harness.badge == 5 && harness.delivered.isEmpty)
                let silent = try await harness.deliver(#"{"aps":{"content-available":1}}"#)
                #expect(silent.presentation == nil)
            }

            /// openradar 17743.
            @Test func `badge 0 of a push removes what is delivered, unless the badge was 0`() async throws {
                let harness = harness(.background)
                _ = try await harness.deliver(#"{"aps":{"alert":"Hi"}}"#)
                _ = try await harness.deliver(#"{"aps":{"badge":0}}"#)
                #expect(harness.delivered.count == 1)
                _ = try await harness.deliver(#"{"aps":{"badge":2}}"#)
                _ = try await harness.deliver(#"{"aps":{"badge":0}}"#)
                #expect(harness.delivered.isEmpty && harness.badge == 0)
            }

            @Test func `a notification that the delegate hides leaves the one that it would replace`() async throws {
                let harness = harness(.background)
                let headers = ["apns-collapse-id": "result"]
                _ = try await harness.deliver(Self.plain, headers: headers)
                harness.appState = .foreground
                let delegate = HandlerDelegate()
                harness.delegate = delegate
                let second = try await harness.deliver(Self.mutable, headers: headers)
                #expect(!second.isReplacement)
                withExtendedLifetime(delegate) {}
                #expect(harness.delivered.map(\.request.content.title) == ["Result"])
            }

            @Test func `a local notification whose time comes in the foreground is the delegate's to decide`()
                async throws
            {
                let clock = ManualExtensionClock()
                let harness = ServiceExtensionHarness(clock: clock) { LocalService() }
                _ = try await harness.deliver(Self.mutable)
                harness.appState = .foreground
                let delegate = HandlerDelegate(.banner)
                harness.delegate = delegate
                clock.move(by: .seconds(599))
                #expect(await harness.presentDue().isEmpty)
                clock.move(by: .seconds(1))
                #expect(harness.pending.map(\.identifier) == ["reminder"])
                let shown = await harness.presentDue()
                #expect(shown.map(\.notification.request.identifier) == ["reminder"])
                #expect(shown.map(\.presentation.options) == [.banner])
                #expect(delegate.journal.all == ["main Reminder"])
                #expect(harness.pending.isEmpty)
                #expect(harness.delivered.map(\.request.identifier) == ["push-1"])
            }

            // MARK: - Responses

            private static let category = UNNotificationCategory(
                identifier: "MESSAGE",
                actions: [
                    UNTextInputNotificationAction(
                        identifier: "reply", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: ""),
                    UNNotificationAction(identifier: "open", title: "Open", options: .foreground),
                    UNNotificationAction(identifier: "mute", title: "Mute"),
                ], intentIdentifiers: [], options: .customDismissAction)

            /// A harness that shows a message, and knows the category of it.
            private func showing(_ state: ServiceExtensionHarness.AppState) async throws -> ServiceExtensionHarness {
                let harness = ServiceExtensionHarness(clock: ManualExtensionClock()) { CategoryService() }
                CategoryService.category = Self.category
                _ = try await harness.deliver(Self.mutable, headers: ["apns-collapse-id": "m"])
                harness.appState = state
                return harness
            }

            @Test func `to open a notification removes it, tells the delegate, and brings the app to the foreground`()
                async throws
            {
                let harness = try await showing(.terminated)
                let delegate = HandlerDelegate()
                harness.delegate = delegate
                let outcomeHarness = try await harness.respond(to: "m")
                #expect(outcomeHarness == .handled)
                #expect(delegate.journal.all == ["\(UNNotificationDefaultActionIdentifier) Result"])
                #expect(harness.delivered.isEmpty)
                #expect(harness.appState == .foreground)
            }

            @Test(arguments: [("mute", ServiceExtensionHarness.AppState.background), ("open", .foreground)])
            func `an action brings the app to the foreground only when it asks for that`(
                _ action: String, _ state: ServiceExtensionHarness.AppState
            ) async throws {
                let harness = try await showing(.forceQuit)
                let delegate = AwaitedDelegate()
                harness.delegate = delegate
                let outcomeHarness = try await harness.respond(to: "m", actionIdentifier: action)
                #expect(outcomeHarness == .handled)
                #expect(delegate.journal.all == ["\(action) Result"])
                #expect(harness.appState == state)
                #expect(harness.delivered.isEmpty)
            }

            @Test func `a text reaches the delegate`() async throws {
                let harness = try await showing(.background)
                let delegate = HandlerDelegate()
                harness.delegate = delegate
                let outcomeHarness = try await harness.respond(to: "m", actionIdentifier: "reply", userText: "Yes")
                #expect(outcomeHarness == .handled)
                #expect(delegate.journal.all == ["reply Result Yes"])
            }

            @Test func `a dismissal is told when the category asks for it, and else not`() async throws {
                let asking = try await showing(.background)
                let delegate = HandlerDelegate()
                asking.delegate = delegate
                let action = UNNotificationDismissActionIdentifier
                let outcomeAsking = try await asking.respond(to: "m", actionIdentifier: action)
                #expect(outcomeAsking == .handled)
                #expect(delegate.journal.all == ["\(action) Result"])
                let other = harness(.background)
                _ = try await other.deliver(Self.plain)
                let outcomeOther = try await other.respond(to: "push-1", actionIdentifier: action)
                #expect(outcomeOther == .notReported)
                #expect(delegate.journal.all.count == 1)
                #expect(other.delivered.isEmpty)
                #expect(asking.appState == .background)
            }

            @Test func `a response without a delegate, or without its method, is told so`() async throws {
                let harness = try await showing(.background)
                let first = try await harness.respond(to: "m")
                #expect(first == .noDelegate)
                let delegate = EmptyDelegate()
                let other = try await showing(.background)
                other.delegate = delegate
                let second = try await other.respond(to: "m")
                #expect(second == .methodMissing)
                withExtendedLifetime(delegate) {}
            }

            @Test func `a delegate that is never done with a response is not waited for longer than the limit`()
                async throws
            {
                let clock = ManualExtensionClock()
                let harness = harness(.background, clock: clock)
                _ = try await harness.deliver(Self.plain)
                let delegate = SilentDelegate()
                harness.delegate = delegate
                async let outcome = harness.respond(to: "push-1")
                await clock.advance(by: .seconds(30))
                let reply = try await outcome
                #expect(reply == .noAnswer)
                withExtendedLifetime(delegate) {}
            }

            @Test(arguments: [("other", "mute", nil), ("m", "unknown", nil), ("m", "mute", "text")])
            func `a response that no person could give is refused, and changes nothing`(
                _ identifier: String, _ action: String, _ text: String?
            ) async throws {
                let harness = try await showing(.background)
                await #expect(throws: ServiceExtensionHarness.ImpossibleInput.self) {
                    try await harness.respond(to: identifier, actionIdentifier: action, userText: text)
                }
                #expect(harness.delivered.count == 1)
                #expect(harness.appState == .background)
            }
        }
    }
#endif

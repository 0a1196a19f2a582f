#if os(Linux)
    import Dispatch
    import Foundation
    import SampleExtension
    import Synchronization
    import Testing
    import UserNotifications

    @testable import ServiceExtension

    /// Blocks its thread until it is let go, before or after it has called its handler.
    private final class GatedService: UNNotificationServiceExtension {
        private let handlesFirst: Bool
        private let didEnter: @Sendable () -> Void
        private let gate: DispatchSemaphore

        init(handlesFirst: Bool, gate: DispatchSemaphore, didEnter: @escaping @Sendable () -> Void) {
            self.handlesFirst = handlesFirst
            self.gate = gate
            self.didEnter = didEnter
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            if handlesFirst { contentHandler(request.content) }
            didEnter()
            gate.wait()
            if !handlesFirst { contentHandler(request.content) }
        }
    }

    extension HarnessTests {
        /// Pushes that arrive in one call.
        @Suite struct TurnTests {
            private static func payload(_ body: String) -> String {
                #"{"aps":{"alert":"\#(body)","mutable-content":1},"custom-payload-id":"\#(body)"}"#
            }

            @Test func `each push gets its result, in order`() async throws {
                let harness = ServiceExtensionHarness { TemplateService() }
                let plain = #"{"aps":{"alert":"plain"}}"#
                let results = try await harness.deliver([Self.payload("a"), plain, Self.payload("b")])
                #expect(results.map(\.identifier) == ["push-1", "push-2", "push-3"])
                #expect(results.map(\.outcome) == [.modified, .notStarted(.notMutable), .modified])
                #expect(harness.delivered.map(\.request.content.body) == ["a", "plain", "b"])
            }

            @Test func `no pushes are no results`() async throws {
                #expect(try await ServiceExtensionHarness { TemplateService() }.deliver([]).isEmpty)
            }

            @Test func `when one payload is invalid none arrives`() async throws {
                let harness = ServiceExtensionHarness { TemplateService() }
                await #expect(throws: ServiceExtensionHarness.ImpossibleInput.self) {
                    try await harness.deliver([Self.payload("a"), "{"])
                }
                #expect(harness.delivered.isEmpty)
            }

            @Test func `an extension that answers from other threads has each push run after the one before`()
                async throws
            {
                let harness = ServiceExtensionHarness { CustomIDService() }
                let results = try await harness.deliver((1...20).map { Self.payload("\($0 % 2)") })
                #expect(results.count == 20)
                #expect(results.dropFirst(2).map(\.removed) == (1...18).map { ["push-\($0)"] })
                #expect(harness.delivered.map(\.request.identifier) == ["push-19", "push-20"])
            }

            @Test(arguments: [(true, ServiceExtensionResult.Outcome.modified), (false, .original(.handlerNotCalled))])
            func `one that blocks its thread is over when its time is up, and those after it arrive`(
                _ handlesFirst: Bool, _ outcome: ServiceExtensionResult.Outcome
            ) async throws {
                let clock = ManualExtensionClock()
                let gate = DispatchSemaphore(value: 0)
                let (entered, entry) = AsyncStream<Void>.makeStream()
                let count = Mutex(0)
                let harness = ServiceExtensionHarness(clock: clock) {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    guard number == 2 else { return TemplateService() }
                    return GatedService(handlesFirst: handlesFirst, gate: gate) { entry.yield() }
                }
                async let pending = harness.deliver(["a", "b", "c"].map(Self.payload))
                for await _ in entered { break }
                clock.move(by: .seconds(30))
                let results = try await pending
                gate.signal()
                #expect(results.map(\.outcome) == [.modified, outcome, .modified])
                #expect(results.map(\.didExpire) == [false, !handlesFirst, false])
            }

            @Test func `the limit of a push is counted from its own beginning`() async throws {
                let clock = ManualExtensionClock()
                let harness = ServiceExtensionHarness(clock: clock) { SteppingService(clock: clock) }
                let results = try await harness.deliver((1...4).map { Self.payload("\($0)") })
                #expect(results.map(\.outcome) == [.modified, .modified, .modified, .modified])
                #expect(results.map(\.didExpire) == [false, false, false, false])
                #expect(results.map(\.duration) == Array(repeating: .seconds(20), count: 4))
            }

            @Test func `nothing is left of the timer when a turn is over`() async throws {
                let clock = ManualExtensionClock()
                let harness = ServiceExtensionHarness(clock: clock) { LateService() }
                _ = try await ServiceExtensionHarness(clock: clock) { TemplateService() }.deliver(Self.payload("a"))
                // Waits for the limit of this push, and not for what the one before has left.
                async let pending = harness.deliver(Self.payload("b"))
                await clock.advance(by: .seconds(30))
                #expect(try await pending.didExpire)
            }
        }

        /// Takes twenty seconds of a manual clock.
        private final class SteppingService: UNNotificationServiceExtension {
            private let clock: ManualExtensionClock

            init(clock: ManualExtensionClock) { self.clock = clock }

            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                clock.move(by: .seconds(20))
                contentHandler(request.content)
            }
        }
    }
#endif

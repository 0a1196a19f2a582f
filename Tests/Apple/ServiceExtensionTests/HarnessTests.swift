#if os(Linux)
    import Foundation
    import PushModel
    import SampleExtension
    import ServiceExtension
    import Synchronization
    import TestSupport
    import Testing
    import UserNotifications

    /// The rows of the table of outcomes, and what an extension can do to the device. Serialized, because the extensions share a process.
    @Suite(.serialized) struct HarnessTests {
        static let mutable =
            #"{"aps":{"alert":{"title":"Result","body":"District 4"},"mutable-content":1},"article":7}"#

        private static func push(_ id: String, _ body: String) -> String {
            #"{"aps":{"alert":"\#(body)","mutable-content":1},"custom-payload-id":"\#(id)"}"#
        }

        // MARK: - The table of outcomes

        @Test func `a handler that is called in time changes what is shown`() async throws {
            let harness = ServiceExtensionHarness { TemplateService() }
            let result = try await harness.deliver(Self.mutable)
            #expect(result.outcome == .modified)
            #expect(result.content?.title == "Result [modified]")
            #expect(result.content?.body == "District 4")
            #expect(result.content?.userInfo["article"] as? Int == 7)
            #expect(result.duration != nil && !result.didExpire)
            #expect(harness.delivered.map(\.request.content.title) == ["Result [modified]"])
            #expect(harness.delivered.first?.request.trigger is UNPushNotificationTrigger)
            #expect(result.findings.isEmpty)
        }

        @Test func `a handler that is called when the time is up counts, on another thread than the main one`()
            async throws
        {
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) { LateService() }
            async let pending = harness.deliver(Self.mutable)
            await clock.advance(by: .seconds(30))
            let result = try await pending
            #expect(result.outcome == .modified)
            #expect(result.content?.body == "still loading")
            #expect(result.didExpire)
            #expect(result.duration == .seconds(30))
            #expect(LateService.expiredOnMainThread == false)
        }

        @Test func `without a call of the handler the original is shown`() async throws {
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) { SilentService() }
            async let pending = harness.deliver(Self.mutable)
            await clock.advance(by: .seconds(30))
            let result = try await pending
            #expect(result.outcome == .original(.handlerNotCalled))
            #expect(result.content?.title == "Result")
            #expect(result.duration == nil && result.didExpire)
        }

        @Test func `content without text is not shown, but the original`() async throws {
            let result = try await ServiceExtensionHarness { EmptyService() }.deliver(Self.mutable)
            #expect(result.outcome == .original(.emptyText))
            #expect(result.content?.body == "District 4")
        }

        @Test func `with the entitlement to filter, content without text shows nothing`() async throws {
            var options = ServiceExtensionHarness.Options()
            options.mayFilter = true
            let harness = ServiceExtensionHarness(options: options) { EmptyService() }
            let result = try await harness.deliver(Self.mutable)
            #expect(result.outcome == .suppressed)
            #expect(result.content == nil && harness.delivered.isEmpty)
        }

        @Test(arguments: [
            (#"{"aps":{"alert":"Hi"}}"#, ServiceExtensionResult.Reason.notMutable, true),
            (#"{"aps":{"alert":"Hi","mutable-content":0}}"#, .notMutable, true),
            (#"{"aps":{"alert":"Hi","mutable-content":"1"}}"#, .notMutable, true),
            (#"{"aps":{"badge":1,"mutable-content":1}}"#, .noAlert, false),
            (#"{"aps":{"sound":"default","mutable-content":1}}"#, .noAlert, false),
            (#"{"aps":{"content-available":1,"mutable-content":1}}"#, .noAlert, false),
            (#"{"aps":{"alert":{"title":""},"mutable-content":1}}"#, .noAlert, false),
        ])
        func `the extension is not run without mutable-content 1 and an alert`(
            _ payload: String, _ reason: ServiceExtensionResult.Reason, _ isShown: Bool
        ) async throws {
            let harness = ServiceExtensionHarness { TemplateService() }
            let result = try await harness.deliver(payload)
            #expect(result.outcome == .notStarted(reason))
            #expect((result.content != nil) == isShown)
            #expect(harness.delivered.count == (isShown ? 1 : 0))
        }

        @Test func `the extension is not run for a VoIP push, nor when the user has switched alerts off`() async throws
        {
            let harness = ServiceExtensionHarness { TemplateService() }
            let voip = try await harness.deliver(Self.mutable, headers: ["apns-push-type": "voip"])
            #expect(voip.outcome == .notStarted(.pushType))
            harness.setAlerts(areOn: false)
            #expect(try await harness.deliver(Self.mutable).outcome == .notStarted(.notAuthorized))
            harness.setAlerts(areOn: true)
            harness.setAuthorized(false)
            #expect(try await harness.deliver(Self.mutable).outcome == .notStarted(.notAuthorized))
            #expect(harness.delivered.isEmpty)
        }

        /// Apple's template keeps its handler. A process that handles many pushes would grow with each of them.
        @Test(arguments: [true, false])
        func `an extension that keeps its handler is released when its push is over`(isInTime: Bool) async throws {
            final class Made: @unchecked Sendable { weak var service: UNNotificationServiceExtension? }
            let made = Made()
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) {
                let service = isInTime ? TemplateService() : LateService()
                made.service = service
                return service
            }
            async let pending = harness.deliver(Self.mutable)
            if !isInTime { await clock.advance(by: .seconds(30)) }
            #expect(try await pending.outcome == .modified)
            #expect(made.service == nil)
        }

        @Test
        func `only the first call of the handler counts, with the content of that moment, and the second is told`()
            async throws
        {
            let harness = ServiceExtensionHarness { TwiceService() }
            let result = try await harness.deliver(Self.mutable)
            #expect(result.content?.body == "first")
            #expect(result.findings.map(\.rule) == ["extension.handler-called-twice"])
        }

        @Test func `an extension that blocks after its handler is over when its time is up`() async throws {
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) { BlockingService() }
            async let pending = harness.deliver(Self.mutable)
            await BlockingService.hasCalledHandler()
            await clock.advance(by: .seconds(30))
            let result = try await pending
            BlockingService.release()
            #expect(result.outcome == .modified)
            #expect(!result.didExpire)
        }

        @Test func `a call on the wall's clock is made after its deadline, unless it was cancelled`() async {
            let clock = SystemExtensionClock()
            let early = Mutex<[Duration]>([])
            clock.schedule(at: .seconds(3600)) { early.withLock { $0.append(.seconds(3600)) } }.cancel()
            // Whatever the machine's load makes of their order, none is made before its time.
            for deadline in [Duration.milliseconds(4), .milliseconds(1), .zero] {
                await withCheckedContinuation { continuation in
                    _ = clock.schedule(at: deadline) {
                        if clock.now < deadline { early.withLock { $0.append(deadline) } }
                        continuation.resume()
                    }
                }
            }
            #expect(early.withLock { $0 }.isEmpty)
        }

        // MARK: - Identifiers and replacement

        @Test func `the identifier is the collapse id, and a push with the same one replaces in place`() async throws {
            let harness = ServiceExtensionHarness { TemplateService() }
            let first = try await harness.deliver(Self.mutable, headers: ["apns-collapse-id": "result"])
            let second = try await harness.deliver(Self.mutable, headers: ["APNS-Collapse-ID": "result"])
            #expect(first.identifier == "result" && !first.isReplacement)
            #expect(second.isReplacement && second.removed.isEmpty)
            #expect(harness.delivered.count == 1)
        }

        @Test func `an extension that looks its custom id up removes the earlier notification`() async throws {
            let harness = ServiceExtensionHarness { CustomIDService() }
            _ = try await harness.deliver(Self.push("a", "1"))
            _ = try await harness.deliver(Self.push("b", "2"))
            let result = try await harness.deliver(Self.push("a", "3"))
            #expect(result.removed == ["push-1"])
            #expect(!result.isReplacement)
            #expect(harness.delivered.map(\.request.content.body) == ["2", "3"])
            #expect(result.findings.isEmpty)
        }

        @Test func `a handler that is called right after a removal is told`() async throws {
            let harness = ServiceExtensionHarness {
                let service = CustomIDService()
                service.waitsForRemoval = false
                return service
            }
            _ = try await harness.deliver(Self.push("a", "1"))
            let result = try await harness.deliver(Self.push("a", "2"))
            #expect(result.findings.map(\.rule) == ["extension.removal-race"])
        }

        @Test func `a removal that takes a while is lost when the handler is called before`() async throws {
            var options = ServiceExtensionHarness.Options()
            options.removal = .lostAfterHandler(.milliseconds(100))
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(options: options, clock: clock) {
                let service = CustomIDService()
                service.waitsForRemoval = false
                return service
            }
            _ = try await harness.deliver(Self.push("a", "1"))
            let result = try await harness.deliver(Self.push("a", "2"))
            // The clock makes its calls in the order of their deadlines, so the removal has had its chance when this one is made.
            await withCheckedContinuation { continuation in
                _ = clock.schedule(at: clock.now + .seconds(1)) { continuation.resume() }
                clock.move(by: .seconds(1))
            }
            #expect(result.removed.isEmpty)
            #expect(result.stale == [.init(identifier: "push-1", remaining: nil)])
            #expect(harness.delivered.map(\.request.content.body) == ["1", "2"])
        }

        @Test func `a late removal of one push is done while the next one is there`() async throws {
            var options = ServiceExtensionHarness.Options()
            options.removal = .delayed(.seconds(2))
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(options: options, clock: clock) {
                let service = CustomIDService()
                service.waitsForRemoval = false
                return service
            }
            _ = try await harness.deliver(Self.push("a", "1"))
            let result = try await harness.deliver(Self.push("a", "2"))
            #expect(result.stale == [.init(identifier: "push-1", remaining: .seconds(2))])
            // Its own removals are numbered anew.
            #expect(try await harness.deliver(Self.push("b", "3")).stale.isEmpty)
            await withCheckedContinuation { continuation in
                _ = clock.schedule(at: clock.now + .seconds(3)) { continuation.resume() }
                clock.move(by: .seconds(3))
            }
            #expect(harness.delivered.map(\.request.content.body) == ["2", "3"])
        }

        // MARK: - The device

        @Test func `static state of an extension leaks from one push to the next`() async throws {
            LeakyService.count = 0
            let harness = ServiceExtensionHarness { LeakyService() }
            _ = try await harness.deliver(Self.mutable)
            let second = try await harness.deliver(Self.mutable)
            #expect(second.content?.subtitle == "2")
        }

        @Test func `a badge from the defaults of an app group, thread and interruption level`() async throws {
            UserDefaults(suiteName: BadgeService.group)?.removeObject(forKey: "unread")
            let harness = ServiceExtensionHarness { BadgeService() }
            let payload = #"{"aps":{"alert":"Hi","mutable-content":1},"urgent":true,"thread":"t1"}"#
            _ = try await harness.deliver(payload)
            let result = try await harness.deliver(payload)
            #expect(result.content?.badge == 2)
            #expect(harness.badge == 2)
            #expect(result.content?.interruptionLevel == .timeSensitive)
            #expect(result.content?.threadIdentifier == "t1")
        }

        @Test func `app groups of one harness are not those of another`() async throws {
            let payload = #"{"aps":{"alert":"Hi","mutable-content":1}}"#
            let group = "group.\(UUID().uuidString)"
            UserDefaults(suiteName: group)?.set(5, forKey: "unread")
            defer { UserDefaults(suiteName: group)?.removePersistentDomain(forName: group) }
            let harnesses = (0..<2).map { _ in ServiceExtensionHarness { CountingService(group: group) } }
            for _ in 0..<2 { _ = try await harnesses[0].deliver(payload) }
            let result = try await harnesses[1].deliver(payload)
            #expect(result.content?.badge == 6)
            #expect(harnesses.map { $0.defaults(suiteName: group)?.integer(forKey: "unread") } == [7, 6])
            #expect(UserDefaults(suiteName: group)?.integer(forKey: "unread") == 5)
            let folders = harnesses.map { $0.containerURL(forSecurityApplicationGroupIdentifier: group)?.path }
            #expect(folders[0] != folders[1])
            #expect(CountingService.folders.withLock { $0[group] } == Set(folders.compactMap(\.self)))
        }

        @Test func `an extension by async and await sets a category and a sound`() async throws {
            let result = try await ServiceExtensionHarness { AsyncService() }.deliver(
                Self.mutable, headers: ["apns-collapse-id": "m1"])
            #expect(result.content?.categoryIdentifier == "MESSAGE-m1")
            #expect(result.content?.sound == UNNotificationSound(named: UNNotificationSoundName("reply.caf")))
        }

        @Test func `a local notification waits for its trigger on the clock of the device`() async throws {
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) { LocalService() }
            let result = try await harness.deliver(Self.mutable)
            #expect(result.content?.subtitle == "reminded")
            #expect(result.added == ["reminder"])
            #expect(harness.pending.map(\.identifier) == ["reminder"])
            clock.move(by: .seconds(599))
            #expect(harness.delivered.count == 1)
            clock.move(by: .seconds(1))
            #expect(harness.delivered.map(\.request.identifier) == ["push-1", "reminder"])
            #expect(harness.pending.isEmpty)
        }

        private static func photo(_ server: LoopbackServer) -> String {
            let address = "http://127.0.0.1:\(server.port)/cranes.png"
            return #"{"aps":{"alert":"Photo","mutable-content":1},"attachment-url":"\#(address)"}"#
        }

        @Test func `an attachment is downloaded, checked, and moved`() async throws {
            let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
            var options = ServiceExtensionHarness.Options()
            let store = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
            options.attachmentStore = store
            defer { try? FileManager.default.removeItem(at: store) }
            let server = try LoopbackServer(body: png)
            let harness = ServiceExtensionHarness(options: options) { AttachmentService() }
            let result = try await harness.deliver(Self.photo(server))
            let attachment = try #require(result.content?.attachments.first)
            #expect(attachment.url.path.hasPrefix(store.path))
            #expect(attachment.type == "public.png")
            #expect(try Data(contentsOf: attachment.url) == png)
        }

        @Test func `a file that is not of its type is not attached, and the text is still shown`() async throws {
            let server = try LoopbackServer(body: Data("<html>".utf8))
            let result = try await ServiceExtensionHarness { AttachmentService() }.deliver(Self.photo(server))
            #expect(result.outcome == .modified)
            #expect(result.content?.attachments.isEmpty == true)
        }

        @Test func `a download that never ends is over when the time is up`() async throws {
            let server = try LoopbackServer(body: nil)
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) { AttachmentService() }
            async let pending = harness.deliver(Self.photo(server))
            await clock.advance(by: .seconds(30))
            let result = try await pending
            #expect(result.didExpire)
            #expect(result.content?.body == "Photo")
            #expect(result.content?.attachments.isEmpty == true)
        }

        @Test func `pushes to several harnesses at once each find their own device`() async throws {
            try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let harness = ServiceExtensionHarness { CustomIDService() }
                        for _ in 0..<3 { _ = try await harness.deliver(Self.push("a", "\(number)")) }
                        return harness.delivered.map(\.request.content.body)
                    }
                }
                for try await bodies in group { #expect(bodies.count == 1) }
            }
        }

        @Test func `a payload that is no JSON object is refused`() async {
            await #expect(throws: ServiceExtensionHarness.ImpossibleInput.self) {
                try await ServiceExtensionHarness { TemplateService() }.deliver(#"{"aps":"#)
            }
            await #expect(throws: ServiceExtensionHarness.ImpossibleInput.self) {
                try await ServiceExtensionHarness { TemplateService() }.deliver("[]")
            }
        }
    }

    /// Counts in an app group, on several threads and in a task.
    private final class CountingService: UNNotificationServiceExtension, @unchecked Sendable {
        static let folders = Mutex<[String: Set<String>]>([:])
        private let group: String

        init(group: String) { self.group = group }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            struct Handler: @unchecked Sendable { let call: (UNNotificationContent) -> Void }
            let handler = Handler(call: contentHandler)
            let content = UNMutableNotificationContent()
            content.title = "counted"
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { [group] in
                let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path ?? ""
                Self.folders.withLock { _ = $0[group, default: []].insert(folder) }
                isDone.signal()
            }
            isDone.wait()
            Task { [group] in
                let defaults = UserDefaults(suiteName: group)
                let count = (defaults?.integer(forKey: "unread") ?? 0) + 1
                defaults?.set(count, forKey: "unread")
                let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path ?? ""
                Self.folders.withLock { _ = $0[group, default: []].insert(folder) }
                content.badge = NSNumber(value: count)
                handler.call(content)
            }
        }
    }
#endif

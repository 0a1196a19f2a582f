#if os(Linux)
    import Foundation
    import Synchronization
    import Testing

    @testable import UserNotifications

    /// A host that notes its calls and answers from a thread of its own.
    private final class FakeHost: UserNotificationHost {
        let calls = Mutex<[String]>([])
        let error: UNError?

        init(error: UNError? = nil) {
            self.error = error
        }

        static let request = UNNotificationRequest(identifier: "r", content: UNNotificationContent(), trigger: nil)
        static let notification = UNNotification(date: Date(timeIntervalSince1970: 0), request: request)
        static let category = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])

        private func note(_ call: String) {
            calls.withLock { $0.append(call) }
        }

        private func answer(_ body: @escaping @Sendable () -> Void) {
            DispatchQueue.global().async(execute: body)
        }

        func requestAuthorization(
            _ options: UNAuthorizationOptions, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            note("authorize \(options.rawValue)")
            answer { [error] in completion(error == nil, error) }
        }

        func settings(_ completion: @escaping @Sendable (UNNotificationSettings) -> Void) {
            note("settings")
            answer { completion(UNNotificationSettings(authorizationStatus: .provisional)) }
        }

        func setBadgeCount(_ count: Int, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            note("badge \(count)")
            answer { [error] in completion(error) }
        }

        func add(_ request: UNNotificationRequest, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
            note("add \(request.identifier)")
            answer { [error] in completion(error) }
        }

        func pendingRequests(_ completion: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
            note("pending")
            answer { completion([Self.request]) }
        }

        func removePendingRequests(_ identifiers: [String]?) {
            note("remove pending \(identifiers ?? ["all"])")
        }

        func deliveredNotifications(_ completion: @escaping @Sendable ([UNNotification]) -> Void) {
            note("delivered")
            answer { completion([Self.notification]) }
        }

        func removeDeliveredNotifications(_ identifiers: [String]?) {
            note("remove delivered \(identifiers ?? ["all"])")
        }

        func setCategories(_ categories: Set<UNNotificationCategory>) {
            note("set categories \(categories.count)")
        }

        func categories(_ completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void) {
            note("categories")
            answer { completion([Self.category]) }
        }
    }

    /// In turn, because the host is one for the process.
    @Suite(.serialized)
    final class CenterTests {
        private let center = UNUserNotificationCenter.current()

        init() async {
            await UNUserNotificationCenter.beginHosting(nil)
        }

        deinit {
            UNUserNotificationCenter.endHosting()
        }

        private func withHost(_ error: UNError? = nil) -> FakeHost {
            let host = FakeHost(error: error)
            UNUserNotificationCenter.setHost(host)
            return host
        }

        @Test func `calls with handlers reach the host in their order`() async {
            let host = withHost()
            await withCheckedContinuation { continuation in
                call(continuation)
            }
            #expect(
                host.calls.withLock { $0 } == [
                    "authorize 6", "settings", "badge 3", "badge 4", "add r", "add r", "pending",
                    "remove pending [\"x\"]",
                    "remove pending [\"all\"]", "delivered", "remove delivered [\"y\"]", "remove delivered [\"all\"]",
                    "set categories 1", "categories",
                ])
        }

        /// Not async, so that the compiler takes the forms with handlers.
        private func call(_ continuation: CheckedContinuation<Void, Never>) {
            center.requestAuthorization(options: [.alert, .sound]) { isGranted, error in
                #expect(isGranted && error == nil)
            }
            center.getNotificationSettings { #expect($0.authorizationStatus == .provisional) }
            center.setBadgeCount(3)
            center.setBadgeCount(4) { #expect($0 == nil) }
            center.add(FakeHost.request)
            center.add(FakeHost.request) { #expect($0 == nil) }
            center.getPendingNotificationRequests { #expect($0 == [FakeHost.request]) }
            center.removePendingNotificationRequests(withIdentifiers: ["x"])
            center.removeAllPendingNotificationRequests()
            center.getDeliveredNotifications { #expect($0 == [FakeHost.notification]) }
            center.removeDeliveredNotifications(withIdentifiers: ["y"])
            center.removeAllDeliveredNotifications()
            center.setNotificationCategories([FakeHost.category])
            center.getNotificationCategories {
                #expect($0 == [FakeHost.category])
                continuation.resume()
            }
        }

        @Test func `calls that are awaited reach the host too`() async throws {
            let host = withHost()
            #expect(try await center.requestAuthorization(options: [.badge]))
            #expect(await center.notificationSettings().authorizationStatus == .provisional)
            try await center.setBadgeCount(3)
            try await center.add(FakeHost.request)
            #expect(await center.pendingNotificationRequests() == [FakeHost.request])
            #expect(await center.deliveredNotifications() == [FakeHost.notification])
            #expect(await center.notificationCategories() == [FakeHost.category])
            #expect(
                host.calls.withLock { $0 } == [
                    "authorize 1", "settings", "badge 3", "add r", "pending", "delivered", "categories",
                ])
        }

        @Test func `an error of the host is thrown`() async {
            _ = withHost(UNError(.notificationsNotAllowed))
            await #expect(throws: UNError(.notificationsNotAllowed)) { try await self.center.requestAuthorization() }
            await #expect(throws: UNError(.notificationsNotAllowed)) { try await self.center.setBadgeCount(1) }
            await #expect(throws: UNError(.notificationsNotAllowed)) { try await self.center.add(FakeHost.request) }
        }

        @Test func `without a host the app may do everything on an empty screen`() async throws {
            UNUserNotificationCenter.setHost(nil)
            #expect(try await center.requestAuthorization(options: [.alert]))
            #expect(await center.notificationSettings().authorizationStatus == .authorized)
            #expect(await center.deliveredNotifications().isEmpty)
            #expect(await center.pendingNotificationRequests().isEmpty)
            #expect(await center.notificationCategories().isEmpty)
        }

        @Test func `without a host requests are kept by identifier until they are removed`() async throws {
            UNUserNotificationCenter.setHost(nil)
            let content = UNNotificationContent()
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
            for identifier in ["a", "b", "a"] {
                try await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
                try await center.add(
                    UNNotificationRequest(identifier: "p" + identifier, content: content, trigger: trigger))
            }
            #expect(await center.deliveredNotifications().map(\.request.identifier) == ["b", "a"])
            #expect(await center.pendingNotificationRequests().map(\.identifier) == ["pb", "pa"])
            center.removeDeliveredNotifications(withIdentifiers: ["a", "unknown"])
            center.removePendingNotificationRequests(withIdentifiers: ["pb"])
            #expect(await center.deliveredNotifications().map(\.request.identifier) == ["b"])
            #expect(await center.pendingNotificationRequests().map(\.identifier) == ["pa"])
            center.removeAllDeliveredNotifications()
            #expect(await center.deliveredNotifications().isEmpty)
            #expect(await center.pendingNotificationRequests().count == 1)
            await #expect(throws: UNError(.badgeInputInvalid)) { try await self.center.setBadgeCount(-1) }
        }

        @Test func `the delegate is held weakly`() {
            final class Delegate: NSObject, UNUserNotificationCenterDelegate {}
            var delegate: Delegate? = Delegate()
            center.delegate = delegate
            #expect(center.delegate === delegate)
            delegate = nil
            #expect(center.delegate == nil)
        }
    }
#endif

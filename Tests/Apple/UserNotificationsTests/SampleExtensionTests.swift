#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    @testable import SampleExtension

    /// Extensions that are compiled as for iOS, at work.
    struct SampleExtensionTests {
        private static let notification = UNNotification(
            date: Date(timeIntervalSince1970: 0),
            request: UNNotificationRequest(identifier: "a", content: UNNotificationContent(), trigger: nil))

        private func request(_ payload: [String: Any]) -> UNNotificationRequest {
            UNNotificationRequest(
                identifier: "a", content: UNMutableNotificationContent(apnsPayload: payload),
                trigger: UNPushNotificationTrigger())
        }

        @Test func `an extension made from the template changes the title`() {
            let service = NotificationService()
            var shown: [UNNotificationContent] = []
            service.didReceive(request(["aps": ["alert": ["title": "T", "body": "B"]]])) { shown.append($0) }
            service.serviceExtensionTimeWillExpire()
            #expect(shown.map(\.title) == ["T [changed]", "T [changed]"])
            #expect(shown.first?.body == "B")
        }

        @Test func `an extension that does nothing shows the original`() {
            var shown: UNNotificationContent?
            let request = request(["aps": ["alert": "B"]])
            UNNotificationServiceExtension().didReceive(request) { shown = $0 }
            #expect(shown == request.content)
        }

        private final class AwaitingService: UNNotificationServiceExtension {
            override func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent {
                await Task.yield()
                let content = UNMutableNotificationContent()
                content.title = "awaited " + request.content.body
                return content
            }
        }

        @Test func `an extension may override the async form`() async {
            let request = request(["aps": ["alert": "B"]])
            let shown = await withCheckedContinuation { continuation in
                AwaitingService().didReceive(request) { continuation.resume(returning: $0.title) }
            }
            #expect(shown == "awaited B")
        }

        @Test func `a delegate of the old spelling is asked`() async {
            let delegate: any UNUserNotificationCenterDelegate = OldDelegate()
            let options = await withCheckedContinuation { continuation in
                delegate.userNotificationCenter(.current(), willPresent: Self.notification) {
                    continuation.resume(returning: $0)
                }
            }
            #expect(options == [.banner, .sound])
        }

        @Test func `a delegate that only awaits is asked through the form with a handler`() async {
            final class AwaitingDelegate: NSObject, UNUserNotificationCenterDelegate {
                func userNotificationCenter(
                    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
                ) async -> UNNotificationPresentationOptions {
                    [.list]
                }
            }
            let delegate: any UNUserNotificationCenterDelegate = AwaitingDelegate()
            let options = await withCheckedContinuation { continuation in
                delegate.userNotificationCenter(.current(), willPresent: Self.notification) {
                    continuation.resume(returning: $0)
                }
            }
            #expect(options == [.list])
        }

        @Test func `a delegate without methods presents nothing and still answers`() async {
            final class SilentDelegate: NSObject, UNUserNotificationCenterDelegate {}
            let delegate: any UNUserNotificationCenterDelegate = SilentDelegate()
            let options = await withCheckedContinuation { continuation in
                delegate.userNotificationCenter(.current(), willPresent: Self.notification) {
                    continuation.resume(returning: $0)
                }
            }
            #expect(options == [])
            await withCheckedContinuation { continuation in
                delegate.userNotificationCenter(
                    .current(), didReceive: UNNotificationResponse(notification: Self.notification)
                ) { continuation.resume() }
            }
        }

        @Test func `an app tells errors apart as it does on iOS`() {
            #expect(describe(UNError(.attachmentInvalidURL)) == "url")
            #expect(describe(UNError(.attachmentCorrupt)) == "corrupt")
            #expect(describe(UNError(.badgeInputInvalid)) == UNErrorDomain)
        }
    }

    /// Among those that take turns, because it uses the center.
    extension CenterTests {
        @Test func `an extension with attachments and downloads finds what it uses`() async throws {
            let picture = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).download")
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: picture)
            defer { try? FileManager.default.removeItem(at: picture) }
            let service = RichNotificationService()
            let payload: [String: Any] = ["aps": ["alert": ["title": "T"]], "picture": picture.path]
            let request = UNNotificationRequest(
                identifier: "a", content: UNMutableNotificationContent(apnsPayload: payload),
                trigger: UNPushNotificationTrigger())
            let content = await withCheckedContinuation { continuation in
                service.didReceive(request) { continuation.resume(returning: $0) }
            }
            #expect(content.subtitle == "No subtitle")
            #expect(content.badge == 5)
            #expect(content.sound == UNNotificationSound(named: UNNotificationSoundName("ping.caf")))
            #expect(content.userInfo["seen"] as? Bool == true)
            #expect(content.userInfo["key"] as? String == "name")
            #expect(content.interruptionLevel == .timeSensitive)
            #expect(content.attachments.map(\.type) == ["public.png"])
        }
    }
#endif

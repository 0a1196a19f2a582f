#if os(Linux)
    import Foundation
    import ServiceExtension
    import Testing
    import UserNotifications

    extension HarnessTests {
        /// Devices that are locked. Within the other suite, whose tests take turns: extensions share a process.
        @Suite struct LockTests {
            private static let push = #"{"aps":{"alert":"New message","mutable-content":1}}"#

            /// Source: Apple, "Restricting keychain item accessibility".
            @Test func `an extension on a locked device does not get its key, and another device is not locked`()
                async throws
            {
                let harness = ServiceExtensionHarness { KeyService() }
                func title() async throws -> String? { try await harness.deliver(Self.push).content?.title }
                #expect(try await title() == "0")
                harness.setLock(.locked)
                #expect(try await title() == "0")
                harness.setLock(.beforeFirstUnlock)
                #expect(try await title() == "\(errSecInteractionNotAllowed)")
                let other = ServiceExtensionHarness { KeyService() }
                #expect(try await other.deliver(Self.push).content?.title == "0")
                harness.setLock(.unlocked)
                #expect(try await title() == "0")
            }

            @Test func `an extension learns when its texts are shown`() async throws {
                let harness = ServiceExtensionHarness { PreviewService() }
                func title() async throws -> String? { try await harness.deliver(Self.push).content?.title }
                #expect(try await title() == "0")
                harness.setShowPreviews(.whenAuthenticated)
                #expect(try await title() == "1")
            }
        }
    }

    /// Has a key in the keychain, which is there from the first unlock on.
    private final class KeyService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "message",
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
            ]
            SecItemAdd(item as CFDictionary, nil)
            let content = UNMutableNotificationContent()
            content.title = "\(SecItemCopyMatching(item as CFDictionary, nil))"
            contentHandler(content)
        }
    }

    private final class PreviewService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            struct Handler: @unchecked Sendable { let call: (UNNotificationContent) -> Void }
            let handler = Handler(call: contentHandler)
            UNUserNotificationCenter.current().getNotificationSettings { settings in
                let content = UNMutableNotificationContent()
                content.title = "\(settings.showPreviewsSetting.rawValue)"
                handler.call(content)
            }
        }
    }
#endif

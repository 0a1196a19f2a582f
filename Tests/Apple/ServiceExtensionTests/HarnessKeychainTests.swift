#if os(Linux)
    import Foundation
    import ServiceExtension
    import Testing
    import UserNotifications

    /// Keys of an extension on a harness's device.
    @Suite struct HarnessKeychainTests {
        @Test func `a locked device gives the extension those keys that may be read`() async throws {
            let payload = #"{"aps":{"alert":"Hi","mutable-content":1}}"#
            let harness = ServiceExtensionHarness { KeyService() }
            let key: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "key"]
            let readable = key.merging([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) { $1 }
            #expect(try await harness.deliver(payload).content?.title == "\(errSecItemNotFound)")
            #expect(harness.addToKeychain(readable) == errSecSuccess)
            #expect(harness.addToKeychain(readable) == errSecDuplicateItem)
            harness.setLock(.locked)
            #expect(try await harness.deliver(payload).content?.title == "\(errSecSuccess)")
            harness.setLock(.beforeFirstUnlock)
            #expect(try await harness.deliver(payload).content?.title == "\(errSecInteractionNotAllowed)")
            harness.setLock(.unlocked)
            #expect(try await harness.deliver(payload).content?.title == "\(errSecSuccess)")
            let other = ServiceExtensionHarness { KeyService() }
            #expect(try await other.deliver(payload).content?.title == "\(errSecItemNotFound)")
        }
    }

    /// Says in its title whether it finds its key.
    private final class KeyService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "key",
            ]
            let content = UNMutableNotificationContent()
            content.title = "\(SecItemCopyMatching(query as CFDictionary, nil))"
            contentHandler(content)
        }
    }
#endif

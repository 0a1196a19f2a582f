#if os(Linux)
    import Foundation
    import Testing
    @testable import UserNotifications

    /// The keychain, with the calls that apps make; and notifications by name.
    struct KeychainTests {
        private let service = "org.example.\(UUID().uuidString)"

        private func query(_ more: [CFString: Any] = [:]) -> CFDictionary {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            ]
            for (key, value) in more { query[key as String] = value }
            return query as CFDictionary
        }

        private func password(_ more: [CFString: Any] = [:]) -> String? {
            var item: CFTypeRef?
            let all = more.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { own, _ in own }
            guard SecItemCopyMatching(query(all), &item) == errSecSuccess, let data = item as? Data else { return nil }
            return String(decoding: data, as: UTF8.self)
        }

        @Test func `an item is added, found, changed and deleted`() {
            let item: [CFString: Any] = [kSecAttrAccount: "ana", kSecValueData: Data("one".utf8)]
            #expect(password() == nil)
            #expect(SecItemAdd(query(item), nil) == errSecSuccess)
            #expect(SecItemAdd(query(item), nil) == errSecDuplicateItem)
            #expect(password([kSecAttrAccount: "ana"]) == "one")
            #expect(password([kSecAttrAccount: "bo"]) == nil)
            let changes: [String: Any] = [kSecValueData as String: Data("two".utf8)]
            #expect(SecItemUpdate(query([kSecAttrAccount: "ana"]), changes as CFDictionary) == errSecSuccess)
            #expect(SecItemUpdate(query([kSecAttrAccount: "bo"]), changes as CFDictionary) == errSecItemNotFound)
            #expect(password() == "two")
            #expect(SecItemDelete(query()) == errSecSuccess)
            #expect(SecItemDelete(query()) == errSecItemNotFound)
            #expect(SecItemAdd([:] as CFDictionary, nil) == errSecParam)
        }

        /// Source: Apple, "Restricting keychain item accessibility".
        @Test(arguments: [
            (DeviceLock.unlocked, [errSecSuccess, errSecSuccess, errSecSuccess]),
            (.locked, [errSecInteractionNotAllowed, errSecInteractionNotAllowed, errSecSuccess]),
            (.beforeFirstUnlock, Array(repeating: errSecInteractionNotAllowed, count: 3)),
        ])
        func `a locked device gives out items by their accessibility`(lock: DeviceLock, expected: [OSStatus]) {
            let scope = UUID().uuidString
            AppGroupScope.$ofTask.withValue(scope) {
                let classes: [CFString?] = [
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlock,
                ]
                for (number, accessibility) in classes.enumerated() {
                    var item: [CFString: Any] = [kSecAttrAccount: "\(number)", kSecValueData: Data("key".utf8)]
                    item[kSecAttrAccessible] = accessibility
                    #expect(SecItemAdd(query(item), nil) == errSecSuccess)
                }
                DeviceLock.set(lock, scope: scope)
                defer { DeviceLock.set(.unlocked, scope: scope) }
                let found = (0..<3).map { SecItemCopyMatching(query([kSecAttrAccount: "\($0)"]), nil) }
                #expect(found == expected)
                #expect(SecItemCopyMatching(query([kSecAttrAccount: "none"]), nil) == errSecItemNotFound)
                let changes = [kSecValueData as String: Data("new".utf8)] as CFDictionary
                #expect(SecItemUpdate(query([kSecAttrAccount: "2"]), changes) == expected[2])
                let new = query([kSecAttrAccount: "3", kSecValueData: Data()])
                #expect(SecItemAdd(new, nil) == expected[0])
            }
        }

        @Test func `all items are found, with their attributes`() throws {
            for account in ["ana", "bo"] {
                let item: [CFString: Any] = [
                    kSecAttrAccount: account, kSecValueData: Data(account.utf8), kSecAttrAccessGroup: "group.a",
                ]
                #expect(SecItemAdd(query(item), nil) == errSecSuccess)
            }
            defer { _ = SecItemDelete(query()) }
            var result: CFTypeRef?
            let all: [CFString: Any] = [
                kSecReturnAttributes: true, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                kSecAttrAccessGroup: "group.a",
            ]
            #expect(SecItemCopyMatching(query(all), &result) == errSecSuccess)
            let items = try #require(result as? [[String: Any]])
            #expect(items.map { $0[kSecAttrAccount as String] as? String } == ["ana", "bo"])
            #expect(items.map { $0[kSecValueData as String] as? Data } == [Data("ana".utf8), Data("bo".utf8)])
            #expect(SecItemCopyMatching(query([kSecAttrAccessGroup: "group.b"]), nil) == errSecItemNotFound)
        }

        // One after the other: both have these tags in one keychain.
        @Test(.serialized, arguments: ["delete", "update"])
        func `keys with tags of the same length are two`(operation: String) throws {
            // Keys have no service; the label keeps them apart from those of other tests.
            func key(_ tag: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
                var values: [String: Any] = [
                    kSecClass as String: kSecClassKey, kSecAttrLabel as String: service,
                    kSecAttrApplicationTag as String: Data(tag.utf8),
                ]
                for (name, value) in more { values[name as String] = value }
                return values as CFDictionary
            }
            func value(_ tag: String) -> Data? {
                var found: CFTypeRef?
                return SecItemCopyMatching(key(tag, [kSecReturnData: true]), &found) == errSecSuccess
                    ? found as? Data : nil
            }
            for tag in ["org.example.one", "org.example.two"] {
                #expect(SecItemAdd(key(tag, [kSecValueData: Data(tag.utf8)]), nil) == errSecSuccess)
            }
            defer { for tag in ["org.example.one", "org.example.two"] { _ = SecItemDelete(key(tag)) } }
            if operation == "delete" {
                #expect(SecItemDelete(key("org.example.one")) == errSecSuccess)
                #expect(value("org.example.one") == nil)
            } else {
                let changes: [String: Any] = [kSecValueData as String: Data("new".utf8)]
                #expect(SecItemUpdate(key("org.example.one"), changes as CFDictionary) == errSecSuccess)
                #expect(value("org.example.one") == Data("new".utf8))
            }
            #expect(value("org.example.two") == Data("org.example.two".utf8))
        }

        @Test func `a key is found by its tag, its reference and its lasting reference`() throws {
            let key = SecKey(data: Data("no real key".utf8), isRSA: false, isPrivate: true)
            let item: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrLabel: service, kSecValueRef: key, kSecReturnPersistentRef: true,
            ]
            var lasting: CFTypeRef?
            #expect(SecItemAdd(item as CFDictionary, &lasting) == errSecSuccess)
            defer { _ = SecItemDelete([kSecClass: kSecClassKey, kSecAttrLabel: service] as CFDictionary) }
            let reference = try #require(lasting as? Data)
            for (name, value): (CFString, Any) in [
                (kSecAttrLabel, service), (kSecValueRef, key), (kSecValuePersistentRef, reference),
            ] {
                // The size is not known here, and a device reads it off the key.
                let query: [CFString: Any] = [
                    kSecClass: kSecClassKey, name: value, kSecReturnRef: true, kSecAttrKeySizeInBits: 256,
                ]
                var found: CFTypeRef?
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                #expect(found as? SecKey == key)
            }
            let other = SecKey(data: Data("another".utf8), isRSA: false, isPrivate: true)
            #expect(
                SecItemCopyMatching([kSecClass: kSecClassKey, kSecValueRef: other] as CFDictionary, nil)
                    == errSecItemNotFound)
            let both: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrLabel: service, kSecReturnRef: true, kSecReturnData: true,
            ]
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(both as CFDictionary, &found) == errSecSuccess)
            let values = try #require(found as? [String: Any])
            #expect(values.count == 2)
            #expect(values["v_Data"] as? Data == key.data)
            #expect(values["v_Ref"] as? SecKey == key)
        }

        @Test func `random bytes fill their memory`() {
            var bytes = [UInt8](repeating: 0, count: 64)
            #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
            #expect(Set(bytes).count > 8)
        }

        @Test func `a notification reaches the observers of its name`() {
            final class Counter { var count = 0 }
            let counter = Counter()
            let place = Unmanaged.passUnretained(counter).toOpaque()
            let center = CFNotificationCenterGetDarwinNotifyCenter()
            let name = CFNotificationName("org.example.\(UUID().uuidString)" as CFString)
            CFNotificationCenterAddObserver(
                center, place,
                { _, observer, _, _, info in
                    guard let observer, info == nil else { return }
                    Unmanaged<Counter>.fromOpaque(observer).takeUnretainedValue().count += 1
                }, name.rawValue, nil, .deliverImmediately)
            CFNotificationCenterPostNotification(center, name, nil, ["a": 1] as CFDictionary, true)
            CFNotificationCenterPostNotification(center, CFNotificationName("other" as CFString), nil, nil, true)
            #expect(counter.count == 1)
            CFNotificationCenterRemoveObserver(center, place, name, nil)
            CFNotificationCenterPostNotification(center, name, nil, nil, true)
            #expect(counter.count == 1)
        }
    }
#endif

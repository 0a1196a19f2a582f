#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    struct FoundationTests {
        @Test func `an app group has a folder below that of all groups`() throws {
            let url = try #require(
                FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.org.example.tests"))
            #expect(url.deletingLastPathComponent().path == FileManager.appGroupsDirectory.path)
            var isDirectory: ObjCBool = false
            #expect(FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory))
            #expect(isDirectory.boolValue)
        }

        @Test(arguments: ["", ".", "..", "../group", "a/b", "a\0b"])
        func `an app group cannot name a folder elsewhere`(identifier: String) {
            #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) == nil)
        }

        @Test func `a process's object can be made`() {
            #expect(ProcessInfo().processIdentifier == ProcessInfo.processInfo.processIdentifier)
        }

        @Test func `files are read and written at once`() {
            let (one, two) = (URL(fileURLWithPath: "/one"), URL(fileURLWithPath: "/two"))
            var urls: [URL] = []
            let coordinator = NSFileCoordinator()
            coordinator.coordinate(readingItemAt: one, error: nil) { urls.append($0) }
            coordinator.coordinate(writingItemAt: two, options: .forReplacing, error: nil) { urls.append($0) }
            #expect(urls == [one, two])
        }

        /// On Apple's systems they are `CFOptionFlags`, so `UInt`.
        @Test func `flags of access are unsigned`() {
            let flags: [UInt] = [SecAccessControlCreateFlags.privateKeyUsage, .applicationPassword].map(\.rawValue)
            #expect(flags == [1 << 30, 1 << 31])
        }

        @Test func `defaults take values by key`() throws {
            let name = "pushpipe.tests.\(UUID().uuidString)"
            let defaults = try #require(UserDefaults(suiteName: name))
            defaults.setValue(3, forKey: "count")
            #expect(defaults.value(forKey: "count") as? Int == 3)
            defaults.setValue(nil, forKey: "count")
            #expect(defaults.value(forKey: "count") == nil)
            defaults.removePersistentDomain(forName: name)
        }

        @Test func `a text without a table is its key, with its values`() {
            let name = "Ana"
            #expect(String(localized: "Hello", comment: "greeting") == "Hello")
            #expect(String(localized: "100% of \(name): \(3), \(true)") == "100% of Ana: 3, true")
            #expect(String(localized: "100%") == "100%")
            #expect(
                NSString.localizedUserNotificationString(forKey: "%@ wrote %@", arguments: ["Ana", 2]) == "Ana wrote 2")
            #expect(NSString.localizedUserNotificationString(forKey: "KEY", arguments: nil) == "KEY")
        }

        @Test func `a text is looked up in its bundle`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
            let table = folder.appendingPathComponent("en.lproj/Localizable.strings")
            try FileManager.default.createDirectory(
                at: table.deletingLastPathComponent(), withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data(#""%lld of %@" = "%2$@: %1$lld"; "KEY" = "Text";"#.utf8).write(to: table)
            let bundle = try #require(Bundle(url: folder))
            #expect(String(localized: "\(3) of \("Ana")", bundle: bundle) == "Ana: 3")
            #expect(String(localized: "KEY", bundle: bundle, comment: "a key") == "Text")
            #expect(String(localized: "KEY", defaultValue: "default", bundle: bundle) == "Text")
            #expect(String(localized: "NONE", defaultValue: "\(2) left", bundle: bundle) == "2 left")
        }

        @Test func `a pool passes on what its closure returns or throws`() {
            #expect(autoreleasepool { 1 } == 1)
            #expect(throws: UNError(.attachmentCorrupt)) { try autoreleasepool { throw UNError(.attachmentCorrupt) } }
        }

        @Test func `absolute time counts from 2001`() {
            let before = Date().timeIntervalSinceReferenceDate
            let time = CFAbsoluteTimeGetCurrent()
            #expect(before <= time && time <= Date().timeIntervalSinceReferenceDate)
            #expect(("text" as CFString).length == 4)
        }

        @Test func `a rectangle has a dictionary`() {
            let dictionary = CGRect(x: 0.25, y: 0, width: 0.5, height: 1).dictionaryRepresentation
            #expect(dictionary == ["X": 0.25, "Y": 0.0, "Width": 0.5, "Height": 1.0] as NSDictionary)
        }

        @Test func `an object stands in a format by its description`() {
            final class Service: NSObject {
                override var description: String { "<Service äöü>" }
            }
            let url = URL(string: "https://example.org/")! as NSURL
            #expect(
                String(format: "%@ %d %@ %@", Service(), 3, "text" as NSString, "more") == "<Service äöü> 3 text more")
            #expect(String(format: "%@, %@", NSNumber(value: 2.5), url) == "2.5, https://example.org/")
            #expect(String(format: "%2$@ %1$@", Service(), ["a"] as NSArray) == "\(["a"] as NSArray) <Service äöü>")
            let error = NSError(domain: "org.example", code: 7)
            #expect(String(format: "%@", error) == error.description)
            #expect(String(format: "%@", (error as any Error) as any CVarArg) == error.description)
            let date = Date(timeIntervalSince1970: 1000)
            #expect(String(format: "%@ %@", ["a"], date) == "\(["a"] as NSArray) \(date.description)")
        }

        @Test func `objects have associated ones, and classes no methods that can be looked up`() {
            class Item {}
            var (first, second) = (0, 0)
            withUnsafePointer(to: &first) { one in
                withUnsafePointer(to: &second) { two in
                    let item = Item()
                    weak var kept: Item?
                    do {
                        let associated = Item()
                        kept = associated
                        objc_setAssociatedObject(item, one, associated, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
                        objc_setAssociatedObject(item, two, "two", .OBJC_ASSOCIATION_COPY)
                    }
                    #expect(kept != nil && objc_getAssociatedObject(item, one) as? Item === kept)
                    #expect(objc_getAssociatedObject(item, two) as? String == "two")
                    #expect(objc_getAssociatedObject(Item(), one) == nil)
                    objc_setAssociatedObject(item, one, nil, .OBJC_ASSOCIATION_RETAIN)
                    #expect(kept == nil && objc_getAssociatedObject(item, one) == nil)
                }
            }
            #expect(NSProtocolFromString("NSCopying") == nil)
            #expect(class_getInstanceMethod(Item.self, Selector({ 1 })) == nil)
        }

        @Test func `an object's lock is taken again by its thread, and given back as often`() {
            let object = NSObject()
            #expect(objc_sync_exit(object) == -1)
            #expect(objc_sync_enter(object) == 0)
            #expect(objc_sync_enter(object) == 0)
            #expect(objc_sync_exit(object) == 0)
            #expect(objc_sync_exit(object) == 0)
            #expect(objc_sync_exit(object) == -1)
        }

        @Test func `a Boolean is told from a number, also in JSON`() throws {
            let values = try #require(JSONSerialization.jsonObject(with: Data("[true,1,1.5]".utf8)) as? [NSNumber])
            #expect(
                values.map { CFGetTypeID($0) } == [CFBooleanGetTypeID(), CFNumberGetTypeID(), CFNumberGetTypeID()])
            #expect(CFGetTypeID("a" as NSString) == CFStringGetTypeID())
            #expect(CFGetTypeID(nil) == 0)
        }

        @Test func `the folders of a process are URLs`() {
            #expect(URL.libraryDirectory.path == NSHomeDirectory() + "/Library")
            #expect(URL.documentsDirectory.path == NSHomeDirectory() + "/Documents")
        }

        @Test func `an item with access control is stored`() {
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, [.userPresence, .or], nil)
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: UUID().uuidString,
                kSecAttrAccessControl: control as Any, kSecUseOperationPrompt: "Please", kSecValueData: Data([1]),
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemDelete(item as CFDictionary) == errSecSuccess)
        }
    }
#endif

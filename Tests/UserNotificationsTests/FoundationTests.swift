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
        #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 5)
        #expect(("text" as CFString).length == 4)
    }
}

#if os(Linux)
    import Foundation
    import Testing

    @testable import UserNotifications

    struct ContentTests {
        @Test func `new content is empty, active and counts once`() {
            let content = UNNotificationContent()
            #expect(content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty)
            #expect(content.badge == nil && content.sound == nil && content.targetContentIdentifier == nil)
            #expect(content.userInfo.isEmpty && content.attachments.isEmpty && content.filterCriteria == nil)
            #expect(content.interruptionLevel == .active && content.relevanceScore == 0)
            #expect(content.summaryArgument.isEmpty && content.summaryArgumentCount == 1)
        }

        @Test func `properties are read and set by their names`() {
            let content = UNMutableNotificationContent()
            content.setValue("a", forKey: "title")
            content.setValue("b", forKeyPath: "body")
            content.setValue(3, forKey: "badge")
            content.setValue(["aps": ["badge": 4]], forKey: "userInfo")
            content.setValue(2, forKey: "interruptionLevel")
            content.setValue(0.5, forKey: "relevanceScore")
            #expect(content.title == "a" && content.body == "b" && content.badge == 3)
            #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.5)
            #expect(content.value(forKey: "title") as? String == "a")
            #expect(content.value(forKeyPath: "userInfo.aps.badge") as? Int == 4)
            // As of what `updating(from:)` returns.
            let same: UNNotificationContent = content
            same.setValue("c", forKey: "subtitle")
            #expect(content.subtitle == "c")
            // Of another type, or no property.
            content.setValue(1, forKey: "title")
            content.setValue(true, forKey: "shouldAlwaysAlertWhileAppIsForeground")
            content.setValue(nil, forKey: "badge")
            #expect(content.title == "a" && content.badge == nil)
            #expect(content.value(forKey: "nothing") == nil)
        }

        @Test func `a mutable copy of either class changes alone`() throws {
            let original = UNMutableNotificationContent()
            original.title = "before"
            for source in [original, try #require(original.copy() as? UNNotificationContent)] {
                let copy = try #require(source.mutableCopy() as? UNMutableNotificationContent)
                copy.title = "after"
                #expect(source.title == "before")
                #expect(copy.title == "after")
            }
        }

        @Test func `a copy of mutable content is immutable and stays as it was`() throws {
            let original = UNMutableNotificationContent()
            original.body = "before"
            let copy = try #require(original.copy() as? UNNotificationContent)
            original.body = "after"
            #expect(type(of: copy) == UNNotificationContent.self)
            #expect(copy.body == "before")
            #expect(copy.copy() as? UNNotificationContent === copy)
        }

        @Test func `arrays and dictionaries are kept as values`() {
            let content = UNMutableNotificationContent()
            var info: [AnyHashable: Any] = ["a": 1]
            content.userInfo = info
            info["a"] = 2
            #expect(content.userInfo["a"] as? Int == 1)
            content.userInfo["b"] = "x"
            #expect(content.userInfo.count == 2)
            #expect(info["b"] == nil)
        }

        @Test func `a request keeps the content it was given`() {
            let content = UNMutableNotificationContent()
            content.title = "before"
            let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
            content.title = "after"
            #expect(request.content.title == "before")
            #expect(type(of: request.content) == UNNotificationContent.self)
        }

        /// Each property, set to something else than its default.
        private static let changes: [(String, @Sendable (UNMutableNotificationContent) -> Void)] = [
            ("title", { $0.title = "x" }), ("subtitle", { $0.subtitle = "x" }), ("body", { $0.body = "x" }),
            ("badge", { $0.badge = 1 }), ("sound", { $0.sound = .default }), ("userInfo", { $0.userInfo = ["x": [1]] }),
            ("category", { $0.categoryIdentifier = "x" }), ("thread", { $0.threadIdentifier = "x" }),
            ("launch image", { $0.launchImageName = "x" }), ("target", { $0.targetContentIdentifier = "x" }),
            ("summary", { $0.summaryArgument = "x" }), ("summary count", { $0.summaryArgumentCount = 2 }),
            ("level", { $0.interruptionLevel = .critical }), ("score", { $0.relevanceScore = 1 }),
            ("filter", { $0.filterCriteria = "x" }), ("sender", { $0.sender = "x" }),
            ("picture", { $0.senderImage = "data:image/png;base64,AA==" }),
        ]

        @Test(arguments: changes.indices)
        func `content differs by each of its values, and equals content of the same`(index: Int) throws {
            let (name, change) = Self.changes[index]
            let content = UNMutableNotificationContent()
            change(content)
            let other = try #require(content.copy() as? UNNotificationContent)
            #expect(content == other && other.isEqual(content) && content.hash == other.hash, "\(name)")
            #expect(content != UNNotificationContent(), "\(name)")
        }

        @Test func `a summary counts at least once`() {
            let content = UNMutableNotificationContent()
            content.summaryArgumentCount = 0
            #expect(content.summaryArgumentCount == 1)
        }

        @Test func `a score outside of 0 to 1 is kept`() {
            let content = UNMutableNotificationContent()
            content.relevanceScore = 25
            #expect(content.relevanceScore == 25)
        }

        @Test func `the description tells what is shown`() {
            let content = UNMutableNotificationContent()
            content.title = "Hello"
            content.threadIdentifier = "t1"
            #expect(content.description.contains("UNMutableNotificationContent: title: Hello"))
            #expect(content.description.contains("threadIdentifier: t1"))
        }

        @Test func `no provider of content is honoured`() {
            final class Provider: NSObject, UNNotificationContentProviding {}
            #expect(throws: UNError(.contentProvidingObjectNotAllowed)) {
                try UNNotificationContent().updating(from: Provider())
            }
        }

        @Test func `mutable content that a provider updates is mutable, and keeps the sender`() throws {
            let content = UNMutableNotificationContent()
            content.body = "Hello"
            let updated = try content.updating(from: Message())
            let mutable = try #require(updated as? UNMutableNotificationContent)
            mutable.body = "Changed"
            #expect(mutable.title == "Ada")
            #expect(mutable.sender == "Ada")
            #expect((mutable.mutableCopy() as? UNMutableNotificationContent)?.sender == "Ada")
            #expect(content.title.isEmpty)
            #expect(content.body == "Hello")
        }

        @Test func `immutable content that a provider updates is immutable`() throws {
            let updated = try UNNotificationContent().updating(from: Message())
            #expect(!(updated is UNMutableNotificationContent))
            #expect(updated.title == "Ada")
        }

        private final class Message: NSObject, ContentUpdating {
            func update(_ content: UNMutableNotificationContent) {
                content.title = "Ada"
                content.sender = "Ada"
            }
        }

        @Test func `many threads may change content at once`() {
            let content = UNMutableNotificationContent()
            DispatchQueue.concurrentPerform(iterations: 200) { number in
                content.title = "\(number)"
                content.userInfo = ["number": number]
                _ = content.copy()
            }
            #expect(content.userInfo["number"] is Int)
        }
    }
#endif

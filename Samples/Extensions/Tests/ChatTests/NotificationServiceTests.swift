import Chat
import Foundation
import MobileCoreServices
import ServiceExtension
import Testing
import UniformTypeIdentifiers
import UserNotifications
import os

@Suite(.serialized) struct ChatTests {
    @Test func `the sender is the title, media have a name, and unread messages are counted`() async throws {
        UserDefaults(suiteName: NotificationService.group)?.removeObject(forKey: "unread")
        let harness = ServiceExtensionHarness { NotificationService() }
        let payload =
            #"{"aps":{"alert":"Encrypted message","mutable-content":1},"sender":"Ada","media-type":"image/jpeg"}"#
        let first = try await harness.deliver(payload)
        #expect(first.content?.title == "Ada")
        #expect(first.content?.body == "sent a photo")
        _ = try await harness.deliver(payload)
        #expect(harness.badge == 2)
    }

    @Test func `old and new names of types are the same`() {
        #expect(kUTTypePNG as String == UTType.png.identifier)
        #expect(UTType(mimeType: "image/jpeg; charset=binary") == UTType(filenameExtension: "JPG"))
        #expect(UTType(kUTTypeMPEG4 as String)?.conforms(to: .movie) == true)
        #expect(UTType("org.example.unknown") == nil)
    }

    @Test func `locks let one at a time through`() async {
        let counter = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 8000)
        var lock = os_unfair_lock()
        os_unfair_lock_lock(&lock)
        #expect(!os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
        #expect(os_unfair_lock_trylock(&lock))
    }
}

#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    /// Files in a folder of their own, which goes with the test.
    final class AttachmentTests {
        private let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("attachments-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: folder)
        }

        private func file(_ name: String, _ head: [UInt8], size: Int? = nil) throws -> URL {
            let url = folder.appendingPathComponent(name)
            try Data(head).write(to: url)
            if let size {
                // The rest is a hole: no disk is filled.
                let handle = try FileHandle(forWritingTo: url)
                try handle.truncate(atOffset: UInt64(size))
                try handle.close()
            }
            return url
        }

        private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        private static let mp4: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8)

        private func code(_ body: () throws -> Void) -> UNError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? UNError)?.code
            }
        }

        /// As the shim of UniformTypeIdentifiers has it.
        private struct UTType: CustomStringConvertible {
            let description: String
        }

        @Test func `a type is as good a hint as its identifier`() throws {
            let attachment = try UNNotificationAttachment(
                identifier: "a", url: file("photo", Self.png),
                options: [UNNotificationAttachmentOptionsTypeHintKey: UTType(description: "public.png")])
            #expect(attachment.type == "public.png")
        }

        private static let formats: [(name: String, head: [UInt8], type: String)] = [
            ("a.jpg", jpeg, "public.jpeg"), ("a.JPEG", jpeg, "public.jpeg"), ("a.png", png, "public.png"),
            ("a.gif", Array("GIF89a".utf8), "com.compuserve.gif"),
            ("a.aiff", Array("FORM0000AIFF".utf8), "public.aiff-audio"),
            ("a.wav", Array("RIFF0000WAVE".utf8), "com.microsoft.waveform-audio"),
            ("a.mp3", Array("ID3".utf8), "public.mp3"), ("b.mp3", [0xFF, 0xFB, 0x90], "public.mp3"),
            ("a.m4a", mp4, "com.apple.m4a-audio"), ("a.mp4", mp4, "public.mpeg-4"),
            ("a.mpg", [0, 0, 1, 0xBA], "public.mpeg"), ("a.m2v", [0, 0, 1, 0xB3], "public.mpeg-2-video"),
            ("a.avi", Array("RIFF0000AVI ".utf8), "public.avi"),
        ]

        @Test(arguments: formats.indices)
        func `each format is known by its extension`(index: Int) throws {
            let format = Self.formats[index]
            let url = try file(format.name, format.head)
            let attachment = try UNNotificationAttachment(identifier: "a", url: url)
            #expect(attachment.type == format.type)
            #expect(attachment.url == url)
            #expect(attachment.identifier == "a")
        }

        @Test func `a hint stands before the extension`() throws {
            let url = try file("download.tmp", Self.png)
            let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
            #expect(try UNNotificationAttachment(identifier: "", url: url, options: hint).type == "public.png")
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: url) } == .attachmentUnrecognizedType)
            let named = try file("a.png", Self.png)
            let unknown = [UNNotificationAttachmentOptionsTypeHintKey: "public.text"]
            #expect(
                code { _ = try UNNotificationAttachment(identifier: "", url: named, options: unknown) }
                    == .attachmentUnrecognizedType)
        }

        @Test func `an empty identifier becomes one of its own`() throws {
            let url = try file("a.png", Self.png)
            let first = try UNNotificationAttachment(identifier: "", url: url)
            let second = try UNNotificationAttachment(identifier: "", url: url)
            #expect(!first.identifier.isEmpty)
            #expect(first.identifier != second.identifier)
        }

        @Test func `a file that cannot be read is an invalid URL`() throws {
            let missing = folder.appendingPathComponent("none.png")
            let directory = folder.appendingPathComponent("folder.png")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
            let web = try #require(URL(string: "https://example.org/a.png"))
            for url in [missing, directory, web, URL(fileURLWithPath: "/dev/null")] {
                #expect(code { _ = try UNNotificationAttachment(identifier: "", url: url) } == .attachmentInvalidURL)
            }
        }

        @Test func `a link counts as the file that it leads to`() throws {
            let link = folder.appendingPathComponent("link.png")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: try file("a.bin", Self.png))
            #expect(try UNNotificationAttachment(identifier: "", url: link).type == "public.png")
        }

        @Test func `bytes of no format are corrupt, those of another kind are not recognised`() throws {
            let page = try file("page.jpg", Array("<html></html>".utf8))
            let empty = try file("empty.png", [])
            let film = try file("film.jpg", Self.mp4)
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: page) } == .attachmentCorrupt)
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: empty) } == .attachmentCorrupt)
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: film) } == .attachmentUnrecognizedType)
        }

        @Test func `a picture under the name of another format is taken`() throws {
            let url = try file("a.jpg", Self.png)
            #expect(try UNNotificationAttachment(identifier: "", url: url).type == "public.jpeg")
        }

        @Test(arguments: [
            ("a.png", AttachmentTests.png, 10), ("a.mp3", Array("ID3".utf8), 5), ("a.mp4", AttachmentTests.mp4, 50),
        ])
        func `a file may be as large as its kind allows, and not a byte more`(
            name: String, head: [UInt8], mebibytes: Int
        ) throws {
            let limit = mebibytes * 1024 * 1024
            let url = try file(name, head, size: limit)
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: url) } == nil)
            _ = try file(name, head, size: limit + 1)
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: url) } == .attachmentInvalidFileSize)
        }

        @Test func `the type is checked before the size, and the size before the bytes`() throws {
            let large = 60 * 1024 * 1024
            let text = try file("a.txt", Self.png, size: large)
            let picture = try file("a.png", Array("text".utf8), size: large)
            #expect(code { _ = try UNNotificationAttachment(identifier: "", url: text) } == .attachmentUnrecognizedType)
            #expect(
                code { _ = try UNNotificationAttachment(identifier: "", url: picture) } == .attachmentInvalidFileSize)
        }

        @Test func `attachments are equal by value`() throws {
            let url = try file("a.png", Self.png)
            let options = [UNNotificationAttachmentOptionsThumbnailHiddenKey: true]
            let attachment = try UNNotificationAttachment(identifier: "a", url: url, options: options)
            #expect(try attachment == UNNotificationAttachment(identifier: "a", url: url, options: options))
            #expect(try attachment != UNNotificationAttachment(identifier: "b", url: url, options: options))
            #expect(try attachment != UNNotificationAttachment(identifier: "a", url: url))
        }

        @Test func `a moved attachment keeps everything else`() throws {
            let attachment = try UNNotificationAttachment(identifier: "a", url: file("a.png", Self.png))
            let moved = attachment.moved(to: URL(fileURLWithPath: "/store/a.png"))
            #expect(moved.url.path == "/store/a.png")
            #expect(moved.identifier == "a" && moved.type == "public.png")
        }
    }
#endif

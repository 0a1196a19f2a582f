#if os(Linux)
    import Foundation
    import SampleExtension
    import Testing

    @testable import ServiceExtensionTesting

    @Suite struct SnapshotTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        private func screen() async throws -> NotificationScreen {
            let harness = ServiceExtensionHarness(clock: ManualExtensionClock()) { TemplateService() }
            try harness.place(
                PushPayload(title: "Earlier").thread("t").sound("ping.aiff"), identifier: UUID().uuidString)
            try await harness.deliver(
                PushPayload(title: "Ada", subtitle: "Climbing", body: "Two\nlines\u{7}\u{202E}").badge(3).category("C")
                    .interruptionLevel(.timeSensitive).relevanceScore(0.5))
            return harness.screen
        }

        private static let text = #"""
            badge: 3

            1. push-1
               title: Ada [modified]
               subtitle: Climbing
               body: Two
                     lines\u{7}\u{202E}
               category: C
               badge: 3
               interruption: time-sensitive
               relevance: 0.5

            2. (UUID)
               title: Earlier
               thread: t
               sound: ping.aiff

            """#

        @Test func `the text of a screen has what a person sees, newest first`() async throws {
            #expect(try await screen().text == Self.text)
            let empty = ServiceExtensionHarness { TemplateService() }.screen
            #expect(empty.text == "badge: 0\n\nno notifications\n")
        }

        private func check(_ screen: NotificationScreen, _ recording: SnapshotRecording) throws {
            try screen.assertSnapshot(
                named: "end", recording: recording, file: folder.path + "/ChatTests.swift", test: "shows `Ada's` name()"
            )
        }

        @Test func `a new snapshot is written and fails once`() async throws {
            let screen = try await screen()
            #expect(throws: UnmetExpectation.self) { try check(screen, .never) }
            #expect(throws: UnmetExpectation.self) { try check(screen, .missing) }
            let file = folder.path + "/__Snapshots__/ChatTests/shows-Ada-s-name.end.txt"
            #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.text)
            try check(screen, .missing)
            try check(screen, .never)
            try check(screen, .all)
        }

        @Test func `a picture shows the same, and is the same each time`() async throws {
            let svg = try await screen().svg(app: "org.example.chat")
            for text in ["Ada [modified]", "Climbing", "TIME SENSITIVE", "Earlier", ">Chat<", ">3<", ">09:41<"] {
                #expect(svg.contains(text), "\(text)")
            }
            #expect(try await screen().svg(app: "org.example.chat") == svg)
            try? await screen().assertSnapshot(
                as: .svg, recording: .missing, file: folder.path + "/A.swift", test: "a()")
            #expect(FileManager.default.fileExists(atPath: folder.path + "/__Snapshots__/A/a.svg"))
        }

        @Test func `what has changed is told line by line, and approved by recording all`() async throws {
            try? check(try await screen(), .missing)
            let changed = NotificationScreen(badge: 4, notifications: try await screen().notifications, pending: [])
            let error = #expect(throws: UnmetExpectation.self) { try check(changed, .missing) }
            #expect(error?.description.contains("-badge: 3\n+badge: 4\n \n 1. push-1") == true)
            #expect(throws: UnmetExpectation.self) { try check(changed, .all) }
            try check(changed, .never)
        }

        @Test func `an accented letter in another encoding is a difference`() throws {
            let file = ApprovedFile(test: "a()", name: nil, type: "txt", testFile: folder.path + "/A.swift")
            let (composed, decomposed) = ("1\n\u{E9}\n", "1\ne\u{301}\n")
            #expect(throws: UnmetExpectation.self) { try file.check(composed, .missing) }
            let error = #expect(throws: UnmetExpectation.self) { try file.check(decomposed, .never) }
            let lines = error?.description.split(separator: "\n").map { Array($0.utf8) } ?? []
            #expect(lines.contains(Array("-\u{E9}".utf8)) && lines.contains(Array("+e\u{301}".utf8)))
            #expect(throws: UnmetExpectation.self) { try file.check(decomposed, .all) }
            try file.check(decomposed, .all)
        }

        @Test func `an approved file that cannot be read is not replaced`() throws {
            let file = ApprovedFile(test: "a()", name: nil, type: "txt", testFile: folder.path + "/A.swift")
            try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
            #expect(throws: CocoaError.self) { try file.check("text", .missing) }
        }
    }
#endif

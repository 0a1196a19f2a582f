#if os(Linux)
    import ExtensionBuild
    import Foundation
    import TestSupport
    import Testing

    /// An Xcode project with everything: compiled for real, and run.
    struct ExtensionProjectSlowTests {
        @Test func `an Xcode project is built and handles a push`() throws {
            let built = try BuiltExtension { $0.project = BuiltExtension.path("Birdwatch/Birdwatch.xcworkspace") }
            let lines = try built.answer(to: Self.push(bird: "crane"))
            #expect(lines.contains(#""title":"3 birds""#), "\(lines)")
            #expect(lines.contains(#""subtitle":"grey, 521""#), "\(lines)")

            // Its package has views, which are left out. What needs one says so.
            let notice = try #require(built.notices.first { $0.hasPrefix("Feathers is built without ") })
            #expect(notice.contains("Plumage.card, Plumage.height, PlumageCell, "), "\(notice)")
            let other = try built.answer(to: Self.push(bird: "ostrich"))
            #expect(other.contains("Plumage.height was called, which was left out"), "\(other)")
            #expect(!other.contains("contentHandler"))
        }

        @Test(.enabled(if: BuiltExtension.has("png.h", "jpeglib.h")))
        func `pictures are drawn, encoded and decoded`() throws {
            let lines = try answer {
                $0.paths = [packageFolder.path + "/Tests/Apple/ExtensionBuildTests/Cases/Pictures"]
            }
            // Red on the left, blue in a circle on the right, nothing in the corner; 40 by 20 pixels, 10 by 5 as a thumbnail.
            #expect(lines.contains(#""title":"40x20 10x5""#), "\(lines)")
            #expect(lines.contains(#""subtitle":"red blue clear""#), "\(lines)")
            #expect(lines.contains(#""body":"no picture of half a file, 10x10""#), "\(lines)")
        }

        @Test(.enabled(if: BuiltExtension.has("openssl/evp.h")))
        func `texts are decrypted`() throws {
            let lines = try answer {
                $0.paths = [packageFolder.path + "/Tests/Apple/ExtensionBuildTests/Cases/Secrets"]
            }
            #expect(lines.contains(#""title":"25 ways""#), "\(lines)")
            #expect(lines.contains(#""body":"none failed""#), "\(lines)")
        }

        @Test func `publishers and intents of communication work`() throws {
            let lines = try answer {
                $0.paths = [packageFolder.path + "/Tests/Apple/ExtensionBuildTests/Cases/Frameworks"]
            }
            #expect(lines.contains(#""body":"first n1 n2""#), "\(lines)")
            #expect(lines.contains(#""title":"Ada""#), "\(lines)")
            #expect(
                lines.replacing(#"\/"#, with: "/").contains(#""senderImage":"data:image/png;base64,iVBORw0KGgo=""#),
                "\(lines)")
        }

        @Test(.enabled(if: BuiltExtension.has("png.h", "jpeglib.h")))
        func `codecs free what they have when memory runs out`() throws {
            let program = FileManager.default.temporaryDirectory.appendingPathComponent("pushpipe-\(UUID().uuidString)")
                .path
            defer { try? FileManager.default.removeItem(atPath: program) }
            let codecs = packageFolder.path + "/Sources/Apple/Shims/CImageCodecs"
            let test = packageFolder.path + "/Tests/Apple/ExtensionBuildTests/Cases/ImageCodecs/out-of-memory.c"
            let arguments = [
                "clang", "-I\(codecs)/include", test, "\(codecs)/codecs.c", "-ljpeg", "-lpng", "-o", program,
            ]
            for command in [["/usr/bin/env"] + arguments, [program]] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: command[0])
                process.arguments = Array(command.dropFirst())
                try process.run()
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
        }

        /// What an extension answers to a push.
        private func answer(_ configure: (inout ExtensionBuilder) -> Void) throws -> String {
            try BuiltExtension(configure).answer(to: Self.push(bird: "crane"))
        }

        private static func push(bird: String) -> String {
            #"{"aps":{"alert":"x","mutable-content":1},"bird":"\#(bird)","count":3}"#
        }
    }
#endif

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The guide for testing an extension, and the project that it leads to.
    struct Guide {
        static let root = packageFolder
        static let sample = root.appendingPathComponent("Samples/XcodeProject")

        /// The contents of its code blocks, in order, by language; those without one are "".
        let blocks: [String: [String]]

        init() throws {
            let page = Self.root.appendingPathComponent("Documentation/guides/test-extension.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            var blocks: [String: [String]] = [:]
            var open: (language: String, lines: [Substring])?
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let (language, lines) = open, line == "```" {
                    blocks[language, default: []].append(lines.joined(separator: "\n") + "\n")
                    open = nil
                } else if open != nil {
                    open?.lines.append(line)
                } else if line.hasPrefix("```") {
                    open = (String(line.dropFirst(3)), [])
                }
            }
            self.blocks = blocks
        }

        static let test = "NotificationServiceTests/NotificationServiceTests.swift"
        static let snapshot =
            "NotificationServiceTests/__Snapshots__/NotificationServiceTests/"
            + "the-picture-is-on-the-screen-and-the-receipt-is-sent.txt"

        /// The files that the guide adds to an Xcode project.
        func files() throws -> [String: String] {
            let swift = try #require(blocks["swift"])
            return [
                "Package.swift": try #require(swift.first), Self.test: try #require(swift.dropFirst().first),
                Self.snapshot: try #require(blocks[""]?.last),
                ".github/workflows/notification-service.yml": try #require(blocks["yaml"]?.first),
            ]
        }
    }

    @Suite struct GuideTests {
        @Test func `the sample is what the guide leads to`() throws {
            for (name, text) in try Guide().files() {
                let file = Guide.sample.appendingPathComponent(name)
                #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name)")
            }
        }

        @Test func `the module's documentation shows the test of the guide`() throws {
            let page = "Sources/Apple/ServiceExtensionTesting/ServiceExtensionTesting.docc/ServiceExtensionTesting.md"
            let text = try String(contentsOf: Guide.root.appendingPathComponent(page), encoding: .utf8)
            #expect(text.contains("```swift\n\(try #require(try Guide().files()[Guide.test]))```\n"))
        }
    }
#endif

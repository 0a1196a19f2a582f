#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The guide for testing an extension, and the project that it leads to.
    struct Guide {
        static let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
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
    }

    /// Somebody with an Xcode project follows the guide. Fetches the packages that pushpipe names, and builds what it needs of them.
    @Suite struct GuideSlowTests {
        /// What is built of pushpipe, and nothing of other packages.
        private static let modules: Set = [
            "AppSimulation", "CBlockScan", "CompactStorage", "CStubTransport", "DeviceScreens", "PayloadJSON",
            "PushDecoding", "PushModel", "ScreenPictures", "ServiceExtension", "ServiceExtensionTesting",
            "SystemSupport", "TerminalStyle", "UserNotifications",
        ]

        private func run(_ arguments: [String], in folder: TestFolder, ci: String? = nil) throws -> (
            status: Int32, output: String
        ) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.currentDirectoryURL = folder.url
            var environment = ProcessInfo.processInfo.environment
            environment["CI"] = ci
            environment["SNAPSHOT_TESTING_RECORD"] = nil
            process.environment = environment
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, output)
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }

        /// A folder with a repository of pushpipe as it is now, with a version.
        private func repository() throws -> TestFolder {
            let folder = try TestFolder()
            let script = """
                set -e
                mkdir pushpipe
                cd pushpipe
                (cd '\(Guide.root.path)' && git ls-files -z --cached --others --exclude-standard |
                    tar --null --files-from=- --ignore-failed-read -c) | tar -x
                git init --quiet && git add --all --force
                git -c user.name=x -c user.email=x@example.org commit --quiet --message x
                git tag 0.1.0
                """
            let (status, output) = try run(["bash", "-c", script], in: folder)
            try #require(status == 0, "\(output)")
            return folder
        }

        @Test func `the guide leads from an Xcode project to green tests`() throws {
            let repositories = try repository()
            defer { withExtendedLifetime(repositories) {} }
            let project = try TestFolder(name: "cranes")
            for name in ["Cranes.xcodeproj", "Cranes", "NotificationService"] {
                try FileManager.default.copyItem(
                    at: Guide.sample.appendingPathComponent(name), to: project.url.appendingPathComponent(name))
            }
            let files = try Guide().files()
            let manifest = try #require(files["Package.swift"])
            try project.write(
                manifest.replacingOccurrences(
                    of: "https://example.org/pushpipe.git", with: "file://\(repositories.url.path)/pushpipe"),
                to: "Package.swift")
            try project.write(try #require(files[Guide.test]), to: Guide.test)

            let first = try run(["swift", "test"], in: project)
            #expect(first.status != 0 && first.output.contains("recorded a new snapshot"), "\(first.output)")
            try #require(project.exists(Guide.snapshot), "\(first.output)")
            #expect(try project.read(Guide.snapshot) == files[Guide.snapshot])
            let second = try run(["swift", "test", "--skip-build"], in: project, ci: "true")
            #expect(second.status == 0, "\(second.output)")

            let built = try FileManager.default.contentsOfDirectory(atPath: project.path(".build/debug"))
                .filter { $0.hasSuffix(".build") }.map { String($0.dropLast(6)) }
            let own: Set = ["NotificationService", "NotificationServiceTests"]
            let others = Set(built).filter { !$0.hasPrefix("CranesPackage") }.subtracting(own)
            #expect(others == Self.modules)
        }
    }
#endif

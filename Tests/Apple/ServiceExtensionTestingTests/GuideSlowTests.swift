#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Somebody with an Xcode project follows the guide. Fetches the packages that pushpipe names, and builds what it needs of them.
    @Suite struct GuideSlowTests {
        /// What is built of pushpipe, and nothing of other packages.
        private static let modules: Set = [
            "CPushBlockScan", "CPushSystemCalls", "PushJSON",
            "PushModel", "PushSystem", "PushText", "ScreenPictures", "ServiceExtension", "ServiceExtensionTesting",
            "UserNotifications",
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
                git tag 0.2.0
                """
            let (status, output) = try run(["bash", "-c", script], in: folder)
            try #require(status == 0, "\(output)")
            return folder
        }

        /// The modules that a build has compiled. SwiftPM makes a folder for each that it knows, also for those that it does not need.
        private func compiledModules(in project: TestFolder) throws -> Set<String> {
            let folder = project.path(".build/debug")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".build") }
            let compiled = try names.filter { name in
                try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + name).contains { $0.hasSuffix(".o") }
            }
            return Set(compiled.map { String($0.dropLast(6)) })
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
                    of: "https://github.com/pushpipe/pushpipe.git", with: "file://\(repositories.url.path)/pushpipe"),
                to: "Package.swift")
            try project.write(try #require(files[Guide.test]), to: Guide.test)

            let first = try run(["swift", "test"], in: project)
            #expect(first.status != 0 && first.output.contains("recorded a new snapshot"), "\(first.output)")
            try #require(project.exists(Guide.snapshot), "\(first.output)")
            #expect(try project.read(Guide.snapshot) == files[Guide.snapshot])
            let second = try run(["swift", "test", "--skip-build"], in: project, ci: "true")
            #expect(second.status == 0, "\(second.output)")

            let own: Set = ["NotificationService", "NotificationServiceTests"]
            let others = try compiledModules(in: project).filter { !$0.hasPrefix("CranesPackage") }.subtracting(own)
            #expect(others == Self.modules)
        }
    }
#endif

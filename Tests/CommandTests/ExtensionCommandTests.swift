import Foundation
import TestSupport
import Testing

/// `pushpipe extension build` as a process: its arguments, and one build with the real compiler. `ExtensionBuildTests` has the rest.
struct ExtensionCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func write(_ text: String, to name: String) throws {
        let directory = folder.url.appendingPathComponent(name).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try folder.write(text, to: name)
    }

    @Test(arguments: [
        (["extension", "build"], "file"), (["extension", "build", "missing"], "missing: No such file"),
        (["extension", "build", ""], "no name"),
        (["extension", "build", "A.swift", "--name", "a/b"], "--name"),
        (["extension", "build", "A.swift", "--name", ""], "--name"),
        (["extension", "build", "A.swift", "--setting", "x"], "--setting"),
        (["extension", "build", "A.swift", "--output", ""], "--output"),
        (["extension", "build", "A.swift", "--configuration", "fast"], "--configuration"),
    ])
    func `invalid usage is reported`(arguments: [String], reason: String) throws {
        try write(serviceSource(), to: "A.swift")
        for name in ["UserNotifications", "ExtensionRuntime"] { try write("", to: "pushpipe/Sources/\(name)/A.swift") }
        let output = try folder.pushpipe(
            arguments: arguments,
            environment: ["PUSHPIPE_SOURCES": "pushpipe", "XDG_CACHE_HOME": folder.path("cache")])
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    /// The one test with the real compiler. It needs the sources of a checkout, and Linux.
    @Test(.enabled(if: Place.hasExtensionRuntime))
    func `an unmodified iOS extension builds, and errors are reported by file and line`() throws {
        let imports = "import os.log\n@objc(NotificationService)"
        try write(
            serviceSource(imports: ["UserNotifications"]).replacing("\nclass", with: "\(imports)\nclass"),
            to: "Push/NotificationService.swift")
        // On Apple's systems Foundation provides all of it.
        try write(
            """
            import Foundation
            func download(_ url: URL) { URLSession.shared.downloadTask(with: url) { _, _, _ in }.resume() }
            func helper() -> Int { autoreleasepool { 1 } }
            func log(_ object: NSObject) { NSLog("%@ %d", object, 1) }

            """, to: "Push/Sub/Helper.swift")
        let arguments = ["extension", "build", "Push", "--cache", "cache", "--output", "."]
        let output = try folder.pushpipe(arguments: arguments)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.text == "Push.appex\n")
        #expect(
            output.stderr
                == "pushpipe: @objc is left out, which needs the Objective-C runtime: Push/NotificationService.swift\n")
        #expect(FileManager.default.isExecutableFile(atPath: folder.path("Push.appex/Push")))
        try write("import Foundation\nfunc helper() -> Int { \"\" }\n", to: "Push/Sub/Helper.swift")
        let failed = try folder.pushpipe(arguments: arguments)
        #expect(failed.status == 1)
        #expect(failed.stderr.contains("Push/Sub/Helper.swift:2:24: error: "), "\(failed.stderr)")
        #expect(failed.stderr.hasSuffix("pushpipe: Push was not built\n"))
    }
}

extension Place {
    /// Whether extensions can be built here.
    static var hasExtensionRuntime: Bool {
        #if os(Linux)
            FileManager.default.fileExists(atPath: package.appendingPathComponent("Sources/ExtensionRuntime").path)
        #else
            false
        #endif
    }
}

import Foundation
import TestSupport
import Testing

/// `pushpipe extension build` as a process: its arguments. `ExtensionCommandSlowTests` builds, and `ExtensionBuildTests` has the rest.
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
}

extension Place {
    /// Whether extensions can be built here.
    static var hasExtensionRuntime: Bool {
        #if os(Linux)
            FileManager.default.fileExists(
                atPath: package.appendingPathComponent("Sources/Apple/ExtensionRuntime").path)
        #else
            false
        #endif
    }
}

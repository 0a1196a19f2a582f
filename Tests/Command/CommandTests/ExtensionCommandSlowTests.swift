import Foundation
import TestSupport
import Testing

/// `pushpipe extension build` with the real compiler.
struct ExtensionCommandSlowTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// It needs the sources of a checkout, and Linux.
    @Test(.enabled(if: Place.hasExtensionRuntime))
    func `an unmodified iOS extension builds, and errors are reported by file and line`() throws {
        for directory in ["Push", "Push/Sub"] {
            try FileManager.default.createDirectory(atPath: folder.path(directory), withIntermediateDirectories: true)
        }
        let imports = "import os.log\n@objc(NotificationService)"
        try folder.write(
            serviceSource(imports: ["UserNotifications"]).replacing("\nclass", with: "\(imports)\nclass"),
            to: "Push/NotificationService.swift")
        // On Apple's systems Foundation provides all of it.
        try folder.write(
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
        let lines = output.stderr.split(separator: "\n")
        let notice = "@objc is left out, which needs the Objective-C runtime: Push/NotificationService.swift"
        #expect(lines.first == "pushpipe: \(notice)")
        #expect(lines.last?.hasPrefix("pushpipe: compiling UserNotifications ") == true)
        #expect(lines.count == 2, "\(output.stderr)")
        #expect(FileManager.default.isExecutableFile(atPath: folder.path("Push.appex/Push")))
        // A library that lies beside it is not loaded.
        #expect(try folder.bytes("Push.appex/Push").range(of: Data("$ORIGIN".utf8)) == nil)
        try folder.write("import Foundation\nfunc helper() -> Int { \"\" }\n", to: "Push/Sub/Helper.swift")
        let failed = try folder.pushpipe(arguments: arguments)
        #expect(failed.status == 1)
        #expect(failed.stderr.contains("Push/Sub/Helper.swift:2:24: error: "), "\(failed.stderr)")
        #expect(failed.stderr.hasSuffix("pushpipe: Push was not built\n"))
    }
}

import Foundation
import Testing

/// How `pushpipe extension build` deals with the compiler, and with wrong usage.
struct ExtensionBuildTests {
    @Test func `what the compiler says is told once, with the files that were named, and without warnings`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "in/Push/A.swift")
        try workshop.write(
            """
            [0/1] Planning build
            Building for debugging...
            error: emit-module command failed with exit code 1 (use -v to see invocation)
            [3/6] Emitting module Push
            SOURCES/Sub/A.swift:2:8: error: no such module 'FirebaseMessaging'
             1 | import UserNotifications
             2 | import FirebaseMessaging
               |        `- error: no such module 'FirebaseMessaging'
            SOURCES/A.swift:5:1: warning: unused
             5 | let x
            SOURCES/A.swift:5:1: note: of the warning
            SOURCES/A.swift:6:1: error: wrong
             6 | wrong
            SOURCES/A.swift:7:1: note: of the error
            [4/6] Compiling Push A.swift
            SOURCES/Sub/A.swift:2:8: error: no such module 'FirebaseMessaging'
             1 | import UserNotifications

            """, to: "log")
        let output = try workshop.build("in/Push", says: "log")
        #expect(output.status == 1)
        #expect(output.stdout.isEmpty)
        #expect(
            output.stderr == """
                in/Push/Sub/A.swift:2:8: error: no such module 'FirebaseMessaging'
                 1 | import UserNotifications
                 2 | import FirebaseMessaging
                   |        `- error: no such module 'FirebaseMessaging'
                in/Push/A.swift:6:1: error: wrong
                 6 | wrong
                in/Push/A.swift:7:1: note: of the error
                pushpipe: there is no module FirebaseMessaging on Linux; there are Foundation, Dispatch, UserNotifications, os
                pushpipe: Push was not built

                """)
        let verbose = try workshop.build("in/Push", "--verbose", says: "log")
        #expect(verbose.status == 1)
        #expect(verbose.stderr.contains("[0/1] Planning build\n"))
        #expect(verbose.stderr.contains("in/Push/A.swift:5:1: warning: unused\n"))
    }

    @Test func `a failure without a place is told as it is`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write("[5/6] Linking Push\nld: undefined symbol: thing\n", to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(output.status == 1)
        #expect(output.stderr == "ld: undefined symbol: thing\npushpipe: Push was not built\n")
    }

    @Test func `modules by the names of Apple's are built in when they are imported`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(imports: ["UserNotifications", "struct os.Logger"]), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        var manifest = try workshop.folder.read(try workshop.generated("Package.swift"))
        #expect(manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime", "os"]"#))
        #expect(try workshop.files(try workshop.generated("Runtime")).contains("Shims/COS/os.c"))
        try workshop.write(serviceSource(), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        manifest = try workshop.folder.read(try workshop.generated("Package.swift"))
        #expect(manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime"]"#))
        // No switch of pushpipe's own manifest reaches the compiler.
        #expect(!(try workshop.folder.read("environment").contains("PUSHPIPE_")))
    }

    @Test func `what has not changed is not written again, and what is gone is removed`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write("let b = 1", to: "Push/B.swift")
        #expect(try workshop.build("Push").status == 0)
        let kept = workshop.folder.path(try workshop.generated("Extension/Push/A.swift"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: kept)
        try FileManager.default.removeItem(atPath: workshop.folder.path("Push/B.swift"))
        #expect(try workshop.build("Push").status == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: kept)[.modificationDate] as? Date
                == Date(timeIntervalSince1970: 1000))
        #expect(try workshop.files(try workshop.generated("Extension/Push")) == ["A.swift", "main.swift"])
    }

    @Test func `builds at the same time wait for each other`() throws {
        let workshop = try Workshop()
        for name in ["a", "b", "c"] { try workshop.write(serviceSource(), to: "\(name)/Push/A.swift") }
        let output = try workshop.folder.shell(
            """
            export PATH=$PWD/bin:$PATH
            for name in a b c; do
                pushpipe extension build --cache cache --sources pushpipe $name/Push > $name.out 2> $name.err &
            done
            wait
            cat ?.err >&2
            sort -u ?.out | wc -l
            """)
        #expect(output.text.trimmingCharacters(in: .whitespacesAndNewlines) == "3", "\(output.stderr)")
        #expect(output.stderr.contains("pushpipe: waiting for another extension to be built\n"))
    }

    @Test func `a missing swift is told`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        let output = try workshop.build("Push", path: workshop.folder.path("empty"))
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("there is no swift on PATH"))
    }

    @Test(arguments: [
        (["extension", "build"], "file"), (["extension", "build", "missing"], "missing: No such file"),
        (["extension", "build", ""], "no name"), (["extension", "build", "a.json"], "no Swift file in a.json"),
        (["extension", "build", "A.swift", "--name", "a/b"], "--name"),
        (["extension", "build", "A.swift", "--name", ""], "--name"),
        (["extension", "build", "A.swift", "--setting", "x"], "--setting"),
        (["extension", "build", "A.swift", "--output", ""], "--output"),
        (["extension", "build", "A.swift", "--configuration", "fast"], "--configuration"),
        (["extension", "build", "A.swift", "--sources", "."], "ExtensionRuntime"),
        (["extension", "build", "App.xcodeproj"], "name the folder"),
        (["extension", "build", "A.swift", "main.swift"], "main.swift"),
        (["extension", "build", "A.swift", "Info.plist"], "Info.plist: no property list"),
    ])
    func `wrong usage is told`(arguments: [String], reason: String) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "A.swift")
        for name in ["a.json", "main.swift", "Info.plist", "App.xcodeproj/project.pbxproj"] {
            try workshop.write("", to: name)
        }
        let output = try workshop.folder.pushpipe(
            arguments: arguments,
            environment: ["PUSHPIPE_SOURCES": "pushpipe", "XDG_CACHE_HOME": workshop.folder.path("cache")])
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    /// The one test with the real compiler; there are sources for it in a checkout alone, and for Linux.
    @Test(.enabled(if: Place.hasExtensionRuntime))
    func `an extension as it is written for iOS is built, and its mistakes are told by file and line`() throws {
        let workshop = try Workshop()
        let imports = "import os.log\n@objc(NotificationService)"
        try workshop.write(
            serviceSource(imports: ["UserNotifications"]).replacing("\nclass", with: "\(imports)\nclass"),
            to: "Push/NotificationService.swift")
        // On Apple's systems all of it is Foundation's.
        try workshop.write(
            """
            import Foundation
            func download(_ url: URL) { URLSession.shared.downloadTask(with: url) { _, _, _ in }.resume() }
            func helper() -> Int { autoreleasepool { 1 } }
            func log(_ object: NSObject) { NSLog("%@ %d", object, 1) }

            """, to: "Push/Sub/Helper.swift")
        let arguments = ["extension", "build", "Push", "--cache", "cache", "--output", "."]
        let output = try workshop.folder.pushpipe(arguments: arguments)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.text == "Push.appex\n")
        #expect(
            output.stderr
                == "pushpipe: @objc is left out, which needs the Objective-C runtime: Push/NotificationService.swift\n")
        #expect(FileManager.default.isExecutableFile(atPath: workshop.folder.path("Push.appex/Push")))
        try workshop.write("import Foundation\nfunc helper() -> Int { \"\" }\n", to: "Push/Sub/Helper.swift")
        let failed = try workshop.folder.pushpipe(arguments: arguments)
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

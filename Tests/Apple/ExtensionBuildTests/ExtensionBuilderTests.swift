import Foundation
import Synchronization
import TestSupport
import Testing

/// How a build handles the compiler, the cache and invalid usage.
struct ExtensionBuilderTests {
    @Test func `compiler errors are reported once, with the original file names and without warnings`() throws {
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
        #expect(output.text.isEmpty)
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
        #expect(output.verbose.contains("[0/1] Planning build\n"))
        #expect(output.verbose.contains("in/Push/A.swift:5:1: warning: unused\n"))
    }

    @Test func `a failure without a location is reported unchanged`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write("[5/6] Linking Push\nld: undefined symbol: thing\n", to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(output.status == 1)
        #expect(output.stderr == "ld: undefined symbol: thing\npushpipe: Push was not built\n")
    }

    @Test func `modules with the names of Apple's are built in when they are imported`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(imports: ["UserNotifications", "struct os.Logger"]), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        var manifest = try workshop.read(try workshop.generated("Package.swift"))
        #expect(manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime", "os"]"#))
        #expect(try workshop.files(try workshop.generated("Runtime")).contains("Shims/COS/os.c"))
        try workshop.write(serviceSource(), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        manifest = try workshop.read(try workshop.generated("Package.swift"))
        #expect(manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime"]"#))
    }

    @Test func `names that Foundation re-exports on Apple's systems bring their module`() throws {
        let workshop = try Workshop()
        try workshop.write("// A\n", to: "pushpipe/Sources/Apple/Shims/Security/A.swift")
        try workshop.write(serviceSource() + "\nfunc open(_ key: SecKey) {}\n", to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        let manifest = try workshop.read(try workshop.generated("Package.swift"))
        #expect(
            manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime", "Security"]"#))
        #expect(manifest.contains(#""-import-module", "-Xfrontend", "Security""#))
        // One file imports it, and the other does not have to.
        try workshop.write("import Security\nlet other = errSecSuccess\n", to: "Push/B.swift")
        #expect(try workshop.build("Push").status == 0)
        let both = try workshop.read(try workshop.generated("Package.swift"))
        #expect(both.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime", "Security"]"#))
        #expect(both.contains(#""-import-module", "-Xfrontend", "Security""#))
    }

    @Test(arguments: ["Combine", "CryptoKit"])
    func `a module that another package fills brings it, only for extensions that import it`(module: String) throws {
        let workshop = try Workshop()
        for name in ["Combine", "CryptoKit"] {
            try workshop.write("// A\n", to: "pushpipe/Sources/Apple/Shims/\(name)/A.swift")
        }
        try workshop.write(serviceSource(imports: ["UserNotifications", module]), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        let place = try workshop.generated("Package.swift")
        let manifest = try workshop.read(place)
        // swift-crypto is in a library beside the package.
        let isFetched = module == "Combine"
        #expect(place.hasSuffix("-combine/Package.swift") == isFetched)
        #expect(manifest.contains("/OpenCombine\"") == isFetched)
        #expect(manifest.contains(#"package: "OpenCombine")"#) == isFetched)
        #expect(manifest.contains("ExtensionCrypto") != isFetched)
        #expect(
            manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime", "\#(module)"]"#))

        let other = try Workshop()
        try other.write("// A\n", to: "pushpipe/Sources/Apple/Shims/\(module)/A.swift")
        try other.write(serviceSource(), to: "Push/A.swift")
        #expect(try other.build("Push").status == 0)
        #expect(!(try other.read(try other.generated("Package.swift"))).contains("https://"))
    }

    private static let hasOpenSSL = FileManager.default.fileExists(atPath: "/usr/include/openssl/evp.h")

    @Test(.enabled(if: hasOpenSSL)) func `a bridging header may include CommonCrypto`() throws {
        let workshop = try Workshop()
        try workshop.write("// A\n", to: "pushpipe/Sources/Apple/Shims/CommonCrypto/a.c")
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write(
            "#import <CommonCrypto/CommonCrypto.h>\n#import <Foundation/Foundation.h>\n",
            to: "Push/Push-Bridging-Header.h")
        let output = try workshop.build("Push")
        #expect(output.status == 0)
        #expect(output.stderr.contains("left out: Foundation\n"))
        let manifest = try workshop.read(try workshop.generated("Package.swift"))
        #expect(manifest.contains(#"name: "PushBridge", dependencies: ["CommonCrypto"]"#))
        let header = try workshop.read(try workshop.generated("Bridge/Push/Push-Bridging-Header.h"))
        #expect(header == "#import <CommonCrypto/CommonCrypto.h>\n// #import <Foundation/Foundation.h>\n")
    }

    @Test func `unchanged files are not rewritten, and deleted ones are removed`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write("let b = 1", to: "Push/B.swift")
        #expect(try workshop.build("Push").status == 0)
        let kept = workshop.path(try workshop.generated("Extension/Push/A.swift"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: kept)
        try FileManager.default.removeItem(atPath: workshop.path("Push/B.swift"))
        #expect(try workshop.build("Push").status == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: kept)[.modificationDate] as? Date
                == Date(timeIntervalSince1970: 1000))
        #expect(try workshop.files(try workshop.generated("Extension/Push")) == ["A.swift", "main.swift"])
    }

    @Test func `concurrent builds wait for each other`() throws {
        let workshop = try Workshop()
        let names = ["a", "b", "c"]
        for name in names { try workshop.write(serviceSource(), to: "\(name)/Push/A.swift") }
        // The first one stays busy until both others wait for it.
        let waiting = DispatchSemaphore(value: 0)
        let first = Mutex(true)
        let compiler = MockCompiler {
            let isFirst = first.withLock { value in
                defer { value = false }
                return value
            }
            guard isFirst else { return }
            for _ in names.dropFirst() { waiting.wait() }
        }
        let outputs = Mutex<[Workshop.Output]>([])
        let done = DispatchGroup()
        for name in names {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                guard
                    let output = try? workshop.build(
                        ["\(name)/Push"], compiler: compiler,
                        notice: { if $0 == "waiting for another extension to be built" { waiting.signal() } })
                else { return }
                outputs.withLock { $0.append(output) }
            }
        }
        done.wait()
        let all = outputs.withLock { $0 }
        #expect(all.map(\.status) == [0, 0, 0], "\(all.map(\.stderr))")
        #expect(Set(all.map(\.text)).count == 3)
        #expect(
            all.map(\.stderr).sorted() == ["", Self.waiting, Self.waiting])
    }

    private static let waiting = "pushpipe: waiting for another extension to be built\n"

    @Test(arguments: [
        (["a.json"], "no Swift file in a.json"), (["App.xcodeproj"], "project takes App.xcodeproj"),
        (["B.m"], "B.m: Objective-C is not compiled"), (["A.swift", "main.swift"], "main.swift"),
        (["A.swift", "Info.plist"], "Info.plist: not a property list"),
    ])
    func `sources that cannot be built are reported`(paths: [String], reason: String) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "A.swift")
        for name in ["a.json", "B.m", "main.swift", "Info.plist", "App.xcodeproj/project.pbxproj"] {
            try workshop.write("", to: name)
        }
        let output = try workshop.build(paths, compiler: MockCompiler())
        #expect(output.status == 2)
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    @Test func `a folder that is not a checkout is reported`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "A.swift")
        let output = try workshop.build("A.swift", sources: ".")
        #expect(output.status == 2)
        #expect(output.stderr.contains("ExtensionRuntime"), "\(output.stderr)")
    }
}

import TestSupport
import Testing

/// How `pushpipe extension build` adapts sources that rely on Apple's systems.
struct ExtensionSourceTests {
    @Test func `attributes for Objective-C are blanked in place and reported`() throws {
        let workshop = try Workshop()
        let source = #"""
            // @objc in a comment
            @objcMembers @objc(PushService)
            class Service: UNNotificationServiceExtension {
                let text = "@objc(Name) \("@objc")" /* @objc */
                @objc func a() {}; @nonobjc func b() {}; @discardableResult func objc(_ x: Int) -> Int { x }
                @objc (c:
                    d:) dynamic func c(_: Int, d: Int) {}
            }

            """#
        try workshop.write(source, to: "Push/A.swift")
        try workshop.write("let b = 1\n", to: "Push/B.swift")
        let output = try workshop.build("Push")
        #expect(output.status == 0)
        #expect(output.stderr == "pushpipe: @objc is left out, which needs the Objective-C runtime: Push/A.swift\n")
        let spaces = { (count: Int) in String(repeating: " ", count: count) }
        let expected = """
            // @objc in a comment
            \(spaces(31))
            class Service: UNNotificationServiceExtension {
                let text = "@objc(Name) \\("@objc")" /* @objc */
                \(spaces(5)) func a() {}; @nonobjc func b() {}; @discardableResult func objc(_ x: Int) -> Int { x }
                \(spaces(9))
                    \(spaces(3)) dynamic func c(_: Int, d: Int) {}
            }

            """
        #expect(try workshop.read(try workshop.generated("Extension/Push/A.swift")) == expected)
        #expect(expected.utf8.count == source.utf8.count)
    }

    @Test(arguments: ["@objc", "@objc(", "@objc(A", "@"])
    func `an unfinished attribute affects only itself`(end: String) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource() + end, to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        let rest = end == "@" ? "@" : "     " + end.dropFirst(5)
        #expect(
            try workshop.read(try workshop.generated("Extension/Push/A.swift")) == serviceSource() + rest)
    }

    @Test func `every file imports what Foundation re-exports on Apple's systems`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        #expect(try workshop.build("Push").status == 0)
        #expect(
            try workshop.read(try workshop.generated("Package.swift")).contains(
                #".unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "UserNotifications"])"#))
    }

    @Test(arguments: [
        (
            ["SecItemCopyMatching", "kSecClass", "errSecSuccess"], "SecItemCopyMatching, errSecSuccess, kSecClass",
            "Security"
        ),
        (["CC_MD5", "kCCEncrypt", "CCCrypt"], "CCCrypt, CC_MD5, kCCEncrypt", "CommonCrypto"),
        (["UIImage"], "UIImage", "UIKit"), (["WidgetCenter"], "WidgetCenter", "WidgetKit"),
    ])
    func `names of missing frameworks are reported with the framework`(
        names: [String], list: String, framework: String
    ) throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        let errors = (names + ["Widgets", "Secret", "uiImage"]).enumerated().map { index, name in
            "SOURCES/A.swift:\(index + 1):1: error: cannot find \(index == 0 ? "type " : "")'\(name)' in scope\n"
        }
        try workshop.write(errors.joined(), to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(output.status == 1)
        #expect(
            output.stderr.hasSuffix(
                """
                : error: cannot find 'uiImage' in scope
                pushpipe: \(list): of \(framework), and not on Linux; leave out what uses them with #if os(iOS), or stand in \
                for them with a file of your own
                pushpipe: Push was not built

                """), "\(output.stderr)")
    }

    @Test func `a module that is not emulated is refused with its reason, beside all other errors`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(imports: ["UserNotifications", "CoreData"]), to: "Push/A.swift")
        try workshop.write(
            "SOURCES/A.swift:5:9: error: cannot find type 'NSManagedObject' in scope\n"
                + "SOURCES/A.swift:9:1: error: cannot find 'secret' in scope\n", to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(output.status == 1)
        #expect(output.stderr.contains("A.swift:2:1: error: no such module 'CoreData'"), "\(output.stderr)")
        #expect(output.stderr.contains("error: cannot find 'secret' in scope"))
        #expect(
            output.stderr.contains(
                "pushpipe: CoreData is not emulated: its managed objects need the Objective-C runtime; "))
    }

    @Test func `code that needs the Objective-C runtime is reported`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write(
            "SOURCES/A.swift:3:9: error: '#selector' can only be used with the Objective-C runtime\n", to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(
            output.stderr.contains(
                "pushpipe: #selector needs the Objective-C runtime; call what it names in a closure\n"))
    }
}

import ExtensionBuild
import Foundation
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

    @Test func `what Core Data makes while an app runs is code of the copy, on the same line`() throws {
        let workshop = try Workshop()
        let source = """
            extension Bird {
                @NSManaged public var name: String? // its name
                @NSManaged @available(iOS 13, *) private(set) var age: Int16
                @NSManaged public func addToNests(_ value: Nest)
                @NSManaged
                var nests: Set<Nest>
            }
            class Nest: NSManagedObject { @NSManaged var eggs: Int; @NSManaged var isOld: Bool }
            let attribute = "@NSManaged var a"

            """
        try workshop.write(source, to: "Push/A.swift")
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        #expect(try workshop.build("Push").status == 0)
        let code = { (name: String) in
            #"{ get { managedValue(forKey: "\#(name)") } set { setValue(newValue, forKey: "\#(name)") } }"#
        }
        let spaces = String(repeating: " ", count: 10)
        let expected = """
            extension Bird {
                \(spaces) public var name: String? \(code("name")) // its name
                \(spaces) @available(iOS 13, *) private(set) var age: Int16 \(code("age"))
                \(spaces) public func addToNests(_ value: Nest) {}
                \(spaces)
                var nests: Set<Nest> \(code("nests"))
            }
            class Nest: NSManagedObject { \(spaces) var eggs: Int \(code("eggs")); \(spaces) var isOld: Bool \(code("isOld")) }
            let attribute = "@NSManaged var a"

            """
        #expect(try workshop.read(try workshop.generated("Extension/Push/A.swift")) == expected)
    }

    @Test func `a selector becomes the method that it names, in place, and one of a property stays`() throws {
        let workshop = try Workshop()
        let source = """
            // #selector(a)
            let text = "#selector(b)"
            let one = #selector(c), two = #selector(A.d(_:)), three = #selector(getter: A.e)

            """
        try workshop.write(source, to: "Push/A.swift")
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        #expect(try workshop.build("Push").status == 0)
        let expected = source.replacing("one = #selector(", with: "one = Selector (")
            .replacing("two = #selector(", with: "two = Selector (")
        #expect(try workshop.read(try workshop.generated("Extension/Push/A.swift")) == expected)
    }

    @Test func `modules that have another name here are imported by that name`() throws {
        let workshop = try Workshop()
        let source = """
            import CoreFoundation
            import struct CoreFoundation.CGFloat
            import Darwin.C
            #if os(Linux)
            @_exported import SwiftToolchainCSQLite
            #endif
            let CoreFoundation = 1

            """
        try workshop.write(source, to: "Push/A.swift")
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        let output = try workshop.build("Push")
        #expect(output.status == 0 && output.stderr.isEmpty, "\(output.stderr)")
        let expected = """
            import Foundation\("    ")
            import struct Foundation.CGFloat\("    ")
            import Glibc\("   ")
            #if os(Linux)
            @_exported import SQLite3\(String(repeating: " ", count: 14))
            #endif
            let CoreFoundation = 1

            """
        #expect(try workshop.read(try workshop.generated("Extension/Push/A.swift")) == expected)
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
        (["CTFont", "CTLineDraw"], "CTFont, CTLineDraw", "CoreText"),
        (["CTCellularData"], "CTCellularData", "CoreTelephony"),
        (["MKMapSnapshotter"], "MKMapSnapshotter", "MapKit"), (["ModelContext"], "ModelContext", "SwiftData"),
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

    @Test func `names of a module that is there are reported with the import that is absent`() throws {
        let workshop = try Workshop()
        try workshop.write(
            "public final class UIImage {\n public static let scale = 1\n}\npublic func UIRectFill() {}\n",
            to: "pushpipe/Sources/Apple/Shims/UIKit/A.swift")
        try workshop.write("// A\n", to: "pushpipe/Sources/Apple/Shims/CryptoKit/A.swift")
        try workshop.write(serviceSource(), to: "Push/A.swift")
        let errors = ["UIImage", "UIRectFill", "UIView", "scale", "SymmetricKey"].map {
            "SOURCES/A.swift:1:1: error: cannot find '\($0)' in scope\n"
        }
        try workshop.write(errors.joined(), to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(
            output.stderr.hasSuffix(
                """
                pushpipe: SymmetricKey: of CryptoKit, which the file does not import; add import CryptoKit
                pushpipe: UIImage, UIRectFill: of UIKit, which the file does not import; add import UIKit
                pushpipe: UIView: of UIKit, and not on Linux; leave out what uses them with #if os(iOS), or stand in for \
                them with a file of your own
                pushpipe: Push was not built

                """), "\(output.stderr)")
    }

    @Test(arguments: [
        ("FirebaseMessaging", "exports no delivery metrics"), ("OneSignalExtension", "sends no receipt"),
        ("OneSignal", "sends no receipt"),
    ])
    func `a stand-in for an SDK says so, unless the SDK itself is given`(module: String, lacks: String) throws {
        let workshop = try Workshop()
        try workshop.write("// A\n", to: "pushpipe/Sources/Apple/Shims/\(module)/A.swift")
        try workshop.write(serviceSource(imports: ["UserNotifications", module]), to: "Push/A.swift")
        try workshop.write("public enum Own {}\n", to: "Own/A.swift")
        let standIn = try workshop.build("Push")
        #expect(standIn.status == 0)
        #expect(standIn.stderr.hasPrefix("pushpipe: \(module) is a stand-in for the SDK: "), "\(standIn.stderr)")
        #expect(standIn.stderr.contains(lacks))
        let own = try workshop.build(
            ["Push"], compiler: MockCompiler(),
            configure: { builder in
                try builder.addModule("\(module)=\(workshop.path("Own"))")
            })
        #expect(own.status == 0)
        #expect(own.stderr.isEmpty)
    }

    @Test func `web sockets are named`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(), to: "Push/A.swift")
        try workshop.write("let task = URLSession.shared.webSocketTask(with: address)\n", to: "Push/B.swift")
        let output = try workshop.build("Push")
        #expect(output.status == 0)
        #expect(
            output.stderr
                == "pushpipe: web sockets are not emulated: those of URLSession fail with NSURLErrorUnsupportedURL "
                + "where libcurl has none\n")
    }

    @Test func `a module that is not emulated is refused with its reason, beside all other errors`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(imports: ["UserNotifications", "SwiftData"]), to: "Push/A.swift")
        try workshop.write(
            "SOURCES/A.swift:5:9: error: cannot find type 'NSManagedObject' in scope\n"
                + "SOURCES/A.swift:9:1: error: cannot find 'secret' in scope\n", to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(output.status == 1)
        #expect(output.stderr.contains("A.swift:2:1: error: no such module 'SwiftData'"), "\(output.stderr)")
        #expect(output.stderr.contains("error: cannot find 'secret' in scope"))
        #expect(
            output.stderr.contains(
                "pushpipe: SwiftData is not emulated: its stores are not read here; "))
    }

    @Test func `a module that hardly any extension uses is left out unless something needs it`() throws {
        let workshop = try Workshop()
        try workshop.write(serviceSource(imports: ["UserNotifications", "AVFoundation"]), to: "Push/A.swift")
        let unused = try workshop.build("Push")
        #expect(unused.status == 0)
        #expect(
            unused.stderr.contains(
                "pushpipe: import AVFoundation is left out: there is no such module on Linux, and nothing uses it\n"),
            "\(unused.stderr)")
        try workshop.write("SOURCES/A.swift:5:9: error: cannot find type 'AVPlayer' in scope\n", to: "log")
        let needed = try workshop.build("Push", says: "log")
        #expect(needed.status == 1)
        #expect(
            needed.stderr.contains("pushpipe: AVFoundation is not emulated: there are no films and no sound here; "),
            "\(needed.stderr)")
        #expect(needed.stderr.contains("pushpipe: AVPlayer: of AVFoundation, and not on Linux; "), "\(needed.stderr)")
    }

    /// A module in the folder of shims that no case imports is compiled by no test.
    @Test func `each module that extensions can import is in a case that is built`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: packageFolder.path + "/Sources/Apple/Shims")
        // Not imported by extensions: compiled into their module, or beneath other modules.
        let inner: Set = ["COS", "CImageCodecs", "CSecurityKeys", "Overlay"]
        let cases = packageFolder.path + "/Tests/Apple/ExtensionBuildTests/Cases"
        var imported: Set<String> = []
        for name in ["Frameworks", "Pictures", "Sealed", "Secrets", "Shims", "StandIns"] {
            let source = try String(contentsOfFile: "\(cases)/\(name)/NotificationService.swift", encoding: .utf8)
            for match in source.matches(of: #/(?m)^import (\w+)/#) { imported.insert(String(match.1)) }
        }
        #expect(Set(names).subtracting(inner).subtracting(imported).isEmpty)
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

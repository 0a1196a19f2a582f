import ExtensionBuild
import Foundation
import PushSystem
import Synchronization
import TestSupport
import Testing

/// Extensions as projects have them: with modules, packages, C sources, and an Xcode project.
struct ExtensionProjectTests {
    private static let birdwatch = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Cases/Birdwatch").path

    /// What `swift package dump-package` says about the package of the case, shortened.
    private static let feathers = """
        {"name":"Feathers","products":[{"name":"FeathersLibrary","settings":[],"targets":["Feathers"],
         "type":{"library":["automatic"]}},{"name":"tool","targets":["Tool"],"type":{"executable":null}}],
         "targets":[{"name":"Feathers","type":"regular"},{"name":"Tool","type":"executable"}]}
        """

    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func build(
        _ paths: [String] = [], compiler: MockCompiler = MockCompiler(packages: ["Feathers": feathers]),
        configure: (inout ExtensionBuilder) throws -> Void
    ) throws -> Workshop.Output {
        try workshop.build(
            paths, compiler: compiler,
            configure: { builder in
                builder.output = workshop.path("out")
                try configure(&builder)
            })
    }

    private func manifest() throws -> String { try workshop.read(try workshop.generated("Package.swift")) }

    // MARK: - Xcode

    @Test(arguments: ["Birdwatch.xcodeproj", "Birdwatch.xcworkspace", "Birdwatch.xcodeproj/"])
    func `a target of a project has its files, settings, modules and packages`(project: String) throws {
        let output = try build { $0.project = Self.birdwatch + "/" + project }
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.text == "out/NotificationService.appex\n")
        let bundle = "out/NotificationService.appex"
        #expect(
            try workshop.files(bundle) == [
                "NotificationService", "Info.plist", "NotificationService.entitlements",
                "en.lproj/Localizable.plurals",
            ])
        let plist = try workshop.plist(bundle + "/Info.plist")
        #expect(plist["Channel"] as? String == "release")
        #expect(plist["CFBundleIdentifier"] as? String == "org.example.birdwatch.NotificationService")
        #expect(plist["CFBundleDisplayName"] as? String == "Bird Notifications")
        #expect(
            try workshop.plist(bundle + "/NotificationService.entitlements")["com.apple.security.application-groups"]
                as? [String] == ["group.org.example.birdwatch.NotificationService.Release"])
        let package = try workshop.generated("")
        #expect(
            try workshop.files(package + "Extension/NotificationService") == [
                "App/GroupNames.swift", "NotificationService/NotificationService.swift", "main.swift",
            ])
        #expect(try workshop.files(package + "Modules/SharedKit") == ["Sighting.swift"])
        #expect(
            try workshop.files(package + "Bridge/NotificationService") == [
                "Legacy/checksum.c", "Legacy/checksum.h", "NotificationService-Bridging-Header.h",
                "include/module.modulemap", "pushpipe-bridge.c",
            ])
        let manifest = try manifest()
        #expect(try workshop.files(package + "Modules/Feathers") == ["Plumage.swift", "PlumageView.swift"])
        #expect(manifest.contains(#""Feathers", "SharedKit", "NotificationServiceBridge"]"#))
        #expect(output.stderr.contains("the bridging header includes frameworks that are not on Linux"))
        #expect(output.stderr.contains("@objc is left out"))
    }

    @Test func `a project without the target says which there are`() throws {
        let output = try build {
            $0.project = Self.birdwatch + "/Birdwatch.xcodeproj"
            $0.target = "Widget"
        }
        #expect(output.status == 2)
        #expect(
            output.stderr.hasSuffix("there is no target Widget; there are Birdwatch, NotificationService, SharedKit\n"))
    }

    /// A project as Xcode wrote them before folders could be members of a target.
    private func writeClassicProject(requirement: String = "{kind = upToNextMajorVersion; minimumVersion = 5.1; }")
        throws
    {
        try workshop.write(serviceSource(imports: ["UserNotifications", "Net"]), to: "App/Push/Service.swift")
        try workshop.write("let unused = 1", to: "App/Push/NotInTarget.swift")
        try workshop.write(propertyList(""), to: "App/Push/Push-Info.plist")
        for language in ["de", "en"] {
            try workshop.write(#""a" = "\#(language)";"#, to: "App/Push/\(language).lproj/Localizable.strings")
        }
        try workshop.write(
            """
            // !$*UTF8*$!
            { objectVersion = 56; rootObject = P; objects = {
              P = {isa = PBXProject; buildConfigurationList = L0; mainGroup = G0; targets = (T); packageReferences = (R); };
              T = {isa = PBXNativeTarget; name = "Push Service"; buildConfigurationList = L1; buildPhases = (S, X, GONE);
                   productType = "com.apple.product-type.app-extension"; packageProductDependencies = (D); };
              D = {isa = XCSwiftPackageProductDependency; package = R; productName = Net; };
              R = {isa = XCRemoteSwiftPackageReference; repositoryURL = "https://github.com/example/net-kit.git";
                   requirement = \(requirement); };
              G0 = {isa = PBXGroup; children = (G1); sourceTree = "<group>"; };
              G1 = {isa = PBXGroup; children = (F1, F2, V); path = Push; sourceTree = "<group>"; };
              F1 = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = Service.swift; sourceTree = "<group>"; };
              F2 = {isa = PBXFileReference; path = NotInTarget.swift; sourceTree = "<group>"; };
              V = {isa = PBXVariantGroup; children = (V1, V2); name = Localizable.strings; sourceTree = "<group>"; };
              V1 = {isa = PBXFileReference; name = de; path = de.lproj/Localizable.strings; sourceTree = "<group>"; };
              V2 = {isa = PBXFileReference; name = en; path = en.lproj/Localizable.strings; sourceTree = "<group>"; };
              S = {isa = PBXSourcesBuildPhase; files = (B1, MISSING); };
              X = {isa = PBXResourcesBuildPhase; files = (B2); };
              B1 = {isa = PBXBuildFile; fileRef = F1; };
              B2 = {isa = PBXBuildFile; fileRef = V; };
              L0 = {isa = XCConfigurationList; buildConfigurations = (C0); };
              L1 = {isa = XCConfigurationList; buildConfigurations = (C1); defaultConfigurationName = Release; };
              C0 = {isa = XCBuildConfiguration; name = Release; buildSettings = {
                    SWIFT_ACTIVE_COMPILATION_CONDITIONS = (STAGING, "$(inherited)"); LOOP = "$(LOOP)$(LOOP)"; }; };
              C1 = {isa = XCBuildConfiguration; name = Release; buildSettings = {
                    INFOPLIST_FILE = "Push/Push-Info.plist"; "PRODUCT_BUNDLE_IDENTIFIER[sdk=iphoneos*]" = org.example.push; }; };
            }; }
            """, to: "App/App.xcodeproj/project.pbxproj")
    }

    @Test func `files, variants and remote packages of an older project`() throws {
        try writeClassicProject()
        let log = MockCompiler.Log()
        let output = try build(compiler: MockCompiler(log: log)) {
            $0.project = workshop.path("App/App.xcodeproj")
            $0.target = "Push Service"
        }
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            try workshop.files("out/Push Service.appex") == [
                "Push Service", "Info.plist", "de.lproj/Localizable.strings", "en.lproj/Localizable.strings",
            ])
        #expect(
            try workshop.plist("out/Push Service.appex/Info.plist")["CFBundleIdentifier"] as? String
                == "org.example.push")
        #expect(
            try workshop.files(try workshop.generated("Extension/Push_Service")) == ["Service.swift", "main.swift"])
        #expect(log.wanted.withLock { $0 } == [Self.netKit(#"from: "5.1.0""#)])
        #expect(try manifest().contains(#".define("STAGING")"#))
    }

    @Test(arguments: [
        ("$(POINT)", "POINT = com.apple.usernotifications.service;", true),
        ("$(POINT)", "POINT = com.apple.intents-service;", false),
        // What it stands for, and the file itself, may be made on the developer's machine.
        ("$(POINT)", "", true), (nil, "", true),
    ])
    func `a service extension is found without its name`(point: String?, setting: String, isFound: Bool) throws {
        try workshop.write(serviceSource(), to: "App/Push/Service.swift")
        if let point {
            let members = "<key>NSExtensionPointIdentifier</key><string>\(point)</string>"
            try workshop.write(
                propertyList("<key>NSExtension</key><dict>\(members)</dict>"), to: "App/Push/Info.plist")
        }
        try workshop.writeProject("Push/Service.swift", settings: "INFOPLIST_FILE = Push/Info.plist; " + setting)
        let output = try build { $0.project = workshop.path("App/App.xcodeproj") }
        #expect(output.status == (isFound ? 0 : 2), "\(output.stderr)")
        guard isFound else { return }
        let plist = try workshop.plist("out/Push.appex/Info.plist")
        #expect(
            (plist["NSExtension"] as? [String: String])?["NSExtensionPointIdentifier"]
                == "com.apple.usernotifications.service")
    }

    @Test(arguments: [
        ("{kind = exactVersion; version = 1.2.3; }", #"exact: "1.2.3""#),
        ("{kind = upToNextMinorVersion; minimumVersion = 1.2.3; }", #".upToNextMinor(from: "1.2.3")"#),
        ("{kind = versionRange; minimumVersion = 1; maximumVersion = 2; }", #""1.0.0"..<"2.0.0""#),
        ("{kind = branch; branch = \"feature/push\"; }", #"branch: "feature/push""#),
        ("{kind = revision; revision = abc123; }", #"revision: "abc123""#),
    ])
    func `a requirement is written as in a manifest`(requirement: String, code: String) throws {
        try writeClassicProject(requirement: requirement)
        let log = MockCompiler.Log()
        let output = try build(compiler: MockCompiler(log: log)) {
            $0.project = workshop.path("App/App.xcodeproj")
            $0.target = "Push Service"
        }
        #expect(output.status == 0, "\(output.stderr)")
        #expect(log.wanted.withLock { $0 } == [Self.netKit(code)])
    }

    private static func netKit(_ requirement: String) -> XcodePackage {
        XcodePackage(source: .remote("https://github.com/example/net-kit.git", requirement: requirement))
    }

    @Test(arguments: [
        "", "{", "{ objects = {}; rootObject = X; }", "{ rootObject = X; objects = { X = (); }; }",
        "{ rootObject = X; objects = { X = {targets = (X, T); mainGroup = X; children = (X); }; T = {isa = PBXNativeTarget; }; }; }",
    ])
    func `a project that is not one is refused`(text: String) throws {
        try workshop.write(text, to: "App.xcodeproj/project.pbxproj")
        let output = try build { $0.project = workshop.path("App.xcodeproj") }
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: App.xcodeproj: "), "\(output.stderr)")
    }

    /// A project with a target, and others among its files.
    private func writeProject(_ name: String, type: String, source: String, files: String = "") throws {
        let folder = name.prefix { $0 != "/" }
        try workshop.write(
            """
            { objectVersion = 56; rootObject = P; objects = {
              P = {isa = PBXProject; mainGroup = G; targets = (T); };
              T = {isa = PBXNativeTarget; name = \(name.split(separator: "/")[1]); buildPhases = (S);
                   productType = "com.apple.product-type.\(type)"; };
              G = {isa = PBXGroup; children = (F, X, Y); sourceTree = "<group>"; };
              F = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
              S = {isa = PBXSourcesBuildPhase; files = (B); };
              B = {isa = PBXBuildFile; fileRef = F; };
              \(files)
            }; }
            """, to: name + ".xcodeproj/project.pbxproj")
        try workshop.write(source, to: folder + "/A.swift")
    }

    @Test(arguments: ["App/Push.xcodeproj", "App/Push.xcworkspace"])
    func `frameworks of projects among a project's files, and the package of a workspace`(project: String) throws {
        func reference(_ name: String, _ path: String) -> String {
            "\(name) = {isa = PBXFileReference; lastKnownFileType = \"wrapper.pb-project\"; path = \"\(path)\"; };"
        }
        try writeProject(
            "App/Push", type: "app-extension", source: serviceSource(imports: ["UserNotifications", "Nest", "Root"]),
            files: reference("X", "../Nest/Nest.xcodeproj") + reference("Y", "../Gone/Gone.xcodeproj"))
        // Each names the other.
        try writeProject(
            "Nest/Nest", type: "framework", source: "import Egg", files: reference("X", "../Egg/Egg.xcodeproj"))
        try writeProject(
            "Egg/Egg", type: "framework", source: "public let egg = 1", files: reference("X", "../Nest/Nest.xcodeproj"))
        try workshop.write("// Root", to: "App/Package.swift")
        try workshop.write("public let root = 1", to: "App/Sources/Root/Root.swift")
        try workshop.write(
            #"<Workspace><FileRef location = "group:Push.xcodeproj"/><FileRef location = "group:Package.swift"/></Workspace>"#,
            to: "App/Push.xcworkspace/contents.xcworkspacedata")
        let root = #"{"name":"App","products":[],"targets":[{"name":"Root","type":"regular"}]}"#
        let output = try build(compiler: MockCompiler(packages: ["App": root])) {
            $0.project = workshop.path(project)
            $0.target = "Push"
        }
        #expect(output.status == 0, "\(output.stderr)")
        #expect(!output.stderr.contains("no such module"), "\(output.stderr)")
        for module in ["Nest", "Egg", "Root"] {
            #expect(try !workshop.files(try workshop.generated("Modules/" + module)).isEmpty)
        }
    }

    // MARK: - Modules and packages

    @Test func `modules come from folders, with those that they import`() throws {
        try workshop.write(
            """
            import SharedKit
            class Service: SharedService {}
            """, to: "Push/Service.swift")
        try workshop.write(
            "import Core\nimport os\nopen class SharedService: UNNotificationServiceExtension {}",
            to: "Shared/SharedService.swift")
        try workshop.write("public let core = 1", to: "Core/Core.swift")
        try workshop.write("public let unused = 1", to: "Unused/Unused.swift")
        let output = try build(["Push"]) { builder in
            for name in ["SharedKit=Shared", "Core=Core", "Unused=Unused"] {
                let parts = name.split(separator: "=")
                try builder.addModule("\(parts[0])=\(workshop.path(String(parts[1])))")
            }
        }
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try workshop.className(module: "Push") == "Service")
        let manifest = try manifest()
        #expect(manifest.contains(#"name: "SharedKit", dependencies: ["UserNotifications", "os", "Core"]"#))
        #expect(
            manifest.contains(#"name: "Push", dependencies: ["UserNotifications", "ExtensionRuntime", "SharedKit"]"#))
        #expect(!manifest.contains("Unused"))
    }

    @Test(arguments: [
        ("SharedKit", "module takes NAME=FOLDER"), ("=x", "module takes NAME=FOLDER"),
        ("SharedKit=none", "none: "), ("SharedKit=empty", "no Swift file in empty"),
    ])
    func `a module has a name and a folder`(module: String, reason: String) throws {
        try workshop.write(serviceSource(imports: ["UserNotifications", "SharedKit"]), to: "Push/Service.swift")
        try workshop.write("no Swift", to: "empty/notes.txt")
        do {
            let output = try build(["Push"]) { builder in
                try builder.addModule(module.replacing("SharedKit=", with: "SharedKit=\(workshop.path("."))/"))
            }
            #expect(output.status == 2)
            #expect(output.stderr.contains(reason), "\(output.stderr)")
        } catch let error as PlainError {
            #expect("\(error)".contains(reason))
        }
    }

    @Test func `packages are named, or folders below that of the extension`() throws {
        for folder in ["Push/Vendor/Feathers", "Feathers"] {
            try workshop.write("// Feathers", to: folder + "/Package.swift")
            try workshop.write("public enum Plumage {}", to: folder + "/Sources/Feathers/Plumage.swift")
        }
        try workshop.write(serviceSource(imports: ["UserNotifications", "Feathers"]), to: "Push/Service.swift")
        #expect(try build(["Push"]) { _ in }.status == 0)
        #expect(try workshop.files(try workshop.generated("Modules/Feathers")) == ["Plumage.swift"])
        #expect(try workshop.files(try workshop.generated("Extension/Push")) == ["Service.swift", "main.swift"])
        try FileManager.default.removeItem(atPath: workshop.path("Push/Vendor"))
        let output = try build(["Push"]) { $0.packages = [workshop.path("Feathers")] }
        #expect(output.status == 0, "\(output.stderr)")
    }

    @Test func `a missing module hides no other error`() throws {
        try workshop.write(
            """
            import UserNotifications
            @_implementationOnly import Missing
            #if canImport(Other)
            import Other
            #endif
            let x: Int = "text"
            class Service: UNNotificationServiceExtension {}
            """, to: "Push/Service.swift")
        try workshop.write("SOURCES/Service.swift:6:14: error: cannot convert\n", to: "log")
        let output = try workshop.build("Push", says: "log")
        #expect(output.status == 1)
        #expect(output.stderr.contains("Push/Service.swift:2:1: error: no such module 'Missing'\n"))
        #expect(output.stderr.contains("Push/Service.swift:6:14: error: cannot convert\n"))
        #expect(output.stderr.contains("there is no module Missing on Linux"))
        #expect(!output.stderr.contains("Other"))
        let copy = try workshop.read(try workshop.generated("Extension/Push/Service.swift"))
        #expect(!copy.contains("Missing"))
        #expect(copy.contains("import Other"))
        // A build that succeeds without the module does not need it.
        let other = try workshop.build("Push")
        #expect(other.status == 0)
        #expect(
            other.stderr
                == "pushpipe: import Missing is left out: there is no such module on Linux, and nothing uses it\n")
    }

    @Test func `what sources override is not replaced`() throws {
        let part = "\nextension UserDefaults {\n    func set() {}\n}\n"
        let rest = "import Foundation\n\nextension Locale {\n    func a() {}\n}\n"
        try workshop.write(rest + part, to: "pushpipe/Sources/Apple/Shims/Overlay/Overlay.swift")
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        let overlay = "Extension/Push/pushpipe-overlay.swift"
        #expect(try workshop.build("Push").status == 0)
        #expect(try workshop.read(try workshop.generated(overlay)) == rest + part)
        try workshop.write("class Counted: Sendable, UserDefaults {}", to: "Push/Counted.swift")
        #expect(try workshop.build("Push").status == 0)
        #expect(try workshop.read(try workshop.generated(overlay)) == rest)
    }

    // MARK: - C

    @Test func `C sources are seen through a bridging header`() throws {
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        try workshop.write(
            "#import <Foundation/Foundation.h>\n@import UIKit;\n#include <stdint.h>\n#include \"sum.h\"\n",
            to: "Push/Push-Bridging-Header.h")
        try workshop.write("int sum(int a);", to: "Push/c/sum.h")
        try workshop.write("int sum(int a) { return a; }", to: "Push/c/sum.c")
        try workshop.write("@implementation A @end", to: "Push/c/Old.m")
        let output = try workshop.build("Push")
        #expect(output.status == 0)
        #expect(output.stderr.contains("they are left out: Foundation, UIKit\n"))
        #expect(output.stderr.contains("Objective-C is left out: "))
        let header = try workshop.read(try workshop.generated("Bridge/Push/Push-Bridging-Header.h"))
        #expect(
            header
                == "// #import <Foundation/Foundation.h>\n// @import UIKit;\n#include <stdint.h>\n#include \"sum.h\"\n")
        let manifest = try manifest()
        #expect(manifest.contains(#".headerSearchPath("."), .headerSearchPath("c")"#))
        #expect(manifest.contains(#""-import-module", "-Xfrontend", "PushBridge""#))
    }

    @Test func `a framework that a bridging header includes is seen in each file`() throws {
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        try workshop.write("#import <UIKit/UIKit.h>\n", to: "Push/Push-Bridging-Header.h")
        try workshop.write("// UIKit", to: "pushpipe/Sources/Apple/Shims/UIKit/A.swift")
        let output = try workshop.build("Push")
        #expect(output.status == 0 && output.stderr.isEmpty, "\(output.stderr)")
        #expect(try manifest().contains(#""-import-module", "-Xfrontend", "UIKit""#))
    }
}

import ExtensionBuild
import Foundation
import TestSupport
import Testing

/// Projects as Xcode and CocoaPods write them, found on a file system that tells letters apart.
struct ExtensionFinderTests {
    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        try workshop.write(serviceSource(imports: ["UserNotifications", "Nest"]), to: "App/Push/Service.swift")
    }

    private func build(
        _ paths: [String] = [], _ compiler: MockCompiler = MockCompiler(),
        configure: (inout ExtensionBuilder) -> Void = { _ in }
    ) throws -> Workshop.Output {
        try workshop.build(
            paths, compiler: compiler,
            configure: { builder in
                builder.output = workshop.path("out")
                configure(&builder)
            })
    }

    /// - Parameters:
    ///   - objects: beside the target Push and the file Service.swift; `EXTRA` is a child of the group at the top.
    ///   - written: the name of the file in the project.
    private func writeProject(_ objects: String = "", targets: String = "", written: String = "Service.swift") throws {
        try workshop.write(
            """
            // !$*UTF8*$!
            { objectVersion = 52; rootObject = P; objects = {
              P = {isa = PBXProject; mainGroup = G; targets = (T, \(targets)); };
              T = {isa = PBXNativeTarget; name = Push; buildPhases = (S);
                   productType = "com.apple.product-type.app-extension"; };
              G = {isa = PBXGroup; children = (F, EXTRA); sourceTree = "<group>"; };
              F = {isa = PBXFileReference; path = "Push/\(written)"; sourceTree = "<group>"; };
              S = {isa = PBXSourcesBuildPhase; files = (B); };
              B = {isa = PBXBuildFile; fileRef = F; };
              \(objects)
            }; }
            """, to: "App/App.xcodeproj/project.pbxproj")
    }

    private func buildProject(_ compiler: MockCompiler = MockCompiler()) throws -> Workshop.Output {
        try build([], compiler) {
            $0.project = workshop.path("App/App.xcodeproj")
            $0.target = "Push"
        }
    }

    private func module(_ name: String) throws -> Set<String> {
        try workshop.files(try workshop.generated("Modules/" + name))
    }

    // MARK: - Xcode

    private let nest = MockCompiler(packages: [
        "Nest": #"{"name":"Nest","products":[],"targets":[{"name":"Nest","type":"regular"}]}"#
    ])

    private func writeNest(_ folder: String = "App/Nest") throws {
        try workshop.write(#"// "Nest""#, to: folder + "/Package.swift")
        try workshop.write("public let nest = 1", to: folder + "/Sources/Nest/Nest.swift")
    }

    @Test(arguments: ["text", "wrapper", "folder"])
    func `a folder among the files is a package, whatever Xcode calls it`(type: String) throws {
        try writeNest()
        try writeProject(
            "EXTRA = {isa = PBXFileReference; lastKnownFileType = \(type); path = Nest; sourceTree = \"<group>\"; };")
        let output = try buildProject(nest)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try module("Nest") == ["Nest.swift"])
    }

    @Test func `the workspace beside a project has its packages`() throws {
        try writeNest()
        try writeProject()
        try workshop.write(
            #"<Workspace><FileRef location="group:App.xcodeproj"/><FileRef location="group:Nest"/></Workspace>"#,
            to: "App/App.xcworkspace/contents.xcworkspacedata")
        let output = try buildProject(nest)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try module("Nest") == ["Nest.swift"])
    }

    @Test func `names that differ in case only are the same file, and are told`() throws {
        try writeNest("App/nest")
        try writeProject(
            "EXTRA = {isa = PBXFileReference; lastKnownFileType = wrapper; path = Nest; sourceTree = \"<group>\"; };",
            written: "service.swift")
        let output = try buildProject(MockCompiler(packages: ["nest": nest.packages["Nest"] ?? ""]))
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            output.stderr.contains(
                "App/Push/Service.swift: the project writes App/Push/service.swift, which is the same file on a Mac alone"
            ))
        #expect(try module("Nest") == ["Nest.swift"])
    }

    @Test func `a source that a script would make is named`() throws {
        try writeProject(written: "Keys.swift")
        let output = try build(["App/Push/Service.swift"]) {
            $0.project = workshop.path("App/App.xcodeproj")
            $0.target = "Push"
        }
        #expect(
            output.stderr.contains(
                "App/Push/Keys.swift does not exist, though Push is built from it; a script or a template may make it\n"
            ))
    }

    @Test func `of two files that differ in case none is chosen`() throws {
        try workshop.write("let two = 2", to: "App/Push/SERVICE.swift")
        try writeProject(written: "service.swift")
        let output = try buildProject()
        #expect(output.status == 2)
        #expect(output.stderr.contains("no Swift file in "))
    }

    @Test func `the umbrella header of a framework shows its C to Swift`() throws {
        try workshop.write("public let nest = 1", to: "App/Nest/Nest.swift")
        try workshop.write(
            """
            #import <Foundation/Foundation.h>
            FOUNDATION_EXPORT double NestVersionNumber;
            #import <Nest/egg.h>
            #import <Nest/Bird.h>
            #include "gone.h"
            """, to: "App/Nest/Nest.h")
        try workshop.write("int egg(void);", to: "App/Nest/C/egg.h")
        try workshop.write("@interface Bird : NSObject\n@end", to: "App/Nest/Bird.h")
        try workshop.write("#include \"egg.h\"\nint egg(void) { return 1; }", to: "App/Nest/C/egg.c")
        let files = ["Nest.swift", "Nest.h", "C/egg.h", "Bird.h", "C/egg.c"].enumerated()
        let references = files.map {
            "N\($0) = {isa = PBXFileReference; path = \"Nest/\($1)\"; sourceTree = SOURCE_ROOT; }; M\($0) = {isa = PBXBuildFile; fileRef = N\($0); };"
        }
        try writeProject(
            """
            L = {isa = PBXNativeTarget; name = Nest; buildPhases = (LS); productType = "com.apple.product-type.framework"; };
            LS = {isa = PBXSourcesBuildPhase; files = (M0, M1, M2, M3, M4); };
            \(references.joined(separator: "\n"))
            """, targets: "L")
        let output = try buildProject()
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try module("Nest") == ["Nest.swift", "pushpipe-exports.swift"])
        #expect(
            try module("NestUmbrella") == [
                "egg.c", "include/Bird.h", "include/Nest.h", "include/egg.h", "include/module.modulemap",
                "include/pushpipe-foundation.h", "pushpipe-umbrella.c",
            ])
        #expect(
            try workshop.read(try workshop.generated("Modules/NestUmbrella/include/Nest.h")) == """
                #include "pushpipe-foundation.h"
                FOUNDATION_EXPORT double NestVersionNumber;
                #include "egg.h"
                #include "Bird.h"
                // #include "gone.h"
                """)
        #expect(output.stderr.contains("Nest: Objective-C in its headers is left out: Bird.h\n"))
        #expect(output.stderr.contains("Nest: its headers include files that are missing: gone.h\n"))
    }

    @Test func `frameworks that an umbrella header includes are seen in its module, and by who imports it`() throws {
        try workshop.write("public let nest = 1", to: "App/Nest/Nest.swift")
        try workshop.write("#import <UIKit/UIKit.h>\n@import CoreImage;\n", to: "App/Nest/Nest.h")
        try workshop.write("// UIKit", to: "pushpipe/Sources/Apple/Shims/UIKit/A.swift")
        try writeProject(
            """
            L = {isa = PBXNativeTarget; name = Nest; buildPhases = (LS); productType = "com.apple.product-type.framework"; };
            LS = {isa = PBXHeadersBuildPhase; files = (M1, M2); };
            N1 = {isa = PBXFileReference; path = "Nest/Nest.swift"; sourceTree = SOURCE_ROOT; };
            N2 = {isa = PBXFileReference; path = "Nest/Nest.h"; sourceTree = SOURCE_ROOT; };
            M1 = {isa = PBXBuildFile; fileRef = N1; };
            M2 = {isa = PBXBuildFile; fileRef = N2; };
            """, targets: "L")
        let output = try buildProject()
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            try workshop.read(try workshop.generated("Modules/Nest/pushpipe-exports.swift"))
                == "@_exported import UIKit\n")
    }

    // MARK: - SwiftPM's condition

    @Test func `only a package is compiled as one`() throws {
        let text = "#if SWIFT_PACKAGE\nimport Stick\n#else\nimport Foundation\n#endif\npublic let nest = 1\n"
        let copy = text.replacing("SWIFT_PACKAGE", with: "XCODE_PROJECT")
        try writePods()
        try workshop.write(text, to: "App/Pods/Nest/Nest.swift")
        try workshop.write(text, to: "App/Push/Other.swift")
        #expect(try build(["App/Push"]).status == 0)
        #expect(try workshop.read(try workshop.generated("Modules/Nest/Nest.swift")) == copy)
        #expect(try workshop.read(try workshop.generated("Extension/Push/Other.swift")) == copy)
        try workshop.write("// Nest", to: "App/Push/Nest/Package.swift")
        try workshop.write(text, to: "App/Push/Nest/Sources/Nest/Nest.swift")
        #expect(try build(["App/Push"], nest).status == 0)
        #expect(try workshop.read(try workshop.generated("Modules/Nest/Nest.swift")) == text)
    }

    // MARK: - CocoaPods

    private func writePods(_ extra: String = "") throws {
        try workshop.write(
            """
            PODS:
              - Nest (1.2.0):
                - Nest/Core (= 1.2.0)
              - Nest/Core (1.2.0)
              - Egg.swift (3.0)

            DEPENDENCIES:
              - Nest

            \(extra)
            """, to: "App/Podfile.lock")
    }

    @Test func `a pod that is Swift is built as a module`() throws {
        try writePods()
        try workshop.write("import Egg", to: "App/Pods/Nest/Sources/Nest.swift")
        try workshop.write("public let egg = 1", to: "App/Pods/Egg.swift/Sources/Egg.swift")
        let output = try build(["App/Push"])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try module("Nest") == ["Nest.swift"])
        #expect(try module("Egg") == ["Egg.swift"])
    }

    @Test func `a pod in development has its own place`() throws {
        try writePods("EXTERNAL SOURCES:\n  Nest:\n    :path: \"../Shared/Nest\"")
        try workshop.write("public let nest = 1", to: "Shared/Nest/Nest.swift")
        let output = try build(["App/Push"])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try module("Nest") == ["Nest.swift"])
    }

    @Test func `the project of the pods says which module a pod is`() throws {
        try writePods()
        try workshop.write("public let nest = 1", to: "App/Pods/TwigKit/Twig.swift")
        try workshop.write(
            "@implementation PodsDummy @end", to: "App/Pods/Target Support Files/TwigKit/TwigKit-dummy.m")
        try workshop.write(
            """
            { objectVersion = 52; rootObject = P; objects = {
              P = {isa = PBXProject; mainGroup = G; targets = (T); };
              T = {isa = PBXNativeTarget; name = TwigKit; buildPhases = (S); buildConfigurationList = L;
                   productType = "com.apple.product-type.framework"; };
              L = {isa = XCConfigurationList; buildConfigurations = (C); };
              C = {isa = XCBuildConfiguration; name = Release; buildSettings = {PRODUCT_MODULE_NAME = Nest; }; };
              G = {isa = PBXGroup; children = (F, M); sourceTree = "<group>"; };
              F = {isa = PBXFileReference; path = "TwigKit/Twig.swift"; sourceTree = "<group>"; };
              M = {isa = PBXFileReference; path = "Target Support Files/TwigKit/TwigKit-dummy.m"; sourceTree = "<group>"; };
              S = {isa = PBXSourcesBuildPhase; files = (B, D); };
              B = {isa = PBXBuildFile; fileRef = F; };
              D = {isa = PBXBuildFile; fileRef = M; };
            }; }
            """, to: "App/Pods/Pods.xcodeproj/project.pbxproj")
        let output = try build(["App/Push"])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try module("Nest") == ["Twig.swift"])
    }

    @Test(arguments: [
        ("Pods/Nest/Nest.m", "Nest is the pod Nest 1.2.0, which has Objective-C, App/Pods/Nest/Nest.m"),
        ("Pods/Nest/LICENSE", "Nest is the pod Nest 1.2.0, which has no source in Swift"),
        ("Other/a.txt", "Nest is the pod Nest 1.2.0, which is not in App/Pods: install the project's pods"),
    ])
    func `a pod that cannot be built is refused by name`(file: String, reason: String) throws {
        try writePods()
        try workshop.write("x", to: "App/" + file)
        let output = try build(["App/Push"], MockCompiler(says: "x\n"))
        #expect(output.status == 1)
        #expect(output.stderr.contains("error: no such module 'Nest'"))
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    @Test func `a pod that cannot be built is no news where there is a stand-in for it`() throws {
        try workshop.write("PODS:\n  - FirebaseMessaging (11.0)\n", to: "App/Podfile.lock")
        try workshop.write("x", to: "App/Pods/FirebaseMessaging/a.m")
        try workshop.write("// A stand-in.\n", to: "pushpipe/Sources/Apple/Shims/FirebaseMessaging/A.swift")
        try workshop.write(serviceSource(imports: ["FirebaseMessaging"]), to: "App/Push/Service.swift")
        let output = try build(["App/Push"])
        #expect(output.status == 0)
        #expect(output.stderr.hasPrefix("pushpipe: FirebaseMessaging is a stand-in for the SDK"), "\(output.stderr)")
    }
}

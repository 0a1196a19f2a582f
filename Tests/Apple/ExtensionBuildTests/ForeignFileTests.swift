import ExtensionBuild
import Foundation
import TestSupport
import Testing

/// Paths that lead out of the project, which anyone can have written. `ForeignProjectTests` has pipes and devices, in processes of their own.
struct ForeignFileTests {
    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        try workshop.write("", to: "app/.git/HEAD")
        try workshop.write(serviceSource(), to: "app/Push/Service.swift")
    }

    /// Builds a project whose target has the folder `Push` and a group.
    ///
    /// - Parameter group: members of a folder that the target has as a whole.
    private func build(
        settings: String = "", file: String = "", group: String? = nil
    ) throws -> Workshop.Output {
        let group = group ?? "path = \"\(workshop.path("app/Push"))\""
        try workshop.write(
            """
            // !$*UTF8*$!
            { objectVersion = 77; rootObject = P; objects = {
              P = {isa = PBXProject; mainGroup = G; targets = (T); };
              T = {isa = PBXNativeTarget; name = Push; buildConfigurationList = L1;
                   productType = "com.apple.product-type.app-extension"; fileSystemSynchronizedGroups = (S, R); };
              G = {isa = PBXGroup; children = (S, F); sourceTree = "<group>"; };
              S = {isa = PBXFileSystemSynchronizedRootGroup; path = Push; sourceTree = "<group>"; };
              R = {isa = PBXFileSystemSynchronizedRootGroup; \(group); sourceTree = "<absolute>"; };
              F = {isa = PBXFileReference; path = Push.xcconfig; sourceTree = "<group>"; };
              L1 = {isa = XCConfigurationList; buildConfigurations = (C1); };
              C1 = {isa = XCBuildConfiguration; name = Release; \(file) buildSettings = {\(settings)}; };
            }; }
            """, to: "app/App.xcodeproj/project.pbxproj")
        return try workshop.build(
            [], compiler: MockCompiler(),
            configure: { builder in
                builder.project = workshop.path("app/App.xcodeproj")
                builder.target = "Push"
            })
    }

    // MARK: - Outside

    @Test(arguments: ["/dev/zero", "/dev/null"])
    func `a link to a device as a property list is outside of the project`(device: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: workshop.path("app/Info.plist"), withDestinationPath: device)
        let output = try build(settings: "INFOPLIST_FILE = Info.plist;")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.contains("/Info.plist is left out: it is outside of "), "\(output.stderr)")
    }

    @Test func `a bridging header at the root of the file system is left out, and nothing is searched for headers`()
        throws
    {
        let output = try build(settings: #"SWIFT_OBJC_BRIDGING_HEADER = "/x.h";"#)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.hasPrefix("pushpipe: /x.h is left out: it is outside of "), "\(output.stderr)")
    }

    @Test func `the root of the file system as a folder of the target is left out`() throws {
        let output = try build(group: #"path = "/""#)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.hasPrefix("pushpipe: / is left out: it is outside of "), "\(output.stderr)")
    }

    @Test func `files beside the project are the repository's`() throws {
        try workshop.write("let shared = 1\n", to: "app/Shared/Shared.swift")
        let output = try build(group: "path = \"\(workshop.path("app/Shared"))\"")
        #expect(output.status == 0 && output.stderr.isEmpty, "\(output.stderr)")
        #expect(
            try workshop.files(try workshop.generated("Extension/Push")).contains("Shared/Shared.swift"))
    }

    @Test func `pods are the repository's, and so is their lock file`() throws {
        try workshop.write("import Nest\n" + serviceSource(), to: "app/Push/Service.swift")
        try workshop.write("public let nest = 1\n", to: "Other/Nest/Nest.swift")
        let lock = "PODS:\n  - Nest (1.0)\n\nEXTERNAL SOURCES:\n  Nest:\n    :path: ../Other/Nest\n"
        try workshop.write(lock, to: "app/Podfile.lock")
        func build() throws -> Workshop.Output { try workshop.build(["app/Push"], compiler: MockCompiler(says: "x\n")) }
        var output = try build()
        #expect(
            output.stderr.contains("Nest is the pod Nest 1.0, whose folder Other/Nest is outside of "),
            "\(output.stderr)")
        try FileManager.default.removeItem(atPath: workshop.path("app/Podfile.lock"))
        try workshop.write(lock, to: "Podfile.lock")
        try FileManager.default.createSymbolicLink(
            atPath: workshop.path("app/Podfile.lock"), withDestinationPath: workshop.path("Podfile.lock"))
        output = try build()
        #expect(!output.stderr.contains("is the pod"), "\(output.stderr)")
    }

    @Test func `a link in a folder leads to files of the project only`() throws {
        try workshop.write("let secret = 1\n", to: "Other.swift")
        try workshop.write("let shared = 1\n", to: "app/Shared.swift")
        for (link, file) in [("A.swift", "Other.swift"), ("B.swift", "app/Shared.swift")] {
            try FileManager.default.createSymbolicLink(
                atPath: workshop.path("app/Push/\(link)"), withDestinationPath: workshop.path(file))
        }
        let output = try workshop.build("app/Push")
        #expect(output.status == 0)
        #expect(
            output.stderr.hasSuffix(
                "app/Push/A.swift is left out: it leads out of the project; name the file itself to include it\n"))
        #expect(
            try workshop.files(try workshop.generated("Extension/Push")).isSuperset(of: ["Service.swift", "B.swift"]))
    }
}

import ExtensionBuild
import Foundation
import TestSupport
import Testing

/// Projects whose names, settings and paths are not as Xcode writes them.
struct ExtensionProjectLimitTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// A project with one extension, whose target has the folder `Push`.
    ///
    /// - Parameters:
    ///   - above: settings of the project; those of the target count more.
    ///   - file: members of the target's configuration.
    ///   - exceptions: files of the folder that the target has not.
    ///   - groups: further objects.
    private static func project(
        target: String = "Push", above: String = "", settings: String = "", file: String = "",
        exceptions: String = "", groups: String = ""
    ) -> String {
        """
        // !$*UTF8*$!
        { objectVersion = 77; rootObject = P; objects = {
          P = {isa = PBXProject; mainGroup = G; targets = (T); buildConfigurationList = L0; };
          T = {isa = PBXNativeTarget; name = "\(target)"; buildConfigurationList = L1;
               productType = "com.apple.product-type.app-extension"; fileSystemSynchronizedGroups = (S); };
          G = {isa = PBXGroup; children = (S, F); sourceTree = "<group>"; };
          S = {isa = PBXFileSystemSynchronizedRootGroup; path = Push; sourceTree = "<group>"; exceptions = (E); };
          E = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T; membershipExceptions = (\(exceptions)); };
          \(groups)
          F = {isa = PBXFileReference; path = Push.xcconfig; sourceTree = "<group>"; };
          L0 = {isa = XCConfigurationList; buildConfigurations = (C0); };
          L1 = {isa = XCConfigurationList; buildConfigurations = (C1); };
          C0 = {isa = XCBuildConfiguration; name = Release; buildSettings = {\(above)}; };
          C1 = {isa = XCBuildConfiguration; name = Release; \(file) buildSettings = {\(settings)}; };
        }; }
        """
    }

    private func build(_ project: String, target: String = "Push") throws -> Workshop.Output {
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        try workshop.write(project, to: "App.xcodeproj/project.pbxproj")
        return try workshop.build(
            [], compiler: MockCompiler(),
            configure: { builder in
                builder.project = workshop.path("App.xcodeproj")
                builder.target = target
                builder.output = workshop.path("out/inner")
            })
    }

    // MARK: - Names

    @Test(arguments: ["../Push", "sub/Push", ".Push", ".."])
    func `a name from a project stays in the folder of the output`(name: String) throws {
        try workshop.write("mine", to: "out/Push.appex/Info.plist")
        for (target, settings) in [(name, ""), ("Push", "PRODUCT_NAME = \"\(name)\";")] {
            let output = try build(Self.project(target: target, settings: settings), target: target)
            #expect(output.status == 2)
            #expect(output.stderr == "pushpipe: name is needed: '\(name)' is not the name of a file\n")
        }
        #expect(try workshop.files("out") == ["Push.appex/Info.plist"])
    }

    // MARK: - Settings

    /// How many settings the target has; eight without those of its file.
    private func settingsCount() throws -> Int {
        let text = Self.project(file: "baseConfigurationReference = F;")
        let project = try XcodeProject(Array(text.utf8), folder: workshop.path("."), path: "App.xcodeproj")
        let line = try #require(project.describe().first)
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    @Test func `a settings file that includes itself several times ends`() throws {
        let include = "#include \"Push.xcconfig\"\n"
        try workshop.write(String(repeating: include, count: 10) + "OWN = 1\n", to: "Push.xcconfig")
        #expect(try settingsCount() == 9)
    }

    @Test(arguments: [(0, 9), (1, 8)])
    func `settings files have a mebibyte in all`(excess: Int, count: Int) throws {
        // The first counts as 4 KiB.
        try workshop.write("#include \"b.xcconfig\"\n", to: "Push.xcconfig")
        let text = "OWN = 1\n//"
        let size = (1 << 20) - 4096 + excess
        try workshop.write(text + String(repeating: "x", count: size - text.utf8.count), to: "b.xcconfig")
        #expect(try settingsCount() == count)
    }

    @Test func `a value that inherits too much is left out`() throws {
        // What is left of the first is `a${inherited}${inherited}…`.
        let above = "a" + String(repeating: "$${inherited}{inherited}", count: 150)
        let below = String(repeating: "$(inherited)", count: 340)
        try workshop.write(propertyList("<key>Value</key><string>$(VALUE)</string>"), to: "Info.plist")
        let output = try build(
            Self.project(
                above: "VALUE = \"\(above)\";", settings: "VALUE = \"\(below)\"; INFOPLIST_FILE = Info.plist;"))
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try workshop.plist("out/inner/Push.appex/Info.plist")["Value"] as? String == "a")
    }

    @Test(arguments: ["$(NAME)", "${NAME}", "$(inherited)"])
    func `a setting that names itself means the value below it`(reference: String) throws {
        try workshop.write("NAME = Push.entitlements\n", to: "Push.xcconfig")
        try workshop.write(propertyList("<key>Value</key><string>$(NAME)</string>"), to: "Info.plist")
        let output = try build(
            Self.project(
                settings: "NAME = \"Push/\(reference)\"; INFOPLIST_FILE = Info.plist;",
                file: "baseConfigurationReference = F;"))
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            try workshop.plist("out/inner/Push.appex/Info.plist")["Value"] as? String == "Push/Push.entitlements")
    }

    // MARK: - Entitlements

    private static let communication = "com.apple.developer.usernotifications.communication"

    /// A project in which an app embeds the extension; the app alone has the capability for communication notifications.
    private static func projectWithApp(embeds: String, settings: String = "") -> String {
        project(
            settings: settings,
            groups: """
                A = {isa = PBXNativeTarget; name = App; productReference = AP; buildConfigurationList = L2;
                     productType = "com.apple.product-type.application"; buildPhases = (E1); };
                E1 = {isa = PBXCopyFilesBuildPhase; dstSubfolderSpec = 13; files = (B1); };
                B1 = {isa = PBXBuildFile; fileRef = \(embeds); };
                L2 = {isa = XCConfigurationList; buildConfigurations = (C2); };
                C2 = {isa = XCBuildConfiguration; name = Release; buildSettings = {
                      CODE_SIGN_ENTITLEMENTS = "App/App.entitlements"; }; };
                """
        ).replacing("targets = (T);", with: "targets = (T, A);")
            .replacing(
                "isa = PBXNativeTarget; name = \"Push\";",
                with: "isa = PBXNativeTarget; name = \"Push\"; productReference = TP;")
    }

    @Test(arguments: [("TP", true), ("AP", false)], [true, false])
    func `the app that embeds an extension has the entitlement for communication`(
        embedded: (String, Bool), hasOwn: Bool
    ) throws {
        let entitlements =
            "<key>\(Self.communication)</key><true/><key>aps-environment</key><string>production</string>"
        try workshop.write(propertyList(entitlements), to: "App/App.entitlements")
        try workshop.write(propertyList("<key>Own</key><true/>"), to: "Own.entitlements")
        let output = try build(
            Self.projectWithApp(
                embeds: embedded.0, settings: hasOwn ? "CODE_SIGN_ENTITLEMENTS = Own.entitlements;" : ""))
        #expect(output.status == 0, "\(output.stderr)")
        let own = try? workshop.plist("out/inner/Push.appex/Push.entitlements")
        #expect(own?[Self.communication] as? Bool == (embedded.1 ? true : nil))
        #expect(own?["aps-environment"] == nil)
        #expect(own?["Own"] as? Bool == (hasOwn ? true : nil))
        #expect((own != nil) == (embedded.1 || hasOwn))
    }

    @Test func `entitlements that do not exist are told with the setting that names them`() throws {
        let output = try build(Self.project(settings: "CODE_SIGN_ENTITLEMENTS = \"Own/Push.entitlements\";"))
        #expect(output.status == 2)
        #expect(
            output.stderr == """
                pushpipe: entitlements must name the file: Own/Push.entitlements, which the target's setting \
                CODE_SIGN_ENTITLEMENTS names, does not exist

                """)
    }

    // MARK: - Asset catalogs

    @Test(arguments: [true, false])
    func `pictures of asset catalogs are files of the bundle`(isProject: Bool) throws {
        func set(_ name: String, _ images: String) throws {
            try workshop.write("{\"images\":[\(images)]}", to: "Push/Assets.xcassets/\(name).imageset/Contents.json")
        }
        let crane = ["1x", "2x"].map { #"{"filename":"c\#($0).PNG","idiom":"universal","scale":"\#($0)"}"# }
        let dark = #"{"filename":"d.png","idiom":"universal","scale":"3x","appearances":[{"appearance":"luminosity"}]}"#
        try set("crane", (crane + [dark, #"{"idiom":"universal","scale":"3x"}"#]).joined(separator: ","))
        for name in ["c1x.PNG", "c2x.PNG", "d.png"] {
            try workshop.write(name, to: "Push/Assets.xcassets/crane.imageset/" + name)
        }
        try set("Birds/owl", #"{"filename":"owl.jpg","idiom":"iphone"}"#)
        try workshop.write("owl", to: "Push/Assets.xcassets/Birds/owl.imageset/owl.jpg")
        try set("vector", #"{"filename":"v.pdf","idiom":"universal"}"#)
        try set("outside", #"{"filename":"../../../secret.png","idiom":"universal"}"#)
        try workshop.write("secret", to: "secret.png")
        let output = try isProject ? build(Self.project()) : folder()
        #expect(output.status == 0, "\(output.stderr)")
        let bundle = "out/inner/Push.appex/"
        #expect(try workshop.files(bundle) == ["Push", "Info.plist", "crane@2x.png", "owl.jpg"])
        #expect(try workshop.read(bundle + "crane@2x.png") == "c2x.PNG")
        #expect(
            output.stderr == """
                pushpipe: Push/Assets.xcassets: only PNG and JPEG are read here, so UIImage(named:) is nil for outside, vector

                """)
    }

    private func folder() throws -> Workshop.Output {
        try workshop.write(serviceSource(), to: "Push/Service.swift")
        return try workshop.build("Push", output: "out/inner")
    }

    // MARK: - Files

    @Test func `a folder that cannot be listed is reported`() throws {
        try workshop.write(serviceSource(), to: "Own/Service.swift")
        try workshop.write(Self.project(), to: "App.xcodeproj/project.pbxproj")
        let output = try workshop.build(
            ["Own"], compiler: MockCompiler(),
            configure: { builder in
                builder.project = workshop.path("App.xcodeproj")
                builder.target = "Push"
            })
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr == "pushpipe: Push cannot be listed; its files are missing\n")
    }

    @Test func `exceptions leave out files, and folders with all that is in them`() throws {
        for name in ["A.swift", "B.swift", "Sub/C.swift", "Sub/Inner/D.swift", "Subway/E.swift"] {
            try workshop.write("let a = 1", to: "Push/\(name)")
        }
        let text = Self.project(exceptions: "A.swift, Sub")
        let project = try XcodeProject(Array(text.utf8), folder: workshop.path("."), path: "App.xcodeproj")
        #expect(project.describe() == ["Push Push 2 8"])
    }

    @Test func `a file in several groups has the path of the first`() throws {
        let groups = (1...20).map { "A\($0 + 10) = {isa = PBXGroup; children = (S); path = a\($0); };" }.joined()
        let text = Self.project(groups: groups)
        try workshop.write("let a = 1", to: "a1/Push/A.swift")
        let project = try XcodeProject(Array(text.utf8), folder: workshop.path("."), path: "App.xcodeproj")
        #expect(project.describe() == ["Push Push 1 8"])
    }

    // MARK: - Paths

    @Test func `folders may have letters beyond ASCII`() throws {
        try workshop.write(serviceSource(), to: "jörg/Push/Service.swift")
        try workshop.write("let a = 1", to: "jörg/Push/Sub/A.swift")
        try workshop.write("#include \"sum.h\"\n", to: "jörg/Push/Push-Bridging-Header.h")
        try workshop.write("int sum(int a);", to: "jörg/Push/c/sum.h")
        try workshop.write("int sum(int a) { return a; }", to: "jörg/Push/c/sum.c")
        let output = try workshop.build("jörg/Push")
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            try workshop.files(try workshop.generated("Extension/Push")) == [
                "Service.swift", "Sub/A.swift", "main.swift",
            ])
        #expect(
            try workshop.files(try workshop.generated("Bridge/Push")) == [
                "Push-Bridging-Header.h", "c/sum.h", "c/sum.c", "include/module.modulemap", "pushpipe-bridge.c",
            ])
    }
}

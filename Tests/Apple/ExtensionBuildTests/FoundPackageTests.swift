import ExtensionBuild
import Foundation
import Synchronization
import TestSupport
import Testing

/// Packages that nobody has named: their manifests are programs.
struct FoundPackageTests {
    private let workshop: Workshop
    private let log = MockCompiler.Log()

    init() throws {
        workshop = try Workshop()
        for folder in ["app/Push/Keys", "Named"] {
            try workshop.write("// \"Keys\"", to: folder + "/Package.swift")
            try workshop.write("public let key = 1\n", to: folder + "/Sources/Keys/Keys.swift")
        }
        try workshop.write("import Keys\n" + serviceSource(), to: "app/Push/Service.swift")
        try workshop.write("", to: "app/.git/HEAD")
    }

    private static let url = "https://github.com/example/egg-kit"
    private static let eggs = """
        {"sourceControl":[{"identity":"egg-kit","location":{"remote":[{"urlString":"\(url)"}]},
         "requirement":{"range":[{"lowerBound":"1.0.0","upperBound":"2.0.0"}]}}]}
        """
    /// Members of a target that uses the package in that place.
    private static let usesEgg = #", "dependencies":[{"product":["Egg","egg-kit",null,null]}]"#

    private func compiler(dependencies: String = "", target: String = "") -> MockCompiler {
        let description = """
            {"name":"Keys","dependencies":[\(dependencies)],"targets":[{"name":"Keys","type":"regular"\(target)}],
             "products":[{"name":"Keys","targets":["Keys"],"type":{"library":["automatic"]}}]}
            """
        return MockCompiler(packages: ["Keys": description, "Named": description], log: log)
    }

    private var calls: [String] { log.lines.withLock { $0 } }

    // MARK: - Folders

    @Test func `they are listed; their manifests see their repository, the build sees copies, and both no network`()
        throws
    {
        let output = try workshop.build(["app/Push"], compiler: compiler())
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.packages.map { $0.hasSuffix("app/Push/Keys") } == [true])
        #expect(calls.count == 3)
        #expect(calls.first == "confine 0 false app")
        #expect(calls.dropFirst().first?.wholeMatch(of: /confine 1 false [0-9a-f]+-library/) != nil)
        #expect(calls.last == "build Push")
    }

    @Test func `a package that is named is trusted`() throws {
        try FileManager.default.removeItem(atPath: workshop.path("app/Push/Keys"))
        let output = try workshop.build(
            ["app/Push"], compiler: compiler(), configure: { $0.packages = [workshop.path("Named")] })
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.packages.isEmpty)
        #expect(calls == ["build Push"])
    }

    @Test func `they can be left out`() throws {
        var compiler = compiler()
        compiler.says = "SOURCES/Service.swift:2:1: error: cannot find 'Key' in scope\n"
        let output = try workshop.build(
            ["app/Push"], compiler: compiler, configure: { $0.usesFoundPackages = false })
        #expect(output.status == 1)
        #expect(output.packages.isEmpty)
        #expect(calls == ["build Push"])
        #expect(output.stderr.contains("the package app/Push/Keys is left out, which may have Keys\n"))
        #expect(output.stderr.contains("there is no module Keys on Linux"))
    }

    @Test func `one that is outside of the repository is left out, also if another names it`() throws {
        try workshop.write("import Egg\n", to: "app/Push/Keys/Sources/Keys/Keys.swift")
        try workshop.write(#"// "Egg""#, to: "Egg/Package.swift")
        try workshop.write("public let egg = 1\n", to: "Egg/Sources/Egg/Egg.swift")
        let output = try workshop.build(
            ["app/Push"],
            compiler: compiler(
                dependencies: #"{"fileSystem":[{"identity":"egg","path":"\#(workshop.path("Egg"))"}]}"#))
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.packages.count == 1)
        #expect(
            output.stderr.contains("the package Egg is left out: it is outside of "), "\(output.stderr)")
    }

    @Test func `a target has files of the repository only`() throws {
        try workshop.write("let secret = 1\n", to: "Other/Secret.swift")
        try FileManager.default.createSymbolicLink(
            atPath: workshop.path("app/Push/Keys/Sources/Keys/Secret.swift"),
            withDestinationPath: workshop.path("Other/Secret.swift"))
        var output = try workshop.build(["app/Push"], compiler: compiler())
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.contains("app/Push/Keys/Sources/Keys/Secret.swift is left out: it is outside of "))
        #expect(try !workshop.files(try workshop.generated("Modules/Keys")).contains("Secret.swift"))
        var compiler = compiler(target: #","path":"../../../Other""#)
        compiler.says = "x\n"
        output = try workshop.build(["app/Push"], compiler: compiler)
        #expect(output.status == 1)
        #expect(
            output.stderr.contains("Keys of the package app/Push/Keys: its folder Other is outside of "),
            "\(output.stderr)")
    }

    // MARK: - Repositories

    @Test func `a package that is fetched and needs others is built as it is, with a network`() throws {
        try workshop.write("import Egg\n", to: "app/Push/Keys/Sources/Keys/Keys.swift")
        try workshop.write(#"// "Egg""#, to: "cache/packages/checkouts/egg-kit/Package.swift")
        try workshop.write("public let egg = 1\n", to: "cache/packages/checkouts/egg-kit/Sources/Egg/Egg.swift")
        var compiler = compiler(dependencies: Self.eggs, target: Self.usesEgg)
        compiler.packages["egg-kit"] = """
            {"name":"Egg","products":[{"name":"Egg","targets":["Egg"],"type":{"library":["automatic"]}}],
             "targets":[{"name":"Egg","type":"regular"}],"dependencies":[{"fileSystem":[{"path":"/nowhere"}]}]}
            """
        compiler.fetched.folders = [workshop.path("cache/packages/checkouts/egg-kit")]
        let output = try workshop.build(["app/Push"], compiler: compiler)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.packages.last == Self.url)
        #expect(calls.prefix(2) == ["confine 0 false app", "fetch \(Self.url)"])
        #expect(calls.contains { $0.hasPrefix("confine 1 true") })
    }

    @Test(arguments: ["app/Push/Keys", "Named"])
    func `a package that is fetched is listed and confined, also if a named one wants it`(keys: String) throws {
        try workshop.write("import Egg\n", to: keys + "/Sources/Keys/Keys.swift")
        try workshop.write(#"// "Egg""#, to: "cache/packages/checkouts/egg-kit/Package.swift")
        try workshop.write("import Foundation\n", to: "cache/packages/checkouts/egg-kit/Sources/Egg/Egg.swift")
        var compiler = compiler(dependencies: Self.eggs, target: Self.usesEgg)
        compiler.packages["egg-kit"] = #"{"name":"Egg","products":[],"targets":[{"name":"Egg","type":"regular"}]}"#
        var fetched = FetchedPackages()
        fetched.folders = [workshop.path("cache/packages/checkouts/egg-kit")]
        compiler.fetched = fetched
        let isNamed = keys == "Named"
        let output = try workshop.build(
            ["app/Push"], compiler: compiler,
            configure: { if isNamed { $0.packages = [workshop.path(keys)] } })
        #expect(output.status == 0, "\(output.stderr)")
        // The folder is not another package.
        #expect(output.packages.filter { $0.contains("egg-kit") } == [Self.url])
        let rest = isNamed ? calls[...] : calls.dropFirst()
        #expect(rest.prefix(2) == ["fetch \(Self.url)", "confine 0 false egg-kit"])
        #expect(rest.dropFirst(2).first?.hasPrefix("confine 1 false ") == true)
        #expect(try workshop.files(try workshop.generated("Modules/Egg")).contains("Egg.swift"))
    }

    @Test func `folders and what is fetched are listed at once, before a manifest runs`() throws {
        let project = """
            { objectVersion = 56; rootObject = P; objects = {
              P = {isa = PBXProject; mainGroup = G; targets = (T); packageReferences = (R, L); };
              T = {isa = PBXNativeTarget; name = Push; buildPhases = (S); packageProductDependencies = (D);
                   productType = "com.apple.product-type.app-extension"; };
              D = {isa = XCSwiftPackageProductDependency; package = R; productName = Egg; };
              R = {isa = XCRemoteSwiftPackageReference; repositoryURL = "\(Self.url)";
                   requirement = {kind = exactVersion; version = 1.2.3; }; };
              L = {isa = XCLocalSwiftPackageReference; relativePath = Push/Keys; };
              G = {isa = PBXGroup; children = (F); sourceTree = "<group>"; };
              F = {isa = PBXFileReference; path = Push/Service.swift; sourceTree = "<group>"; };
              S = {isa = PBXSourcesBuildPhase; files = (B); };
              B = {isa = PBXBuildFile; fileRef = F; };
            }; }
            """
        try workshop.write(project, to: "app/App.xcodeproj/project.pbxproj")
        var announcements: [[String]] = []
        var builder = ExtensionBuilder(
            paths: [], cache: workshop.path("cache"), runtime: .init(named: workshop.path("pushpipe"), command: nil))
        builder.project = workshop.path("app/App.xcodeproj")
        builder.target = "Push"
        let path = try builder.build(with: compiler()) { event in
            if case .packages(let places, _) = event {
                announcements.append(places.map { $0.replacing(workshop.path("."), with: "") })
                #expect(calls.isEmpty)
            }
        }
        #expect(path != nil)
        #expect(announcements == [["/app/Push/Keys", Self.url]])
    }

    @Test func `a named package goes without those that it wants to have fetched`() throws {
        try workshop.write("import Egg\n", to: "Named/Sources/Keys/Keys.swift")
        let output = try workshop.build(
            ["app/Push"], compiler: compiler(dependencies: Self.eggs, target: Self.usesEgg),
            configure: {
                $0.packages = [workshop.path("Named")]
                $0.usesFoundPackages = false
            })
        #expect(output.packages.isEmpty)
        #expect(calls == ["build Push"])
        #expect(output.stderr.contains("the package \(Self.url) is left out, with Egg\n"), "\(output.stderr)")
    }
}

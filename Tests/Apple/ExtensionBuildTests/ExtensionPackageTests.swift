import ExtensionBuild
import Foundation
import TestSupport
import Testing

/// Packages of a project, whose targets are built beside the extension, and packages that are fetched.
struct ExtensionPackageTests {
    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        try workshop.write("extension Locale {}\nlet a = 1\n", to: "pushpipe/Sources/Apple/Shims/Overlay/Overlay.swift")
        try workshop.write(serviceSource(imports: ["UserNotifications", "Nest"]), to: "Push/Service.swift")
        try workshop.write(#"// "Nest""#, to: "Nest/Package.swift")
    }

    /// A package as `swift package dump-package` describes it.
    private func description(_ targets: String, products: String = "", dependencies: String = "") -> String {
        #"{"name":"Nest","products":[\#(products)],"targets":[\#(targets)],"dependencies":[\#(dependencies)],"pkgConfig":null}"#
    }

    private func build(
        _ packages: [String: String], named: [String] = ["Nest"], fetched: FetchedPackages = .init()
    ) throws -> Workshop.Output {
        try workshop.build(
            ["Push"], compiler: MockCompiler(packages: packages, fetched: fetched),
            configure: { builder in
                builder.packages = named.map(workshop.path)
                builder.output = workshop.path("out")
            })
    }

    private func manifest() throws -> String { try workshop.read(try workshop.generated("Package.swift")) }

    private func module(_ name: String) throws -> String { try workshop.generated("Modules/" + name) }

    // MARK: - Swift

    @Test func `a package's target sees the modules that the extension sees`() throws {
        try workshop.write("import Foundation\nimport os\nimport Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write("public let egg = 1", to: "Nest/Sources/Egg/Egg.swift")
        try workshop.write("let not = 1", to: "Nest/Sources/Nest/Legacy/Old.swift")
        try workshop.write("let not = 1", to: "Nest/Tests/NestTests/Tests.swift")
        let targets = """
            {"name":"Nest","type":"regular","exclude":["Legacy"],"dependencies":[{"byName":["Egg",null]}],"settings":[
             {"tool":"swift","kind":{"define":{"_0":"FEATHERS"}},"condition":{"platformNames":["ios"]}},
             {"tool":"swift","kind":{"define":{"_0":"MAC"}},"condition":{"platformNames":["macos"]}},
             {"tool":"swift","kind":{"enableUpcomingFeature":{"_0":"ExistentialAny"}}},
             {"tool":"swift","kind":{"unsafeFlags":{"_0":["-x"]}}}]},
            {"name":"Egg","type":"regular"}, {"name":"NestTests","type":"test"}
            """
        let output = try build(["Nest": description(targets)])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try workshop.files(try module("Nest")) == ["Nest.swift", "pushpipe-overlay.swift"])
        let manifest = try manifest()
        #expect(manifest.contains(#"name: "Nest", dependencies: ["UserNotifications", "os", "Egg"]"#))
        #expect(manifest.contains(#".define("FEATHERS"), .enableUpcomingFeature("ExistentialAny")]"#))
        #expect(!manifest.contains("MAC"))
        #expect(!manifest.contains("-x\""))
    }

    @Test func `what a package needs and Linux lacks is told by name`() throws {
        try workshop.write("import Foundation\nimport Aviary\n", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write("SOURCES/Service.swift:6:14: error: cannot convert\n", to: "log")
        let output = try workshop.build(
            ["Push"],
            compiler: MockCompiler(
                says: try workshop.read("log"), packages: ["Nest": description(#"{"name":"Nest","type":"regular"}"#)]),
            configure: { $0.packages = [workshop.path("Nest")] })
        #expect(output.status == 1)
        #expect(output.stderr.contains("Nest/Sources/Nest/Nest.swift:2:1: error: no such module 'Aviary'\n"))
        #expect(output.stderr.contains("Push/Service.swift:6:14: error: cannot convert\n"))
        #expect(output.stderr.contains("there is no module Aviary on Linux"))
    }

    @Test func `a target on the main actor has an overlay that is not`() throws {
        try workshop.write("let nest = 1", to: "Nest/Sources/Nest/Nest.swift")
        let settings = #"[{"tool":"swift","kind":{"defaultIsolation":{"_0":"MainActor"}}}]"#
        let output = try build(["Nest": description(#"{"name":"Nest","type":"regular","settings":\#(settings)}"#)])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try manifest().contains(".defaultIsolation(MainActor.self)]"))
        #expect(
            try workshop.read(try module("Nest/pushpipe-overlay.swift")).contains("\nnonisolated let a = 1\n"))
    }

    @Test func `resources of a package are in the bundle`() throws {
        try workshop.write("let nest = 1", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write(#""a" = "nest";"#, to: "Nest/Sources/Nest/Resources/en.lproj/Localizable.strings")
        try workshop.write("{}", to: "Nest/Sources/Nest/Data/eggs.json")
        // Xcode compiles a catalog of assets; here it is left out.
        for name in ["Contents.json", "a.imageset/Contents.json"] {
            try workshop.write("{}", to: "Nest/Sources/Nest/Media.xcassets/" + name)
        }
        let resources = """
            [{"path":"Resources","rule":{"process":{}}},{"path":"Data","rule":{"copy":{}}},
             {"path":"Media.xcassets","rule":{"process":{}}}]
            """
        let output = try build(["Nest": description(#"{"name":"Nest","type":"regular","resources":\#(resources)}"#)])
        #expect(output.status == 0, "\(output.stderr)")
        let folder = "extensions_Nest.resources/"
        let files = try workshop.files("out/Push.appex")
        #expect(files.contains(folder + "en.lproj/Localizable.strings"))
        #expect(files.contains(folder + "Data/eggs.json"))
        let manifest = try manifest()
        #expect(manifest.contains(#"defaultLocalization: "en""#))
        #expect(
            manifest.contains(
                #"resources: [.copy("pushpipe-resources/Data"), .copy("pushpipe-resources/en.lproj")]"#))
    }

    // MARK: - Other targets

    @Test func `a target in C is copied with its headers`() throws {
        try workshop.write("import CEgg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write("int egg(void) { return 1; }", to: "Nest/Sources/CEgg/egg.c")
        try workshop.write("int egg(void);", to: "Nest/Sources/CEgg/include/egg.h")
        let settings = #"[{"tool":"c","kind":{"define":{"_0":"SHELL=2"}}}]"#
        let output = try build([
            "Nest": description(
                #"{"name":"Nest","type":"regular"},{"name":"CEgg","type":"regular","settings":\#(settings)}"#)
        ])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try workshop.files(try module("CEgg")) == ["egg.c", "include/egg.h"])
        let manifest = try manifest()
        #expect(manifest.contains(#"cSettings: [.define("SHELL", to: "2")]"#))
        #expect(manifest.contains(#"name: "Nest", dependencies: ["UserNotifications", "CEgg"]"#))
    }

    @Test(arguments: [
        (#"{"name":"Egg","type":"binary","path":"Egg.xcframework"}"#, "is a binary framework"),
        (#"{"name":"Egg","type":"macro"}"#, "is a macro"),
        (#"{"name":"Egg","type":"regular"}"#, "is Objective-C"),
        (#"{"name":"Egg","type":"regular","path":"gone"}"#, "its folder is missing"),
    ])
    func `a target that cannot be built is refused by name`(target: String, reason: String) throws {
        try workshop.write("import Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write("@implementation Egg @end", to: "Nest/Sources/Egg/Egg.m")
        let output = try workshop.build(
            ["Push"],
            compiler: MockCompiler(
                says: "x\n", packages: ["Nest": description(#"{"name":"Nest","type":"regular"},"# + target)]),
            configure: { $0.packages = [workshop.path("Nest")] })
        #expect(output.status == 1)
        #expect(output.stderr.contains("error: no such module 'Egg'"))
        #expect(output.stderr.contains("pushpipe: Egg of the package "))
        #expect(output.stderr.contains(reason), "\(output.stderr)")
    }

    // MARK: - Places

    @Test func `a path that is wrong names a package of the project by its identity`() throws {
        // As Xcode does: the manifest of Nest looks for Nest/Egg, and the project has the package Egg beside it.
        try workshop.write("import Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write(#"// "Egg""#, to: "Egg/Package.swift")
        try workshop.write("public let egg = 1", to: "Egg/Sources/Egg/Egg.swift")
        let dependency = #"{"fileSystem":[{"identity":"egg","path":"\#(workshop.path("Nest/Egg"))"}]}"#
        let output = try build(
            [
                "Nest": description(#"{"name":"Nest","type":"regular"}"#, dependencies: dependency),
                "Egg": description(#"{"name":"Egg","type":"regular"}"#),
            ], named: ["Nest", "Egg"])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try manifest().contains(#"name: "Nest", dependencies: ["UserNotifications", "Egg"]"#))
    }

    @Test func `a package names another beside it`() throws {
        try workshop.write("import Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write(#"// "Egg""#, to: "Egg/Package.swift")
        try workshop.write("public let egg = 1", to: "Egg/Sources/Egg/Egg.swift")
        try workshop.write(#".product(name: "Egg", package: "Egg"), "Nest""#, to: "Nest/Package.swift")
        let dependency = #"{"fileSystem":[{"identity":"egg","path":"\#(workshop.path("Egg"))"}]}"#
        let output = try build([
            "Nest": description(#"{"name":"Nest","type":"regular"}"#, dependencies: dependency),
            "Egg": description(#"{"name":"Egg","type":"regular"}"#),
        ])
        #expect(output.status == 0, "\(output.stderr)")
        #expect(try workshop.files(try module("Egg")) == ["Egg.swift", "pushpipe-overlay.swift"])
    }

    // MARK: - Packages that are fetched

    /// The package Nest, which names one that has to be fetched.
    private func nestWithRemote() -> String {
        description(
            #"{"name":"Nest","type":"regular","dependencies":[{"product":["Egg","egg-kit",null,null]}]}"#,
            dependencies: """
                {"sourceControl":[{"identity":"egg-kit","location":{"remote":[{"urlString":"https://github.com/example/egg-kit"}]},
                 "requirement":{"range":[{"lowerBound":"1.0.0","upperBound":"2.0.0"}]}}]}
                """)
    }

    @Test(arguments: [
        // Written for Apple's systems alone: built beside the extension.
        ("import Foundation\nimport os", true), ("import Foundation", true),
        // Written for Linux, too: a module called os beside it would have it take the system for one of Apple's.
        ("public let egg = 1", false), ("#if os(Linux)\nimport Glibc\n#endif\nimport Foundation", false),
    ])
    func `a package that is fetched is built as it is if Linux has what it needs`(source: String, isBeside: Bool) throws
    {
        try workshop.write("import Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write(#"// "Egg""#, to: "checkouts/egg-kit/Package.swift")
        try workshop.write(source, to: "checkouts/egg-kit/Sources/Egg/Egg.swift")
        var fetched = FetchedPackages()
        fetched.folders = [workshop.path("checkouts/egg-kit")]
        let product = #"{"name":"Egg","targets":["Egg"],"type":{"library":["automatic"]}}"#
        let output = try build(
            [
                "Nest": nestWithRemote(),
                "egg-kit": description(#"{"name":"Egg","type":"regular"}"#, products: product),
            ], fetched: fetched)
        #expect(output.status == 0, "\(output.stderr)")
        let manifest = try manifest()
        #expect(manifest.contains("path: \"Modules/Egg\"") == isBeside)
        #expect(manifest.contains(#".product(name: "Egg", package: "egg-kit")"#) != isBeside)
    }

    @Test func `a package for Linux is built before Apple's modules`() throws {
        try workshop.write("import Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write(#"// "Egg""#, to: "checkouts/egg-kit/Package.swift")
        try workshop.write(
            "import Foundation\n#if os(Linux)\nimport Glibc\n#endif\n", to: "checkouts/egg-kit/Sources/Egg/Egg.swift")
        var fetched = FetchedPackages()
        fetched.folders = [workshop.path("checkouts/egg-kit")]
        let product = #"{"name":"Egg","targets":["Egg"],"type":{"library":["automatic"]}}"#
        let egg = description(#"{"name":"Egg","type":"regular"}"#, products: product)
        #expect(try build(["Nest": nestWithRemote(), "egg-kit": egg], fetched: fetched).status == 0)
        let first = #".product(name: "Egg", package: "egg-kit")"#
        #expect(try manifest().contains(#"name: "UserNotifications", dependencies: [\#(first)]"#))
        #expect(try manifest().contains(#"name: "os", dependencies: ["COS", \#(first)]"#))
    }

    @Test func `a package that cannot be fetched is told by name, beside its modules`() throws {
        try workshop.write("import Egg\n", to: "Nest/Sources/Nest/Nest.swift")
        var fetched = FetchedPackages()
        let url = "https://github.com/example/egg-kit"
        fetched.failures = [
            (XcodePackage(source: .remote(url, requirement: #""1.0.0"..<"2.0.0""#)), "no route to host")
        ]
        let output = try workshop.build(
            ["Push"], compiler: MockCompiler(says: "x\n", packages: ["Nest": nestWithRemote()], fetched: fetched),
            configure: { $0.packages = [workshop.path("Nest")] })
        // Before anything is compiled, and once.
        #expect(
            output.stderr.hasPrefix(
                "pushpipe: the package \(url), which has Egg, cannot be fetched: no route to host\n"))
        #expect(output.stderr.contains("Nest/Sources/Nest/Nest.swift:1:1: error: no such module 'Egg'\n"))
        #expect(!output.stderr.contains("there is no module"))
    }

    // MARK: - Binary frameworks

    private static let binaries: [(targets: String, products: String, imports: String)] = [
        // Imported by its name.
        (#"{"name":"Egg","type":"binary"}"#, "", "import Egg"),
        // By that of its product, as vendors have it.
        (
            #"{"name":"EggBinary","type":"binary"}"#,
            #"{"name":"Egg","targets":["EggBinary"],"type":{"library":["automatic"]}}"#, "import Egg"
        ),
        // By the code around it, under a condition, as UniFFI does.
        (
            #"{"name":"Nest","type":"regular","dependencies":[{"byName":["Egg",null]}]},{"name":"Egg","type":"binary"}"#,
            "", "import Nest"
        ),
    ]

    @Test(arguments: binaries.indices, [true, false])
    func `a binary framework is refused by name before anything is compiled`(index: Int, isBuilt: Bool) throws {
        let (targets, products, imports) = Self.binaries[index]
        try workshop.write(imports + "\n" + serviceSource(), to: "Push/Service.swift")
        try workshop.write(#"// "Nest", "Egg""#, to: "Nest/Package.swift")
        try workshop.write(
            "#if canImport(EggFFI)\nimport EggFFI\n#endif\npublic let nest = 1", to: "Nest/Sources/Nest/Nest.swift")
        let output = try workshop.build(
            ["Push"],
            compiler: MockCompiler(
                says: isBuilt ? nil : "x\n", packages: ["Nest": description(targets, products: products)]),
            configure: { $0.packages = [workshop.path("Nest")] })
        #expect((output.status == 0) == isBuilt)
        let name = index == 1 ? "EggBinary" : "Egg"
        let notice = "\(name) of the package Nest is a binary framework, made for Apple's systems"
        #expect(output.stderr.hasPrefix("pushpipe: \(notice)\n"), "\(output.stderr)")
        #expect(output.stderr.components(separatedBy: notice).count == 2)
        #expect(!output.stderr.contains("there is no"), "\(output.stderr)")
    }

    /// SwiftPM would not build it: it wants to have all that a manifest names.
    @Test func `a package for Linux is built beside the extension if it names one that cannot be fetched`() throws {
        try workshop.write("import Egg", to: "Nest/Sources/Nest/Nest.swift")
        try workshop.write(#"// "Egg""#, to: "checkouts/egg-kit/Package.swift")
        try workshop.write("public let egg = 1", to: "checkouts/egg-kit/Sources/Egg/Egg.swift")
        var fetched = FetchedPackages()
        fetched.folders = [workshop.path("checkouts/egg-kit")]
        fetched.failures = [
            (XcodePackage(source: .remote("https://example.org/Salt.git", requirement: "")), "no route to host")
        ]
        let salt = """
            {"sourceControl":[{"identity":"salt","location":{"remote":[{"urlString":"https://example.org/salt"}]},
             "requirement":{"range":[{"lowerBound":"1.0.0","upperBound":"2.0.0"}]}}]}
            """
        let product = #"{"name":"Egg","targets":["Egg"],"type":{"library":["automatic"]}}"#
        let egg = description(#"{"name":"Egg","type":"regular"}"#, products: product, dependencies: salt)
        let output = try build(["Nest": nestWithRemote(), "egg-kit": egg], fetched: fetched)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr.contains("the package https://example.org/Salt.git cannot be fetched: no route to host"))
        #expect(try manifest().contains("path: \"Modules/Egg\""))
    }
}

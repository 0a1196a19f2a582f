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
            try workshop.write("// manifest", to: folder + "/Package.swift")
        }
        try workshop.write("import Keys\n" + serviceSource(), to: "app/Push/Service.swift")
    }

    private func compiler(dependencies: String = "") -> MockCompiler {
        let description = """
            {"name":"Keys","dependencies":[\(dependencies)],"targets":[{"name":"Keys","type":"regular"}],
             "products":[{"name":"Keys","targets":["Keys"],"type":{"library":["automatic"]}}]}
            """
        return MockCompiler(packages: ["Keys": description, "Named": description], log: log)
    }

    private var calls: [String] { log.lines.withLock { $0 } }

    @Test func `they are listed, and see their repository and no network`() throws {
        try workshop.write("", to: "app/.git/HEAD")
        let output = try workshop.build(["app/Push"], compiler: compiler())
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.packages.count == 1 && output.packages.first?.hasSuffix("app/Push/Keys") == true)
        #expect(calls.count == 3)
        #expect(calls.first == "confine 0 false app")
        #expect(calls.dropFirst().first?.hasPrefix("confine 1 false app ") == true)
        #expect(calls.last == "build Push")
    }

    @Test func `one that names other packages has a network when these are fetched`() throws {
        _ = try workshop.build(["app/Push"], compiler: compiler(dependencies: #"{"sourceControl":[]}"#))
        #expect(calls.first?.hasPrefix("confine 0 false ") == true)
        #expect(calls.dropFirst().first?.hasPrefix("confine 1 true ") == true)
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
        try workshop.write("SOURCES/Service.swift:2:1: error: cannot find 'Key' in scope\n", to: "log")
        var compiler = compiler()
        compiler.says = try workshop.read("log")
        let output = try workshop.build(
            ["app/Push"], compiler: compiler, configure: { $0.usesFoundPackages = false })
        #expect(output.status == 1)
        #expect(output.packages.isEmpty)
        #expect(calls == ["build Push"])
        #expect(output.stderr.contains("there is no module Keys on Linux"))
    }
}

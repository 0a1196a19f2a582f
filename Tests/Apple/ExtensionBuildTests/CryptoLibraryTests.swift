import ExtensionBuild
import Foundation
import Synchronization
import TestSupport
import Testing

/// swift-crypto is built once, for all extensions that import CryptoKit.
struct CryptoLibraryTests {
    private let workshop: Workshop
    private let log = MockCompiler.Log()

    init() throws {
        workshop = try Workshop()
        try workshop.write("// CryptoKit\n", to: "pushpipe/Sources/Apple/Shims/CryptoKit/A.swift")
        for name in ["One", "Two"] {
            try workshop.write("import CryptoKit\n" + serviceSource(), to: "\(name)/Service.swift")
        }
    }

    private func build(_ name: String, _ compiler: MockCompiler) throws -> Workshop.Output {
        let output = try workshop.build([name], compiler: compiler)
        #expect(output.status == 0, "\(output.stderr)")
        return output
    }

    @Test func `the second extension finds the library`() throws {
        let compiler = MockCompiler(log: log)
        let first = try build("One", compiler)
        #expect(first.progress.count == 2)
        #expect(first.progress.first?.hasPrefix("building swift-crypto for CryptoKit, once") == true)
        #expect(try build("Two", compiler).progress.isEmpty)
        #expect(
            log.lines.withLock { $0 } == [#"fetch exact: "4.5.2""#, "build ExtensionCrypto", "build One", "build Two"])
    }

    @Test func `another compiler and another configuration build it anew`() throws {
        _ = try build("One", MockCompiler(log: log))
        _ = try build("One", MockCompiler(log: log, version: "6.4"))
        _ = try workshop.build(
            ["One"], compiler: MockCompiler(log: log, version: "6.4"), configure: { $0.configuration = .release })
        #expect(log.lines.withLock { $0.filter { $0 == "build ExtensionCrypto" }.count } == 3)
    }

    private func sources() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: workshop.path("cache"))
        let library = try #require(names.first { $0.hasSuffix("-library") })
        return try workshop.files("cache/\(library)/.build/checkouts/swift-crypto/Sources/CCryptoBoringSSL")
    }

    @Test func `of BoringSSL CryptoKit's part is compiled, and all headers stay`() throws {
        _ = try build("One", MockCompiler(log: log))
        #expect(
            try sources() == [
                "crypto/x509/internal.h", "crypto/asn1/a_object.cc", "crypto/evp/evp.cc", "gen/bcm/aes-linux.S",
            ])
    }

    @Test func `another version than the known one is built whole`() throws {
        let log = MockCompiler.Log(unmet: "exact")
        _ = try build("One", MockCompiler(log: log))
        #expect(try sources().count == 8)
        #expect(log.lines.withLock { $0.prefix(2) } == [#"fetch exact: "4.5.2""#, #"fetch "3.0.0"..<"5.0.0""#])
    }

    @Test func `the manifest links the library instead of naming swift-crypto`() throws {
        _ = try build("One", MockCompiler(log: log))
        let manifest = try workshop.read(try workshop.generated("Package.swift"))
        #expect(manifest.contains(#".linkedLibrary("ExtensionCrypto")"#))
        #expect(!manifest.contains("apple/swift-crypto"))
    }

    @Test func `where a package of the project may bring swift-crypto, the manifest names it`() throws {
        try workshop.write("// Keys", to: "One/Keys/Package.swift")
        try workshop.write("import Vault\npublic let key = 1\n", to: "One/Keys/Sources/Keys/Keys.swift")
        try workshop.write("import CryptoKit\nimport Keys\n" + serviceSource(), to: "One/Service.swift")
        let url = "https://github.com/example/vault"
        let description = """
            {"name":"Keys","products":[{"name":"Keys","targets":["Keys"],"type":{"library":["automatic"]}}],
             "targets":[{"name":"Keys","type":"regular","dependencies":[{"product":["Vault","vault",null,null]}]}],
             "dependencies":[{"sourceControl":[{"identity":"vault","location":{"remote":[{"urlString":"\(url)"}]},
              "requirement":{"range":[{"lowerBound":"1.0.0","upperBound":"2.0.0"}]}}]}]}
            """
        try workshop.write(#"// "Vault""#, to: "vault/Package.swift")
        try workshop.write("public let vault = 1\n", to: "vault/Sources/Vault/Vault.swift")
        let vault = """
            {"name":"Vault","products":[{"name":"Vault","targets":["Vault"],"type":{"library":["automatic"]}}],
             "targets":[{"name":"Vault","type":"regular"}],"dependencies":[{"fileSystem":[{"path":"/nowhere"}]}]}
            """
        var compiler = MockCompiler(packages: ["Keys": description, "vault": vault], log: log)
        compiler.fetched.folders = [workshop.path("vault")]
        _ = try build("One", compiler)
        #expect(try workshop.read(try workshop.generated("Package.swift")).contains("apple/swift-crypto"))
        #expect(log.lines.withLock { $0.filter { !$0.hasPrefix("confine") } } == ["fetch \(url)", "build One"])
    }
}

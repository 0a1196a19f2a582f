import FoundationEssentials
import PushFiles
import PushSystem

/// swift-crypto, which has CryptoKit's API, as a static library in the cache: built once for a version of pushpipe, a compiler and a
/// configuration, and used by all packages of extensions.
///
/// Most of the time goes to BoringSSL, which swift-crypto brings as 200 files. CryptoKit's half of it needs a third of them.
struct CryptoLibrary {
    /// The module that passes swift-crypto on, and the name of the library.
    static let name = "ExtensionCrypto"
    /// The version whose parts are known. Another one is built whole.
    private static let knownVersion = "4.5.2"
    private static let package = "swift-crypto"

    let folder: String

    /// - Parameters:
    ///   - place: the cache's folder, without symbolic links.
    ///   - runtime: the hash of the runtime's sources, which changes with the version.
    init(place: String, runtime: String) { folder = "\(place)/\(runtime)-library" }

    /// The folder with the modules of a configuration.
    func modules(_ configuration: PackageBuild.Configuration) -> String { products(configuration) + "/Modules" }

    /// The folder with the library of a configuration.
    func products(_ configuration: PackageBuild.Configuration) -> String {
        "\(folder)/.build/\(configuration.rawValue)"
    }

    /// Builds the library if this compiler has not built it yet.
    ///
    /// - Returns: false when the compiler failed, which it has said.
    func build(
        _ configuration: PackageBuild.Configuration, with compiler: some ExtensionCompiler,
        report: (ExtensionBuildEvent) -> Void
    ) throws(ExtensionBuildError) -> Bool {
        let lock = try FileLock(folder + ".lock") {
            report(.progress("waiting for another process, which builds swift-crypto"))
        }
        let mark = "\(folder)/built-\(configuration.rawValue)"
        let identity = Array(try compiler.identity().utf8)
        if let present = try? FileBytes.read(mark, limit: FileBytes.maximumConfigurationBytes), present == identity {
            return true
        }
        report(
            .progress(
                "building swift-crypto for CryptoKit, once for this version of pushpipe and of Swift: most of it is "
                    + "BoringSSL, of which only CryptoKit's part is compiled; about half a minute on two idle cores"))
        let source = "@_exported public import Crypto\n"
        try FileTree.write(Array(source.utf8), to: "\(folder)/Sources/\(Self.name)/Exports.swift")
        var isFetched = false
        for requirement in ["exact: \"\(Self.knownVersion)\"", #""3.0.0"..<"5.0.0""#] where !isFetched {
            try FileTree.write(Array(Self.manifest(requirement).utf8), to: folder + "/Package.swift")
            isFetched = try compiler.fetchPackages(of: folder) { report(.compilerLine($0)) }
            if isFetched, requirement.hasPrefix("exact") { removeUnusedSources() }
        }
        let build = PackageBuild(folder: folder, module: Self.name, configuration: configuration, isLibrary: true)
        guard isFetched, try compiler.compile(build, line: { report(.compilerLine($0)) }) else { return false }
        try FileTree.write(identity, to: mark)
        _ = consume lock
        return true
    }

    private static func manifest(_ requirement: String) -> String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "extension-crypto",
            products: [.library(name: "\(name)", type: .static, targets: ["\(name)"])],
            dependencies: [.package(url: "https://github.com/apple/swift-crypto", \(requirement))],
            targets: [
                .target(name: "\(name)", dependencies: [.product(name: "Crypto", package: "\(package)")])
            ]
        )

        """
    }

    // MARK: - BoringSSL

    /// Folders below `crypto` whose functions nothing in the module Crypto reaches: found with `nm`, from the symbols that it lacks.
    private static let unusedFolders: Set<String> = [
        "base64", "cms", "conf", "des", "dh", "hpke", "hrss", "kyber", "pem", "pkcs7", "pkcs8", "pool", "rc4",
        "siphash", "slhdsa", "spake2plus", "trust_token", "x509",
    ]
    /// In folders of which other files are needed.
    private static let unusedFiles: Set<String> = [
        "cipher/derive_key.cc", "cipher/e_aesctrhmac.cc", "cipher/e_aeseax.cc", "cipher/e_des.cc", "cipher/e_null.cc",
        "cipher/e_rc2.cc", "cipher/e_rc4.cc", "cipher/e_tls.cc", "cipher/get_cipher.cc", "cipher/tls_cbc.cc",
        "evp/evp_asn1.cc", "evp/pbkdf.cc", "evp/print.cc", "evp/scrypt.cc", "evp/sign.cc",
    ]
    /// Of `asn1`.
    private static let usedFiles: Set<String> = ["asn1/a_object.cc", "asn1/posix_time.cc"]
    /// Ends of assembly for other systems, which is empty on Linux.
    private static let foreignAssembly = ["-apple.S", "-win.S"]

    /// Removes the sources from this package's own copy. SwiftPM compiles what it finds there. Headers stay: others include them.
    private func removeUnusedSources() {
        let root = "\(folder)/.build/checkouts/\(Self.package)/Sources/CCryptoBoringSSL"
        for name in (try? FileTree.files(below: root)) ?? [] where Self.isUnused(name) {
            FileTree.remove(root + "/" + name)
        }
    }

    private static func isUnused(_ name: String) -> Bool {
        if foreignAssembly.contains(where: name.hasSuffix) { return true }
        guard name.hasPrefix("crypto/"), name.hasSuffix(".cc") || name.hasSuffix(".S") else { return false }
        let inner = String(name.dropFirst("crypto/".count))
        let folder = inner.split(separator: "/").first.map(String.init) ?? ""
        if folder == "asn1" { return !usedFiles.contains(inner) }
        return unusedFolders.contains(folder) || unusedFiles.contains(inner)
    }
}

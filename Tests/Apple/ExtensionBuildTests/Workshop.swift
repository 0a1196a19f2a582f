import ExtensionBuild
import Foundation
import PushSystem
import Synchronization
import Testing

/// A folder with almost empty sources in place of pushpipe's own, and a compiler that creates an empty executable. This tests what
/// `ExtensionBuilder` does before and after the compiler, without a process.
final class Workshop: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pushpipe-\(UUID().uuidString)")
        for name in [
            "pushpipe/Sources/Apple/CPushAuthorities/a.c",
            "pushpipe/Sources/Apple/UserNotifications/A.swift",
            "pushpipe/Sources/Apple/ExtensionRuntime/A.swift",
            "pushpipe/Sources/Apple/Shims/os/A.swift", "pushpipe/Sources/Apple/Shims/COS/os.c",
        ] {
            try write("// \(name)\n", to: name)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    // MARK: - Files

    func path(_ name: String) -> String { name == "." ? url.path : url.path + "/" + name }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }

    /// Writes `App/App.xcodeproj` with the target `Push`, an app extension of these files.
    ///
    /// - Parameter app: those that the target `App` has, too.
    func writeProject(
        _ sources: String..., app: [String] = [], settings: String = "INFOPLIST_FILE = Push/Info.plist;"
    ) throws {
        let files = sources.enumerated().map { index, path in
            """
            B\(index) = {isa = PBXBuildFile; fileRef = F\(index); };
            F\(index) = {isa = PBXFileReference; path = "\(path)"; sourceTree = SOURCE_ROOT; };
            """
        }
        let shared = sources.indices.filter { app.contains(sources[$0]) }.map { "B\($0)" }
        try write(
            """
            { rootObject = P; objects = { P = {isa = PBXProject; targets = (T, A); };
            A = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application";
                 buildPhases = (Q); buildConfigurationList = L; };
            Q = {isa = PBXSourcesBuildPhase; files = (\(shared.joined(separator: ", "))); };
            T = {isa = PBXNativeTarget; name = Push; productType = "com.apple.product-type.app-extension";
                 buildPhases = (S); buildConfigurationList = L; };
            L = {isa = XCConfigurationList; buildConfigurations = (C); };
            C = {isa = XCBuildConfiguration; name = Release; buildSettings = { \(settings) }; };
            S = {isa = PBXSourcesBuildPhase; files = (\(sources.indices.map { "B\($0)" }.joined(separator: ", "))); };
            \(files.joined(separator: "\n")) }; }
            """, to: "App/App.xcodeproj/project.pbxproj")
    }

    /// The class that the main file of a module creates.
    func className(module: String) throws -> String? {
        let main = try read(try generated("Extension/\(module)/main.swift"))
        return main.firstMatch(of: /main \{ (.+)\(\) \}/).map { String($0.1) }
    }

    /// The path, relative to this folder, of a file in the only package that was created.
    func generated(_ name: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: path("cache"))
        return "cache/\(try #require(names.first(where: Self.isPackage)))/\(name)"
    }

    private static func isPackage(_ name: String) -> Bool {
        !["built", "left-out", "packages", "sandbox"].contains(name)
            && ![".lock", "-library"].contains { name.hasSuffix($0) }
    }

    func plist(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: url.appendingPathComponent(name))
        return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    /// All files below a folder.
    func files(_ folder: String) throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: path(folder))
        return Set(
            names.filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path(folder + "/" + $0), isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }

    // MARK: - Building

    /// What `pushpipe extension build` shows for a build in this folder.
    struct Output {
        /// The exit status.
        var status = 2
        /// The path of the .appex, unchanged.
        var path: String?
        /// Standard output and standard error, with paths relative to this folder.
        var text = ""
        var stderr = ""
        /// The compiler's output, as `--verbose` shows it.
        var verbose = ""
        /// What takes long, in the order in which it begins.
        var progress: [String] = []
        /// Packages that nobody has named.
        var packages: [String] = []
    }

    /// - Parameter says: a file with the compiler's output; the compiler then fails.
    func build(
        _ paths: String..., name: String? = nil, className: String? = nil, bundleIdentifier: String? = nil,
        settings: [String] = [], output: String? = nil, sources: String = "pushpipe", says: String? = nil
    ) throws -> Output {
        try build(
            paths, compiler: MockCompiler(says: says.map { try read($0) }), sources: sources,
            configure: { builder in
                builder.name = name
                builder.className = className
                builder.bundleIdentifier = bundleIdentifier
                builder.output = output.map(path)
                for setting in settings { try builder.addSetting(setting) }
            })
    }

    func build(
        _ paths: [String], compiler: some ExtensionCompiler, sources: String = "pushpipe",
        notice: @escaping (String) -> Void = { _ in }, configure: (inout ExtensionBuilder) throws -> Void = { _ in }
    ) throws -> Output {
        var builder = ExtensionBuilder(
            paths: paths.map(path), cache: path("cache"), runtime: .init(named: path(sources), command: nil))
        try configure(&builder)
        var output = Output()
        do {
            output.path = try builder.build(with: compiler) { event in
                switch event {
                case .notice(let text, _):
                    output.stderr += "pushpipe: \(text)\n"
                    notice(text)
                case .compilerLine(let line): output.verbose += line + "\n"
                case .compilerErrors(let text): output.stderr += text
                case .packages(let places, _): output.packages += places
                case .progress(let text): output.progress.append(text)
                case .compilerEnded: break
                }
            }
            output.status = output.path == nil ? 1 : 0
            output.text = output.path.map { $0 + "\n" } ?? ""
        } catch {
            output.stderr += "pushpipe: \(error)\n"
        }
        let prefix = url.path + "/"
        output.text = output.text.replacingOccurrences(of: prefix, with: "")
        output.stderr = output.stderr.replacingOccurrences(of: prefix, with: "")
        output.verbose = output.verbose.replacingOccurrences(of: prefix, with: "")
        return output
    }
}

/// Creates an empty executable, or fails as requested.
struct MockCompiler: ExtensionCompiler {
    /// Its output before it fails; `SOURCES` stands for the folder of the extension's copies.
    var says: String?
    /// Called while it is busy.
    var isBusy: @Sendable () -> Void = {}

    /// What a manifest says, by the folder's name.
    var packages: [String: String] = [:]
    var fetched = FetchedPackages()
    /// What it is told to do, and the versions of packages that it can fetch.
    var log: Log?
    var version = "6.3"

    /// Its calls.
    final class Log: Sendable {
        let lines = Mutex<[String]>([])
        /// Packages of a project that it was to fetch.
        let wanted = Mutex<[XcodePackage]>([])
        /// Requirements of swift-crypto that cannot be met.
        let unmet: String
        init(unmet: String = "") { self.unmet = unmet }
    }

    func identity() throws(PlainError) -> String { version }

    mutating func prepareSandbox(root: String) -> String? { nil }

    func confined(to access: BuildAccess) -> MockCompiler {
        log?.lines.withLock {
            $0.append(
                "confine \(access.writable.count) \(access.hasNetwork) "
                    + access.readable.map { URL(fileURLWithPath: $0).lastPathComponent }.joined(separator: " "))
        }
        return self
    }

    /// Puts files of BoringSSL where SwiftPM would.
    func fetchPackages(of folder: String, line: (String) -> Void) throws(PlainError) -> Bool {
        let manifest = (try? String(contentsOfFile: folder + "/Package.swift", encoding: .utf8)) ?? ""
        let requirement = manifest.firstMatch(of: /swift-crypto", (.*)\)\]/).map { String($0.1) } ?? ""
        log?.lines.withLock { $0.append("fetch \(requirement)") }
        if let log, requirement.hasPrefix(log.unmet), !log.unmet.isEmpty { return false }
        let root = folder + "/.build/checkouts/swift-crypto/Sources/CCryptoBoringSSL/"
        let names = [
            "crypto/x509/a.cc", "crypto/x509/internal.h", "crypto/asn1/a_int.cc", "crypto/asn1/a_object.cc",
            "crypto/evp/scrypt.cc", "crypto/evp/evp.cc", "gen/bcm/aes-apple.S", "gen/bcm/aes-linux.S",
        ]
        for name in names {
            let file = URL(fileURLWithPath: root + name)
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? Data("x".utf8).write(to: file)
        }
        return true
    }

    func fetch(_ packages: [XcodePackage], in folder: String) throws(PlainError) -> FetchedPackages {
        log?.wanted.withLock { $0 += packages }
        for case .remote(let url, _) in packages.map(\.source) { log?.lines.withLock { $0.append("fetch \(url)") } }
        return fetched
    }

    func describePackage(in folder: String) throws(PlainError) -> [UInt8] {
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        guard let text = packages[name] else { throw PlainError("no package \(name)") }
        return Array(text.utf8)
    }

    func compile(_ build: PackageBuild, line: (String) -> Void) throws(PlainError) -> Bool {
        log?.lines.withLock { $0.append("build \(build.module)") }
        if let says {
            let log = says.replacingOccurrences(of: "SOURCES", with: "\(build.folder)/Extension/\(build.module)")
            for text in log.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { line(String(text)) }
            return false
        }
        let (busy, product) = (build.folder + "/busy", URL(fileURLWithPath: build.product))
        do {
            // Fails if the file exists: another build is in this package.
            try FileManager.default.createDirectory(atPath: busy, withIntermediateDirectories: false)
            try FileManager.default.createDirectory(
                at: product.deletingLastPathComponent(), withIntermediateDirectories: true)
            isBusy()
            try Data("built \(build.module)".utf8).write(to: product)
            try FileManager.default.removeItem(atPath: busy)
            return true
        } catch {
            line("\(error)")
            return false
        }
    }
}

/// A property list as XML.
func propertyList(_ contents: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>\(contents)</dict></plist>
    """
}

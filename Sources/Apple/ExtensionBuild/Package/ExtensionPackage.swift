import PushFiles
import PushSystem

/// The Swift package in which extensions are built: the runtime's modules, which are compiled once, and the current extension.
///
/// There is a folder for each state of the runtime's sources, so that versions of pushpipe do not rebuild each other's work, and another one
/// with OpenCombine or a project's packages, because a package has to fetch its dependencies. swift-crypto is a library beside it.
struct ExtensionPackage {
    static let extensionFolder = "Extension"
    static let moduleFolder = "Modules"
    static let bridgeFolder = "Bridge"
    /// In the folder of a module.
    static let resourceFolder = "pushpipe-resources"
    /// The name of `Sources/Apple/Shims/Overlay/Overlay.swift` among an extension's sources.
    static let overlayFile = "pushpipe-overlay.swift"
    /// Names that an extension's module cannot have: those of modules that it would hide, and keywords of Swift.
    private static let takenNames: Set<String> = [
        "Swift", "Foundation", "Dispatch", "UserNotifications", "ExtensionRuntime", "Glibc", "main", "_",
        "associatedtype", "actor", "class", "default", "enum", "extension", "func", "import", "init", "internal",
        "package",
        "private", "protocol", "public", "self", "static", "struct", "switch", "throw", "typealias", "var",
    ]

    let folder: String
    private let runtime: RuntimeSources
    private let runtimeFiles: [String: [UInt8]]
    private let overlay: [UInt8]?
    private let own: Set<String>
    let shims: [RuntimeSources.Shim]
    /// Nil where packages may bring swift-crypto themselves: a program has each of its modules once.
    let crypto: CryptoLibrary?

    /// - Parameters:
    ///   - cache: the folder of all packages.
    ///   - imports: those of the extension and of the project's modules.
    ///   - own: the names of these modules, which replace pushpipe's.
    ///   - packages: other packages that this one depends on.
    init(
        cache: String, runtime: RuntimeSources, imports: Set<String>, own: Set<String> = [],
        packages: ExtensionParts.Packages = .init()
    ) throws(ExtensionBuildError) {
        self.runtime = runtime
        runtimeFiles = try runtime.files()
        overlay = try runtime.overlay()
        let present = runtime.shims.filter {
            !own.contains($0.name) && $0.libraries.values.allSatisfy(RuntimeSources.hasHeader)
        }
        shims = present.filter { $0.package == nil || imports.contains($0.name) }
        self.own = own
        try FileTree.makeFolder(cache)
        let place: String
        do throws(SystemError) {
            place = try FileSystem.resolved(cache)
        } catch {
            throw ExtensionBuildError(cache, error)
        }
        // Build products contain their path, so it is part of the hash.
        var hash = FNV1a()
        hash.addPart(place.utf8)
        for (name, bytes) in runtimeFiles.sorted(by: { $0.key < $1.key }) {
            hash.addPart(name.utf8)
            hash.addPart(bytes)
        }
        var dependencies = FNV1a()
        for package in packages.dependencies { dependencies.addPart("\(package.source)".utf8) }
        let ofCrypto = RuntimeSources.ShimPackage.crypto.products
        let bringsCrypto = packages.mayBringOthers || ofCrypto.contains(where: own.contains)
        let crypto = bringsCrypto ? nil : CryptoLibrary(place: place, runtime: hash.hexadecimal)
        self.crypto = crypto
        folder =
            "\(place)/\(hash.hexadecimal)"
            + shims.compactMap { Self.dependency(of: $0, crypto)?.suffix }.joined()
            + (packages.dependencies.isEmpty ? "" : "-\(dependencies.hexadecimal)")
    }

    /// The package that fills a shim and that this one has to fetch.
    private static func dependency(
        of shim: RuntimeSources.Shim, _ crypto: CryptoLibrary?
    ) -> RuntimeSources.ShimPackage? {
        crypto != nil && shim.isOfCrypto ? nil : shim.package
    }

    func dependency(of shim: RuntimeSources.Shim) -> RuntimeSources.ShimPackage? { Self.dependency(of: shim, crypto) }

    /// True if SwiftPM has to fetch packages for pushpipe's own modules.
    var fetchesPackages: Bool { shims.contains { dependency(of: $0) != nil } }

    /// The library that this extension is linked with.
    var neededCrypto: CryptoLibrary? { shims.contains(where: \.isOfCrypto) ? crypto : nil }

    /// How one of its extensions is built. The folder of the library's modules is always the same: other arguments compile everything anew.
    func build(_ module: String, _ configuration: PackageBuild.Configuration) -> PackageBuild {
        PackageBuild(
            folder: folder, module: module, configuration: configuration,
            moduleFolders: crypto.map { [$0.modules(configuration)] } ?? [])
    }

    /// True before the first build in a configuration.
    func isNew(_ configuration: PackageBuild.Configuration) -> Bool {
        !FileTree.isFolder("\(folder)/.build/\(configuration.rawValue)")
    }

    var modules: [String] { runtime.modules }

    /// Where pushpipe's modules declare names.
    func declarations(of names: Set<String>) -> DeclaredNames {
        DeclaredNames(names, in: runtimeFiles, modules: Set(modules).subtracting(own))
    }

    /// A line for each stand-in that these imports bring.
    func standInNotices(for imports: Set<String>) -> [String] {
        shims.filter { imports.contains($0.name) }.compactMap { shim in
            shim.standIn.map {
                "\(shim.name) is a stand-in for the SDK: \($0); --package PATH builds with the SDK itself"
            }
        }
    }

    /// Modules of C that an extension can import, whose headers have their name.
    var modulesOfC: Set<String> { Set(shims.filter { $0.isC && $0.isImported }.map(\.name)) }

    /// True if an extension can import a module, which comes with the compiler or with pushpipe.
    func has(_ module: String) -> Bool {
        Self.toolchainModules.contains(module) || shims.contains { $0.name == module }
            || runtime.shims.contains { $0.name == module && $0.package != nil }
    }

    /// Modules that come with the compiler, and UserNotifications.
    static let toolchainModules: Set<String> = [
        "Builtin", "Cxx", "CxxStdlib", "Differentiation", "Dispatch", "Distributed", "Foundation",
        "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
        "Observation", "RegexBuilder", "Swift", "Synchronization", "_Builtin_float", "_Concurrency",
        "_Differentiation", "_RegexParser", "_StringProcessing", "_Volatile", "UserNotifications",
    ]

    func module(for name: String) -> String {
        let module = BuildSettings.module(name)
        // SwiftPM has a folder called Modules where the program would be.
        let isTaken =
            Self.takenNames.contains(module) || own.contains(module) || shims.contains { $0.name == module }
            || module == "Modules"
        return isTaken ? module + "Extension" : module
    }

    /// - Parameter waits: called once if another process or thread has the lock.
    func lock(waits: () -> Void) throws(ExtensionBuildError) -> FileLock {
        try FileLock(folder + ".lock", waits: waits)
    }

    func sourceFolder(of module: String) -> String { "\(folder)/\(Self.extensionFolder)/\(module)" }
    func moduleFolder(of module: String) -> String { "\(folder)/\(Self.moduleFolder)/\(module)" }
    func bridgeFolder(of module: String) -> String { "\(folder)/\(Self.bridgeFolder)/\(module)" }

    /// Throws if a module of the project cannot have its name.
    func check(modules: [String]) throws(ExtensionBuildError) {
        for name in modules where Self.takenNames.contains(name) || BuildSettings.module(name) != name {
            throw ExtensionBuildError("cannot be called \(name)", of: "module")
        }
    }

    /// The overlay without the extensions of types that the sources derive from: what an extension declares cannot be overridden.
    private func overlay(for declarations: SwiftDeclarations, isOnMainActor: Bool = false) -> [UInt8]? {
        guard let overlay else { return nil }
        let parents = Set(declarations.classes.values.flatMap(\.parents))
        var text = String(decoding: overlay, as: UTF8.self)
        for parent in parents {
            let type = parent == "HTTPURLResponse" ? "URLResponse" : parent
            let names = [type, "Foundation." + type]
            guard let start = names.lazy.compactMap({ text.firstRange(of: "\nextension \($0) {\n") }).first?.lowerBound,
                let end = text[start...].firstRange(of: "\n}\n")?.upperBound
            else { continue }
            text.removeSubrange(start..<end)
        }
        if isOnMainActor {
            for keyword in ["extension", "func", "let"] {
                text = text.replacing("\n\(keyword) ", with: "\nnonisolated \(keyword) ")
            }
        }
        return Array(text.utf8)
    }

    /// Writes the package. The caller holds the lock.
    func write(_ contents: PackageContents) throws(ExtensionBuildError) {
        for name in [Self.extensionFolder, Self.moduleFolder, Self.bridgeFolder, "Package.swift"] {
            FileTree.removeLink(folder + "/" + name)
        }
        try FileTree.fill(folder + "/Runtime", with: runtimeFiles)
        var files = contents.tree.files
        let main = "import ExtensionRuntime\n\nServiceExtensionProcess.main { \(contents.className)() }\n"
        files["main.swift"] = Array(main.utf8)
        files[Self.overlayFile] = overlay(for: contents.tree.declarations)
        try FileTree.fill(sourceFolder(of: contents.module), with: files)
        for module in contents.modules {
            var files = module.tree.files
            files[Self.overlayFile] = overlay(for: module.tree.declarations, isOnMainActor: module.isOnMainActor)
            for (name, bytes) in module.resources?.files ?? [:] { files[Self.resourceFolder + "/" + name] = bytes }
            try FileTree.fill(moduleFolder(of: module.name), with: files)
        }
        for module in contents.modulesOfC { try FileTree.fill(moduleFolder(of: module.name), with: module.files) }
        if let bridge = contents.bridge {
            var files = bridge.files
            files["include/module.modulemap"] = Array(bridge.map(module: contents.bridgeModule).utf8)
            try FileTree.fill(bridgeFolder(of: contents.module), with: files)
        }
        let manifest = Array(manifest(contents).utf8)
        let path = folder + "/Package.swift"
        if let present = try? FileBytes.read(path, limit: FileBytes.maximumBytes), present == manifest { return }
        try FileTree.write(manifest, to: path)
    }
}

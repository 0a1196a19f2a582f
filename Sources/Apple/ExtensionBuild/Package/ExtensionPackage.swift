import FoundationEssentials
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
    /// The folder of resources in the folder of a module.
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
    ) throws(PlainError) {
        self.runtime = runtime
        runtimeFiles = try runtime.files()
        overlay = try runtime.overlay()
        let present = runtime.shims.filter {
            !own.contains($0.name) && $0.libraries.values.allSatisfy(RuntimeSources.hasHeader)
        }
        shims = present.filter { $0.package == nil || imports.contains($0.name) }
        self.own = own
        try FileTree.makeFolder(cache)
        let place = try PlainError.naming(cache, try FileSystem.resolved(cache))
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

    /// The places where pushpipe's modules declare names.
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

    /// Modules in place of Apple's that an extension can import.
    var frameworks: Set<String> { Set(shims.filter(\.isImported).map(\.name)) }

    /// The compiler of an extension, which sees only what it needs if a package takes part that nobody named.
    func confined<Compiler: ExtensionCompiler>(_ compiler: Compiler, for found: ProjectModules) -> Compiler {
        guard found.hasFoundPackages else { return compiler }
        var access = BuildAccess(readable: found.readable.sorted(), writable: [folder])
        access.readable += [crypto?.folder].compactMap(\.self)
        access.hasNetwork = found.packages.mayBringOthers || fetchesPackages
        return compiler.confined(to: access)
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
    func lock(waits: () -> Void) throws(PlainError) -> FileLock {
        try FileLock(folder + ".lock", waits: waits)
    }

    func sourceFolder(of module: String) -> String { "\(folder)/\(Self.extensionFolder)/\(module)" }
    func moduleFolder(of module: String) -> String { "\(folder)/\(Self.moduleFolder)/\(module)" }
    func bridgeFolder(of module: String) -> String { "\(folder)/\(Self.bridgeFolder)/\(module)" }

    /// Throws if a module of the project cannot have its name.
    func check(modules: [String]) throws(PlainError) {
        for name in modules where Self.takenNames.contains(name) || BuildSettings.module(name) != name {
            throw PlainError("cannot be called \(name)", of: "module")
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
    func write(_ contents: PackageContents) throws(PlainError) {
        for name in [Self.extensionFolder, Self.moduleFolder, Self.bridgeFolder, "Package.swift"] {
            FileTree.removeLink(folder + "/" + name)
        }
        try FileTree.fill(folder + "/Runtime", with: runtimeFiles)
        var files = contents.own.tree.files
        let main = "import ExtensionRuntime\n\nServiceExtensionProcess.main { \(contents.className)() }\n"
        files["main.swift"] = Array(main.utf8)
        files[Self.overlayFile] = overlay(for: contents.own.tree.declarations)
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

/// The targets and settings of the package in the cache for one extension.
struct PackageContents {
    /// The extension's own module.
    var own: ModuleSources
    let className: String
    var modules: [ModuleSources] = []
    var modulesOfC: [ModuleOfC] = []
    var bridge: CBridge?
    var packages = ExtensionParts.Packages()

    var module: String { own.name }
    var bridgeModule: String { module + "Bridge" }

    /// Takes out imports of modules that do not exist, and shows files the frameworks that headers include.
    ///
    /// - Parameter present: pushpipe's modules in place of Apple's.
    /// - Returns: errors about these imports, in files that stay as they are and in those that may be cut.
    mutating func resolveImports(
        present: Set<String>, exists: (String) -> Bool
    ) -> (own: [String], others: [String]) {
        own.tree.imply(present.intersection(bridge?.missing ?? []))
        let found = own.tree.removeImports(except: exists)
        let missing = found.filter { !own.mayCut($0.file) }.map(\.error)
        var missingOfModules = found.filter { own.mayCut($0.file) }.map(\.error)
        for index in modules.indices {
            missingOfModules += modules[index].tree.removeImports(except: exists).map(\.error)
            for framework in present.intersection(modules[index].frameworks).sorted() {
                modules[index].tree.export(framework)
            }
        }
        return (missing, missingOfModules)
    }
}

extension ExtensionPackage {
    func manifest(_ contents: PackageContents) -> String {
        var dependencies = contents.packages.dependencies.map(Self.dependency)
        dependencies += shims.compactMap(dependency(of:)).map { ".package(\($0.requirement))" }
        // SwiftPM wants it where a target has resources.
        let languages = contents.modules.filter { $0.resources != nil }.map { $0.defaultLanguage ?? "en" }
        let language = languages.first.map { "defaultLocalization: \(Self.literal($0)), " } ?? ""
        // Packages that are built as they are come first, so that they see no module that is not theirs: `canImport` finds any that is there.
        let products = contents.packages.productDependencies
        var text = """
            // swift-tools-version: 6.2
            import PackageDescription

            let settings: [SwiftSetting] = [
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("ExistentialAny"),
            ]
            let package = Package(
                name: "extensions",
                \(language)dependencies: [\(dependencies.joined(separator: ", "))],
                targets: [
                    .target(
                        name: "UserNotifications", dependencies: [\(products.joined(separator: ", "))], path: "Runtime/UserNotifications",
                        swiftSettings: settings, linkerSettings: [.linkedLibrary("_FoundationICU")]),
                    .target(name: "CPushAuthorities", path: "Runtime/CPushAuthorities"),
                    .target(
                        name: "ExtensionRuntime", dependencies: ["CPushAuthorities", "UserNotifications"],
                        path: "Runtime/ExtensionRuntime", swiftSettings: settings),

            """
        for shim in shims {
            var dependencies = shim.dependencies.filter { name in
                name == "UserNotifications" || shims.contains { $0.name == name }
            }.map { "\"\($0)\"" }
            if let package = dependency(of: shim) {
                dependencies += package.products.map { #".product(name: "\#($0)", package: "\#(package.name)")"# }
            }
            if !shim.isC { dependencies += products }
            text += """
                        .target(
                            name: "\(shim.name)", dependencies: [\(dependencies.joined(separator: ", "))],
                            path: "Runtime/Shims/\(shim.name)"\(settings(of: shim))),

                """
        }
        if let bridge = contents.bridge {
            let folders = bridge.folders.sorted().map { ".headerSearchPath(\(Self.literal($0)))" }
            let dependencies = modulesOfC.sorted().map(Self.literal).joined(separator: ", ")
            text += """
                        .target(
                            name: "\(contents.bridgeModule)", dependencies: [\(dependencies)], path: "\(Self.bridgeFolder)/\(contents.module)",
                            publicHeadersPath: "include", cSettings: [\(folders.joined(separator: ", "))]),

                """
        }
        text += contents.modulesOfC.map { Self.target($0, contents) }.joined()
        for module in contents.modules {
            text += target(
                ".target", module, path: "\(Self.moduleFolder)/\(module.name)", [], contents)
        }
        return text
            + target(
                ".executableTarget", contents.own, path: "\(Self.extensionFolder)/\(contents.module)",
                ["ExtensionRuntime"],
                contents) + """
                    ]
                )

                """
    }

    private func settings(of shim: RuntimeSources.Shim) -> String {
        var libraries = shim.libraries.keys.sorted().map { ".linkedLibrary(\(Self.literal($0)))" }
        if let crypto, shim.isOfCrypto {
            libraries = PackageBuild.Configuration.allCases.map {
                ".unsafeFlags([\(Self.literal("-L" + crypto.products($0)))], .when(configuration: .\($0.rawValue)))"
            }
            // BoringSSL is C++.
            libraries += [CryptoLibrary.name, "stdc++"].map { ".linkedLibrary(\(Self.literal($0)))" }
        }
        let linked = libraries.isEmpty ? "" : ", linkerSettings: [\(libraries.joined(separator: ", "))]"
        if shim.isC { return linked }
        // In pushpipe's own package this is a trait.
        return ", swiftSettings: settings" + (shim.package.map { #" + [.define("\#($0.condition)")]"# } ?? "") + linked
    }

    private static func target(_ module: ModuleOfC, _ contents: PackageContents) -> String {
        let path = literal("\(moduleFolder)/\(module.name)")
        if module.isOfSystem {
            return """
                        .systemLibrary(name: \(literal(module.name)), path: \(path)),

                """
        }
        let dependencies = module.dependencies.filter { name in contents.modulesOfC.contains { $0.name == name } }
        return """
                    .target(
                        name: \(literal(module.name)), dependencies: [\(dependencies.map(literal).joined(separator: ", "))],
                        path: \(path), publicHeadersPath: \(literal(module.publicHeaders)),
                        cSettings: [\(module.settings.joined(separator: ", "))],
                        linkerSettings: [\(module.libraries.map { ".linkedLibrary(\(literal($0)))" }.joined(separator: ", "))]),

            """
    }

    private func target(
        _ kind: String, _ module: ModuleSources, path: String, _ dependencies: [String], _ contents: PackageContents
    ) -> String {
        let name = module.name
        let declarations = module.tree.declarations
        let imports = declarations.imports
        // Only imported shims: code that is built beside a module called os takes the system for one of Apple's.
        // For all files, though some may import it themselves.
        let implied = shims.map(\.name).filter(declarations.implied.contains)
        var names = ["UserNotifications"] + dependencies + shims.map(\.name).filter(imports.contains)
        names += (contents.modules.map(\.name) + contents.modulesOfC.map(\.name)).filter {
            imports.contains($0) && $0 != name
        }
        // Files that import only Foundation use URLSession and autoreleasepool, which belong to Foundation on Apple's systems.
        var flags = ["-Xfrontend", "-import-module", "-Xfrontend", "UserNotifications"]
        names += implied.filter { !imports.contains($0) }
        let ofToolchain = declarations.implied.filter { $0 == "FoundationXML" }
        for module in implied + ofToolchain { flags += ["-Xfrontend", "-import-module", "-Xfrontend", module] }
        if let bridge = contents.bridge, name == contents.module {
            names.append(contents.bridgeModule)
            flags += ["-Xfrontend", "-import-module", "-Xfrontend", contents.bridgeModule]
            for inner in bridge.folders.sorted() {
                flags += ["-Xcc", "-I\(folder)/\(Self.bridgeFolder)/\(contents.module)/\(inner)"]
            }
        }
        let all = names.map { "\"\($0)\"" } + contents.packages.productDependencies
        let settings =
            // Regular expressions between slashes, which projects turn on.
            [
                ".swiftLanguageMode(.v5)", #".enableUpcomingFeature("BareSlashRegexLiterals")"#,
                ".unsafeFlags([\(flags.map(Self.literal).joined(separator: ", "))])",
            ]
            + module.conditions.map { ".define(\(Self.literal($0)))" } + module.features
            + (module.isOnMainActor ? [".defaultIsolation(MainActor.self)"] : [])
        let resources = module.resources.map { bundle in
            Set(bundle.files.keys.map { Self.resourceFolder + "/" + $0.prefix { $0 != "/" } }).sorted()
                .map { ".copy(\(Self.literal($0)))" }.joined(separator: ", ")
        }
        return """
                    \(kind)(
                        name: "\(name)", dependencies: [\(all.joined(separator: ", "))],
                        path: "\(path)",\(resources.map { " resources: [\($0)]," } ?? "")
                        swiftSettings: [\(settings.joined(separator: ", "))]),

            """
    }

    static func dependency(_ package: XcodePackage) -> String {
        switch package.source {
        case .local(let path): ".package(path: \(literal(path)))"
        case .remote(let url, let requirement): ".package(url: \(literal(url)), \(requirement))"
        }
    }

    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

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
    ) throws(PlainError) -> Bool {
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
        guard isFetched else { return false }
        var steps = BuildSteps()
        let isBuilt = try compiler.compile(build) { line in
            if let step = steps.quarter(in: line) { report(.progress("swift-crypto: \(step)")) }
            report(.compilerLine(line))
        }
        guard isBuilt else { return false }
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
    /// Unused files in folders of which other files are needed.
    private static let unusedFiles: Set<String> = [
        "cipher/derive_key.cc", "cipher/e_aesctrhmac.cc", "cipher/e_aeseax.cc", "cipher/e_des.cc", "cipher/e_null.cc",
        "cipher/e_rc2.cc", "cipher/e_rc4.cc", "cipher/e_tls.cc", "cipher/get_cipher.cc", "cipher/tls_cbc.cc",
        "evp/evp_asn1.cc", "evp/pbkdf.cc", "evp/print.cc", "evp/scrypt.cc", "evp/sign.cc",
    ]
    /// The files of `asn1` that are needed.
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

import FoundationEssentials
import PushFiles
import PushSystem

/// Finds the modules that an extension is built with: those that its sources import, and those that these import.
///
/// A module comes from a named folder, a target of the project, a package that is a folder, a pod, or a package that is fetched, in this order.
struct ModuleSearch {
    private let parts: ExtensionParts
    private var folders: PackageFolders
    private var fetched = PackageFolders()
    private var pods: Pods?
    private var modules: [String: ModuleSources] = [:]
    private var modulesOfC: [String: ModuleOfC] = [:]
    /// Products of packages that targets are linked with.
    private var wanted: [(name: String, package: XcodePackage?)]
    private var plain: [String: Bool] = [:]
    /// Identities of packages that cannot be fetched.
    private var absent: Set<String> = []
    private var result = ProjectModules()

    private init(_ parts: ExtensionParts) {
        self.parts = parts
        wanted = parts.products
        pods = parts.pods
        folders = PackageFolders(usesFound: parts.usesFoundPackages)
        for folder in parts.named.compactMap(\.folder) {
            folders.add(folder, in: [ProjectScope(around: folder)], isNamed: true)
        }
        for folder in parts.packages.compactMap(\.folder) { folders.add(folder, in: parts.scopes) }
    }

    static func modules(
        of parts: ExtensionParts, for imports: Set<String>, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(PlainError) -> ProjectModules {
        var search = ModuleSearch(parts)
        if parts.usesFoundPackages { reader.remote = search.remote }
        let missing = try search.find(imports, &reader, isFetched: false)
        try search.fetch(missing, &reader)
        search.result.modules = search.modules.values.sorted { $0.name < $1.name }
        search.result.modulesOfC = search.modulesOfC.values.sorted { $0.name < $1.name }
        search.result.notices += search.folders.notices + search.fetched.notices
        for module in missing { search.result.unused[module] = search.folders.unused(with: module) }
        return search.result
    }

    private func isKnown(_ module: String) -> Bool {
        modules[module] != nil || modulesOfC[module] != nil || result.refused[module] != nil
    }

    /// Adds modules, with those that they import.
    ///
    /// - Returns: modules that are nowhere.
    private mutating func find(
        _ imports: Set<String>, _ reader: inout PackageReader<some ExtensionCompiler>, isFetched: Bool
    ) throws(PlainError) -> Set<String> {
        var missing: Set<String> = []
        var open = imports.sorted()
        while let name = open.popLast() {
            guard !isKnown(name), !missing.contains(name), !ExtensionPackage.toolchainModules.contains(name) else {
                continue
            }
            if let module = try parts.module(named: name) {
                open += add(module)
            } else if let (package, target) = try folders.target(of: name, &reader) {
                open += try add(target, of: package, as: name)
            } else if let pod = try pods?.module(named: name) {
                open += add(pod, as: name)
            } else if isFetched, let (package, target) = try fetched.target(of: name, &reader) {
                if try isPlain(name, &reader), let product = package.description.product(with: name) {
                    add(product, of: package)
                } else {
                    open += try add(target, of: package, as: name)
                }
            } else {
                missing.insert(name)
            }
        }
        return missing
    }

    private mutating func add(_ module: ModuleSources) -> [String] {
        modules[module.name] = module
        if let umbrella = module.umbrella { modulesOfC[umbrella.name] = umbrella }
        wanted += module.products
        result.notices += module.notices
        return module.tree.declarations.imports.sorted()
    }

    private mutating func add(
        _ target: PackageDescription.Target, of package: PackageFolders.Described, as name: String
    ) throws(PlainError) -> [String] {
        var target = PackageTarget(package: package, target: target)
        let contents = try target.contents()
        result.notices += target.notices
        if !package.place.isNamed { result.hasFoundPackages = true }
        return add(contents, as: name) + target.binaries
    }

    private mutating func add(_ contents: ModuleContents, as name: String) -> [String] {
        switch contents {
        case .swift(let module): return add(module)
        case .clang(let module):
            modulesOfC[name] = module
            return module.dependencies
        case .refused(let reason):
            result.refused[name] = reason
            return []
        }
    }

    /// Adds a package that SwiftPM builds as it is.
    private mutating func add(_ product: String, of package: PackageFolders.Described) {
        let dependency = package.place.package
        if !result.packages.dependencies.contains(dependency) { result.packages.dependencies.append(dependency) }
        result.packages.products.insert(PackageProduct(name: product, package: dependency.identity))
        result.packages.modules.formUnion(package.description.modules)
        if package.description.dependencies?.isEmpty == false { result.packages.mayBringOthers = true }
        result.hasFoundPackages = true
        result.readable.insert(package.place.scope.root)
    }

    // MARK: - Packages that are fetched

    /// The packages of products that are wanted and have to be fetched. A folder takes the place of one with its identity, as in Xcode.
    private var remote: [XcodePackage] {
        var remote: [XcodePackage] = []
        for case (_, let package?) in wanted where !remote.contains(package) {
            if case .remote = package.source, !folders.has(package.identity) { remote.append(package) }
        }
        return remote
    }

    /// Fetches the packages of products that are wanted, and looks there for modules.
    private mutating func fetch(
        _ missing: Set<String>, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(PlainError) {
        let remote = remote
        guard !remote.isEmpty else { return }
        guard parts.usesFoundPackages else {
            for package in remote {
                let names = wanted.filter { $0.package == package }.map(\.name)
                result.notices.append(
                    "the package \(FilePaths.shown(package.place)) is left out, with \(names.joined(separator: ", "))")
            }
            return
        }
        let packages = try reader.fetch(remote)
        for folder in packages.folders { fetched.add(folder, in: [ProjectScope(root: folder)]) }
        absent = Set(packages.failures.map { $0.package.identity.lowercased() })
        let nowhere = try find(missing, &reader, isFetched: true)
        for (package, reason) in packages.failures {
            let identity = package.identity.lowercased()
            let names = Set(
                wanted.filter { $0.package?.identity.lowercased() == identity }.map { BuildSettings.module($0.name) }
                    .filter(nowhere.contains))
            let modules = names.isEmpty ? "" : ", which has \(names.sorted().joined(separator: ", ")),"
            result.absent.append("the package \(FilePaths.shown(package.place))\(modules) cannot be fetched: \(reason)")
            result.absentModules.formUnion(names)
        }
    }

    /// True if a module of a package that was fetched is written for Linux, too, with all that it needs: then SwiftPM builds it as a package.
    ///
    /// Beside a module called os such a package would take the system for one of Apple's. One that is written for Apple's systems alone has
    /// to be built beside it.
    private mutating func isPlain(
        _ module: String, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(PlainError) -> Bool {
        if let known = plain[module] { return known }
        plain[module] = true
        guard let (package, target) = try fetched.target(of: module, &reader) else { return false }
        // SwiftPM fetches what a package names, needed or not.
        let others = (package.description.dependencies ?? []).compactMap { $0.package?.identity.lowercased() }
        guard absent.isDisjoint(with: others) else {
            plain[module] = false
            return false
        }
        var isPlain = true
        var contents = PackageTarget(package: package, target: target)
        switch try contents.contents() {
        case .clang: break
        case .refused: isPlain = target.type == "macro"
        case .swift(let found):
            let imports = found.tree.certainImports
            let words = ["Linux", "Glibc", "FoundationNetworking"]
            isPlain =
                contents.binaries.isEmpty && (!imports.contains("Foundation") || found.tree.mentions(words))
            for name in imports.sorted() where isPlain && name != module {
                if ExtensionPackage.toolchainModules.contains(name) {
                    isPlain = name != "UserNotifications"
                } else {
                    isPlain = try self.isPlain(name, &reader)
                }
            }
        }
        plain[module] = isPlain
        return isPlain
    }
}

/// The modules and packages that an extension is built with.
struct ProjectModules {
    var modules: [ModuleSources] = []
    var modulesOfC: [ModuleOfC] = []
    var packages = ExtensionParts.Packages()
    var notices: [String] = []
    /// A sentence about each package that cannot be fetched.
    var absent: [String] = []
    /// The modules of these that are imported.
    var absentModules: Set<String> = []
    /// A sentence about each module that is there and not built, by its name.
    var refused: [String: String] = [:]
    /// Modules whose absence was explained before anything was compiled.
    var explained: Set<String> { absentModules.union(refused.keys) }
    /// Packages that are left out and may have a module, by its name.
    var unused: [String: String] = [:]
    /// True if something comes from a package that nobody named.
    var hasFoundPackages = false
    /// Folders of packages that SwiftPM builds as they are.
    var readable: Set<String> = []

    /// Names of modules that replace pushpipe's: a real SDK is used in place of its stand-in.
    var own: Set<String> {
        Set(modules.map(\.name)).union(modulesOfC.map(\.name)).union(packages.products.map(\.name))
            .union(packages.modules)
    }
}

/// Folders of packages, and of those that they name, in which targets are looked up by the module that a source imports.
///
/// A manifest is read when it mentions the module, because reading one takes SwiftPM a second.
struct PackageFolders {
    struct Place {
        let folder: String
        /// The files that its targets may have.
        let scope: ProjectScope
        /// True if the package was named, and is therefore trusted.
        let isNamed: Bool

        var package: XcodePackage { XcodePackage(source: .local(folder)) }
    }

    struct Described {
        let place: Place
        let description: PackageDescription

        var folder: String { place.folder }
    }

    private let usesFound: Bool
    private var waiting: [Place] = []
    /// Those that were found, in a build that leaves them out.
    private var unused: [Place] = []
    private var described: [Described] = []
    /// Identities of packages, as SwiftPM compares them: the first folder with one counts, whatever path others give.
    private var identities: Set<String> = []
    private(set) var notices: [String] = []

    /// - Parameter usesFound: false to leave out packages that nobody named.
    init(usesFound: Bool = true) { self.usesFound = usesFound }

    /// - Parameter scopes: of a project; a package that is outside of all of them is left out.
    mutating func add(_ folder: String, in scopes: [ProjectScope], isNamed: Bool = false) {
        let identity = XcodePackage(source: .local(folder)).identity.lowercased()
        guard !identities.contains(identity),
            let path = scopes.lazy.compactMap({ FileNames.existing(folder, in: $0) }).first,
            FileBytes.exists(path + "/Package.swift")
        else { return }
        guard let scope = scopes.first(where: { $0.contains(path) }) else {
            let notice =
                "the package \(FilePaths.shown(path)) is left out: it is outside of "
                + scopes.map(\.root).joined(separator: ", ") + "; name it as a package to include it"
            if !notices.contains(notice) { notices.append(notice) }
            return
        }
        identities.insert(identity)
        let place = Place(folder: path, scope: scope, isNamed: isNamed)
        if isNamed || usesFound { waiting.append(place) } else { unused.append(place) }
    }

    /// True if a folder has the identity of a package.
    func has(_ identity: String) -> Bool { identities.contains(identity.lowercased()) }

    /// The target that a module is built from, and its package.
    mutating func target(
        of module: String, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(PlainError) -> (package: Described, target: PackageDescription.Target)? {
        for package in described {
            if let target = package.description.target(of: module) { return (package, target) }
        }
        while let index = waiting.firstIndex(where: { Self.mentions(module, in: $0) }) {
            // All at once: most projects with one have more.
            if !waiting[index].isNamed { reader.tell(waiting.filter { !$0.isNamed }.map(\.package)) }
            let place = waiting.remove(at: index)
            guard let description = try description(of: place, &reader) else { continue }
            described.append(Described(place: place, description: description))
            for dependency in description.dependencies ?? [] {
                if let folder = dependency.fileSystem?.first?.path { add(folder, in: [place.scope]) }
            }
            if let target = description.target(of: module) { return (described[described.count - 1], target) }
        }
        return nil
    }

    /// A package that is left out and whose manifest mentions a module, for messages.
    func unused(with module: String) -> String? { unused.first { Self.mentions(module, in: $0) }?.package.place }

    /// True if a manifest has the name, in any of the forms that make the same module.
    private static func mentions(_ module: String, in place: Place) -> Bool {
        let path = place.folder + "/Package.swift"
        guard let bytes = place.scope.read(path, limit: FileBytes.maximumDocumentBytes) else { return false }
        return BuildSettings.module(String(decoding: bytes, as: UTF8.self)).contains(module)
    }

    private mutating func description(
        of place: Place, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(PlainError) -> PackageDescription? {
        do throws(PlainError) {
            let text = try reader.describe(place)
            if let description = try? JSONDecoder().decode(PackageDescription.self, from: Data(text)) {
                return description
            }
            let shown = FilePaths.shown(place.folder)
            notices.append("\(shown): the package's manifest cannot be read; its modules are missing")
        } catch {
            notices.append("\(error.message); its modules are missing")
        }
        return nil
    }
}

/// Has the compiler read and fetch packages. A manifest is a program: packages that nobody named are told before the first of them runs,
/// and run in the sandbox, if there is one.
struct PackageReader<Compiler: ExtensionCompiler> {
    private(set) var compiler: Compiler
    private let cache: String
    private let report: (ExtensionBuildEvent) -> Void
    private var told: Set<String> = []
    private var hasToldAny = false
    /// Packages that will be fetched, which are told with the first ones.
    var remote: [XcodePackage] = []
    /// The name of the sandbox; nil before the first package is told, and where there is none.
    private var sandbox: String?

    /// - Parameters:
    ///   - cache: the folder of everything that is built.
    ///   - report: called on this thread.
    init(_ compiler: Compiler, cache: String, report: @escaping (ExtensionBuildEvent) -> Void) {
        self.compiler = compiler
        self.cache = FilePaths.absolute(cache)
        self.report = report
    }

    private var fetchFolder: String { cache + "/packages" }

    /// Tells of packages that were found, each once: also one that is fetched and then is a folder.
    mutating func tell(_ packages: [XcodePackage]) {
        let new = (packages + (hasToldAny || packages.isEmpty ? [] : remote)).filter { package in
            guard let folder = package.folder, !folder.hasPrefix(fetchFolder + "/") else {
                return told.insert("fetched " + package.identity.lowercased()).inserted
            }
            return told.insert(folder).inserted
        }
        guard !new.isEmpty else { return }
        if !hasToldAny { sandbox = compiler.prepareSandbox(root: cache + "/sandbox") }
        hasToldAny = true
        report(.packages(new.map(\.place), sandbox: sandbox))
    }

    /// Returns the output of `swift package dump-package`.
    mutating func describe(_ place: PackageFolders.Place) throws(PlainError) -> [UInt8] {
        if place.isNamed { return try compiler.describePackage(in: place.folder) }
        tell([place.package])
        return try compiler.confined(to: BuildAccess(readable: [place.scope.root])).describePackage(in: place.folder)
    }

    /// Fetches packages, which runs their manifests and those of the packages that they need.
    mutating func fetch(_ packages: [XcodePackage]) throws(PlainError) -> FetchedPackages {
        tell(packages)
        try FileTree.makeFolder(fetchFolder)
        return try compiler.fetch(packages, in: fetchFolder)
    }
}

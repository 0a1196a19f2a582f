import FoundationEssentials
import PushFiles

/// Everything that an extension is built from: files that were named, or a target of an Xcode project; and what they import.
struct ExtensionParts {
    var inputs: ExtensionInputs
    var infoPlist: String?
    var entitlements: String?
    /// Build settings of the project's target.
    var settings: [String: String] = [:]
    /// Names for `#if`.
    var conditions: [String] = []
    var bridgingHeader: String?
    var name: String?
    /// Products of packages that the project's target is linked with.
    var products: [(name: String, package: XcodePackage?)] = []
    var notices: [String] = []
    private var libraries: [String: XcodeTarget] = [:]
    /// Those that may be needed.
    private var packages: [XcodePackage] = []
    /// Those that were named, and that are therefore trusted.
    private var named: [XcodePackage] = []
    /// False to leave out packages that were found.
    var usesFoundPackages = true
    private var folders: [String: String] = [:]

    /// - Parameters:
    ///   - project: an `.xcodeproj` or `.xcworkspace`.
    ///   - modules: folders by the name of their module.
    ///   - packages: folders of Swift packages.
    init(
        paths: [String], project: String?, target: String?, modules: [String: String], packages: [String]
    ) throws(ExtensionBuildError) {
        folders = modules
        named = packages.map { XcodePackage(source: .local(FilePaths.absolute($0))) }
        self.packages = named
        guard let project else {
            inputs = try ExtensionInputs(paths)
            addPackages(inputs.packages)
            notices += inputs.outside.map {
                "\(FilePaths.shown($0)) is left out: it leads out of the project; name the file itself to include it"
            }
            bridgingHeader = inputs.bridgingHeader
            return
        }
        let workspace = try XcodeWorkspace(project)
        let configuration = "Release"
        let chosen = try workspace.target(named: target, configuration: configuration)
        inputs = try ExtensionInputs(of: chosen, and: paths)
        infoPlist = chosen.infoPlist.flatMap { FileBytes.exists($0) ? $0 : nil }
        entitlements = chosen.entitlements
        settings = chosen.settings.expanded
        // These follow from the name here.
        for name in ["PRODUCT_MODULE_NAME", "PRODUCT_NAME", "TARGET_NAME", "EXECUTABLE_NAME"] { settings[name] = nil }
        conditions = chosen.conditions
        bridgingHeader = chosen.bridgingHeader
        name = chosen.settings["PRODUCT_NAME"] ?? chosen.name
        products = chosen.products
        libraries = workspace.libraries(configuration: configuration)
        self.packages += workspace.packages.filter { !self.packages.contains($0) }
        for file in chosen.missingFiles {
            notices.append("\(FilePaths.shown(file)) cannot be read; its settings are missing")
        }
        for path in chosen.outside {
            notices.append(
                "\(FilePaths.shown(path)) is left out: it is outside of \(chosen.scope.root); name it on the command line, too"
            )
        }
        for folder in chosen.unreadableFolders {
            notices.append("\(FilePaths.shown(folder)) cannot be listed; its files are missing")
        }
    }

    /// The property list of the project's target, or of the files.
    func plist() throws(ExtensionBuildError) -> InfoPlist {
        let found: InfoPlist
        if let infoPlist {
            found = InfoPlist(try PropertyListFile(contentsOf: infoPlist))
        } else {
            found = try InfoPlist(choosingFrom: inputs.infoPlists)
        }
        try found.refuseContentExtension()
        return found
    }

    /// The C sources, if a header shows them to Swift.
    ///
    /// - Parameter present: frameworks whose headers are there.
    func bridge(present: Set<String>) throws(ExtensionBuildError) -> CBridge? {
        guard let bridgingHeader else { return nil }
        return try CBridge(header: bridgingHeader, sources: inputs.cSources + inputs.headers, present: present)
    }

    private mutating func addPackages(_ paths: [String]) {
        for path in paths {
            let package = XcodePackage(source: .local(FilePaths.absolute(path)))
            if !packages.contains(package) { packages.append(package) }
        }
    }

    /// The modules of the project that these imports need, each after those that it imports itself.
    func modules(for imports: Set<String>) throws(ExtensionBuildError) -> [ModuleSources] {
        var found: [String: ModuleSources] = [:]
        var open = imports.sorted()
        while let name = open.popLast() {
            guard found[name] == nil, let module = try module(named: name) else { continue }
            found[name] = module
            open += module.tree.declarations.imports.sorted()
        }
        return found.values.sorted { $0.name < $1.name }
    }

    private func module(named name: String) throws(ExtensionBuildError) -> ModuleSources? {
        if let folder = folders[name] {
            let sources = try ExtensionInputs([folder]).sources
            guard !sources.isEmpty else {
                throw ExtensionBuildError("\(name): no Swift file in \(FilePaths.shown(folder))", of: "module")
            }
            return ModuleSources(name: name, tree: try SourceTree(sources))
        }
        guard let library = libraries[name] else { return nil }
        let sources = try ExtensionInputs(of: library, and: []).sources
        guard !sources.isEmpty else { return nil }
        var module = ModuleSources(name: name, tree: try SourceTree(sources))
        module.conditions = library.conditions
        module.products = library.products
        return module
    }

    /// The packages, and the products of them that are needed.
    struct Packages {
        var dependencies: [XcodePackage] = []
        var products: Set<PackageProduct> = []
        /// The modules that these can bring; nil if a package is not on this machine, so that they are not known.
        var modules: Set<String>? = []
        /// True if one of them may depend on further packages.
        var mayBringOthers = false
    }

    func isTrusted(_ package: XcodePackage) -> Bool { named.contains(package) }

    /// The packages that a build may run without anyone having named them.
    ///
    /// - Parameter wanted: products that targets are linked with.
    func foundPackages(_ wanted: [(name: String, package: XcodePackage?)]) -> [XcodePackage] {
        guard usesFoundPackages else { return [] }
        let local = packages.filter { $0.folder != nil && !isTrusted($0) }
        let remote = wanted.compactMap(\.package).filter { $0.folder == nil }
        return (local + remote).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// What packages may see: their repositories.
    func access(to packages: [XcodePackage]) -> BuildAccess {
        let folders = packages.compactMap(\.folder).map { ProjectScope(around: $0).root }
        return BuildAccess(readable: Set(folders).sorted())
    }

    /// Chooses the packages that are needed.
    ///
    /// - Parameter wanted: products that targets are linked with.
    func packages(
        for imports: Set<String>, products wanted: [(name: String, package: XcodePackage?)],
        _ compiler: some ExtensionCompiler
    ) throws(ExtensionBuildError) -> Packages {
        var result = Packages()
        for package in packages where usesFoundPackages || isTrusted(package) {
            guard let path = package.folder else { continue }
            let isFound = !isTrusted(package)
            let description = try Self.description(
                of: path, isFound ? compiler.confined(to: access(to: [package])) : compiler)
            var needed = Set(imports.compactMap(description.product(with:)))
            for product in wanted where product.package == nil || product.package == package {
                if description.products.contains(where: { $0.name == product.name }) { needed.insert(product.name) }
            }
            guard !needed.isEmpty else { continue }
            result.dependencies.append(package)
            result.modules?.formUnion(description.modules)
            if description.dependencies?.isEmpty == false { result.mayBringOthers = true }
            for name in needed { result.products.insert(PackageProduct(name: name, package: package.identity)) }
        }
        for case (let name, let package?) in wanted where usesFoundPackages {
            guard case .remote = package.source else { continue }
            if !result.dependencies.contains(package) { result.dependencies.append(package) }
            result.products.insert(PackageProduct(name: name, package: package.identity))
            result.modules = nil
            result.mayBringOthers = true
        }
        return result
    }

    private static func description(
        of path: String, _ compiler: some ExtensionCompiler
    ) throws(ExtensionBuildError) -> PackageDescription {
        let text = try compiler.describePackage(in: path)
        do {
            return try JSONDecoder().decode(PackageDescription.self, from: Data(text))
        } catch {
            throw ExtensionBuildError("\(FilePaths.shown(path)): the package's manifest cannot be read")
        }
    }
}

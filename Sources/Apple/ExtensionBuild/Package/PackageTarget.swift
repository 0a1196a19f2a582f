import PushFiles
import PushSystem
import PushText

/// A target of a package, as sources that are built with the extension, and see the modules that it sees.
///
/// SwiftPM cannot build it as a part of its package: a package sees only what it names, and nobody's names the stand-ins for Apple's modules.
struct PackageTarget {
    let package: PackageFolders.Described
    let target: PackageDescription.Target
    /// Files and folders that are not opened, because they lead out of the package's repository or are no files.
    private var leftOut: [String] = []

    init(package: PackageFolders.Described, target: PackageDescription.Target) {
        self.package = package
        self.target = target
    }

    private var scope: ProjectScope { package.place.scope }

    /// The name of the target and of its package, for messages.
    private var shown: String { "\(target.name) of the package \(FilePaths.shown(package.folder))" }

    /// Products of other packages that it names.
    var products: [(name: String, package: XcodePackage?)] {
        let others = (package.description.dependencies ?? []).compactMap { other in
            other.package.map { (names: [$0.identity.lowercased(), other.name?.lowercased()], package: $0) }
        }
        let remote = others.filter { if case .remote = $0.package.source { true } else { false } }
        let own = Set(package.description.targets.map(\.name))
        var products: [(name: String, package: XcodePackage?)] = []
        for wanted in target.dependencies ?? [] where wanted.condition?.isMet ?? true && !own.contains(wanted.name) {
            let identity = (wanted.package ?? wanted.name).lowercased()
            let owner = others.first { $0.names.contains(identity) } ?? (remote.count == 1 ? remote[0] : nil)
            if let owner, case .remote = owner.package.source { products.append((wanted.name, owner.package)) }
        }
        return products
    }

    /// Parts that are missing in it although it is built; complete once its contents are read.
    var notices: [String] {
        let plugins = (target.pluginUsages ?? []).map(\.name).filter { name in
            !["lint", "format"].contains { name.lowercased().contains($0) }
        }
        let wanted = (target.dependencies ?? []).map(\.name)
        let macros = package.description.targets.filter { $0.type == "macro" && wanted.contains($0.name) }.map(\.name)
        return plugins.map { "\(shown) uses the plugin \($0), which does not run here; what it generates is missing" }
            + macros.map { "\(shown) uses the macro \($0); macros of packages are not built here" }
            + leftOut.map { "\(FilePaths.shown($0)) is left out: it is outside of \(scope.root), or not a file" }
    }

    /// Names of targets in its package that it is built with, imported or not.
    var neighbors: [String] {
        let own = package.description.targets
        return (target.dependencies ?? []).filter { $0.condition?.isMet ?? true }.compactMap { wanted in
            own.first { $0.name == wanted.name }?.module
        }
    }

    /// Binary frameworks in its package that it is built with, imported or not.
    var binaries: [String] {
        let binaries = Set(package.description.targets.filter { $0.type == "binary" }.map(\.module))
        return neighbors.filter(binaries.contains)
    }

    mutating func contents() throws(PlainError) -> ModuleContents {
        switch target.type {
        case "binary": return .refused("\(shown) is a binary framework, made for Apple's systems")
        case "macro": return .refused("\(shown) is a macro, and macros of packages are not built here")
        default: break
        }
        guard let folder else {
            return .refused("\(shown): its folder is missing")
        }
        guard scope.contains(folder) else {
            return .refused("\(shown): its folder \(FilePaths.shown(folder)) is outside of \(scope.root)")
        }
        let files = try files(below: folder)
        let sources = files.filter { name in isSource(name) && !resourcePaths.contains { Self.is(name, in: $0) } }
        if target.type == "system" { return .clang(try moduleOfC(files, folder)) }
        let swift = sources.filter { $0.hasSuffix(".swift") }
        if !swift.isEmpty { return .swift(try module(swift, folder)) }
        if sources.contains(where: { $0.hasSuffix(".m") || $0.hasSuffix(".mm") }) {
            return .refused("\(shown) is Objective-C, which is not compiled here")
        }
        return .clang(try moduleOfC(files, folder))
    }

    // MARK: - Files

    /// The folder of the target: the one it names, or where SwiftPM looks for it.
    private var folder: String? {
        if let path = target.path {
            return FileNames.existing(FilePaths.absolute(package.folder + "/" + path), in: scope)
        }
        let parents = ["Sources", "Source", "src", "srcs"].map { package.folder + "/" + $0 }
        let own = parents.lazy.compactMap { FileNames.existing($0 + "/" + target.name, in: scope) }
        if let found = own.first { return found }
        let others = package.description.targets.filter { !["test", "plugin", "binary"].contains($0.type) }
        return others.count == 1 ? parents.first(where: FileTree.isFolder) : nil
    }

    private var resourcePaths: [String] { (target.resources ?? []).map(\.path) }

    private static func `is`(_ name: String, in path: String) -> Bool {
        let path = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return path.isEmpty || name == path || name.hasPrefix(path + "/")
    }

    private mutating func files(below folder: String) throws(PlainError) -> [String] {
        let excluded = target.exclude ?? []
        let files = try FileTree.files(below: folder, atMost: XcodeProject.maximumFiles).filter { name in
            !name.split(separator: "/").contains { $0.hasPrefix(".") } && !excluded.contains { Self.is(name, in: $0) }
        }
        leftOut += files.map { folder + "/" + $0 }.filter { !scope.hasFile($0) }
        return files.filter { scope.hasFile(folder + "/" + $0) }
    }

    private func isSource(_ name: String) -> Bool {
        target.sources.map { $0.contains { Self.is(name, in: $0) } } ?? true
    }

    // MARK: - Swift

    private func settings(_ tool: String, _ kind: String) -> [String] {
        (target.settings ?? []).filter { $0.tool == tool && $0.condition?.isMet ?? true }
            .compactMap { $0.kind[kind]?.text }
    }

    private mutating func module(_ sources: [String], _ folder: String) throws(PlainError) -> ModuleSources {
        var module = ModuleSources(
            name: target.module, tree: try SourceTree(sources.map { folder + "/" + $0 }, isOfPackage: true))
        module.conditions = settings("swift", "define")
        for kind in ["enableUpcomingFeature", "enableExperimentalFeature"] {
            module.features += settings("swift", kind).map { ".\(kind)(\(ExtensionPackage.literal($0)))" }
        }
        module.isOnMainActor = settings("swift", "defaultIsolation").contains("MainActor")
        module.products = products
        module.resources = try resources(folder)
        module.defaultLanguage = package.description.defaultLocalization
        return module
    }

    /// The resources as they are in the bundle of the extension.
    private mutating func resources(_ folder: String) throws(PlainError) -> AppExtension? {
        var bundle = AppExtension(name: target.name)
        var isFilled = false
        for resource in target.resources ?? [] where resource.rule["embedInCode"] == nil {
            let path = FilePaths.absolute(folder + "/" + resource.path)
            guard FileBytes.exists(path) else { continue }
            guard scope.hasFile(path) || FileTree.isFolder(path) && scope.contains(path) else {
                leftOut.append(path)
                continue
            }
            let isCopied = resource.rule["copy"] != nil
            // Xcode compiles it.
            if !isCopied, ExtensionInputs.isForeignFolder(path) { continue }
            isFilled = true
            if isCopied {
                try bundle.add(copyOf: path, within: scope)
            } else {
                let inputs = try ExtensionInputs([path])
                leftOut += inputs.outside
                try bundle.add(inputs)
            }
        }
        return isFilled ? bundle : nil
    }

    // MARK: - C

    private func moduleOfC(_ files: [String], _ folder: String) throws(PlainError) -> ModuleOfC {
        var module = ModuleOfC(name: target.module)
        for name in files { module.files[name] = try FileTree.read(folder + "/" + name) }
        module.publicHeaders = target.publicHeadersPath ?? "include"
        module.isOfSystem = target.type == "system"
        module.dependencies = neighbors
        for text in settings("c", "define") {
            let parts = text.split(separator: "=", maxSplits: 1).map { ExtensionPackage.literal(String($0)) }
            module.settings.append(".define(\(parts.joined(separator: ", to: ")))")
        }
        module.settings += settings("c", "headerSearchPath").map {
            ".headerSearchPath(\(ExtensionPackage.literal($0)))"
        }
        module.libraries = settings("linker", "linkedLibrary")
        return module
    }
}

/// The output of `swift package dump-package` about a package, as far as it matters.
struct PackageDescription: Decodable {
    struct Product: Decodable {
        var name: String
        var targets: [String]
        var type: [String: [String]?]
    }

    struct Target: Decodable {
        var name: String
        /// `regular`, `executable`, `test`, `system`, `binary`, `plugin` or `macro`.
        var type: String
        var path: String?
        var sources: [String]?
        var exclude: [String]?
        var publicHeadersPath: String?
        var resources: [Resource]?
        var settings: [Setting]?
        var dependencies: [TargetDependency]?
        var pluginUsages: [PluginUsage]?

        var module: String { BuildSettings.module(name) }
    }

    struct Resource: Decodable {
        var path: String
        /// `process`, `copy` or `embedInCode`.
        var rule: [String: [String: String]]
    }

    struct Setting: Decodable {
        /// `swift`, `c`, `cxx` or `linker`.
        var tool: String
        var kind: [String: SettingValue]
        var condition: Condition?
    }

    struct SettingValue: Decodable {
        /// Nil for a list, and for what has another form.
        let text: String?

        private enum CodingKeys: String, CodingKey { case text = "_0" }

        init(from decoder: any Decoder) throws {
            text = (try? decoder.container(keyedBy: CodingKeys.self))
                .flatMap { try? $0.decode(String.self, forKey: .text) }
        }
    }

    struct Condition: Decodable {
        var platformNames: [String]?
        var config: String?

        /// True on a device, in a build for release: what is built here stands for that.
        var isMet: Bool {
            let platforms = platformNames ?? []
            return (platforms.isEmpty || platforms.contains("ios")) && config != "debug"
        }
    }

    struct TargetDependency: Decodable {
        let name: String
        /// The package of a product, if it is named.
        let package: String?
        let condition: Condition?

        init(from decoder: any Decoder) throws {
            // { kind: [name, package or null, aliases or null, condition or null] }
            let parts = try [String: [Part]](from: decoder).values.first ?? []
            let texts = parts.compactMap(\.text)
            name = texts.first ?? ""
            package = texts.count > 1 ? texts[1] : nil
            condition = parts.compactMap(\.condition).last
        }

        private struct Part: Decodable {
            var text: String?
            var condition: Condition?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() { return }
                text = try? container.decode(String.self)
                if text == nil { condition = try? container.decode(Condition.self) }
            }
        }
    }

    struct PluginUsage: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            name = try [String: [String?]](from: decoder).values.first?.first.flatMap(\.self) ?? ""
        }
    }

    /// Another package: a folder, or what a repository has.
    struct Dependency: Decodable {
        struct Folder: Decodable {
            var path: String
            var nameForTargetDependencyResolutionOnly: String?
        }

        struct Repository: Decodable {
            var nameForTargetDependencyResolutionOnly: String?
            var location: [String: [[String: String]]]
            var requirement: [String: [Version]]
        }

        struct Version: Decodable {
            var text = ""
            var range: [String: String] = [:]

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self.text = text
                } else {
                    range = try container.decode([String: String].self)
                }
            }
        }

        var fileSystem: [Folder]?
        var sourceControl: [Repository]?

        /// The name that an older manifest gives the package.
        var name: String? {
            fileSystem?.first?.nameForTargetDependencyResolutionOnly
                ?? sourceControl?.first?.nameForTargetDependencyResolutionOnly
        }

        /// Nil for a package of a registry.
        var package: XcodePackage? {
            if let folder = fileSystem?.first { return XcodePackage(source: .local(folder.path)) }
            guard let repository = sourceControl?.first, let wanted = repository.requirement.first,
                let version = wanted.value.first,
                let url = repository.location["remote"]?.first?["urlString"]
            else { return nil }
            let text = ExtensionPackage.literal(version.text)
            let requirement: String
            if wanted.key == "range", let low = version.range["lowerBound"], let high = version.range["upperBound"] {
                requirement = ExtensionPackage.literal(low) + "..<" + ExtensionPackage.literal(high)
            } else if ["exact", "branch", "revision"].contains(wanted.key) {
                requirement = "\(wanted.key): \(text)"
            } else {
                return nil
            }
            return XcodePackage(source: .remote(url, requirement: requirement))
        }
    }

    var name: String
    var products: [Product]
    var targets: [Target]
    var dependencies: [Dependency]?
    var defaultLocalization: String?

    func product(with module: String) -> String? {
        let names = Set(targets.filter { $0.module == module }.map(\.name))
        return products.first { $0.type["library"] != nil && !names.isDisjoint(with: $0.targets) }?.name
    }

    /// A target that can be imported, or the binary framework of a product: its module is named like the product.
    func target(of module: String) -> Target? {
        if let target = targets.first(where: {
            $0.module == module && !["test", "plugin", "executable"].contains($0.type)
        }) {
            return target
        }
        let product = products.first { BuildSettings.module($0.name) == module }
        return targets.first { $0.type == "binary" && product?.targets == [$0.name] }
    }

    var modules: [String] {
        products.filter { $0.type["library"] != nil }.flatMap(\.targets).map(BuildSettings.module)
    }
}

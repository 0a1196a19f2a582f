import ExtensionPrograms
import PushFiles
import PushSystem

/// Everything that an extension is built from: files that were named, or a target of an Xcode project; and what they import.
struct ExtensionParts {
    var inputs: ExtensionInputs
    var infoPlist: String?
    var entitlements: String?
    /// The entitlements files of the apps that embed the project's target.
    var appEntitlements: [String] = []
    /// The files that another target of the project has, too.
    var sharedFiles: Set<String> = []
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
    private(set) var packages: [XcodePackage] = []
    /// Those that were named, and that are therefore trusted.
    private(set) var named: [XcodePackage] = []
    /// False to leave out packages that were found.
    var usesFoundPackages = true
    /// Folders whose files the project may name.
    private(set) var scopes: [ProjectScope] = []
    private(set) var pods: Pods?
    private var folders: [String: String] = [:]

    /// - Parameters:
    ///   - project: an `.xcodeproj` or `.xcworkspace`.
    ///   - modules: folders by the name of their module.
    ///   - packages: folders of Swift packages.
    init(
        paths: [String], project: String?, target: String?, modules: [String: String], packages: [String]
    ) throws(PlainError) {
        folders = modules
        named = packages.map { XcodePackage(source: .local(FilePaths.absolute($0))) }
        self.packages = named
        scopes = paths.map { ProjectScope(around: FilePaths.absolute($0)) }
        guard let project else {
            inputs = try ExtensionInputs(paths)
            addPackages(inputs.packages)
            notices += inputs.notices
            pods = paths.first.flatMap { Pods(near: FilePaths.absolute($0), within: scopes[0]) }
            bridgingHeader = inputs.bridgingHeader
            return
        }
        let workspace = try XcodeWorkspace(project)
        scopes.insert(workspace.scope, at: 0)
        pods = Pods(near: FilePaths.parent(of: FilePaths.absolute(project)), within: workspace.scope)
        let configuration = "Release"
        let chosen = try workspace.target(named: target, configuration: configuration)
        inputs = try ExtensionInputs(of: chosen, and: paths)
        infoPlist = chosen.infoPlist.flatMap { FileBytes.exists($0) ? $0 : nil }
        entitlements = chosen.entitlements
        appEntitlements = chosen.appEntitlements
        sharedFiles = chosen.sharedFiles
        settings = chosen.settings.expanded
        // These follow from the name here.
        for name in ["PRODUCT_MODULE_NAME", "PRODUCT_NAME", "TARGET_NAME", "EXECUTABLE_NAME"] { settings[name] = nil }
        conditions = chosen.conditions
        bridgingHeader = chosen.bridgingHeader
        name = chosen.settings["PRODUCT_NAME"] ?? chosen.name
        products = chosen.products
        libraries = workspace.libraries(configuration: configuration)
        self.packages += workspace.packages.filter { !self.packages.contains($0) }
        notices += workspace.outside.map {
            "the project \(FilePaths.shown($0)) is left out: it is outside of \(workspace.scope.root)"
        }
        notices += chosen.notices + inputs.notices
        for file in chosen.missingFiles {
            notices.append("\(FilePaths.shown(file)) cannot be read; its settings are missing")
        }
        for folder in chosen.unreadableFolders {
            notices.append("\(FilePaths.shown(folder)) cannot be listed; its files are missing")
        }
    }

    /// The property list of the project's target, or of the files.
    func plist() throws(PlainError) -> InfoPlist {
        let found: InfoPlist
        if let infoPlist {
            found = InfoPlist(try PropertyListFile(contentsOf: infoPlist))
        } else {
            found = try InfoPlist(choosingFrom: inputs.infoPlists)
        }
        try found.refuseContentExtension()
        return found
    }

    /// True if a framework of the project has a name.
    func hasLibrary(_ name: String) -> Bool { libraries[name] != nil }

    /// The C sources, if a header shows them to Swift.
    ///
    /// - Parameter present: frameworks whose headers are there.
    func bridge(present: Set<String>) throws(PlainError) -> CBridge? {
        guard let bridgingHeader else { return nil }
        return try CBridge(header: bridgingHeader, sources: inputs.cSources + inputs.headers, present: present)
    }

    private mutating func addPackages(_ paths: [String]) {
        for path in paths {
            let package = XcodePackage(source: .local(FilePaths.absolute(path)))
            if !packages.contains(package) { packages.append(package) }
        }
    }

    /// A module from a folder that was named, or from a target of the project; nil if there is none.
    func module(named name: String) throws(PlainError) -> ModuleSources? {
        if let folder = folders[name] {
            let inputs = try ExtensionInputs([folder])
            guard !inputs.sources.isEmpty else {
                throw PlainError("\(name): no Swift file in \(FilePaths.shown(folder))", of: "module")
            }
            var module = ModuleSources(name: name, tree: try SourceTree(inputs.sources))
            module.cuttable = []
            module.notices = inputs.notices
            return module
        }
        guard let library = libraries[name] else { return nil }
        let inputs = try ExtensionInputs(of: library, and: [])
        guard !inputs.sources.isEmpty else { return nil }
        var module = ModuleSources(name: name, tree: try SourceTree(inputs.sources))
        module.conditions = library.conditions
        module.products = library.products
        module.notices = library.notices + inputs.notices
        let paths = (library.settings["HEADER_SEARCH_PATHS"] ?? "").split(separator: " ").map {
            FilePaths.absolute(String($0))
        }
        let umbrella = try UmbrellaHeader(of: name, inputs, folders: paths, scope: library.scope)
        module.notices += umbrella.notices
        module.frameworks = umbrella.frameworks
        if let headers = umbrella.module {
            module.umbrella = headers
            module.tree.export(headers.name)
        }
        return module
    }

    /// The packages, and the products of them that are needed.
    struct Packages {
        var dependencies: [XcodePackage] = []
        var products: Set<PackageProduct> = []
        /// The modules that these can bring.
        var modules: Set<String> = []
        /// True if one of them may depend on further packages.
        var mayBringOthers = false

        /// The products as dependencies of a target, in code for a manifest.
        var productDependencies: [String] {
            products.sorted { ($0.package, $0.name) < ($1.package, $1.name) }.map {
                ".product(name: \(ExtensionPackage.literal($0.name)), package: \(ExtensionPackage.literal($0.package)))"
            }
        }
    }
}

/// A module in Swift that is built with an extension: from a folder, a target of the project or of a package, or a pod.
struct ModuleSources {
    let name: String
    var tree: SourceTree
    /// Names for `#if`.
    var conditions: [String] = []
    var products: [(name: String, package: XcodePackage?)] = []
    /// Features that a package turns on, as code for a manifest.
    var features: [String] = []
    /// True if its declarations belong to the main actor unless they say otherwise.
    var isOnMainActor = false
    /// The absolute paths of the files of which may be left out what the compiler rejects; nil for all.
    var cuttable: Set<String>?
    /// The contents of `Bundle.module`.
    var resources: AppExtension?
    var defaultLanguage: String?
    /// The C module of its umbrella header, which it exports.
    var umbrella: ModuleOfC?
    /// Frameworks that this header includes, of which it exports those that are here.
    var frameworks: Set<String> = []
    /// Parts that are missing in it although it is built.
    var notices: [String] = []

    /// True if what the compiler rejects of a file may be left out.
    func mayCut(_ file: String) -> Bool {
        cuttable?.contains(tree.root + "/" + file) ?? true
    }

    /// The name of the folder that `Bundle.module` stands for, which SwiftPM makes of the package's name and the target's.
    var resourceFolder: String { "extensions_\(name).resources" }
}

/// A module in C of a package, whose files are copied as they are.
struct ModuleOfC {
    let name: String
    /// Contents by path below the target's folder.
    var files: [String: [UInt8]] = [:]
    var publicHeaders = "include"
    /// Code for a manifest.
    var settings: [String] = []
    var libraries: [String] = []
    var dependencies: [String] = []
    /// True for a module map of a library that the system has.
    var isOfSystem = false
}

/// What a target of a package, or a pod, is built from.
enum ModuleContents {
    case swift(ModuleSources)
    case clang(ModuleOfC)
    /// A sentence that says why it is not built.
    case refused(String)
}

struct PackageProduct: Hashable {
    let name: String
    let package: String
}

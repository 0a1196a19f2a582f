import ExtensionPrograms
import PushFiles
package import PushSystem

/// An Xcode project: its targets, with their files, settings and packages.
///
/// Formats up to objectVersion 77 are read, in which a target may name folders instead of files. A reader of our own and not the
/// package XcodeProj: that one brings four more packages to read and write every class of object, and for an extension five classes matter.
package struct XcodeProject {
    private let objects: XcodeObjects
    /// The path of the project, for messages.
    private let path: String
    private let scope: ProjectScope
    /// The most files of a folder that a target has as a whole: a project may name any folder.
    static let maximumFiles = 20_000

    /// Reads a project.
    ///
    /// - Parameter scope: by default that of the project.
    init(_ path: String, scope: ProjectScope? = nil) throws(PlainError) {
        let file = FilePaths.joined(path, "project.pbxproj")
        let folder = FilePaths.parent(of: FilePaths.absolute(path))
        try self.init(FileTree.read(file), folder: folder, path: path, scope: scope ?? ProjectScope(around: folder))
    }

    /// - Parameter folder: the absolute path of the folder with the project.
    package init(_ bytes: [UInt8], folder: String, path: String) throws(PlainError) {
        try self.init(bytes, folder: folder, path: path, scope: ProjectScope(around: folder))
    }

    private init(_ bytes: [UInt8], folder: String, path: String, scope: ProjectScope) throws(PlainError) {
        self.scope = scope
        self.path = FilePaths.shown(path)
        objects = try XcodeObjects(bytes, folder: folder, path: self.path)
    }

    // MARK: - Targets

    private var natives: [(identifier: String, object: XcodeObjects.Object)] {
        objects.list(objects.root["targets"]).filter { $0.object["isa"]?.string == "PBXNativeTarget" }
    }

    private static func name(_ object: XcodeObjects.Object) -> String { object["name"]?.string ?? "" }

    var extensionNames: [String] {
        natives.filter { $0.object["productType"]?.string == "com.apple.product-type.app-extension" }
            .map { Self.name($0.object) }
    }

    package var targetNames: [String] { natives.map { Self.name($0.object) } }

    /// The target of this name in a configuration; nil if there is none.
    ///
    /// - Parameter configuration: the one of this name, else the project's default, else the first.
    func target(named name: String, configuration: String) -> XcodeTarget? {
        guard let found = natives.first(where: { Self.name($0.object) == name }) else { return nil }
        var target = target(found.identifier, found.object, configuration: configuration)
        let others = natives.filter { $0.identifier != found.identifier }
        target.sharedFiles = Set(target.files).intersection(
            others.flatMap { self.target($0.identifier, $0.object, configuration: configuration).files })
        let product = found.object["productReference"]?.string
        target.appEntitlements = natives.filter { product != nil && embeds($0.object, product) }.compactMap {
            bareTarget($0.object, configuration: configuration).entitlements
        }
        return target
    }

    /// True if a target copies the product of another one into its own, as an app its extensions.
    private func embeds(_ object: XcodeObjects.Object, _ product: String?) -> Bool {
        objects.list(object["buildPhases"]).contains { _, phase in
            phase["isa"]?.string == "PBXCopyFilesBuildPhase"
                && objects.list(phase["files"]).contains { $0.object["fileRef"]?.string == product }
        }
    }

    /// How many files and settings each target has, and the packages: what a build would work with.
    package func describe() -> [String] {
        natives.map { identifier, object in
            let target = target(identifier, object, configuration: "Release")
            return "\(target.name) \(target.module) \(target.files.count) \(target.settings.expanded.count)"
        } + packages().map { "\($0.identity) \($0.source)" }
    }

    /// Frameworks and static libraries, which other targets import.
    func libraries(configuration: String) -> [XcodeTarget] {
        natives.filter {
            let type = $0.object["productType"]?.string ?? ""
            return type.hasSuffix(".framework") || type.hasSuffix(".library.static")
                || type.hasSuffix(".framework.static")
        }.map {
            var target = target($0.identifier, $0.object, configuration: configuration)
            target.isLibrary = true
            return target
        }
    }

    /// A target without its files.
    private func bareTarget(_ object: XcodeObjects.Object, configuration: String) -> XcodeTarget {
        let name = Self.name(object)
        var missing: [String] = []
        let settings = settings(of: object, name: name, configuration: configuration, &missing)
        var target = XcodeTarget(
            name: name, module: settings["PRODUCT_MODULE_NAME"] ?? BuildSettings.module(name), settings: settings,
            scope: scope)
        target.missingFiles = missing
        return target
    }

    private func target(
        _ identifier: String, _ object: XcodeObjects.Object, configuration: String
    ) -> XcodeTarget {
        var target = bareTarget(object, configuration: configuration)
        var paths: [String] = []
        var references: Set<String> = []
        for (_, phase) in objects.list(object["buildPhases"]) {
            guard let kind = phase["isa"]?.string,
                ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase", "PBXHeadersBuildPhase"].contains(kind)
            else { continue }
            for (_, file) in objects.list(phase["files"]) {
                guard let reference = file["fileRef"]?.string else { continue }
                if references.insert(reference).inserted { paths += files(of: reference) }
            }
        }
        paths += synchronizedFiles(of: identifier, object, &target)
        var seen: Set<String> = []
        paths = paths.filter { seen.insert($0).inserted }
        FileNames.correct(&paths, in: scope, &target.renamedFiles)
        target.files = paths.filter(scope.contains)
        if target.files.count < paths.count { target.outside += paths.filter { !scope.contains($0) } }
        target.outside += XcodeTarget.fileSettings.compactMap(target.anyPath).filter { !scope.contains($0) }
        target.products = objects.list(object["packageProductDependencies"]).compactMap { _, product in
            let package = objects[product["package"]?.string].flatMap(package)
            return product["productName"]?.string.map { ($0, package) }
        }
        return target
    }

    /// The file of a reference, or the files of a group of variants, such as one text in several languages.
    private func files(of reference: String) -> [String] {
        guard let object = objects[reference] else { return [] }
        if object["isa"]?.string == "PBXVariantGroup" {
            return XcodeObjects.identifiers(object["children"]).compactMap(objects.path)
        }
        return objects.path(of: reference).map { [$0] } ?? []
    }

    /// The files of folders that a target has as a whole, without exceptions; and files of other folders that are exceptions there.
    ///
    /// - Parameter target: receives the paths of folders that cannot be listed, or are none of the project's.
    private func synchronizedFiles(
        of identifier: String, _ object: XcodeObjects.Object, _ target: inout XcodeTarget
    ) -> [String] {
        let own = Set(XcodeObjects.identifiers(object["fileSystemSynchronizedGroups"]))
        var paths: [String] = []
        for (group, root) in objects.all("PBXFileSystemSynchronizedRootGroup") {
            guard let folder = objects.path(of: group) else { continue }
            let exceptions = objects.list(root["exceptions"]).filter { $0.object["target"]?.string == identifier }
                .flatMap { XcodeObjects.identifiers($0.object["membershipExceptions"]) }
                .map { FilePaths.absolute(folder + "/" + $0) }
            if own.contains(group) {
                guard scope.contains(folder) else {
                    target.outside.append(folder)
                    continue
                }
                guard let found = try? FileTree.files(below: folder, atMost: Self.maximumFiles) else {
                    target.unreadableFolders.append(folder)
                    continue
                }
                let excluded = Set(exceptions)
                let catalogs = Set(
                    found.compactMap { path in
                        path.firstRange(of: ".xcassets/").map { path[..<$0.upperBound].dropLast() }
                    }
                ).sorted().map(String.init)
                paths += (found.filter(Self.belongs) + catalogs).map { folder + "/" + $0 }.filter { path in
                    !Self.isExcluded(path, below: folder, by: excluded)
                }
            } else {
                paths += exceptions
            }
        }
        return paths
    }

    private static func isExcluded(_ path: String, below folder: String, by exceptions: Set<String>) -> Bool {
        if exceptions.isEmpty { return false }
        var place = path
        while place.utf8.count > folder.utf8.count {
            if exceptions.contains(place) { return true }
            place = FilePaths.parent(of: place)
        }
        return false
    }

    /// True if Xcode has a file in such a folder belong to the target.
    private static func belongs(_ path: String) -> Bool {
        !path.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasSuffix(".xcassets") || $0.hasSuffix(".docc") }
    }

    // MARK: - Settings

    private func settings(
        of target: XcodeObjects.Object, name: String, configuration: String, _ missing: inout [String]
    ) -> XcodeSettings {
        var settings = XcodeSettings(target: name, folder: objects.folder, configuration: configuration, scope: scope)
        for owner in [objects.root, target] {
            guard let found = self.configuration(of: owner, named: configuration) else { continue }
            if let file = file(of: found) {
                settings.add(file: FileNames.existing(file, in: scope) ?? file, missing: &missing)
            }
            settings.add(found["buildSettings"]?.members ?? [:])
        }
        return settings
    }

    private func configuration(of owner: XcodeObjects.Object, named name: String) -> XcodeObjects.Object? {
        guard let list = objects[owner["buildConfigurationList"]?.string] else { return nil }
        let all = objects.list(list["buildConfigurations"]).map(\.object)
        let fallback = list["defaultConfigurationName"]?.string
        return all.first { Self.name($0) == name } ?? all.first { Self.name($0) == fallback } ?? all.first
    }

    /// The `.xcconfig` of a configuration: a file of its own, or one in a folder that the project has as a whole.
    private func file(of configuration: XcodeObjects.Object) -> String? {
        if let reference = configuration["baseConfigurationReference"]?.string { return objects.path(of: reference) }
        guard let anchor = configuration["baseConfigurationReferenceAnchor"]?.string,
            let inner = configuration["baseConfigurationReferenceRelativePath"]?.string
        else { return nil }
        return objects.path(of: anchor).map { FilePaths.absolute($0 + "/" + inner) }
    }

    /// The projects among its files, whose frameworks it links.
    var subprojects: [String] {
        objects.all("PBXFileReference").filter { $0.object["lastKnownFileType"]?.string == "wrapper.pb-project" }
            .compactMap { objects.path(of: $0.identifier).flatMap(existing) }
    }

    // MARK: - Packages

    /// The packages that the project names, and folders among its files that are packages.
    func packages() -> [XcodePackage] {
        var packages: [XcodePackage] = []
        packages = objects.list(objects.root["packageReferences"]).compactMap { package($0.object) }
        // Xcode before version 14 calls a package a text.
        let folders = objects.all("PBXFileReference").filter {
            ["wrapper", "folder", "text", nil].contains($0.object["lastKnownFileType"]?.string)
        }
        for folder in folders {
            guard let path = objects.path(of: folder.identifier).flatMap(existing),
                FileBytes.exists(path + "/Package.swift")
            else { continue }
            let package = XcodePackage(source: .local(path))
            if !packages.contains(package) { packages.append(package) }
        }
        return packages
    }

    /// The package of a reference; nil if it has no place or no version.
    private func package(_ object: XcodeObjects.Object) -> XcodePackage? {
        if let url = object["repositoryURL"]?.string, let wanted = Self.requirement(object["requirement"]?.members) {
            return XcodePackage(source: .remote(url, requirement: wanted))
        }
        return object["relativePath"]?.string.map {
            let path = FilePaths.absolute(objects.folder + "/" + $0)
            return XcodePackage(source: .local(existing(path) ?? path))
        }
    }

    private func existing(_ path: String) -> String? { FileNames.existing(path, in: scope) }

    /// The versions that are wanted, as Swift code; nil if a version is no version.
    private static func requirement(_ members: XcodeObjects.Object?) -> String? {
        func version(_ key: String) -> String? {
            guard let text = members?[key]?.string, text.wholeMatch(of: /[0-9A-Za-z.+\-]+/) != nil else { return nil }
            // Xcode completes versions; a manifest needs all three numbers.
            let count = text.split(separator: ".", omittingEmptySubsequences: false).count
            return "\"" + text + String(repeating: ".0", count: max(3 - count, 0)) + "\""
        }
        func name(_ key: String) -> String? {
            guard let text = members?[key]?.string, text.wholeMatch(of: /[\w.\/+\-]+/) != nil else { return nil }
            return "\"\(text)\""
        }
        switch members?["kind"]?.string {
        case "upToNextMajorVersion": return version("minimumVersion").map { "from: \($0)" }
        case "upToNextMinorVersion": return version("minimumVersion").map { ".upToNextMinor(from: \($0))" }
        case "exactVersion": return version("version").map { "exact: \($0)" }
        case "versionRange":
            guard let low = version("minimumVersion"), let high = version("maximumVersion") else { return nil }
            return "\(low)..<\(high)"
        case "branch": return name("branch").map { "branch: \($0)" }
        case "revision": return name("revision").map { "revision: \($0)" }
        default: return nil
        }
    }
}

/// The objects of an Xcode project file (`project.pbxproj`), by identifier, and the paths of its files.
///
/// The file is a property list of NeXT's form, which Foundation reads. Only what a build of an extension needs is interpreted; a file
/// that refers to objects that are not there, or to themselves, has fewer of them.
struct XcodeObjects {
    typealias Object = [String: PropertyListValue]

    /// The absolute path of the folder that paths in the project start from.
    let folder: String
    let root: Object
    private let objects: [String: Object]
    /// The group of a file or group.
    private var parents: [String: String] = [:]
    /// The folder in which the project is, for the group at the top.
    private static let maximumDepth = 64

    /// - Parameter folder: the absolute path of the folder with the `.xcodeproj`.
    init(_ bytes: [UInt8], folder: String, path: String) throws(PlainError) {
        let file = try PropertyListFile(bytes, path: path)
        objects = (file.members["objects"]?.members ?? [:]).compactMapValues(\.members)
        guard let root = file.members["rootObject"]?.string.flatMap({ [objects] in objects[$0] }) else {
            throw PlainError("\(path): not an Xcode project: it has no root object")
        }
        self.root = root
        let inner = root["projectDirPath"]?.string ?? ""
        self.folder = inner.isEmpty ? folder : FilePaths.absolute(folder + "/" + inner)
        // Of several groups with the same child, the first counts.
        for (identifier, object) in objects.sorted(by: { $0.key < $1.key }) {
            for child in Self.identifiers(object["children"]) where parents[child] == nil {
                parents[child] = identifier
            }
        }
    }

    subscript(_ identifier: String?) -> Object? { identifier.flatMap { objects[$0] } }

    static func identifiers(_ value: PropertyListValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    /// The objects that a list refers to, each once: a list in a list would otherwise grow with the square of the file.
    func list(_ value: PropertyListValue?) -> [(identifier: String, object: Object)] {
        var seen: Set<String> = []
        return Self.identifiers(value).filter { seen.insert($0).inserted }
            .compactMap { identifier in objects[identifier].map { (identifier, $0) } }
    }

    /// All objects of a class, in the order of their identifiers.
    func all(_ name: String) -> [(identifier: String, object: Object)] {
        objects.filter { $0.value["isa"]?.string == name }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The absolute path of a file or group; nil for one outside of the project's folders, such as a product.
    func path(of identifier: String) -> String? {
        var parts: [String] = []
        var current = identifier
        for _ in 0..<Self.maximumDepth {
            guard let object = objects[current] else { return nil }
            let part = object["path"]?.string
            switch object["sourceTree"]?.string {
            case "<absolute>": return part.map { joined($0, parts) }
            case "SOURCE_ROOT": return joined(folder + "/" + (part ?? ""), parts)
            case "<group>", nil:
                if let part { parts.append(part) }
                guard let parent = parents[current] else { return joined(folder, parts) }
                current = parent
            default: return nil
            }
        }
        return nil
    }

    private func joined(_ start: String, _ parts: [String]) -> String {
        FilePaths.absolute(([start] + parts.reversed()).joined(separator: "/"))
    }
}

extension PropertyListValue {
    var array: [PropertyListValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The text of a build setting: a list is joined with spaces.
    var setting: String? {
        switch self {
        case .string(let text): text
        case .array(let values): values.compactMap(\.string).joined(separator: " ")
        case .integer(let number): "\(number)"
        case .bool(let value): value ? "YES" : "NO"
        default: nil
        }
    }
}

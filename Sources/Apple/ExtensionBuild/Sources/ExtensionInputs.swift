import PushFiles
import PushSystem
import PushText

/// The files of an extension: the named ones, and those below named folders.
struct ExtensionInputs {
    struct Resource {
        let path: String
        let destination: String
    }

    private(set) var sources: [String] = []
    private(set) var resources: [Resource] = []
    private(set) var catalogs: [Resource] = []
    /// Folders of pictures and colors, `.xcassets`.
    private(set) var assetCatalogs: [String] = []
    /// Candidates for the bundle's Info.plist.
    private(set) var infoPlists: [String] = []
    /// Headers and C sources, and those in Objective-C, which cannot be compiled.
    private(set) var headers: [String] = []
    private(set) var cSources: [String] = []
    private(set) var objectiveC: [String] = []
    /// Folders of Swift packages below named folders.
    private(set) var packages: [String] = []
    /// Symbolic links below named folders that lead out of the project.
    private(set) var outside: [String] = []

    /// A line for each of these.
    var notices: [String] {
        outside.map {
            "\(FilePaths.shown($0)) is left out: it leads out of the project; name the file itself to include it"
        }
    }

    private var scope: ProjectScope?
    private var entitlements: [String] = []
    private var seen: Set<String> = []

    /// Endings of folders that do not belong to an extension.
    private static let foreignFolders = [
        "Tests", ".xcodeproj", ".xcworkspace", ".xcassets", ".playground", ".docc", ".appex", ".app", ".framework",
        ".xcframework", ".xcdatamodeld",
    ]
    private static let foreignFolderNames: Set<String> = ["Pods", "Carthage", "DerivedData", "build", "node_modules"]
    /// Endings of folders that are copied with their structure.
    private static let wholeFolders = [".bundle"]
    /// Endings of files among sources that belong in no bundle.
    private static let foreignFiles = [
        ".cc", ".cpp", ".hpp", ".pch", ".modulemap", ".xcconfig", ".storyboard", ".xib", ".md",
        ".sh",
        ".yml", ".yaml", ".resolved", ".xctestplan", ".orig",
    ]
    private static let foreignFileNames: Set<String> = [
        "Package.swift", "Podfile", "Podfile.lock", "Cartfile", "Makefile",
    ]

    /// True for a folder that belongs in no bundle as it is, such as an asset catalog.
    static func isForeignFolder(_ path: String) -> Bool {
        foreignFolders.contains(where: name(of: path).hasSuffix) && FileTree.isFolder(path)
    }

    init(_ paths: [String]) throws(PlainError) {
        for path in paths {
            if try PlainError.naming(path, try FileStatus(path)).kind == .directory {
                scope = ProjectScope(around: FilePaths.absolute(path))
                let name = Self.name(of: path)
                if name.hasSuffix(".xcodeproj") || name.hasSuffix(".xcworkspace") {
                    throw PlainError(
                        "takes \(TerminalText.clean(path)); without it, name the folder of the extension's sources",
                        of: "project")
                }
                try walk(path, within: name.hasSuffix(".lproj") ? name : nil)
            } else {
                try addWithLanguage(path)
            }
        }
    }

    /// The files of a project's target, and others.
    init(of target: XcodeTarget, and paths: [String]) throws(PlainError) {
        self = try ExtensionInputs(paths)
        scope = target.scope
        for path in target.files {
            let name = Self.name(of: path)
            let isForeign = (Self.foreignFolders + Self.foreignFiles).contains(where: name.hasSuffix)
            if name.hasSuffix(".xcassets"), FileTree.isFolder(path) { assetCatalogs.append(path) }
            // The property list is named by a setting.
            guard !isForeign, !Self.foreignFileNames.contains(name), path != target.infoPlist, FileBytes.exists(path)
            else {
                continue
            }
            if FileTree.isFolder(path) {
                try walk(path, within: name)
            } else {
                try addWithLanguage(path)
            }
        }
        // Headers belong to no target.
        var folders = Set(cSources.map { FilePaths.parent(of: FilePaths.absolute($0)) })
        if let header = target.bridgingHeader { folders.insert(FilePaths.parent(of: header)) }
        for folder in folders.sorted() { headers += try Self.headers(below: folder).filter(target.scope.hasFile) }
    }

    private static func headers(below folder: String) throws(PlainError) -> [String] {
        try FileTree.files(below: folder, atMost: XcodeProject.maximumFiles).filter { path in
            path.hasSuffix(".h") && !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "Pods" }
        }.map { folder + "/" + $0 }
    }

    /// The header that Swift files see, by its name; nil if there is none, or more than one.
    var bridgingHeader: String? {
        let found = headers.filter { $0.hasSuffix("-Bridging-Header.h") || $0.hasSuffix("BridgingHeader.h") }
        return found.count == 1 ? found[0] : nil
    }

    /// The entitlements file. Of several, the one named after the extension, else the one for releases: by their names, because projects
    /// have them for debug builds and releases.
    func entitlements(of name: String) throws(PlainError) -> String? {
        if entitlements.count < 2 { return entitlements.first }
        let suffix = ".entitlements"
        func only(_ suits: (String) -> Bool) -> String? {
            let found = entitlements.filter { suits(String(Self.name(of: $0).dropLast(suffix.count))) }
            return found.count == 1 ? found[0] : nil
        }
        let chosen =
            only { $0 == name } ?? only { $0.lowercased().hasSuffix("release") }
            ?? only { !$0.lowercased().hasSuffix("debug") }
        guard let chosen else {
            throw PlainError(
                "must be one of several files: " + entitlements.map(FilePaths.shown).joined(separator: ", "),
                of: "entitlements")
        }
        return chosen
    }

    /// Adds a file, in the folder of its language if it is in one.
    private mutating func addWithLanguage(_ path: String) throws(PlainError) {
        let parent = Self.name(of: FilePaths.parent(of: FilePaths.absolute(path)))
        try add(path, within: parent.hasSuffix(".lproj") ? parent : nil)
    }

    private mutating func add(_ path: String, within folder: String?) throws(PlainError) {
        guard seen.insert(FilePaths.absolute(path)).inserted else { return }
        let name = Self.name(of: path)
        let destination = folder.map { $0 + "/" + name } ?? name
        if name.hasSuffix(".swift") {
            sources.append(path)
        } else if name == "Info.plist" || name.hasSuffix("-Info.plist") {
            infoPlists.append(path)
        } else if name.hasSuffix(".h") {
            headers.append(path)
        } else if name.hasSuffix(".c") {
            cSources.append(path)
        } else if name.hasSuffix(".m") || name.hasSuffix(".mm") {
            objectiveC.append(path)
        } else if name.hasSuffix(".entitlements") {
            entitlements.append(path)
        } else if name.hasSuffix(".xcstrings") {
            catalogs.append(Resource(path: path, destination: destination))
        } else {
            resources.append(Resource(path: path, destination: destination))
        }
    }

    /// Visits names in order. Symbolic links to folders are not followed, because they may form a cycle.
    private mutating func walk(_ folder: String, within bundleFolder: String?) throws(PlainError) {
        for name in try PlainError.naming(folder, try FileSystem.names(in: folder)).sorted() where !name.hasPrefix(".")
        {
            let path = FilePaths.joined(folder, name)
            guard let status = try? FileStatus(path, followsLinks: false) else { continue }
            if status.kind == .directory {
                if name.hasSuffix(".xcassets") { assetCatalogs.append(path) }
                if Self.foreignFolders.contains(where: name.hasSuffix) || Self.foreignFolderNames.contains(name) {
                    continue
                }
                if FileBytes.exists(path + "/Package.swift") {
                    packages.append(path)
                    continue
                }
                if let bundleFolder, !bundleFolder.hasSuffix(".lproj") {
                    try walk(path, within: bundleFolder + "/" + name)
                } else if name.hasSuffix(".lproj") || Self.wholeFolders.contains(where: name.hasSuffix) {
                    try walk(path, within: name)
                } else {
                    try walk(path, within: bundleFolder)
                }
            } else if (try? FileStatus(path))?.kind == .regular {
                if status.kind == .symbolicLink, scope?.contains(path) == false {
                    outside.append(path)
                    continue
                }
                if Self.foreignFiles.contains(where: name.hasSuffix) || Self.foreignFileNames.contains(name) {
                    continue
                }
                try add(path, within: bundleFolder)
            }
        }
    }

    static func name(of path: String) -> String {
        FilePaths.absolute(path).split(separator: "/").last.map(String.init) ?? "/"
    }
}

import ExtensionPrograms
import PushFiles
import PushSystem

/// The projects and packages of an Xcode workspace, or a single project.
struct XcodeWorkspace {
    private(set) var projects: [XcodeProject] = []
    private(set) var packages: [XcodePackage] = []
    private var paths: [String] = []
    /// Projects whose targets are imported, and not built.
    private var others: [XcodeProject] = []
    /// Projects of a workspace that are not read, because they are outside of its scope.
    private(set) var outside: [String] = []
    /// The files that its projects may name.
    let scope: ProjectScope
    private let path: String
    /// The most projects that are read beside those of the workspace.
    private static let maximumProjects = 100

    init(_ path: String) throws(PlainError) {
        self.path = FilePaths.shown(path)
        let bare = path.hasSuffix("/") ? String(path.dropLast()) : path
        let folder = FilePaths.parent(of: FilePaths.absolute(bare))
        scope = ProjectScope(around: folder)
        guard bare.hasSuffix(".xcworkspace") else {
            let project = try XcodeProject(bare)
            projects = [project]
            packages = project.packages()
            addWorkspace(around: bare)
            addSubprojects()
            return
        }
        let bytes = try FileTree.read(bare + "/contents.xcworkspacedata")
        for place in Self.places(String(decoding: bytes, as: UTF8.self)) {
            let path = FilePaths.absolute(place.hasPrefix("/") ? place : folder + "/" + place)
            if path.hasSuffix(".xcodeproj") {
                // That one is read where a pod is imported.
                guard FileBytes.exists(path + "/project.pbxproj"), !path.hasSuffix("/Pods.xcodeproj") else { continue }
                guard scope.contains(path + "/project.pbxproj") else {
                    outside.append(path)
                    continue
                }
                let project = try XcodeProject(path, scope: scope)
                projects.append(project)
                paths.append(path)
                add(project.packages())
                continue
            }
            let package = path.hasSuffix("/Package.swift") ? FilePaths.parent(of: path) : path
            if FileBytes.exists(package + "/Package.swift") { add([XcodePackage(source: .local(package))]) }
        }
        if projects.isEmpty { throw PlainError("\(self.path): there is no project in the workspace") }
        addSubprojects()
    }

    private mutating func add(_ found: [XcodePackage]) { packages += found.filter { !packages.contains($0) } }

    /// Adds projects that are among the files of others, and theirs.
    private mutating func addSubprojects() {
        var open = projects + others
        var seen = Set(paths)
        while let project = open.popLast(), others.count < Self.maximumProjects {
            for path in project.subprojects
            where !path.hasSuffix("/Pods.xcodeproj") && scope.contains(path + "/project.pbxproj")
                && seen.insert(path).inserted
            {
                guard let found = try? XcodeProject(path, scope: scope) else { continue }
                others.append(found)
                open.append(found)
                add(found.packages())
            }
        }
    }

    /// Adds what the only workspace beside a project has beside it, because Xcode builds the project there.
    private mutating func addWorkspace(around project: String) {
        let project = FilePaths.absolute(project)
        let folder = FilePaths.parent(of: project)
        let names = (try? FileSystem.names(in: folder)) ?? []
        let found = names.filter { $0.hasSuffix(".xcworkspace") }
        guard found.count == 1, scope.contains(folder + "/" + found[0] + "/contents.xcworkspacedata"),
            let workspace = try? XcodeWorkspace(folder + "/" + found[0]),
            let index = workspace.paths.firstIndex(of: project)
        else { return }
        outside = workspace.outside
        others = workspace.projects.enumerated().filter { $0.offset != index }.map(\.element)
        add(workspace.packages)
    }

    /// The paths of a workspace's files: `group:` counts from the groups around it, the others from the folder of the workspace.
    private static func places(_ text: String) -> [String] {
        var places: [String] = []
        var groups: [String] = []
        for tag in text.matches(of: /<(\/?)(Group|FileRef)\b([^>]*?)(\/?)>/) {
            if !tag.1.isEmpty {
                if tag.2 == "Group" { _ = groups.popLast() }
                continue
            }
            guard let location = tag.3.firstMatch(of: /location\s*=\s*"(\w+):([^"]*)"/) else {
                if tag.2 == "Group", tag.4.isEmpty { groups.append("") }
                continue
            }
            let around = location.1 == "group" ? groups.filter { !$0.isEmpty } : []
            let place = (around + [unescaped(location.2)]).joined(separator: "/")
            if tag.2 == "FileRef" {
                places.append(place)
            } else if tag.4.isEmpty {
                groups.append(unescaped(location.2))
            }
        }
        return places
    }

    private static func unescaped(_ text: Substring) -> String {
        [("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(String(text)) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    /// The target to build.
    ///
    /// - Parameter name: nil for the only app extension that is a service extension.
    func target(named name: String?, configuration: String) throws(PlainError) -> XcodeTarget {
        if let name {
            for project in projects {
                if let target = project.target(named: name, configuration: configuration) { return target }
            }
            let known = projects.flatMap(\.targetNames).joined(separator: ", ")
            throw PlainError("\(path): there is no target \(name); there are \(known)")
        }
        var found: [XcodeTarget] = []
        for project in projects {
            for name in project.extensionNames {
                guard let target = project.target(named: name, configuration: configuration),
                    try Self.isOfServiceExtension(target)
                else { continue }
                found.append(target)
            }
        }
        guard found.count == 1 else {
            let names = (found.isEmpty ? projects.flatMap(\.targetNames) : found.map(\.name)).filter { !$0.isEmpty }
            if names.isEmpty { throw PlainError("\(path): there is no target of a service extension") }
            throw PlainError(
                "is needed: \(path) has \(found.isEmpty ? "no target of a service extension" : "several service extensions"); "
                    + "choose one of \(names.joined(separator: ", "))", of: "target")
        }
        return found[0]
    }

    private static func isOfServiceExtension(_ target: XcodeTarget) throws(PlainError) -> Bool {
        if let path = target.infoPlist, FileBytes.exists(path),
            let point = InfoPlist(try PropertyListFile(contentsOf: path)).extensionPoint(target.settings)
        {
            return point == InfoPlist.pointIdentifier
        }
        // The repository may lack the file, or the one with the setting that the file names.
        return target.files.contains { path in
            let bytes = path.hasSuffix(".swift") ? target.scope.read(path, limit: FileBytes.maximumDocumentBytes) : nil
            return String(decoding: bytes ?? [], as: UTF8.self).contains(ServiceClass.base)
        }
    }

    /// Frameworks and static libraries of all projects, by the name that other targets import.
    func libraries(configuration: String) -> [String: XcodeTarget] {
        Dictionary(
            (projects + others).flatMap { $0.libraries(configuration: configuration) }.map { ($0.module, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension XcodeTarget {
    static let fileSettings = ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS", "SWIFT_OBJC_BRIDGING_HEADER"]

    /// The file that a setting names, wherever it is.
    func anyPath(_ setting: String) -> String? {
        settings[setting].map {
            let path = FilePaths.absolute($0.hasPrefix("/") ? $0 : (settings["SRCROOT"] ?? "") + "/" + $0)
            return FileNames.existing(path, in: scope) ?? path
        }
    }

    func path(_ setting: String) -> String? {
        anyPath(setting).flatMap { scope.contains($0) ? $0 : nil }
    }

    var infoPlist: String? { path("INFOPLIST_FILE") }
    var entitlements: String? { path("CODE_SIGN_ENTITLEMENTS") }
    var bridgingHeader: String? { path("SWIFT_OBJC_BRIDGING_HEADER") }

    /// Names for `#if`.
    var conditions: [String] {
        (settings["SWIFT_ACTIVE_COMPILATION_CONDITIONS"] ?? "").split(separator: " ").map(String.init).filter {
            $0.wholeMatch(of: /[A-Za-z_]\w*/) != nil
        }
    }
}

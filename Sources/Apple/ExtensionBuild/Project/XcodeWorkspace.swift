import PushFiles

/// The projects and packages of an Xcode workspace, or a single project.
struct XcodeWorkspace {
    private(set) var projects: [XcodeProject] = []
    private(set) var packages: [XcodePackage] = []
    private let path: String

    init(_ path: String) throws(ExtensionBuildError) {
        self.path = FilePaths.shown(path)
        let bare = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard bare.hasSuffix(".xcworkspace") else {
            let project = try XcodeProject(bare)
            projects = [project]
            packages = project.packages()
            return
        }
        let bytes = try FileTree.read(bare + "/contents.xcworkspacedata")
        let folder = FilePaths.parent(of: FilePaths.absolute(bare))
        for place in Self.places(String(decoding: bytes, as: UTF8.self)) {
            let path = FilePaths.absolute(place.hasPrefix("/") ? place : folder + "/" + place)
            if path.hasSuffix(".xcodeproj") {
                // Pods are not made before CocoaPods runs, and cannot be built here anyway.
                guard FileBytes.exists(path + "/project.pbxproj"), !path.hasSuffix("/Pods.xcodeproj") else { continue }
                let project = try XcodeProject(path, scope: ProjectScope(around: folder))
                projects.append(project)
                packages += project.packages().filter { !packages.contains($0) }
            } else if FileBytes.exists(path + "/Package.swift") {
                let package = XcodePackage(source: .local(path))
                if !packages.contains(package) { packages.append(package) }
            }
        }
        if projects.isEmpty { throw ExtensionBuildError("\(self.path): there is no project in the workspace") }
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
    func target(named name: String?, configuration: String) throws(ExtensionBuildError) -> XcodeTarget {
        if let name {
            for project in projects {
                if let target = project.target(named: name, configuration: configuration) { return target }
            }
            let known = projects.flatMap(\.targetNames).joined(separator: ", ")
            throw ExtensionBuildError("\(path): there is no target \(name); there are \(known)")
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
            if names.isEmpty { throw ExtensionBuildError("\(path): there is no target of a service extension") }
            throw ExtensionBuildError(
                "is needed: \(path) has \(found.isEmpty ? "no target of a service extension" : "several service extensions"); "
                    + "choose one of \(names.joined(separator: ", "))", of: "target")
        }
        return found[0]
    }

    private static func isOfServiceExtension(_ target: XcodeTarget) throws(ExtensionBuildError) -> Bool {
        guard let path = target.infoPlist, FileBytes.exists(path) else { return false }
        return InfoPlist(try PropertyListFile(contentsOf: path)).isOfServiceExtension
    }

    /// Frameworks and static libraries of all projects, by the name that other targets import.
    func libraries(configuration: String) -> [String: XcodeTarget] {
        Dictionary(
            projects.flatMap { $0.libraries(configuration: configuration) }.map { ($0.module, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension XcodeTarget {
    static let fileSettings = ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS", "SWIFT_OBJC_BRIDGING_HEADER"]

    /// The file that a setting names, wherever it is.
    func anyPath(_ setting: String) -> String? {
        settings[setting].map { FilePaths.absolute($0.hasPrefix("/") ? $0 : (settings["SRCROOT"] ?? "") + "/" + $0) }
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

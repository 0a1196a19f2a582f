import PushFiles
import PushSystem

/// The pods of a project, as CocoaPods has installed them: `Podfile.lock` names them, and their sources are in `Pods/`.
struct Pods {
    /// The largest lock file.
    private static let maximumBytes = 4 << 20  // 4 MiB
    /// How many folders above a project may have the lock file.
    private static let maximumDistance = 3

    private let folder: String
    /// The files that the pods may have.
    private let scope: ProjectScope
    /// Versions, by the name of the pod.
    private var versions: [String: String] = [:]
    /// Folders of pods that are not copied to `Pods/`, by the name of the pod.
    private var places: [String: String] = [:]
    /// Targets of the project that CocoaPods makes, by module; nil before it is read.
    private var targets: [String: XcodeTarget]?

    /// Nil if there is no lock file.
    ///
    /// - Parameters:
    ///   - start: the absolute path of the folder of a project, in which or above which the file is.
    ///   - limits: of the project.
    init?(near start: String, within limits: ProjectScope) {
        var place = start
        for _ in 0...Self.maximumDistance {
            if let bytes = limits.read(place + "/Podfile.lock", limit: Self.maximumBytes) {
                folder = place
                scope = ProjectScope(around: place)
                read(String(decoding: bytes, as: UTF8.self))
                return
            }
            place = FilePaths.parent(of: place)
        }
        return nil
    }

    private mutating func read(_ text: String) {
        var section = ""
        var pod = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if !line.hasPrefix(" ") {
                section = String(line)
            } else if section == "PODS:" {
                guard let entry = line.prefixMatch(of: /[ ]{2}- "?([^ \/("]+)[^ (]*(?: \(([^)]*)\))?/) else { continue }
                versions[String(entry.1)] = entry.2.map(String.init) ?? ""
            } else if section == "EXTERNAL SOURCES:" {
                if let name = line.wholeMatch(of: /[ ]{2}"?([^ :"]+)"?:/) { pod = String(name.1) }
                if let path = line.wholeMatch(of: /[ ]{4}:path: "?([^"]+)"?/) {
                    places[pod] = FilePaths.absolute(path.1.hasPrefix("/") ? String(path.1) : folder + "/" + path.1)
                }
            }
        }
    }

    /// The module of a pod; nil if no pod has it.
    mutating func module(named name: String) throws(PlainError) -> ModuleContents? {
        if let target = try target(of: name) { return try contents(of: target) }
        let found =
            versions.first { BuildSettings.module($0.key) == name } ?? versions.first { Self.suits($0.key, name) }
        guard let (pod, version) = found else { return nil }
        let shown = version.isEmpty ? "\(name) is the pod \(pod)" : "\(name) is the pod \(pod) \(version)"
        let copies = [places[pod], folder + "/Pods/" + pod].compactMap(\.self)
        guard let place = copies.compactMap({ FileNames.existing($0, in: scope) }).first else {
            return .refused("\(shown), which is not in \(FilePaths.shown(folder))/Pods: install the project's pods")
        }
        guard scope.contains(place) else {
            return .refused("\(shown), whose folder \(FilePaths.shown(place)) is outside of \(scope.root)")
        }
        let inputs = try ExtensionInputs([FileTree.isFolder(place) ? place : FilePaths.parent(of: place)])
        return try contents(name, inputs, inputs.objectiveC, shown)
    }

    /// True for names such as `SQLite.swift` and `lottie-ios`, whose pods say which module they are in a file that is not in `Pods/`.
    private static func suits(_ pod: String, _ module: String) -> Bool {
        ["", ".swift", "-swift", "swift", "-ios"].contains { ending in
            let name = pod.lowercased()
            let bare = BuildSettings.module(String(name.dropLast(ending.count)))
            return name.hasSuffix(ending) && bare == module.lowercased()
        }
    }

    private func contents(of target: XcodeTarget) throws(PlainError) -> ModuleContents {
        let inputs = try ExtensionInputs(of: target, and: [])
        let version = versions[target.name].map { " " + $0 } ?? ""
        // Each pod has a file without contents there.
        let objectiveC = inputs.objectiveC.filter { !$0.contains("/Target Support Files/") }
        let found = try contents(
            target.module, inputs, objectiveC, "\(target.module) is the pod \(target.name)\(version)")
        guard case .swift(var module) = found else { return found }
        module.conditions = target.conditions
        module.notices += target.notices
        return .swift(module)
    }

    private func contents(
        _ name: String, _ inputs: ExtensionInputs, _ objectiveC: [String], _ shown: String
    ) throws(PlainError) -> ModuleContents {
        if let file = objectiveC.first {
            return .refused("\(shown), which has Objective-C, \(FilePaths.shown(file)): that is not compiled here")
        }
        if inputs.sources.isEmpty { return .refused("\(shown), which has no source in Swift") }
        var module = ModuleSources(name: name, tree: try SourceTree(inputs.sources))
        module.notices = inputs.notices
        return .swift(module)
    }

    /// The target in the project that CocoaPods makes, which knows names of modules that differ from the pod's.
    private mutating func target(of module: String) throws(PlainError) -> XcodeTarget? {
        if let targets { return targets[module] }
        var read: [String: XcodeTarget] = [:]
        let path = folder + "/Pods/Pods.xcodeproj"
        if scope.hasFile(path + "/project.pbxproj") {
            for target in try XcodeProject(path, scope: scope).libraries(configuration: "Release")
            where !target.name.hasPrefix("Pods-") {
                if read[target.module] == nil { read[target.module] = target }
            }
        }
        targets = read
        return read[module]
    }
}

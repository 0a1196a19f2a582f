import PushFiles
import PushSystem

/// The folder `NAME.appex`: the executable, its Info.plist, and resources.
struct AppExtension {
    let name: String
    /// By path in the folder.
    private(set) var files: [String: [UInt8]] = [:]
    /// The file that each comes from, for messages.
    private var origins: [String: String] = [:]

    init(name: String) { self.name = name }

    mutating func add(_ bytes: [UInt8], as destination: String, from origin: String) throws(ExtensionBuildError) {
        // Names of languages and tables come from files.
        if destination.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
            throw ExtensionBuildError(
                "\(FilePaths.shown(origin)): \(FilePaths.shown(destination)) would be outside of the bundle")
        }
        if let other = origins[destination] {
            throw ExtensionBuildError(
                "\(FilePaths.shown(other)) and \(FilePaths.shown(origin)) would both be \(destination) in the bundle")
        }
        origins[destination] = origin
        files[destination] = bytes
    }

    mutating func add(_ inputs: ExtensionInputs) throws(ExtensionBuildError) {
        for resource in inputs.resources {
            let bytes = try FileTree.read(resource.path)
            let destination = resource.destination
            if destination.hasSuffix(".stringsdict") {
                // Under another name, because Foundation for Linux crashes when it reads such a table.
                try add(bytes, as: destination.dropLast("stringsdict".count) + "plurals", from: resource.path)
            } else {
                let isTable = destination.hasSuffix(".strings")
                try add(isTable ? StringsText.normalized(bytes) : bytes, as: destination, from: resource.path)
            }
        }
        for catalog in inputs.catalogs {
            let table = catalog.destination.split(separator: "/").last.map { $0.dropLast(".xcstrings".count) } ?? ""
            let bytes = try FileTree.read(catalog.path)
            let read = try StringCatalog.read(bytes, path: FilePaths.shown(catalog.path))
            // UserNotifications reads plurals from the catalog itself; the tables are for Foundation.
            if read.hasPlurals { try add(bytes, as: "\(table).xcstrings", from: catalog.path) }
            for (language, texts) in read.tables() {
                try add(StringsText.table(texts), as: "\(language).lproj/\(table).strings", from: catalog.path)
            }
        }
    }

    /// Adds a file, or a folder with all files that are in it and in the scope.
    mutating func add(copyOf path: String, within scope: ProjectScope) throws(ExtensionBuildError) {
        let name = ExtensionInputs.name(of: path)
        guard FileTree.isFolder(path) else { return try add(FileTree.read(path), as: name, from: path) }
        let files = try FileTree.files(below: path, atMost: XcodeProject.maximumFiles)
        for file in files where scope.hasFile(path + "/" + file) {
            try add(FileTree.read(path + "/" + file), as: name + "/" + file, from: path + "/" + file)
        }
    }

    /// Adds a bundle within this one.
    mutating func add(_ other: AppExtension, as folder: String) throws(ExtensionBuildError) {
        for (destination, bytes) in other.files {
            try add(bytes, as: folder + "/" + destination, from: other.origins[destination] ?? destination)
        }
    }

    /// Languages of its texts, and `Base`.
    var languages: Set<String> {
        Set(
            files.keys.compactMap { path in path.firstRange(of: ".lproj/").map { String(path[..<$0.lowerBound]) } }
                // Not those of a bundle within this one.
                .filter { !$0.contains("/") })
    }

    /// Writes the bundle, and replaces an older one.
    ///
    /// - Returns: the path of the bundle.
    func write(to folder: String, executable: String) throws(ExtensionBuildError) -> String {
        try FileTree.makeFolder(folder)
        let path = FilePaths.joined(folder, name + ".appex")
        if FileBytes.exists(path), !Self.isReplaceable(path) {
            throw ExtensionBuildError("\(FilePaths.shown(path)): not an extension; it is not replaced")
        }
        // So that there is a complete bundle or none.
        let draft = FilePaths.joined(folder, ".\(name).appex.\(CurrentProcess.id)")
        let old = draft + ".old"
        defer {
            FileTree.remove(draft)
            FileTree.remove(old)
        }
        FileTree.remove(draft)
        for (destination, bytes) in files { try FileTree.write(bytes, to: draft + "/" + destination) }
        try FileTree.write(FileTree.read(executable), to: draft + "/" + name, isExecutable: true)
        do throws(SystemError) {
            if FileBytes.exists(path) { try FileSystem.rename(path, to: old) }
            try FileSystem.rename(draft, to: path)
        } catch {
            throw ExtensionBuildError(path, error)
        }
        return path
    }

    private static func isReplaceable(_ path: String) -> Bool {
        guard FileTree.isFolder(path), let names = try? FileSystem.names(in: path) else { return false }
        return names.isEmpty || names.contains("Info.plist")
    }
}

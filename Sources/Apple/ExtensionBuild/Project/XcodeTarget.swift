import PushFiles

/// A target of an Xcode project, as far as a build needs it.
struct XcodeTarget {
    var name: String
    var module: String
    /// Absolute paths, each once: sources, headers and resources. Folders are `.lproj` and others that are copied whole.
    var files: [String] = []
    var settings: XcodeSettings
    var scope: ProjectScope
    /// Paths that lead out of the project's folder; what is there is left out.
    var outside: [String] = []
    /// Products of Swift packages that it is linked with; the package is nil for one that is a folder among the project's files.
    var products: [(name: String, package: XcodePackage?)] = []
    /// Files whose names on disk differ in case.
    var renamedFiles: [FileNames.Renamed] = []
    /// `.xcconfig` files that cannot be read.
    var missingFiles: [String] = []
    /// Folders of the target whose files cannot be listed.
    var unreadableFolders: [String] = []
    /// True if other targets can import it.
    var isLibrary = false

    /// A line for each file that is another one than the project says, that does not exist, or that is left out.
    var notices: [String] {
        renamedFiles.map(\.notice)
            + files.filter { $0.hasSuffix(".swift") && !FileBytes.exists($0) }.map {
                "\(FilePaths.shown($0)) does not exist, though \(name) is built from it; a script or a template may make it"
            }
            + outside.map {
                "\(FilePaths.shown($0)) is left out: it is outside of \(scope.root); name it on the command line, too"
            }
    }
}

package struct XcodePackage: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// The absolute path of its folder.
        case local(String)
        /// A URL, and the versions that are wanted, as Swift code for a manifest.
        case remote(String, requirement: String)
    }

    package var source: Source

    package init(source: Source) { self.source = source }

    /// The folder of a local package.
    var folder: String? {
        if case .local(let path) = source { path } else { nil }
    }

    /// The package's place, for messages.
    var place: String {
        switch source {
        case .local(let path): FilePaths.shown(path)
        case .remote(let url, _): url
        }
    }

    var identity: String {
        let place =
            switch source {
            case .local(let path): path
            case .remote(let url, _): url
            }
        let name = place.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? place
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }
}

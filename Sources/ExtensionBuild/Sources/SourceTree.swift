import FileAccess

/// The sources of an extension, below their deepest common folder.
struct SourceTree {
    /// The absolute path of the common folder.
    let root: String
    /// By path below the root.
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var declarations = SwiftDeclarations()
    /// Files with attributes for Objective-C, as they were named.
    private(set) var blanked: [String] = []

    /// - Throws: `ExtensionBuildError` for a file that cannot be read.
    init(_ paths: [String]) throws(ExtensionBuildError) {
        let absolute = paths.map(FilePaths.absolute)
        var common = FilePaths.parent(of: absolute.first ?? "/")
        while common != "/", !absolute.allSatisfy({ $0.hasPrefix(common + "/") }) {
            common = FilePaths.parent(of: common)
        }
        root = common == "/" ? "" : common
        for (path, absolutePath) in zip(paths, absolute) {
            let bytes = try FileTree.read(path)
            if absolutePath.hasSuffix("/main.swift") {
                throw ExtensionBuildError(
                    "\(FilePaths.shown(path)): an extension has no main.swift; leave the file out")
            }
            let tokens = SwiftTokens(bytes)
            declarations.read(tokens)
            let compiled = ObjectiveCAttributes.blanked(bytes, tokens)
            if compiled != nil { blanked.append(path) }
            files[String(absolutePath.dropFirst(root.utf8.count + 1))] = compiled ?? bytes
        }
    }

    /// The start of the path of a file in it, for messages.
    var shownRoot: String {
        let here = FilePaths.workingDirectory
        if root == here { return "" }
        return (root.hasPrefix(here + "/") ? String(root.dropFirst(here.count + 1)) : root) + "/"
    }
}

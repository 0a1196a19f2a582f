import PushFiles

/// The sources of an extension, below their deepest common folder.
struct SourceTree {
    /// The absolute path of the common folder.
    let root: String
    /// By path below the root.
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var declarations = SwiftDeclarations()
    /// By path below the root.
    private var imports: [String: [SwiftImports.Import]] = [:]
    /// Files with attributes for Objective-C, as they were named.
    private(set) var blanked: [String] = []

    /// SwiftPM sets it for all that it builds, and Xcode for packages alone.
    private static let packageCondition = "SWIFT_PACKAGE"
    /// A name of the same length, which nothing sets.
    private static let otherCondition = "XCODE_PROJECT"

    /// - Parameter isOfPackage: true for a target of a package.
    init(_ paths: [String], isOfPackage: Bool = false) throws(ExtensionBuildError) {
        let absolute = paths.map(FilePaths.absolute)
        root = FileTree.commonFolder(of: absolute)
        for (path, absolutePath) in zip(paths, absolute) {
            var bytes = try FileTree.read(path)
            if absolutePath.hasSuffix("/main.swift") {
                throw ExtensionBuildError(
                    "\(FilePaths.shown(path)): an extension has no main.swift; leave the file out")
            }
            var tokens = SwiftTokens(bytes)
            if let renamed = RenamedModules.replaced(in: bytes, tokens) {
                bytes = renamed
                tokens = SwiftTokens(bytes)
            }
            declarations.read(tokens)
            var own = SwiftDeclarations()
            own.read(tokens)
            let compiled = ObjectiveCAttributes.blanked(bytes, tokens)
            if compiled != nil { blanked.append(path) }
            let name = FileTree.path(absolutePath, below: root)
            var copy = compiled ?? bytes
            copy = SelectorExpressions.replaced(in: copy, tokens) ?? copy
            if !isOfPackage {
                for (token, place) in zip(tokens.tokens, tokens.places) where token == .word(Self.packageCondition) {
                    copy.replaceSubrange(place, with: Self.otherCondition.utf8)
                }
            }
            // At its end, where it moves no line.
            if let addition = RenamedModules.addition(for: own) { copy += addition.utf8 }
            files[name] = copy
            imports[name] = SwiftImports(tokens).all
        }
    }

    /// Exports another module, in a file of its own, which makes it visible in the others, too.
    mutating func export(_ module: String) {
        let source = Array("@_exported import \(module)\n".utf8)
        files["pushpipe-exports.swift", default: []] += source
        declarations.read(SwiftTokens(source))
    }

    /// Gives a file other contents.
    mutating func replace(_ file: String, with bytes: [UInt8]) { files[file] = bytes }

    /// Makes modules visible in each file.
    mutating func imply(_ modules: Set<String>) { declarations.imply(modules) }

    /// Takes out the imports of modules that do not exist, so that the compiler goes on.
    ///
    /// - Returns: the compiler's message about each.
    mutating func removeImports(except exists: (String) -> Bool) -> [String] {
        var errors: [String] = []
        for (name, found) in imports.sorted(by: { $0.key < $1.key }) {
            guard var bytes = files[name] else { continue }
            for one in found where !exists(one.module) {
                let before = bytes[..<one.place.lowerBound]
                let line = before.count { $0 == UInt8(ascii: "\n") } + 1
                let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
                errors.append("\(shownRoot)\(name):\(line):\(column): error: no such module '\(one.module)'")
                for place in one.place where bytes[place] > UInt8(ascii: " ") { bytes[place] = UInt8(ascii: " ") }
            }
            files[name] = bytes
        }
        return errors
    }

    /// Modules that files import whatever the platform.
    var certainImports: Set<String> { Set(imports.values.joined().map(\.module)) }

    /// True if a file has one of these words.
    func mentions(_ words: [String]) -> Bool {
        files.values.contains { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            return words.contains(where: text.contains)
        }
    }

    /// The start of the path of a file in it, for messages.
    var shownRoot: String {
        let here = FilePaths.workingDirectory
        if root == here { return "" }
        return (root.hasPrefix(here + "/") ? String(root.dropFirst(here.count + 1)) : root) + "/"
    }
}

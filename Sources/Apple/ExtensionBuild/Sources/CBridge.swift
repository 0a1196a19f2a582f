import PushFiles

/// C sources that Swift sees through a bridging header: a module of its own, which every Swift file imports.
struct CBridge {
    /// By path below their common folder.
    private(set) var files: [String: [UInt8]] = [:]
    /// The bridging header, by path below that folder.
    let header: String
    /// Folders with headers, below that folder: Xcode finds each header by its name alone.
    private(set) var folders: Set<String> = []
    /// Headers of Apple's frameworks that the bridging header includes, and that are left out.
    private(set) var missing: Set<String> = []

    /// - Parameters:
    ///   - header: the path of the bridging header.
    ///   - sources: paths of C sources and other headers.
    ///   - present: frameworks whose headers are there.
    init(header: String, sources: [String], present: Set<String>) throws(ExtensionBuildError) {
        let paths = ([header] + sources).map(FilePaths.absolute)
        let root = FileTree.commonFolder(of: paths)
        self.header = FileTree.path(paths[0], below: root)
        for path in paths {
            let name = FileTree.path(path, below: root)
            guard files[name] == nil else { continue }
            let bytes = try FileTree.read(path)
            files[name] = name.hasSuffix(".h") ? withoutFrameworks(bytes, except: present) : bytes
            if name.hasSuffix(".h") { folders.insert(name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ".") }
        }
        // SwiftPM takes a target without a C file for one of Swift.
        files["pushpipe-bridge.c"] = Array("// So that this is a target of C.\n".utf8)
    }

    /// A line that includes a framework, with its name.
    private static var framework: Regex<(Substring, Substring?, Substring?)> {
        /(?m)^[ \t]*(?:#[ \t]*(?:import|include)[ \t]*<([A-Z]\w*)\/[^>\n]*>|@import[ \t]+(\w+)[^;\n]*;)/
    }

    /// The frameworks whose headers a text includes.
    static func frameworks(in text: String) -> Set<String> {
        Set(text.matches(of: framework).map { String($0.1 ?? $0.2 ?? "") })
    }

    /// The header with comments in place of frameworks' headers, such as `<Foundation/Foundation.h>`.
    private mutating func withoutFrameworks(_ bytes: [UInt8], except present: Set<String>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        var found: Set<String> = []
        let result = text.replacing(Self.framework) {
            let framework = String($0.1 ?? $0.2 ?? "")
            if present.contains(framework) { return "\($0.0)" }
            found.insert(framework)
            return "// \($0.0)"
        }
        missing.formUnion(found)
        return found.isEmpty ? bytes : Array(result.utf8)
    }

    /// The module's map, in the folder `include`.
    func map(module: String) -> String { "module \(module) {\n    header \"../\(header)\"\n    export *\n}\n" }
}

import PushFiles
import PushSystem
import PushText

/// C sources that Swift sees through a bridging header: a module of its own, which every Swift file imports.
struct CBridge {
    /// Contents by path below their common folder.
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
    init(header: String, sources: [String], present: Set<String>) throws(PlainError) {
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

/// The header of a framework that shows its C declarations to Swift, its own and that of other modules: here a module in C beside it.
struct UmbrellaHeader {
    /// Nil if the header shows nothing, as that of a framework in Swift.
    private(set) var module: ModuleOfC?
    private(set) var notices: [String] = []
    /// Frameworks that its headers include: who imports the module sees them, too, and so do its own files.
    private(set) var frameworks: Set<String> = []

    /// The parts of Foundation's headers that Xcode's template uses, and headers in C beside it.
    private static let prelude = """
        #pragma once
        #define FOUNDATION_EXPORT extern
        #define FOUNDATION_EXTERN extern
        #define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
        #define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
        #define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
        #define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
        #define NS_OPTIONS(type, name) enum __attribute__((flag_enum)) name : type name; enum name : type

        """

    private static let preludeName = "pushpipe-foundation.h"

    /// - Parameters:
    ///   - name: the module of the framework.
    ///   - inputs: its files.
    ///   - folders: where headers are that belong to no target.
    ///   - scope: of the files that these may include.
    init(
        of name: String, _ inputs: ExtensionInputs, folders: [String], scope: ProjectScope
    ) throws(PlainError) {
        var headers: [String: String] = [:]
        for path in inputs.headers { headers[ExtensionInputs.name(of: path)] = path }
        let umbrella = name + ".h"
        guard let start = headers[umbrella] else { return }

        var found = ModuleOfC(name: name + "Umbrella")
        var open = [(umbrella, start)]
        var objectiveC: [String] = []
        var missing: [String] = []
        while let (header, path) = open.popLast() {
            guard found.files["include/" + header] == nil else { continue }
            let bytes = try FileTree.read(path)
            let text = String(decoding: bytes, as: UTF8.self)
            frameworks.formUnion(CBridge.frameworks(in: text))
            guard text.firstMatch(of: /(?m)^[ \t]*@(?:interface|protocol|class|implementation)\b/) == nil else {
                found.files["include/" + header] = Array("// Objective-C\n".utf8)
                objectiveC.append(header)
                continue
            }
            let beside = FilePaths.parent(of: FilePaths.absolute(path))
            let copy = Self.replacingIncludes(text, of: name) { inner in
                let last = inner.split(separator: "/").last.map(String.init) ?? inner
                let candidates = [headers[last]].compactMap(\.self) + ([beside] + folders).map { $0 + "/" + inner }
                guard let path = candidates.first(where: scope.hasFile) else {
                    missing.append(inner)
                    return nil
                }
                open.append((last, path))
                return last
            }
            found.files["include/" + header] = Array(copy.utf8)
        }
        // Its own includes are what it shows.
        guard found.files.count - objectiveC.count > 1 || !missing.isEmpty || !objectiveC.isEmpty else { return }
        if !objectiveC.isEmpty {
            let files = objectiveC.sorted().joined(separator: ", ")
            notices.append("\(name): Objective-C in its headers is left out: \(files)")
        }
        if !missing.isEmpty {
            let files = Set(missing).sorted().map(TerminalText.clean).joined(separator: ", ")
            notices.append("\(name): its headers include files that are missing: \(files)")
        }
        for path in inputs.cSources {
            let text = String(decoding: try FileTree.read(path), as: UTF8.self)
            let copy = Self.replacingIncludes(text, of: name) { inner in
                inner.split(separator: "/").last.map(String.init)
            }
            found.files[ExtensionInputs.name(of: path)] = Array(copy.utf8)
        }
        found.files["include/" + Self.preludeName] = Array(Self.prelude.utf8)
        found.files["include/module.modulemap"] = Array(
            "module \(found.name) {\n    header \"\(umbrella)\"\n    export *\n}\n".utf8)
        // SwiftPM takes a target without a C file for one of Swift.
        found.files["pushpipe-umbrella.c"] = Array("// So that this is a target of C.\n".utf8)
        module = found
    }

    /// A header or source with includes of files that lie beside each other, and one of the prelude in place of Apple's frameworks.
    ///
    /// - Parameter find: returns the name of a file beside it, by what is included; nil if there is none.
    private static func replacingIncludes(_ text: String, of module: String, find: (String) -> String?) -> String {
        text.replacing(/(?m)^[ \t]*#[ \t]*(?:import|include)[ \t]*(?:<([A-Z]\w*)\/([^>\n]*)>|"([^"\n]*)")/) { match in
            if let framework = match.1, framework != module { return "#include \"\(preludeName)\"" }
            let inner = String(match.2 ?? match.3 ?? "")
            return find(inner).map { "#include \"\($0)\"" } ?? "// \(match.0)"
        }
    }
}

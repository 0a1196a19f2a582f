import PushFiles
import PushSystem

/// The sources of an extension, below their deepest common folder.
struct SourceTree {
    /// The absolute path of the common folder.
    let root: String
    /// Contents by path below the root.
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var declarations = SwiftDeclarations()
    /// The imports of each file, by path below the root.
    private var imports: [String: [SwiftImports.Import]] = [:]
    /// The files of each class, by path below the root.
    private var places: [String: [String]] = [:]
    /// Files with attributes for Objective-C, as they were named.
    private(set) var blanked: [String] = []

    /// SwiftPM sets it for all that it builds, and Xcode for packages alone.
    private static let packageCondition = "SWIFT_PACKAGE"
    /// A name of the same length, which nothing sets.
    private static let otherCondition = "XCODE_PROJECT"

    /// - Parameter isOfPackage: true for a target of a package.
    init(_ paths: [String], isOfPackage: Bool = false) throws(PlainError) {
        let absolute = paths.map(FilePaths.absolute)
        root = FileTree.commonFolder(of: absolute)
        for (path, absolutePath) in zip(paths, absolute) {
            var bytes = try FileTree.read(path)
            if absolutePath.hasSuffix("/main.swift") {
                throw PlainError(
                    "\(FilePaths.shown(path)): an extension has no main.swift; leave the file out")
            }
            var tokens = SwiftTokens(bytes)
            if let renamed = RenamedModules.replaced(in: bytes, tokens) {
                bytes = renamed
                tokens = SwiftTokens(bytes)
            }
            declarations.read(bytes, tokens)
            var own = SwiftDeclarations()
            own.read(bytes, tokens)
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
            ManagedProperties.complete(&copy, tokens)
            files[name] = copy
            imports[name] = SwiftImports(tokens).all.filter { !$0.isConditional }
            for declared in own.classes.keys { places[declared, default: []].append(name) }
        }
    }

    /// Exports another module, in a file of its own, which makes it visible in the others, too.
    mutating func export(_ module: String) {
        let source = Array("@_exported import \(module)\n".utf8)
        files["pushpipe-exports.swift", default: []] += source
        declarations.read(source, SwiftTokens(source))
    }

    /// Gives a file other contents.
    mutating func replace(_ file: String, with bytes: [UInt8]) { files[file] = bytes }

    /// Makes modules visible in each file.
    mutating func imply(_ modules: Set<String>) { declarations.imply(modules) }

    /// Takes out the imports of modules that do not exist, so that the compiler goes on.
    ///
    /// - Returns: the file of each, and the compiler's message about it.
    mutating func removeImports(except exists: (String) -> Bool) -> [(file: String, error: String)] {
        var errors: [(file: String, error: String)] = []
        for (name, found) in imports.sorted(by: { $0.key < $1.key }) {
            guard var bytes = files[name] else { continue }
            for one in found where !exists(one.module) {
                let before = bytes[..<one.place.lowerBound]
                let line = before.count { $0 == UInt8(ascii: "\n") } + 1
                let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
                let error = "\(shownRoot)\(name):\(line):\(column): error: no such module '\(one.module)'"
                errors.append((name, error))
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

    /// The absolute path of the folder in which a class is declared.
    func folder(of className: String) -> String {
        places[className].map { files in FileTree.commonFolder(of: files.map { root + "/" + $0 }) } ?? root
    }

    /// The start of the path of a file in it, for messages.
    var shownRoot: String {
        let here = FilePaths.workingDirectory
        if root == here { return "" }
        return (root.hasPrefix(here + "/") ? String(root.dropFirst(here.count + 1)) : root) + "/"
    }
}

/// The imports of a source.
///
/// The compiler stops at a module that does not exist, and says nothing about the rest. So imports of such modules are taken out of the
/// copies that are compiled, and reported beside the compiler's errors.
struct SwiftImports {
    struct Import {
        /// The name without submodules: `os` for `os.log`.
        let module: String
        /// The bytes of the import, with attributes and the kind of what is imported.
        let place: Range<Int>
        /// True if an `#if` encloses it.
        let isConditional: Bool
    }

    private(set) var all: [Import] = []

    private static let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private", "open"]

    init(_ read: SwiftTokens) {
        var depth = 0
        var conditions = 0
        for (index, token) in read.tokens.enumerated() {
            switch token {
            case .mark(UInt8(ascii: "{")): depth += 1
            case .mark(UInt8(ascii: "}")): depth = max(depth - 1, 0)
            case .mark(UInt8(ascii: "#")):
                if read.word(index + 1) == "if" { conditions += 1 }
                if read.word(index + 1) == "endif" { conditions = max(conditions - 1, 0) }
            case .word("import") where depth == 0:
                guard let (module, last) = Self.module(after: index, read) else { continue }
                let first = read.places[Self.start(of: index, read)]
                let place = first.lowerBound..<read.places[last].upperBound
                all.append(Import(module: module, place: place, isConditional: conditions > 0))
            default: break
            }
        }
    }

    /// The name of the module, and the last token of the import.
    private static func module(after index: Int, _ read: SwiftTokens) -> (String, last: Int)? {
        var place = index + 1
        if let kind = read.word(place), SwiftTokens.importable.contains(kind), place + 1 < read.tokens.count {
            place += 1
        }
        guard let module = read.word(place) else { return nil }
        while read.isMark(place + 1, "."), read.word(place + 2) != nil { place += 2 }
        return (module, place)
    }

    /// The first token of `@testable import`, `public import` and the like.
    private static func start(of index: Int, _ read: SwiftTokens) -> Int {
        var first = index
        while let word = read.word(first - 1) {
            if modifiers.contains(word) {
                first -= 1
            } else if read.isMark(first - 2, "@") {
                first -= 2
            } else {
                break
            }
        }
        return first
    }
}

/// The attributes that expose a class to Objective-C: `@objc`, `@objc(Name)`, `@objcMembers`. Without Objective-C the compiler rejects
/// them, and the code works without them.
enum ObjectiveCAttributes {
    private static let names: Set<String> = ["objc", "objcMembers"]

    /// The source with spaces in place of the attributes, so that lines and columns stay the same; nil if there are none.
    static func blanked(_ source: [UInt8], _ read: SwiftTokens) -> [UInt8]? {
        var result = source
        var isFound = false
        for index in read.tokens.indices where read.isMark(index, "@") {
            guard let name = read.word(index + 1), names.contains(name) else { continue }
            let end = read.places[name == "objc" ? last(of: index + 1, read) : index + 1].upperBound
            for place in read.places[index].lowerBound..<end where result[place] > UInt8(ascii: " ") {
                result[place] = UInt8(ascii: " ")
            }
            isFound = true
        }
        return isFound ? result : nil
    }

    /// The last token of an attribute: its name, or the bracket after `Name` or `a:b:`.
    private static func last(of name: Int, _ read: SwiftTokens) -> Int {
        guard read.isMark(name + 1, "(") else { return name }
        var index = name + 2
        while read.word(index) != nil || read.isMark(index, ":") { index += 1 }
        return read.isMark(index, ")") ? index : name
    }
}

/// Modules that are imported by another name than they have here.
enum RenamedModules {
    private static let names = [
        // Foundation and UserNotifications have what Swift can use of it. The module itself is in C, with types of its own of the same names.
        "CoreFoundation": "Foundation",
        // The C library.
        "Darwin": "Glibc",
        // Packages for Linux import SQLite from a package of the Swift project.
        "SwiftToolchainCSQLite": "SQLite3",
    ]

    /// The source with the other names, which have spaces after them, so that lines and columns stay the same; nil if nothing is renamed.
    static func replaced(in source: [UInt8], _ read: SwiftTokens) -> [UInt8]? {
        var result: [UInt8]?
        for (index, token) in read.tokens.enumerated() where token == .word("import") {
            // `import struct CoreFoundation.CFString` is a word longer.
            for next in (index + 1)..<min(index + 3, read.tokens.count) {
                guard let name = read.word(next).flatMap({ names[$0] }) else { continue }
                var last = next
                while read.isMark(last + 1, "."), read.word(last + 2) != nil { last += 2 }
                let place = read.places[next].lowerBound..<read.places[last].upperBound
                // What is imported alone has its name; a submodule has none in the other module.
                let member = source[read.places[next].upperBound..<place.upperBound]
                var text = Array(name.utf8) + (next == index + 1 ? [] : member)
                text += repeatElement(UInt8(ascii: " "), count: max(place.count - text.count, 0))
                result = result ?? source
                result?.replaceSubrange(place, with: text)
                break
            }
        }
        return result
    }

    /// Classes of Foundation with members whose types are Core Foundation's.
    private static let locks: Set<String> = ["NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock"]

    /// Code to add to a source with a class that derives from a lock: Swift for Linux compiles it only where it sees Core Foundation.
    static func addition(for declarations: SwiftDeclarations) -> String? {
        declarations.classes.values.contains { !locks.isDisjoint(with: $0.parents) } ? "\nimport CoreFoundation\n" : nil
    }
}

/// `@NSManaged`, whose accessors Core Data makes while an app runs. Here they are code, for the values that the stand-in's objects keep.
enum ManagedProperties {
    private static let maximumHead = 16

    /// Gives each property on one line its accessors, and each function an empty body.
    static func complete(_ source: inout [UInt8], _ read: SwiftTokens) {
        // From the last one to the first, so that the places before it stay the same.
        for index in read.tokens.indices.reversed() where read.isMark(index, "@") && read.word(index + 1) == "NSManaged"
        {
            // Modifiers and other attributes stand between them.
            let head = read.tokens[index...].prefix(maximumHead)
            guard let keyword = head.firstIndex(where: { $0 == .word("var") || $0 == .word("func") }),
                let name = read.word(keyword + 1)
            else { continue }
            let line = source[read.places[keyword].lowerBound...].prefix { $0 != UInt8(ascii: "\n") }
            var last = keyword + 1
            while last + 1 < read.tokens.count, line.indices.contains(read.places[last + 1].lowerBound),
                !read.isMark(last + 1, "}"), !read.isMark(last + 1, ";")
            {
                last += 1
            }
            let accessors =
                #"{ get { managedValue(forKey: "\#(name)") } set { setValue(newValue, forKey: "\#(name)") } }"#
            let body = read.word(keyword) == "var" ? accessors : "{}"
            source.insert(contentsOf: (" " + body).utf8, at: read.places[last].upperBound)
            let attribute = read.places[index].lowerBound..<read.places[index + 1].upperBound
            source.replaceSubrange(attribute, with: repeatElement(UInt8(ascii: " "), count: attribute.count))
        }
    }
}

/// `#selector(method)`, which needs Objective-C. UserNotifications has a `Selector` that holds the method itself.
enum SelectorExpressions {
    /// The source with `Selector (method)`, which has the same length; nil if there is none.
    ///
    /// That of a property's getter or setter stays: such a function cannot be named in Swift.
    static func replaced(in source: [UInt8], _ read: SwiftTokens) -> [UInt8]? {
        var result: [UInt8]?
        for index in read.tokens.indices
        where read.isMark(index, "#") && read.word(index + 1) == "selector" && read.isMark(index + 2, "(") {
            if ["getter", "setter"].contains(read.word(index + 3)) { continue }
            let place = read.places[index].lowerBound..<read.places[index + 1].upperBound
            guard place.count == "#selector".utf8.count else { continue }
            result = result ?? source
            result?.replaceSubrange(place, with: "Selector ".utf8)
        }
        return result
    }
}

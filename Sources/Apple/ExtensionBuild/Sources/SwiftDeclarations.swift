/// The classes and imports of a module, found by scanning words and punctuation.
struct SwiftDeclarations {
    struct Class {
        /// With the enclosing types: `Outer.Service`.
        let name: String
        let scope: [String]
        /// As written: the superclass and protocols, which look the same.
        var parents: [String]
        /// The name in `@objc(…)`.
        let objectiveCName: String?
        let isGeneric: Bool
        /// Inside a function, so that nothing outside can name it.
        let isLocal: Bool
    }

    private(set) var classes: [String: Class] = [:]
    /// The types that type aliases stand for, by alias.
    private(set) var aliases: [String: String] = [:]
    /// Imported modules, without submodules: `os` for `os.log`.
    private(set) var imports: Set<String> = []
    /// Modules that files use without an import: Foundation re-exports some on Apple's systems, and a bridging header shows what it includes.
    private(set) var implied: Set<String> = []

    private enum Scope {
        case type([String])
        case other
    }

    private static let typeKeywords: Set<String> = ["class", "struct", "enum", "actor", "extension", "protocol"]
    /// Words after `class` where it does not declare a class.
    private static let memberKeywords: Set<String> = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "package",
        "public",
        "open", "dynamic", "nonisolated", "init", "lazy", "weak", "required", "mutating", "async",
    ]
    private static let importKinds: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]

    init() {}

    mutating func imply(_ modules: Set<String>) { implied.formUnion(modules) }

    mutating func read(_ source: SwiftTokens) {
        for case .word(let name) in source.tokens {
            if let module = ReexportedNames.module(of: name) { implied.insert(module) }
        }
        var reader = Reader(tokens: source.tokens)
        var scopes: [Scope] = []
        // Both branches of a condition may open the same braces.
        var conditions: [[Scope]] = []
        var pending: Scope?
        var objectiveCName: String?
        while let token = reader.next() {
            switch token {
            case .mark(UInt8(ascii: "{")):
                scopes.append(pending ?? .other)
                pending = nil
                objectiveCName = nil
            case .mark(UInt8(ascii: "}")):
                _ = scopes.popLast()
                objectiveCName = nil
            case .mark(UInt8(ascii: "#")):
                if reader.skip("if") { conditions.append(scopes) }
                if reader.skip("else") || reader.skip("elseif"), let outer = conditions.last { scopes = outer }
                if reader.skip("endif") { _ = conditions.popLast() }
            case .mark(UInt8(ascii: "@")):
                if let name = reader.objectiveCName() { objectiveCName = name }
            case .mark(UInt8(ascii: ".")):
                // A member, even if its name is a keyword.
                if reader.word != nil { _ = reader.next() }
            case .word("import"):
                if let kind = reader.word, Self.importKinds.contains(kind) { _ = reader.next() }
                if let module = reader.word { imports.insert(module) }
            case .word("typealias"):
                if let (name, type) = reader.alias() {
                    aliases[(Self.path(scopes) + [name]).joined(separator: ".")] = type
                }
            case .word(let keyword) where Self.typeKeywords.contains(keyword):
                guard let name = reader.word, !(keyword == "class" && Self.memberKeywords.contains(name)) else {
                    continue
                }
                let declared = reader.dottedName()
                let path = Self.path(scopes) + declared
                pending = .type(declared)
                guard keyword == "class" else { continue }
                let header = reader.header()
                let isLocal = scopes.contains { if case .other = $0 { true } else { false } }
                add(
                    Class(
                        name: path.joined(separator: "."), scope: path, parents: header.parents,
                        objectiveCName: objectiveCName, isGeneric: header.isGeneric, isLocal: isLocal))
                objectiveCName = nil
            default: break
            }
        }
    }

    /// Adds the classes and aliases of another module, without replacing any.
    mutating func add(_ other: SwiftDeclarations) {
        classes.merge(other.classes) { own, _ in own }
        aliases.merge(other.aliases) { own, _ in own }
    }

    private mutating func add(_ found: Class) {
        // Declared in both branches of a condition: has the parents of either.
        if classes[found.name] != nil {
            classes[found.name]?.parents += found.parents
        } else {
            classes[found.name] = found
        }
    }

    private static func path(_ scopes: [Scope]) -> [String] {
        scopes.flatMap { scope in
            if case .type(let names) = scope { return names }
            return []
        }
    }
}

/// Walks through tokens.
private struct Reader {
    let tokens: [SwiftTokens.Token]
    private var position = 0

    init(tokens: [SwiftTokens.Token]) { self.tokens = tokens }

    private var current: SwiftTokens.Token? { position < tokens.count ? tokens[position] : nil }

    /// The next token if it is a word.
    var word: String? {
        if case .word(let text)? = current { text } else { nil }
    }

    mutating func next() -> SwiftTokens.Token? {
        guard let token = current else { return nil }
        position += 1
        return token
    }

    mutating func skip(_ text: String) -> Bool {
        guard word == text else { return false }
        position += 1
        return true
    }

    private mutating func skip(mark: Unicode.Scalar) -> Bool {
        guard current == .mark(UInt8(ascii: mark)) else { return false }
        position += 1
        return true
    }

    /// `A.B.C`
    mutating func dottedName() -> [String] {
        var names: [String] = []
        while let name = word {
            names.append(name)
            position += 1
            guard skip(mark: ".") else { break }
        }
        return names
    }

    /// After an `@`: the name in `objc(Name)`.
    mutating func objectiveCName() -> String? {
        guard skip("objc"), skip(mark: "(") else { return nil }
        let name = word
        _ = next()
        return name
    }

    /// After `typealias`: a name, and the name of the type that it stands for.
    mutating func alias() -> (String, String)? {
        guard let name = word else { return nil }
        position += 1
        guard skip(mark: "=") else { return nil }
        let type = dottedName()
        return type.isEmpty ? nil : (name, type.joined(separator: "."))
    }

    /// Reads from the name of a class up to its brace, which is not consumed.
    mutating func header() -> (parents: [String], isGeneric: Bool) {
        let isGeneric = current == .mark(UInt8(ascii: "<"))
        skipArguments()
        var parents: [String] = []
        guard skip(mark: ":") else { return (parents, isGeneric) }
        while let token = current, token != .mark(UInt8(ascii: "{")), token != .word("where") {
            if skip(mark: "@") {
                _ = next()
                continue
            }
            let name = dottedName()
            if !name.isEmpty { parents.append(name.joined(separator: ".")) }
            skipArguments()
            if !skip(mark: ","), name.isEmpty { _ = next() }
        }
        return (parents, isGeneric)
    }

    /// `<…>`
    private mutating func skipArguments() {
        guard current == .mark(UInt8(ascii: "<")) else { return }
        var open = 0
        while let token = current, token != .mark(UInt8(ascii: "{")) {
            position += 1
            if token == .mark(UInt8(ascii: "<")) { open += 1 }
            if token == .mark(UInt8(ascii: ">")) { open -= 1 }
            if open == 0 { return }
        }
    }
}

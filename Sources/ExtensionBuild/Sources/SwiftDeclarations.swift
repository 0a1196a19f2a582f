/// The classes and imports of a module's sources, as far as a look at words and marks shows them.
struct SwiftDeclarations {
    struct Class {
        /// With the types around it: `Outer.Service`.
        let name: String
        let scope: [String]
        /// As written: a superclass and protocols, which look the same.
        var parents: [String]
        /// As `@objc(…)` has it.
        let objectiveCName: String?
        let isGeneric: Bool
        /// Inside of a function, where nothing outside can name it.
        let isLocal: Bool
    }

    private(set) var classes: [String: Class] = [:]
    /// Names of types by those of other types.
    private(set) var aliases: [String: String] = [:]
    /// First parts of what is imported: `os` of `os.log`.
    private(set) var imports: Set<String> = []

    private enum Scope {
        case type([String])
        case other
    }

    private static let typeKeywords: Set<String> = ["class", "struct", "enum", "actor", "extension", "protocol"]
    /// What may follow `class` where it is no declaration of a class.
    private static let memberKeywords: Set<String> = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "package",
        "public",
        "open", "dynamic", "nonisolated", "init", "lazy", "weak", "required", "mutating", "async",
    ]
    private static let importKinds: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]

    init() {}

    /// Takes in what one file declares.
    mutating func read(_ source: SwiftTokens) {
        var reader = Reader(tokens: source.tokens)
        var scopes: [Scope] = []
        // Either branch of a condition may open the same braces.
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
                // A member, whatever it is called.
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

    private mutating func add(_ found: Class) {
        // Twice under conditions: what either says.
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

/// Goes through tokens.
private struct Reader {
    let tokens: [SwiftTokens.Token]
    private var position = 0

    init(tokens: [SwiftTokens.Token]) { self.tokens = tokens }

    private var current: SwiftTokens.Token? { position < tokens.count ? tokens[position] : nil }

    /// The word that comes next.
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

    /// What stands between the name of a class and its brace, which stays to be read.
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

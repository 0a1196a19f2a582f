import PushSystem

/// The classes and imports of a module, found by scanning words and punctuation.
struct SwiftDeclarations {
    struct Class {
        /// The name with the enclosing types: `Outer.Service`.
        let name: String
        let scope: [String]
        /// The superclass and protocols as written: they look the same.
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

    init() {}

    mutating func imply(_ modules: Set<String>) { implied.formUnion(modules) }

    mutating func read(_ source: SwiftTokens) {
        for case .word(let name) in source.tokens {
            if let module = Self.reexportingModule(of: name) { implied.insert(module) }
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
                if let kind = reader.word, SwiftTokens.importable.contains(kind) { _ = reader.next() }
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

    /// The module of a name that Foundation re-exports on Apple's systems. It is one of its own here, because it needs a library.
    private static func reexportingModule(of name: String) -> String? {
        if name.hasPrefix("SecKey") { return "Security" }
        // A module of the toolchain, and of no package.
        if name.hasPrefix("XMLParser") { return "FoundationXML" }
        return name.hasPrefix("os_unfair_lock") ? "os" : nil
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

    /// Reads the name in `objc(Name)` after an `@`.
    mutating func objectiveCName() -> String? {
        guard skip("objc"), skip(mark: "(") else { return nil }
        let name = word
        _ = next()
        return name
    }

    /// Reads the name after `typealias`, and the name of the type that it stands for.
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

/// Finds the class that the system would instantiate.
struct ServiceClass {
    private static let base = "UNNotificationServiceExtension"

    /// Classes that derive from the base class and can be named from outside.
    private let services: [SwiftDeclarations.Class]
    /// Those that no other class derives from.
    private let candidates: [SwiftDeclarations.Class]

    /// - Parameter modules: those of modules that it may import, which can have the base of its class.
    init(_ declarations: SwiftDeclarations, modules: [SwiftDeclarations] = []) {
        let all = modules.reduce(into: declarations) { $0.add($1) }
        var services: [SwiftDeclarations.Class] = []
        var bases: Set<String> = []
        for declared in declarations.classes.values {
            let ancestors = Self.ancestors(of: declared, all)
            bases.formUnion(ancestors)
            if ancestors.contains(Self.base), !declared.isLocal { services.append(declared) }
        }
        self.services = services.sorted { $0.name < $1.name }
        candidates = self.services.filter { !bases.contains($0.name) && !$0.isGeneric }
    }

    /// - Parameters:
    ///   - wanted: the class that was asked for.
    ///   - principal: the class in the property list, without the module.
    /// - Returns: its name, with the types around it.
    func choose(wanted: String?, principal: String?) throws(PlainError) -> String {
        if let wanted {
            guard let found = Self.named(wanted, in: services) else {
                throw PlainError(
                    "cannot be \(wanted): no \(wanted) derives from \(Self.base)\(list(services, before: "; there are "))",
                    of: "class")
            }
            return found.name
        }
        if candidates.count == 1 { return candidates[0].name }
        if candidates.isEmpty {
            throw PlainError(
                "no class derives from \(Self.base)\(list(services, before: " and can be made; there are "))")
        }
        if let principal, let found = Self.named(principal, in: candidates) { return found.name }
        throw PlainError(
            "is needed: several classes derive from \(Self.base)\(list(candidates, before: ": ")); "
                + "NSExtensionPrincipalClass in the Info.plist can choose one, too", of: "class")
    }

    private func list(_ classes: [SwiftDeclarations.Class], before: String) -> String {
        classes.isEmpty ? "" : before + classes.map(\.name).joined(separator: ", ")
    }

    private static func named(_ name: String, in classes: [SwiftDeclarations.Class]) -> SwiftDeclarations.Class? {
        classes.first { $0.name == name } ?? classes.first { $0.objectiveCName == name }
            ?? classes.first { $0.scope.last == name }
    }

    /// All ancestors of a class; `base` by its own name.
    private static func ancestors(of declared: SwiftDeclarations.Class, _ declarations: SwiftDeclarations) -> Set<
        String
    > {
        var found: Set<String> = []
        var open = declared.parents.map { ($0, declared.scope) }
        var aliasesSeen: Set<String> = []
        while let (parent, scope) = open.popLast() {
            if parent == base || parent == "UserNotifications." + base {
                found.insert(base)
                continue
            }
            for name in spellings(of: parent, in: scope) {
                if let above = declarations.classes[name], name != declared.name {
                    if found.insert(name).inserted { open += above.parents.map { ($0, above.scope) } }
                    break
                }
                if let alias = declarations.aliases[name] {
                    if aliasesSeen.insert(name).inserted { open.append((alias, scope)) }
                    break
                }
            }
        }
        return found
    }

    /// The names that a name may refer to: in the enclosing types, from the inside out, and without the name of the module.
    private static func spellings(of name: String, in scope: [String]) -> [String] {
        var spellings = (0...scope.count).reversed().map { (scope.prefix($0) + [name]).joined(separator: ".") }
        if let dot = name.firstIndex(of: ".") { spellings.append(String(name[name.index(after: dot)...])) }
        return spellings
    }
}

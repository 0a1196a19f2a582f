import PushSystem

/// The classes and imports of a module.
struct SwiftDeclarations {
    struct Class {
        /// The name with the enclosing types: `Outer.Service`.
        let name: String
        /// The superclass and protocols as written: they look the same.
        var parents: [String]
        /// The name in `@objc(…)`.
        let objectiveCName: String?
        let isGeneric: Bool

        /// The parts of the name.
        var scope: [String] { name.split(separator: ".").map(String.init) }
    }

    private(set) var classes: [String: Class] = [:]
    /// The types that type aliases stand for, by alias.
    private(set) var aliases: [String: String] = [:]
    /// Imported modules, without submodules: `os` for `os.log`.
    private(set) var imports: Set<String> = []
    /// Modules that files use without an import: Foundation re-exports some on Apple's systems, and a bridging header shows what it includes.
    private(set) var implied: Set<String> = []

    init() {}

    mutating func imply(_ modules: Set<String>) { implied.formUnion(modules) }

    /// Adds what a source declares and imports. Classes in functions are left out, because nothing outside can name them.
    mutating func read(_ source: [UInt8], _ tokens: SwiftTokens) {
        for case .word(let name) in tokens.tokens {
            if let module = Self.reexportingModule(of: name) { implied.insert(module) }
        }
        imports.formUnion(SwiftImports(tokens).all.map(\.module))
        guard tokens.hasBranches else { return add(SwiftOutline(of: source, tokens).declarations, source, tokens) }
        // One after the other, because both may open the same brace.
        for areFirst in [true, false] {
            let branches = tokens.branches(areFirst: areFirst)
            add(SwiftOutline(of: source, branches).declarations, source, branches)
        }
    }

    private mutating func add(
        _ declarations: [SwiftOutline.Declaration], _ source: [UInt8], _ tokens: SwiftTokens
    ) {
        for declaration in declarations {
            let keyword = declaration.head.upperBound
            if tokens.word(keyword) == "typealias", tokens.isMark(keyword + 2, "=") {
                aliases[declaration.name] = tokens.dottedName(keyword + 3)
            } else if declaration.isClass {
                add(Self.read(declaration, source, tokens))
            }
            add(declaration.members, source, tokens)
        }
    }

    private static func read(
        _ declaration: SwiftOutline.Declaration, _ source: [UInt8], _ tokens: SwiftTokens
    ) -> Class {
        let attribute = declaration.head.first {
            tokens.isMark($0, "@") && tokens.word($0 + 1) == "objc" && tokens.isMark($0 + 2, "(")
        }
        var end = declaration.head.upperBound + 2
        while tokens.isMark(end, "."), tokens.word(end + 1) != nil { end += 2 }
        let parents = declaration.parents.dropFirst().map { range in
            let entry = SwiftTokens(Array(source[range]))
            // `@unchecked Sendable`
            return entry.dottedName(entry.isMark(0, "@") ? 2 : 0)
        }
        return Class(
            name: declaration.name, parents: parents, objectiveCName: attribute.flatMap { tokens.word($0 + 3) },
            isGeneric: tokens.isMark(end, "<"))
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
}

/// Finds the class that the system would instantiate.
struct ServiceClass {
    static let base = "UNNotificationServiceExtension"

    /// Classes that derive from the base class.
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
            if ancestors.contains(Self.base) { services.append(declared) }
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

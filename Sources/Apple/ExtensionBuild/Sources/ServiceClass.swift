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
    func choose(wanted: String?, principal: String?) throws(ExtensionBuildError) -> String {
        if let wanted {
            guard let found = Self.named(wanted, in: services) else {
                throw ExtensionBuildError(
                    "cannot be \(wanted): no \(wanted) derives from \(Self.base)\(list(services, before: "; there are "))",
                    of: "class")
            }
            return found.name
        }
        if candidates.count == 1 { return candidates[0].name }
        if candidates.isEmpty {
            throw ExtensionBuildError(
                "no class derives from \(Self.base)\(list(services, before: " and can be made; there are "))")
        }
        if let principal, let found = Self.named(principal, in: candidates) { return found.name }
        throw ExtensionBuildError(
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

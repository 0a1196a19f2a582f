/// Finds the module of pushpipe's that declares a name, for messages about names that the compiler did not find.
struct DeclaredNames {
    struct Place {
        let module: String
        /// Debian's packages that the declaration needs, and that are not on this machine.
        let missing: Set<String>
    }

    private static let kinds: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]

    private var places: [String: Place] = [:]

    /// - Parameters:
    ///   - names: those to look for.
    ///   - files: the sources of the modules, by path.
    ///   - modules: the modules that an extension can import.
    init(_ names: Set<String>, in files: [String: [UInt8]], modules: Set<String>) {
        guard !names.isEmpty else { return }
        for (path, bytes) in files {
            let parts = path.split(separator: "/")
            guard parts.count > 2, parts[0] == "Shims" else { continue }
            let module = String(parts[1])
            guard modules.contains(module) else { continue }
            let tokens = SwiftTokens(bytes).tokens
            let found = path.hasSuffix(".h") ? Self.words(of: tokens) : Self.publicNames(of: tokens)
            for name in names.intersection(found) {
                places[name] = Place(module: module, missing: Self.missing(module, tokens))
            }
        }
    }

    subscript(_ name: String) -> Place? { places[name] }

    private static func words(of tokens: [SwiftTokens.Token]) -> Set<String> {
        Set(tokens.compactMap { if case .word(let word) = $0 { word } else { nil } })
    }

    /// The names that are declared outside of any type.
    private static func publicNames(of tokens: [SwiftTokens.Token]) -> Set<String> {
        var names: Set<String> = []
        var depth = 0
        var isPublic = false
        for (index, token) in tokens.enumerated() {
            switch token {
            case .mark(UInt8(ascii: "{")): depth += 1
            case .mark(UInt8(ascii: "}")): depth = max(depth - 1, 0)
            case .word("public") where depth == 0: isPublic = true
            case .word("open") where depth == 0: isPublic = true
            case .word("private"), .word("import"), .word("extension"): isPublic = false
            case .word(let kind) where depth == 0 && isPublic && kinds.contains(kind):
                guard index + 1 < tokens.count, case .word(let name) = tokens[index + 1] else { continue }
                names.insert(name)
                // `final` and others stand between `public` and the kind.
                isPublic = false
            default: break
            }
        }
        return names
    }

    /// The packages of the module's own libraries, and of those that its file asks for with `canImport`.
    private static func missing(_ module: String, _ tokens: [SwiftTokens.Token]) -> Set<String> {
        var missing = RuntimeSources.missingPackages(for: module, withDependencies: false)
        for (index, token) in tokens.enumerated() where token == .word("canImport") && index + 2 < tokens.count {
            guard case .word(let name) = tokens[index + 2] else { continue }
            missing.formUnion(RuntimeSources.missingPackages(for: name))
        }
        return missing
    }
}

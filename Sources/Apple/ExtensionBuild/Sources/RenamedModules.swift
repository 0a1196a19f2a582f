/// Modules that are imported by another name than they have here.
enum RenamedModules {
    private static let names = [
        // Foundation and UserNotifications have what Swift can use of it. The module itself is in C, with types of its own of the same names.
        "CoreFoundation": "Foundation",
        // Packages for Linux import SQLite from a package of the Swift project.
        "SwiftToolchainCSQLite": "SQLite3",
    ]

    /// The source with the other names, which have spaces after them, so that lines and columns stay the same; nil if nothing is renamed.
    static func replaced(in source: [UInt8], _ read: SwiftTokens) -> [UInt8]? {
        var result: [UInt8]?
        for (index, token) in read.tokens.enumerated() where token == .word("import") {
            // `import struct CoreFoundation.CFString` is a word longer.
            for next in (index + 1)..<min(index + 3, read.tokens.count) {
                guard case .word(let module) = read.tokens[next], let name = names[module] else { continue }
                let place = read.places[next]
                result = result ?? source
                let spaces = String(repeating: " ", count: place.count - name.utf8.count)
                result?.replaceSubrange(place, with: (name + spaces).utf8)
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

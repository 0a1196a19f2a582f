struct ModuleSources {
    let name: String
    var tree: SourceTree
    /// Names for `#if`.
    var conditions: [String] = []
    var products: [(name: String, package: XcodePackage?)] = []
}

struct PackageProduct: Hashable {
    let name: String
    let package: String
}

/// The output of `swift package dump-package` about a package, as far as it matters.
struct PackageDescription: Decodable {
    struct Product: Decodable {
        var name: String
        var targets: [String]
        var type: [String: [String]?]
    }

    struct Target: Decodable {
        var name: String
        var type: String
    }

    /// Another package that it needs.
    struct Dependency: Decodable {}

    var name: String
    var dependencies: [Dependency]?
    var products: [Product]
    var targets: [Target]

    func product(with module: String) -> String? {
        let names = Set(targets.filter { BuildSettings.module($0.name) == module }.map(\.name))
        return products.first { $0.type["library"] != nil && !names.isDisjoint(with: $0.targets) }?.name
    }

    var modules: [String] {
        products.filter { $0.type["library"] != nil }.flatMap(\.targets).map(BuildSettings.module)
    }
}

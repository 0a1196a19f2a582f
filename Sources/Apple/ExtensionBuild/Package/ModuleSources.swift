import PushFiles

/// A Swift module of the project that an extension imports.
struct ModuleSources {
    let name: String
    var tree: SourceTree
    /// Names for `#if`.
    var conditions: [String] = []
    /// Products of packages that it is linked with.
    var products: [(name: String, package: XcodePackage?)] = []
}

/// A product of a Swift package.
struct PackageProduct: Hashable {
    let name: String
    /// The identity of its package.
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

    var name: String
    var products: [Product]
    var targets: [Target]

    /// The library that has a module; nil if none has.
    func product(with module: String) -> String? {
        let names = Set(targets.filter { BuildSettings.module($0.name) == module }.map(\.name))
        return products.first { $0.type["library"] != nil && !names.isDisjoint(with: $0.targets) }?.name
    }

    /// The modules of its libraries.
    var modules: [String] {
        products.filter { $0.type["library"] != nil }.flatMap(\.targets).map(BuildSettings.module)
    }
}

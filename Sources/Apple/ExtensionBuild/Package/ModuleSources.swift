/// A module in Swift that is built with an extension: from a folder, a target of the project or of a package, or a pod.
struct ModuleSources {
    let name: String
    var tree: SourceTree
    /// Names for `#if`.
    var conditions: [String] = []
    var products: [(name: String, package: XcodePackage?)] = []
    /// Features that a package turns on, as code for a manifest.
    var features: [String] = []
    /// True if its declarations belong to the main actor unless they say otherwise.
    var isOnMainActor = false
    /// True if what the compiler rejects may be left out; false for a folder that was named.
    var mayBeCut = true
    /// The contents of `Bundle.module`.
    var resources: AppExtension?
    var defaultLanguage: String?
    /// The C module of its umbrella header, which it exports.
    var umbrella: ModuleOfC?
    /// Frameworks that this header includes, of which it exports those that are here.
    var frameworks: Set<String> = []
    /// Parts that are missing in it although it is built.
    var notices: [String] = []

    /// The name of the folder that `Bundle.module` stands for, which SwiftPM makes of the package's name and the target's.
    var resourceFolder: String { "extensions_\(name).resources" }
}

/// A module in C of a package, whose files are copied as they are.
struct ModuleOfC {
    let name: String
    /// By path below the target's folder.
    var files: [String: [UInt8]] = [:]
    var publicHeaders = "include"
    /// Code for a manifest.
    var settings: [String] = []
    var libraries: [String] = []
    var dependencies: [String] = []
    /// True for a module map of a library that the system has.
    var isOfSystem = false
}

struct PackageProduct: Hashable {
    let name: String
    let package: String
}

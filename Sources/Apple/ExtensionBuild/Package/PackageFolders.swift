import FoundationEssentials
import PushFiles

/// Folders of packages, and of those that they name, in which targets are looked up by the module that a source imports.
///
/// A manifest is read when it mentions the module, because reading one takes SwiftPM a second.
struct PackageFolders {
    struct Place {
        let folder: String
        /// The files that its targets may have.
        let scope: ProjectScope
        /// True if the package was named, and is therefore trusted.
        let isNamed: Bool

        var package: XcodePackage { XcodePackage(source: .local(folder)) }
    }

    struct Described {
        let place: Place
        let description: PackageDescription

        var folder: String { place.folder }
    }

    private let usesFound: Bool
    private var waiting: [Place] = []
    /// Those that were found, in a build that leaves them out.
    private var unused: [Place] = []
    private var described: [Described] = []
    /// Identities of packages, as SwiftPM compares them: the first folder with one counts, whatever path others give.
    private var identities: Set<String> = []
    private(set) var notices: [String] = []

    /// - Parameter usesFound: false to leave out packages that nobody named.
    init(usesFound: Bool = true) { self.usesFound = usesFound }

    /// - Parameter scopes: of a project; a package that is outside of all of them is left out.
    mutating func add(_ folder: String, in scopes: [ProjectScope], isNamed: Bool = false) {
        let identity = XcodePackage(source: .local(folder)).identity.lowercased()
        guard !identities.contains(identity),
            let path = scopes.lazy.compactMap({ FileNames.existing(folder, in: $0) }).first,
            FileBytes.exists(path + "/Package.swift")
        else { return }
        guard let scope = scopes.first(where: { $0.contains(path) }) else {
            let notice =
                "the package \(FilePaths.shown(path)) is left out: it is outside of "
                + scopes.map(\.root).joined(separator: ", ") + "; name it as a package to include it"
            if !notices.contains(notice) { notices.append(notice) }
            return
        }
        identities.insert(identity)
        let place = Place(folder: path, scope: scope, isNamed: isNamed)
        if isNamed || usesFound { waiting.append(place) } else { unused.append(place) }
    }

    /// True if a folder has the identity of a package.
    func has(_ identity: String) -> Bool { identities.contains(identity.lowercased()) }

    /// The target that a module is built from, and its package.
    mutating func target(
        of module: String, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(ExtensionBuildError) -> (package: Described, target: PackageDescription.Target)? {
        for package in described {
            if let target = package.description.target(of: module) { return (package, target) }
        }
        while let index = waiting.firstIndex(where: { Self.mentions(module, in: $0) }) {
            // All at once: most projects with one have more.
            if !waiting[index].isNamed { reader.tell(waiting.filter { !$0.isNamed }.map(\.package)) }
            let place = waiting.remove(at: index)
            guard let description = try description(of: place, &reader) else { continue }
            described.append(Described(place: place, description: description))
            for dependency in description.dependencies ?? [] {
                if let folder = dependency.fileSystem?.first?.path { add(folder, in: [place.scope]) }
            }
            if let target = description.target(of: module) { return (described[described.count - 1], target) }
        }
        return nil
    }

    /// A package that is left out and whose manifest mentions a module, for messages.
    func unused(with module: String) -> String? { unused.first { Self.mentions(module, in: $0) }?.package.place }

    /// True if a manifest has the name, in any of the forms that make the same module.
    private static func mentions(_ module: String, in place: Place) -> Bool {
        let path = place.folder + "/Package.swift"
        guard let bytes = place.scope.read(path, limit: FileBytes.maximumDocumentBytes) else { return false }
        return BuildSettings.module(String(decoding: bytes, as: UTF8.self)).contains(module)
    }

    private mutating func description(
        of place: Place, _ reader: inout PackageReader<some ExtensionCompiler>
    ) throws(ExtensionBuildError) -> PackageDescription? {
        do throws(ExtensionBuildError) {
            let text = try reader.describe(place)
            if let description = try? JSONDecoder().decode(PackageDescription.self, from: Data(text)) {
                return description
            }
            let shown = FilePaths.shown(place.folder)
            notices.append("\(shown): the package's manifest cannot be read; its modules are missing")
        } catch {
            notices.append("\(error.message); its modules are missing")
        }
        return nil
    }
}

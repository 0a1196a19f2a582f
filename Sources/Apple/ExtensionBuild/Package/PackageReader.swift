import PushFiles
import PushSystem

/// Has the compiler read and fetch packages. A manifest is a program: packages that nobody named are told before the first of them runs,
/// and run in the sandbox, if there is one.
struct PackageReader<Compiler: ExtensionCompiler> {
    private(set) var compiler: Compiler
    private let cache: String
    private let report: (ExtensionBuildEvent) -> Void
    private var told: Set<String> = []
    /// Nil before it is looked for.
    private var sandbox: String??

    /// - Parameters:
    ///   - cache: the folder of everything that is built.
    ///   - report: called on this thread.
    init(_ compiler: Compiler, cache: String, report: @escaping (ExtensionBuildEvent) -> Void) {
        self.compiler = compiler
        self.cache = FilePaths.absolute(cache)
        self.report = report
    }

    private var fetchFolder: String { cache + "/packages" }

    /// Tells of packages that were found, each once: also one that is fetched and then is a folder.
    mutating func tell(_ packages: [XcodePackage]) {
        let new = packages.filter { package in
            guard let folder = package.folder, !folder.hasPrefix(fetchFolder + "/") else {
                return told.insert("fetched " + package.identity.lowercased()).inserted
            }
            return told.insert(folder).inserted
        }
        guard !new.isEmpty else { return }
        if sandbox == nil { sandbox = .some(compiler.prepareSandbox(root: cache + "/sandbox")) }
        report(.packages(new.map(\.place), sandbox: sandbox ?? nil))
    }

    /// Returns the output of `swift package dump-package`.
    mutating func describe(_ place: PackageFolders.Place) throws(ExtensionBuildError) -> [UInt8] {
        if place.isNamed { return try compiler.describePackage(in: place.folder) }
        tell([place.package])
        return try compiler.confined(to: BuildAccess(readable: [place.scope.root])).describePackage(in: place.folder)
    }

    /// Fetches packages, which runs their manifests and those of the packages that they need.
    ///
    /// - Returns: nil if only the build fetches them.
    mutating func fetch(_ packages: [XcodePackage]) throws(ExtensionBuildError) -> FetchedPackages? {
        tell(packages)
        try FileTree.makeFolder(fetchFolder)
        return try compiler.fetch(packages, in: fetchFolder)
    }
}

import ExtensionPrograms
import FoundationEssentials
import PushFiles
package import PushSystem

/// A package in the cache, and which of its products to build.
package struct PackageBuild: Sendable {
    package enum Configuration: String, CaseIterable, Sendable {
        case debug, release
    }

    /// The folder of the package.
    package let folder: String
    package let module: String
    package let configuration: Configuration
    /// Folders of modules that were compiled before.
    package let moduleFolders: [String]
    /// True for a static library instead of an executable.
    package let isLibrary: Bool

    package init(
        folder: String, module: String, configuration: Configuration, moduleFolders: [String] = [],
        isLibrary: Bool = false
    ) {
        self.folder = folder
        self.module = module
        self.configuration = configuration
        self.moduleFolders = moduleFolders
        self.isLibrary = isLibrary
    }

    /// The path of the file that a build makes.
    package var product: String {
        "\(folder)/.build/\(configuration.rawValue)/" + (isLibrary ? "lib\(module).a" : module)
    }

    /// The arguments of `swift`.
    var arguments: [String] {
        [
            "build", "--package-path", folder, "--configuration", configuration.rawValue, "--product", module,
            // Editors search it, and nobody edits these sources. Writing it takes a third of the time of Swift's compiler.
            "--disable-index-store",
        ]
            // Nobody debugs a library's code.
            + (isLibrary ? ["-debug-info-format", "none"] : [])
            // No library that lies beside the extension is loaded.
            + (isLibrary ? [] : ["--disable-local-rpath"]) + moduleFolders.flatMap { ["-Xswiftc", "-I" + $0] }
    }
}

/// How far a build is, by the lines of SwiftPM that begin with `[17/68]`.
package struct BuildSteps {
    private var last = 0

    package init() {}

    /// The step of a line, if it is a quarter of the build after the last one that was returned. Compiling Swift adds steps while it goes on.
    package mutating func quarter(in line: String) -> String? {
        guard let found = line.prefixMatch(of: /\[(\d{1,6})\/(\d{1,6})\]/), let step = Int(found.1),
            let all = Int(found.2), all > 0, (step - last) * 4 >= all
        else { return nil }
        last = step
        return "step \(step) of \(all)"
    }
}

/// Compiles packages. `SwiftCompiler` is the real one; tests have others.
package protocol ExtensionCompiler {
    /// Builds an executable or a library, while the package is locked.
    ///
    /// - Parameter line: called with each line of output, without its end, as it arrives.
    /// - Returns: true if it was built.
    /// - Throws: when there is no compiler.
    func compile(_ build: PackageBuild, line: (String) -> Void) throws(PlainError) -> Bool

    /// Fetches the packages that a package depends on.
    ///
    /// - Returns: true if all of them are there.
    func fetchPackages(of folder: String, line: (String) -> Void) throws(PlainError) -> Bool

    /// A text that is another one for another compiler, or another version of it.
    func identity() throws(PlainError) -> String

    /// Returns the output of `swift package dump-package` for a package.
    ///
    /// - Throws: when there is no compiler, or the manifest has an error.
    func describePackage(in folder: String) throws(PlainError) -> [UInt8]

    /// Looks for a sandbox.
    ///
    /// - Parameter root: a folder for it alone.
    /// - Returns: its name, for messages; nil if the system has none.
    mutating func prepareSandbox(root: String) -> String?

    /// Returns the compiler in the sandbox, if there is one. What it runs of a package sees the folders of this access only.
    func confined(to access: BuildAccess) -> Self

    /// Fetches packages from repositories, with the packages that they need, in the sandbox, if there is one: manifests run.
    ///
    /// - Parameter folder: where they may be kept for later builds.
    /// - Throws: when there is no compiler.
    func fetch(_ packages: [XcodePackage], in folder: String) throws(PlainError) -> FetchedPackages
}

package struct FetchedPackages: Sendable {
    /// The folders of the packages, and of those that they need.
    package var folders: [String] = []
    /// Packages that could not be fetched, and why.
    package var failures: [(package: XcodePackage, reason: String)] = []

    package init() {}
}

/// Runs `swift build`.
package struct SwiftCompiler: ExtensionCompiler {
    private var environment: [String: String]
    private var sandbox: BuildSandbox?
    private var access: BuildAccess?

    /// - Parameter environment: for the compiler; `PATH` says where it is. pushpipe's own variables are not passed on.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment.filter { !$0.key.hasPrefix("PUSHPIPE_") }
    }

    package mutating func prepareSandbox(root: String) -> String? {
        sandbox = BuildSandbox.find(environment: environment, root: root)
        return sandbox?.name
    }

    package func confined(to access: BuildAccess) -> SwiftCompiler {
        guard sandbox != nil else { return self }
        var compiler = self
        compiler.environment = BuildSandbox.variables(of: environment)
        compiler.access = access
        if let swift = try? FileSystem.resolved(swift()) {
            // The folder above `bin`, which has the libraries.
            compiler.access?.readable.append(FilePaths.parent(of: FilePaths.parent(of: swift)))
        }
        return compiler
    }

    /// The command line that runs `swift`.
    private func command(_ arguments: [String]) throws(PlainError) -> [String] {
        let command = [try swift()] + arguments
        guard let sandbox, let access else { return command }
        return sandbox.command(command, access)
    }

    private func swift() throws(PlainError) -> String {
        guard let swift = FileSystem.program("swift", on: environment["PATH"]) else {
            throw PlainError(
                "extensions are built with Swift, and there is no swift on PATH: https://www.swift.org/install")
        }
        return swift
    }

    package func describePackage(in folder: String) throws(PlainError) -> [UInt8] {
        // The folder of the package may be one to read only.
        let scratch = access == nil ? [] : ["--scratch-path", "/tmp/scratch"]
        var output: [UInt8] = []
        let arguments = ["package", "--package-path", folder] + scratch + ["dump-package"]
        guard try run(arguments, errors: .inherited, received: { output += $0 }) == 0 else {
            throw PlainError("\(FilePaths.shown(folder)): not a Swift package")
        }
        return output
    }

    package func identity() throws(PlainError) -> String {
        let path = try swift()
        let program = try PlainError.naming(path, try FileSystem.resolved(path))
        let status = try PlainError.naming(path, try FileStatus(program))
        return "\(program) \(status.size) \(status.modifiedNanoseconds)"
    }

    package func fetchPackages(of folder: String, line: (String) -> Void) throws(PlainError) -> Bool {
        try run(["package", "--package-path", folder, "resolve"], line: line)
    }

    package func compile(
        _ build: PackageBuild, line: (String) -> Void
    ) throws(PlainError) -> Bool {
        try run(build.arguments, line: line)
    }

    /// Runs `swift` and returns its status.
    private func run(
        _ arguments: [String], errors: Program.Errors, received: ([UInt8]) -> Void
    ) throws(PlainError) -> Int32 {
        let command = try command(arguments)
        let program = Program(executable: command[0], errors: errors, environment: environment)
        do {
            return try program.run(Array(command.dropFirst()), received: received)
        } catch {
            throw PlainError("swift: \(error)")
        }
    }

    /// Runs `swift` and returns true if it succeeds.
    private func run(_ arguments: [String], line: (String) -> Void) throws(PlainError) -> Bool {
        var pending: [UInt8] = []
        func take() {
            line(String(decoding: pending, as: UTF8.self))
            pending.removeAll(keepingCapacity: true)
        }
        let status = try run(arguments, errors: .merged) { piece in
            for byte in piece {
                if byte == UInt8(ascii: "\n") { take() } else { pending.append(byte) }
            }
        }
        if !pending.isEmpty { take() }
        return status == 0
    }
}

extension SwiftCompiler {
    /// Has SwiftPM fetch packages, before anything is built, so that what they have is known, and what cannot be had is told beside all else.
    ///
    /// SwiftPM fetches all of them or none. So an empty package stands in for each that cannot be had, also for one that only others need: then
    /// it fetches the rest. All tries share one folder, in which nothing is fetched twice.
    package func fetch(_ packages: [XcodePackage], in folder: String) throws(PlainError) -> FetchedPackages {
        var result = FetchedPackages()
        var hash = FNV1a()
        for package in packages { hash.addPart("\(package.source)".utf8) }
        let place = folder + "/" + hash.hexadecimal
        var wanted = packages
        var absent: Set<String> = []
        while !wanted.isEmpty {
            guard let log = try resolve(wanted, without: absent, in: place) else {
                let checkouts = place + "/.build/checkouts"
                let names = (try? FileSystem.names(in: checkouts)) ?? []
                // A manifest may have written a link there.
                let scope = ProjectScope(root: place)
                result.folders = names.sorted().map { checkouts + "/" + $0 }.filter {
                    FileTree.isFolder($0) && scope.contains($0)
                }
                return result
            }
            let failures = FetchFailure.all(in: log).filter { absent.insert($0.identity).inserted }
            for failure in failures {
                let package = wanted.first { $0.identity.lowercased() == failure.identity }
                result.failures.append((package ?? failure.package, failure.reason))
            }
            wanted.removeAll { absent.contains($0.identity.lowercased()) }
            if failures.isEmpty {
                let failed = try findFailing(wanted, FetchFailure.reason(in: log), in: folder)
                result.failures += failed
                wanted.removeAll { package in failed.contains { $0.package == package } }
            }
        }
        return result
    }

    /// Finds the packages that fail for another reason than that they cannot be had: those that fail alone, else all.
    private func findFailing(
        _ packages: [XcodePackage], _ reason: String, in folder: String
    ) throws(PlainError) -> [(package: XcodePackage, reason: String)] {
        var failures: [(package: XcodePackage, reason: String)] = []
        for package in packages where packages.count > 1 {
            guard let log = try resolve([package], without: [], in: folder + "/one") else { continue }
            failures.append((package, FetchFailure.reason(in: log)))
        }
        return failures.isEmpty ? packages.map { ($0, reason) } : failures
    }

    /// Returns the output when it fails.
    ///
    /// - Parameter absent: identities of packages that empty ones stand in for.
    private func resolve(
        _ packages: [XcodePackage], without absent: Set<String>, in folder: String
    ) throws(PlainError) -> String? {
        var all = packages
        for name in absent.sorted() {
            let place = folder + "/absent/" + name
            let manifest = """
                // swift-tools-version:5.3
                import PackageDescription
                let package = Package(name: \(ExtensionPackage.literal(name)))

                """
            // Manifests may have written links here.
            for path in [folder + "/absent", place, place + "/Package.swift"] { FileTree.removeLink(path) }
            try FileTree.makeFolder(place)
            try FileTree.write(Array(manifest.utf8), to: place + "/Package.swift")
            all.append(XcodePackage(source: .local(place)))
        }
        let dependencies = all.map { "        " + ExtensionPackage.dependency($0) + ",\n" }.joined()
        let manifest = Array(
            """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "fetched",
                dependencies: [
            \(dependencies)    ]
            )

            """.utf8)
        try FileTree.makeFolder(folder)
        let path = folder + "/Package.swift"
        FileTree.removeLink(path)
        let present = try? FileBytes.read(path, limit: FileBytes.maximumDocumentBytes)
        if present != manifest { try FileTree.write(manifest, to: path) }
        var log = ""
        let access = BuildAccess(writable: [folder], hasNetwork: true)
        let isFetched = try confined(to: access).fetchPackages(of: folder) { log += $0 + "\n" }
        return isFetched ? nil : log
    }
}

/// A package that SwiftPM cannot fetch, read from its output.
struct FetchFailure: Equatable {
    /// The name by which SwiftPM compares packages.
    let identity: String
    let package: XcodePackage
    let reason: String

    private init?(_ place: some StringProtocol, _ reason: String) {
        package = XcodePackage(source: .remote(String(place), requirement: ""))
        identity = package.identity.lowercased()
        self.reason = reason
        // It becomes the name of a folder.
        guard FilePaths.isFileName(identity) else { return nil }
    }

    /// The packages that cannot be cloned, and those that have no version that is wanted, each once.
    ///
    /// Several are cloned at once, and all but one of the failures are warnings. So is each package that is not in a cache which cannot be
    /// written, as in the sandbox: that one is no failure.
    static func all(in log: String) -> [FetchFailure] {
        let lines = log.split(separator: "\n")
        var found: [FetchFailure] = []
        for (index, line) in lines.enumerated() {
            var failure: FetchFailure?
            if let place = line.firstMatch(of: /Failed to clone repository (.+?):?$/)?.1 {
                let details = lines[(index + 1)...].prefix { $0.hasPrefix(" ") }
                let fatal = details.first { $0.contains("fatal: ") }
                let isOfCache = fatal?.contains("org.swift.swiftpm") ?? true
                if line.hasPrefix("error: ") || !isOfCache {
                    failure = FetchFailure(place, afterColon(fatal ?? details.first ?? line))
                }
            } else if let match = line.firstMatch(of: /no versions of '([^']+)' match the requirement ([^ ]+)/) {
                failure = FetchFailure(match.1, "it has no version \(match.2)")
            }
            if let failure, !found.contains(where: { $0.identity == failure.identity }) { found.append(failure) }
        }
        return found
    }

    /// The reason of another failure.
    static func reason(in log: String) -> String {
        let lines = log.split(separator: "\n").drop { !$0.hasPrefix("error: ") }.filter { line in
            !BuildLog.noise.contains(where: line.hasPrefix)
        }
        return (lines.first { $0.contains("fatal: ") } ?? lines.first).map(afterColon) ?? "unknown"
    }

    private static func afterColon(_ line: Substring) -> String {
        String(line.firstRange(of: ": ").map { line[$0.upperBound...] } ?? line)
    }
}

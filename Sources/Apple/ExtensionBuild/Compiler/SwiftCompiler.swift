import FoundationEssentials
import PushFiles
import PushSystem

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

    /// Of `swift build`.
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

/// Compiles packages. `SwiftCompiler` is the real one; tests have others.
package protocol ExtensionCompiler {
    /// Builds an executable or a library, while the package is locked.
    ///
    /// - Parameter line: called with each line of output, without its end, as it arrives.
    /// - Returns: true if it was built.
    /// - Throws: when there is no compiler.
    func compile(_ build: PackageBuild, line: (String) -> Void) throws(ExtensionBuildError) -> Bool

    /// Fetches the packages that a package depends on.
    ///
    /// - Returns: true if all of them are there.
    func fetchPackages(of folder: String, line: (String) -> Void) throws(ExtensionBuildError) -> Bool

    /// A text that is another one for another compiler, or another version of it.
    func identity() throws(ExtensionBuildError) -> String

    /// Returns the output of `swift package dump-package` for a package.
    ///
    /// - Throws: when there is no compiler, or the manifest has an error.
    func describePackage(in folder: String) throws(ExtensionBuildError) -> [UInt8]

    /// Looks for a sandbox.
    ///
    /// - Parameter root: a folder for it alone.
    /// - Returns: its name, for messages; nil if the system has none.
    mutating func prepareSandbox(root: String) -> String?

    /// The same compiler in the sandbox, if there is one. What it runs of a package sees the folders of this access only.
    func confined(to access: BuildAccess) -> Self

    /// Fetches packages from repositories, with the packages that they need, in the sandbox, if there is one: manifests run.
    ///
    /// - Parameter folder: where they may be kept for later builds.
    /// - Returns: nil if only the build fetches them.
    /// - Throws: when there is no compiler.
    func fetch(_ packages: [XcodePackage], in folder: String) throws(ExtensionBuildError) -> FetchedPackages?
}

extension ExtensionCompiler {
    package func fetch(_ packages: [XcodePackage], in folder: String) throws(ExtensionBuildError) -> FetchedPackages? {
        nil
    }
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
    private func command(_ arguments: [String]) throws(ExtensionBuildError) -> [String] {
        let command = [try swift()] + arguments
        guard let sandbox, let access else { return command }
        return sandbox.command(command, access)
    }

    private func swift() throws(ExtensionBuildError) -> String {
        guard let swift = Program.find("swift", on: environment["PATH"]) else {
            throw ExtensionBuildError(
                "extensions are built with Swift, and there is no swift on PATH: https://www.swift.org/install")
        }
        return swift
    }

    package func describePackage(in folder: String) throws(ExtensionBuildError) -> [UInt8] {
        // The folder of the package may be one to read only.
        let scratch = access == nil ? [] : ["--scratch-path", "/tmp/scratch"]
        let command = try command(["package", "--package-path", folder] + scratch + ["dump-package"])
        let program = Program(executable: command[0], environment: environment)
        var output: [UInt8] = []
        do {
            guard try program.run(Array(command.dropFirst()), received: { output += $0 }) == 0 else {
                throw ExtensionBuildError("\(FilePaths.shown(folder)): not a Swift package")
            }
        } catch let error as ExtensionBuildError {
            throw error
        } catch {
            throw ExtensionBuildError("swift: \(error)")
        }
        return output
    }

    package func identity() throws(ExtensionBuildError) -> String {
        let path = try swift()
        do throws(SystemError) {
            let program = try FileSystem.resolved(path)
            let status = try FileStatus(program)
            return "\(program) \(status.size) \(status.modifiedNanoseconds)"
        } catch {
            throw ExtensionBuildError(path, error)
        }
    }

    package func fetchPackages(of folder: String, line: (String) -> Void) throws(ExtensionBuildError) -> Bool {
        try run(["package", "--package-path", folder, "resolve"], line: line)
    }

    package func compile(
        _ build: PackageBuild, line: (String) -> Void
    ) throws(ExtensionBuildError) -> Bool {
        try run(build.arguments, line: line)
    }

    /// Runs `swift` and returns true if it succeeds.
    private func run(_ arguments: [String], line: (String) -> Void) throws(ExtensionBuildError) -> Bool {
        let command = try command(arguments)
        var pending: [UInt8] = []
        func take() {
            line(String(decoding: pending, as: UTF8.self))
            pending.removeAll(keepingCapacity: true)
        }
        let status: Int32
        do {
            let program = Program(executable: command[0], errors: .merged, environment: environment)
            status = try program.run(Array(command.dropFirst())) { piece in
                for byte in piece {
                    if byte == UInt8(ascii: "\n") { take() } else { pending.append(byte) }
                }
            }
        } catch {
            throw ExtensionBuildError("swift: \(error)")
        }
        if !pending.isEmpty { take() }
        return status == 0
    }
}

import FoundationEssentials
import PushFiles

/// A package in the cache, and which of its executables to build.
package struct PackageBuild: Sendable {
    package enum Configuration: String, CaseIterable, Sendable {
        case debug, release
    }

    /// The folder of the package.
    package let folder: String
    package let module: String
    package let configuration: Configuration

    package init(folder: String, module: String, configuration: Configuration) {
        self.folder = folder
        self.module = module
        self.configuration = configuration
    }

    /// The path of the executable that a build makes.
    package var product: String { "\(folder)/.build/\(configuration.rawValue)/\(module)" }
}

/// Compiles packages. `SwiftCompiler` is the real one; tests have others.
package protocol ExtensionCompiler {
    /// Builds an executable, once for each extension, while the package is locked.
    ///
    /// - Parameter line: called with each line of output, without its end, as it arrives.
    /// - Returns: true if the executable was built.
    /// - Throws: when there is no compiler.
    func compile(_ build: PackageBuild, line: (String) -> Void) throws(ExtensionBuildError) -> Bool

    /// Returns the output of `swift package dump-package` for a package.
    ///
    /// - Throws: when there is no compiler, or the manifest has an error.
    func describePackage(in folder: String) throws(ExtensionBuildError) -> [UInt8]
}

/// Runs `swift build`.
package struct SwiftCompiler: ExtensionCompiler {
    private let environment: [String: String]

    /// - Parameter environment: for the compiler; `PATH` says where it is. pushpipe's own variables are not passed on.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment.filter { !$0.key.hasPrefix("PUSHPIPE_") }
    }

    private func swift() throws(ExtensionBuildError) -> String {
        guard let swift = Program.find("swift", on: environment["PATH"]) else {
            throw ExtensionBuildError(
                "extensions are built with Swift, and there is no swift on PATH: https://www.swift.org/install")
        }
        return swift
    }

    package func describePackage(in folder: String) throws(ExtensionBuildError) -> [UInt8] {
        let program = Program(executable: try swift(), environment: environment)
        var output: [UInt8] = []
        do {
            let arguments = ["package", "--package-path", folder, "dump-package"]
            guard try program.run(arguments, received: { output += $0 }) == 0 else {
                throw ExtensionBuildError("\(FilePaths.shown(folder)): not a Swift package")
            }
        } catch let error as ExtensionBuildError {
            throw error
        } catch {
            throw ExtensionBuildError("swift: \(error)")
        }
        return output
    }

    package func compile(
        _ build: PackageBuild, line: (String) -> Void
    ) throws(ExtensionBuildError) -> Bool {
        let swift = try swift()
        var pending: [UInt8] = []
        func take() {
            line(String(decoding: pending, as: UTF8.self))
            pending.removeAll(keepingCapacity: true)
        }
        let status: Int32
        do {
            status = try Program(executable: swift, errors: .merged, environment: environment).run([
                "build", "--package-path", build.folder, "--configuration", build.configuration.rawValue,
                "--product", build.module,
                // Editors search it, and nobody edits these sources. Writing it takes a third of the time of Swift's compiler.
                "--disable-index-store",
                // No library that lies beside the extension is loaded.
                "--disable-local-rpath",
            ]) { piece in
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

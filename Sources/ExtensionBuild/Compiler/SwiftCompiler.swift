import FoundationEssentials

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
    /// - Returns: whether the executable was built.
    /// - Throws: when there is no compiler.
    func compile(_ build: PackageBuild, line: (String) -> Void) throws(ExtensionBuildError) -> Bool
}

/// Runs `swift build`.
package struct SwiftCompiler: ExtensionCompiler {
    private let environment: [String: String]

    /// - Parameter environment: for the compiler; `PATH` says where it is. pushpipe's own variables are not passed on.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment.filter { !$0.key.hasPrefix("PUSHPIPE_") }
    }

    package func compile(
        _ build: PackageBuild, line: (String) -> Void
    ) throws(ExtensionBuildError) -> Bool {
        guard let swift = Program.find("swift", on: environment["PATH"]) else {
            throw ExtensionBuildError(
                "extensions are built with Swift, and there is no swift on PATH: https://www.swift.org/install")
        }
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

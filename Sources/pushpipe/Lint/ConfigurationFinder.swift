import FileAccess
import PushLint
import PushLintConfiguration
import PushModel
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds the configuration of each file, and reads each configuration once.
final class ConfigurationFinder {
    /// A configuration, and what was made of it.
    final class Profile {
        let configuration: LintConfiguration
        let linter: TextLinter

        init(_ configuration: LintConfiguration, _ makeLinter: (LintConfiguration) -> TextLinter) {
            self.configuration = configuration
            linter = makeLinter(configuration)
        }
    }

    private let source: LintPlan.ConfigurationSource
    private let makeLinter: (LintConfiguration) -> TextLinter
    /// By the directory that it was asked for.
    private var profiles: [String: Profile] = [:]
    private lazy var plain = Profile(LintConfiguration(), makeLinter)

    init(_ source: LintPlan.ConfigurationSource, makeLinter: @escaping (LintConfiguration) -> TextLinter) {
        self.source = source
        self.makeLinter = makeLinter
    }

    /// What the nearest configuration in this directory or above it says, unless one was named.
    ///
    /// - Parameter directory: absolute.
    /// - Throws: `Failure.trouble` when the configuration cannot be read, or is wrong.
    func profile(for directory: String) throws -> Profile {
        switch source {
        case .none: return plain
        case .file(let path):
            if let profile = profiles[""] { return profile }
            return try read(path, key: "")
        case .nearest:
            if let profile = profiles[directory] { return profile }
            let path = (directory == "/" ? "" : directory) + "/" + LintConfiguration.fileName
            // `lstat`, so that a link that leads nowhere is an error and not passed over.
            var status = stat()
            if lstat(path, &status) == 0 { return try read(path, key: directory) }
            let profile = directory == "/" ? plain : try profile(for: FilePaths.parent(of: directory))
            profiles[directory] = profile
            return profile
        }
    }

    private func read(_ path: String, key: String) throws -> Profile {
        let bytes: [UInt8]
        do { bytes = try FileBytes.read(path) } catch { throw Failure.trouble("\(FilePaths.shown(path)): \(error)") }
        let configuration = try LintConfiguration(
            yaml: bytes, path: FilePaths.shown(path), directory: FilePaths.parent(of: FilePaths.absolute(path)))
        let profile = Profile(configuration, makeLinter)
        profiles[key] = profile
        return profile
    }
}

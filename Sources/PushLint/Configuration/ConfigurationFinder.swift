import FileAccess
import SystemSupport
import TerminalStyle

/// Finds the configuration of each file, and reads each configuration once.
package final class ConfigurationFinder {
    /// Where the configuration of a file comes from.
    package enum Source: Sendable {
        /// The nearest `.pushpipe.yml` in the file's directory or above it.
        case nearest
        case file(String)
        case none
    }

    /// Makes a configuration of the bytes of a file, with the path for messages and the absolute path of its directory.
    package typealias Reader = (
        _ bytes: [UInt8], _ path: String, _ directory: String
    ) throws(ConfigurationError) -> LintConfiguration

    /// A configuration, and what the caller says beyond it.
    final class Profile: Sendable {
        let configuration: LintConfiguration
        let options: LintOptions

        init(_ configuration: LintConfiguration, _ options: LintOptions) {
            self.configuration = configuration
            self.options = options
        }

        func makeLinter() -> TextLinter { TextLinter(configuration, options) }
    }

    private let source: Source
    private let reader: Reader
    private let options: LintOptions
    /// By the directory that was asked for.
    private var profiles: [String: Profile] = [:]
    private lazy var plain = Profile(LintConfiguration(), options)

    init(_ source: Source, _ options: LintOptions, reader: @escaping Reader) {
        self.source = source
        self.reader = reader
        self.options = options
    }

    /// The nearest configuration in this directory or above it, unless a file was named.
    ///
    /// - Parameter directory: absolute.
    func profile(for directory: String) throws(ConfigurationError) -> Profile {
        switch source {
        case .none: return plain
        case .file(let path):
            if let profile = profiles[""] { return profile }
            return try read(path, key: "")
        case .nearest:
            if let profile = profiles[directory] { return profile }
            let path = (directory == "/" ? "" : directory) + "/" + LintConfiguration.fileName
            // A link that leads nowhere is an error, and is not skipped.
            if FileBytes.isPresent(path) { return try read(path, key: directory) }
            let profile = directory == "/" ? plain : try profile(for: FilePaths.parent(of: directory))
            profiles[directory] = profile
            return profile
        }
    }

    private func read(_ path: String, key: String) throws(ConfigurationError) -> Profile {
        let name = FilePaths.shown(path)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes)
        } catch {
            throw ConfigurationError(
                path: name, message: FileBytes.message(for: error, limit: FileBytes.maximumConfigurationBytes))
        }
        let profile = Profile(try reader(bytes, name, FilePaths.parent(of: FilePaths.absolute(path))), options)
        profiles[key] = profile
        return profile
    }
}

import PushFiles
import PushSystem
import PushText

/// Finds the configuration of each file, and reads each configuration once.
package final class ConfigurationFinder {
    /// The origin of the configuration of a file.
    package enum Source: Sendable, Equatable {
        /// The nearest `.pushpipe.yml` in the file's directory or above it.
        case nearest
        /// A file, and its contents if they can be read only once, as those of a pipe.
        case file(String, contents: [UInt8]? = nil)
        case none
    }

    /// Makes a configuration of the bytes of a file, with the path for messages and the absolute path of its directory.
    package typealias Reader = (
        _ bytes: [UInt8], _ path: String, _ directory: String
    ) throws(ConfigurationError) -> LintConfiguration

    private let source: Source
    private let reader: Reader
    private let options: LintOptions
    /// The profiles of directories.
    private var profiles: [String: LintProfile] = [:]
    private lazy var plain = LintProfile([], options)

    package init(_ source: Source, _ options: LintOptions, reader: @escaping Reader) {
        self.source = source
        self.reader = reader
        self.options = options
    }

    /// The profile of a file.
    ///
    /// - Parameter path: absolute; nil for standard input, to which the configuration of the working directory applies.
    package func profile(forFile path: String?) throws(ConfigurationError) -> LintProfile {
        guard let path else { return try profile(for: FilePaths.workingDirectory) }
        return try profile(for: FilePaths.parent(of: path)).profile(forFile: path)
    }

    /// The configurations of all files of a directory: the nearest configuration in it or above it, unless a file was named.
    ///
    /// - Parameter directory: absolute.
    package func profile(for directory: String) throws(ConfigurationError) -> LintProfile {
        switch source {
        case .none: return plain
        case .file(let path, let contents):
            if let profile = profiles[""] { return profile }
            let bytes: [UInt8]
            if let contents { bytes = contents } else { bytes = try Self.bytes(of: path) }
            let profile = try read(bytes, of: path, in: FilePaths.parent(of: FilePaths.absolute(path)))
            profiles[""] = profile
            return profile
        case .nearest: return try nearest(directory)
        }
    }

    private func nearest(_ directory: String) throws(ConfigurationError) -> LintProfile {
        if let profile = profiles[directory] { return profile }
        let profile: LintProfile
        if let path = try Self.configuration(in: directory) {
            profile = try read(Self.bytes(of: path, mayBePipe: false), of: path, in: directory)
        } else {
            profile = directory == "/" ? plain : try nearest(FilePaths.parent(of: directory))
        }
        profiles[directory] = profile
        return profile
    }

    /// The path of a directory's configuration.
    package static func configuration(in directory: String) throws(ConfigurationError) -> String? {
        // A link that leads nowhere is an error, and is not skipped.
        let present = LintConfiguration.fileNames.map { FilePaths.joined(directory, $0) }.filter(FileBytes.isPresent)
        guard let path = present.first else { return nil }
        if present.count > 1 {
            throw ConfigurationError(
                path: FilePaths.shown(path),
                message: "\(FilePaths.shown(present[1])) is a configuration of the same directory; keep one of them")
        }
        return path
    }

    private func read(
        _ bytes: [UInt8], of path: String, in directory: String
    ) throws(ConfigurationError) -> LintProfile {
        let configuration = try configuration(bytes, of: path, in: directory)
        if configuration.keys.contains("ignore") {
            throw ConfigurationError(
                path: FilePaths.shown(path),
                message: "ignore stands below lint: the keys allowed here are lint, extends")
        }
        guard configuration.extendsParent, directory != "/" else { return LintProfile([configuration], options) }
        return LintProfile(try nearest(FilePaths.parent(of: directory)).configurations + [configuration], options)
    }

    private func configuration(
        _ bytes: [UInt8], of path: String, in directory: String
    ) throws(ConfigurationError) -> LintConfiguration {
        var configuration = try reader(bytes, FilePaths.shown(path), directory)
        configuration.path = path
        configuration.text = bytes
        return configuration
    }

    /// The findings that a file next to a payload says to ignore in that; nil if there is no such file.
    ///
    /// - Parameters:
    ///   - path: the payload's, absolute.
    ///   - name: the payload's, as reports have it.
    package func suppressions(forFile path: String, named name: String) throws(ConfigurationError) -> SuppressionFile? {
        if case .none = source { return nil }
        let beside = path + LintConfiguration.besideSuffix
        guard FileBytes.isPresent(beside) else { return nil }
        let configuration = try configuration(
            Self.bytes(of: beside, mayBePipe: false), of: beside, in: FilePaths.parent(of: path))
        if let key = configuration.keys.subtracting(["ignore"]).min() {
            throw ConfigurationError(
                path: FilePaths.shown(beside),
                message: "a file next to a payload has no key '\(key)'; the key allowed is ignore")
        }
        return SuppressionFile(name + LintConfiguration.besideSuffix, configuration.text, configuration.suppressions)
    }

    /// The rules that a file next to a payload file has ignored there; none without such a file.
    ///
    /// - Parameter path: absolute.
    package func ignored(besideFile path: String) throws(ConfigurationError) -> [Suppression] {
        try suppressions(forFile: path, named: path)?.suppressions ?? []
    }

    /// The bytes of a file, at most `limit`; of standard input if `path` is nil.
    package static func bytes(
        of path: String?, limit: Int = FileBytes.maximumConfigurationBytes, mayBePipe: Bool = true
    ) throws(ConfigurationError) -> [UInt8] {
        // Opening a pipe waits for its other end.
        if !mayBePipe, let path, let status = try? FileStatus(path), status.kind != .regular {
            throw ConfigurationError(path: FilePaths.shown(path), message: "not a regular file")
        }
        do throws(SystemError) { return try FileBytes.read(path, limit: limit) } catch {
            throw ConfigurationError(
                path: path.map { FilePaths.shown($0) } ?? "<stdin>",
                message: FileBytes.message(for: error, limit: limit))
        }
    }
}

import PushFiles
import PushLint
import PushSystem

/// The files that a report depends on.
struct WatchedFiles {
    /// Besides configurations.
    private static let ignoreFiles = [".gitignore", ".ignore"]

    /// Absolute paths of the files to lint, and of a configuration that was named.
    private var files: Set<String> = []
    /// Absolute paths of the directories whose files are linted.
    private var searched: Set<String> = []
    /// The targets of the paths that were named. A link on the way may be replaced.
    private var targets: Set<String> = []
    /// Absolute paths of all directories to watch: those of the files, and all above them.
    private var directories: Set<String> = []
    /// Absolute paths of the directories above files that were named. With one of them, a file comes and goes.
    private var ancestors: Set<String> = []
    /// True if the system watches no more directories.
    private(set) var isLimited = false

    /// Finds the files, and has their directories watched. What cannot be read is left out: the report says so.
    ///
    /// - Parameter watch: watches a directory; false if it is watched already.
    init(_ job: LintJob, _ reader: @escaping ConfigurationFinder.Reader, watch: (String) throws(SystemError) -> Bool) {
        var hasNew: Bool
        repeat {
            self = WatchedFiles(found: job, reader)
            hasNew = false
            var isLimited = false
            for directory in directories {
                do throws(SystemError) {
                    if try watch(directory) { hasNew = true }
                } catch {
                    if error == .noSpace { isLimited = true }
                }
            }
            self.isLimited = isLimited
            // What was written into a new directory before it was watched is found the next time.
        } while hasNew
    }

    private init(found job: LintJob, _ reader: @escaping ConfigurationFinder.Reader) {
        if let inputs = Self.inputs(of: job, reader) {
            files = Set(inputs.found.compactMap(\.path).map(FilePaths.absolute))
            searched = Set(inputs.searched.map(FilePaths.absolute))
        }
        for path in job.paths.compactMap(\.self) {
            let place = FilePaths.absolute(path)
            // A link is watched where it is, and where it leads to.
            let target = (try? FileSystem.resolved(path)) ?? place
            targets.insert(target)
            for place in [place, target] {
                directories.insert(FilePaths.parent(of: place))
                if FileSystem.isDirectory(place) {
                    searched.insert(place)
                } else {
                    files.insert(place)
                    ancestors.formUnion(Self.directories(above: place))
                }
            }
        }
        if case .file(let path, _) = job.configuration { files.insert(FilePaths.absolute(path)) }
        directories.formUnion(searched)
        directories.formUnion(files.map(FilePaths.parent(of:)))
        // A configuration or an ignore file may appear in each of them.
        for directory in directories { directories.formUnion(Self.directories(above: directory)) }
    }

    private static func directories(above path: String) -> [String] {
        var directories: [String] = []
        var place = path
        while place != "/" {
            place = FilePaths.parent(of: place)
            directories.append(place)
        }
        return directories
    }

    /// The files and directories of a job. If a configuration is broken, those without configurations, so that its correction is noticed.
    private static func inputs(of job: LintJob, _ reader: @escaping ConfigurationFinder.Reader) -> LintInputs? {
        func inputs(_ source: ConfigurationFinder.Source) -> LintInputs? {
            try? LintInputs(job.paths, ConfigurationFinder(source, job.options, reader: reader), job.walk)
        }
        return inputs(job.configuration) ?? inputs(.none)
    }

    // MARK: - Changes

    /// True if changes may be a reason for another report, so that it is worth finding the files again. In directories above those that are searched,
    /// only configurations, ignore files and what leads to the files are.
    func mayDiffer(after changes: FileWatcher.Changes) -> Bool {
        changes.isIncomplete
            || changes.paths.contains { path in
                isDeciding(path) || directories.contains(path) || searched.contains(FilePaths.parent(of: path))
            }
    }

    /// True if changes are a reason for another report.
    ///
    /// - Parameter output: the file that reports are written to; its changes are ignored.
    func differs(from now: WatchedFiles, after changes: FileWatcher.Changes, output: FileIdentity?) -> Bool {
        if files != now.files || targets != now.targets || changes.isIncomplete { return true }
        return changes.paths.contains { path in
            isDeciding(path) && (output == nil || (try? FileStatus(path))?.identity != output)
        }
    }

    /// True if a file is one that a report depends on, or a configuration or ignore file in a directory that is watched.
    private func isDeciding(_ path: String) -> Bool {
        if files.contains(path) || ancestors.contains(path) { return true }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        if LintConfiguration.fileNames.contains(name) || Self.ignoreFiles.contains(name) { return true }
        let suffix = LintConfiguration.besideSuffix
        return path.hasSuffix(suffix) && files.contains(String(path.dropLast(suffix.count)))
    }
}

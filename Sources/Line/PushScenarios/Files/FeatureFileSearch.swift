import PushFiles
import PushSystem

extension FeatureFile {
    /// Reads and parses feature files.
    ///
    /// - Parameter paths: files of any name; directories, for all `.feature` files in them at any depth, except hidden
    ///   ones; or `FILE:LINE`, for the scenario, examples row, rule or feature at that line. A file that is named twice
    ///   is read once, unless it is named with lines.
    /// - Throws: `FeatureFileError` with the problems of all files: files that cannot be read or are not Gherkin,
    ///   directories without a feature file, and lines after the end of a file.
    public static func read(_ paths: [String]) throws(FeatureFileError) -> [FeatureFile] {
        try read(inputs: paths.map { $0 })
    }

    /// - Parameter inputs: paths; nil is standard input.
    package static func read(inputs: [String?]) throws(FeatureFileError) -> [FeatureFile] {
        var search = FeatureFileSearch()
        for input in inputs { search.add(input) }
        guard search.problems.isEmpty else { throw FeatureFileError(search.problems) }
        return search.files
    }
}

/// Finds and parses the feature files, before anything is run.
private struct FeatureFileSearch {
    /// The suffix of feature files in a directory. A file that is named itself may have any suffix.
    private static let suffix = ".feature"

    private(set) var files: [FeatureFile] = []
    private(set) var problems: [FeatureFileProblem] = []
    private var seen: Set<String> = []

    mutating func add(_ input: String?) {
        guard let input else { return addFile(nil, lines: []) }
        do throws(SystemError) {
            if try FileStatus(input).kind == .directory { addDirectory(input) } else { addFile(input, lines: []) }
        } catch {
            if let (path, lines) = Self.withoutLines(input) {
                addFile(path, lines: lines)
            } else {
                problems.append(FeatureFileProblem(file: input, message: "\(error)"))
            }
        }
    }

    /// `a.feature:3:17` is `a.feature` and its lines 3 and 17. Nil when there is no such file, however many of the
    /// numbers belong to its name.
    private static func withoutLines(_ input: String) -> (path: String, lines: [Int])? {
        var path = input[...]
        var lines: [Int] = []
        while let colon = path.lastIndex(of: ":"), let line = Int(path[path.index(after: colon)...]), line > 0 {
            lines.insert(line, at: 0)
            path = path[..<colon]
            if let status = try? FileStatus(String(path)) {
                return status.kind == .directory ? nil : (String(path), lines)
            }
        }
        return nil
    }

    private mutating func addDirectory(_ directory: String) {
        let found = DirectoryWalk.files(below: directory, endingIn: Self.suffix)
        for item in found {
            switch item {
            case .file(let path): addFile(path, lines: [])
            case .unreadable(let path, let error):
                problems.append(FeatureFileProblem(file: path, message: "\(error)"))
            }
        }
        if found.isEmpty {
            problems.append(
                FeatureFileProblem(file: directory, message: "no \(Self.suffix) file in this directory or below"))
        }
    }

    private mutating func addFile(_ path: String?, lines: [Int]) {
        // A file that is named twice is run once, unless it is named with lines.
        if let path, lines.isEmpty, !seen.insert(FilePaths.absolute(path)).inserted { return }
        let name = path ?? "<stdin>"
        do {
            let bytes = try FileBytes.read(path, limit: FileBytes.maximumDocumentBytes)
            files.append(try FeatureFile(bytes, name: name, lines: lines))
        } catch let error as FeatureFileError {
            problems += error.problems
        } catch let error as SystemError {
            let reason = FileBytes.message(for: error, limit: FileBytes.maximumDocumentBytes)
            problems.append(FeatureFileProblem(file: name, message: reason))
        } catch {
            problems.append(FeatureFileProblem(file: name, message: "\(error)"))
        }
    }
}

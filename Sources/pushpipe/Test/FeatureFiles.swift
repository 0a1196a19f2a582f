import FileAccess
import PushPipeline
import PushScenarios
import SystemSupport

/// Finds and parses the files that were asked for, before anything is run.
struct FeatureFiles {
    /// Of files in a directory that was named. A file that was named itself may end in anything.
    static let suffix = ".feature"

    private(set) var files: [FeatureFile] = []
    private(set) var problems: [FeatureFileProblem] = []
    private var seen: Set<String> = []

    init(_ inputs: [String?]) {
        for input in inputs {
            guard let input else {
                add(nil, lines: [])
                continue
            }
            do throws(SystemError) {
                if try FileStatus(input).kind == .directory { walk(input) } else { add(input, lines: []) }
            } catch {
                if let (path, lines) = Self.withoutLines(input) {
                    add(path, lines: lines)
                } else {
                    problems.append(FeatureFileProblem(file: input, message: "\(error)"))
                }
            }
        }
    }

    /// `a.feature:3:17` is `a.feature` and its lines 3 and 17. Nil when there is no such file, whatever of the numbers belongs to its name.
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

    private mutating func walk(_ directory: String) {
        let found = DirectoryWalk.files(below: directory, endingIn: [Self.suffix]) { _ in true }
        for item in found {
            switch item {
            case .file(let path): add(path, lines: [])
            case .unreadable(let path, let error): problems.append(FeatureFileProblem(file: path, message: "\(error)"))
            }
        }
        if found.isEmpty {
            problems.append(FeatureFileProblem(file: directory, message: "no file below it ends in \(Self.suffix)"))
        }
    }

    private mutating func add(_ path: String?, lines: [Int]) {
        // A file that was named twice is run once, unless lines of it are meant.
        if let path, lines.isEmpty, !seen.insert(FilePaths.absolute(path)).inserted { return }
        let name = path ?? "<stdin>"
        do {
            files.append(try FeatureFile(FileBytes.read(path), name: name, lines: lines))
        } catch let error as FeatureFileError {
            problems += error.problems
        } catch {
            problems.append(FeatureFileProblem(file: name, message: "\(error)"))
        }
    }
}

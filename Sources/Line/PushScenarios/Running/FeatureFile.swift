import PushFiles
package import PushGherkin
package import PushGherkinRunner
import PushSystem
import PushText

/// A feature file that has been parsed.
public struct FeatureFile: Sendable {
    /// The name that reports and messages give it.
    public let name: String
    package let document: GherkinDocument
    /// The lines that were asked for.
    package let lines: LineSelection

    /// Parses a feature file.
    ///
    /// - Parameters:
    ///   - text: Gherkin, by the official grammar.
    ///   - name: as reports and messages name it.
    /// - Throws: `FeatureFileError` with everything that keeps the text from being Gherkin.
    public init(_ text: String, name: String) throws(FeatureFileError) {
        try self.init(Array(text.utf8), name: name)
    }

    /// - Parameter lines: of the scenarios to run, from 1; none means all scenarios.
    package init(_ bytes: [UInt8], name: String, lines numbers: [Int] = []) throws(FeatureFileError) {
        self.name = name
        var problems: [FeatureFileProblem] = []
        let document = GherkinParser.parse(bytes) { problems = FeatureFileProblem.problems(of: name, $0) }
        guard let document else { throw FeatureFileError(problems) }
        self.document = document
        let end = Self.lineCount(bytes)
        if let line = numbers.first(where: { $0 > end }) {
            let message = "the file has \(end) line\(end == 1 ? "" : "s")"
            throw FeatureFileError([FeatureFileProblem(file: name, line: line, message: message)])
        }
        lines = LineSelection(numbers, in: document)
    }

    /// The folder that paths in its steps are relative to: that of the file, as its name says.
    var folder: String {
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    /// Lines as Gherkin counts them: text after the last line feed is a line too.
    private static func lineCount(_ bytes: [UInt8]) -> Int {
        bytes.count { $0 == UInt8(ascii: "\n") } + (bytes.last.map { $0 == UInt8(ascii: "\n") ? 0 : 1 } ?? 0)
    }
}

/// Why feature files cannot be run: they cannot be read, are not Gherkin, or have no scenario to run, which would look like a success.
public struct FeatureFileError: Error, Sendable, CustomStringConvertible {
    /// The problems in the order of the files; empty if nothing is wrong with them, and there is no scenario to run.
    public let problems: [FeatureFileProblem]
    /// Number of scenarios, none of which matches the selection; 0 when the files have none at all, or none at the given lines, or are wrong.
    package let unselected: Int
    /// A line for each problem, or one that says why there is no scenario to run.
    public let description: String

    init(_ problems: [FeatureFileProblem]) {
        self.problems = problems
        unselected = 0
        description = problems.map(\.description).joined(separator: "\n")
    }

    /// There is no scenario to run in these files.
    init(withoutScenario files: [FeatureFile]) {
        problems = []
        unselected = files.reduce(0) { sum, file in sum + Pickles(file.document).count { file.lines.includes($0) } }
        let place = files.count == 1 ? files[0].name : "the \(files.count) files"
        if unselected > 0 {
            description =
                unselected == 1
                ? "the scenario in \(place) does not match" : "none of the \(unselected) scenarios in \(place) matches"
        } else {
            let hasLines = files.contains { !$0.lines.isEverything }
            description = "no scenario in \(place)\(hasLines ? " at the given lines" : "")"
        }
    }
}

/// One thing that is wrong with a feature file.
public struct FeatureFileProblem: Sendable, Equatable, CustomStringConvertible {
    /// The name of the file.
    public let file: String
    /// The line, from 1; nil when the whole file is meant.
    public let line: Int?
    /// The column in code points, from 1, or 0 at the end of the file; nil when the whole line is meant.
    public let column: Int?
    /// The message, in the words of the official parsers when it is not Gherkin.
    public let message: String

    init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// One for each error; only one for a text that is no feature file at all.
    fileprivate static func problems(of file: String, _ problems: GherkinProblems) -> [FeatureFileProblem] {
        if let start = problems.beginningOfOtherText {
            let message =
                "not a feature file, which begins with \"Feature:\", or with \"# language: …\" if it is not in English"
            return [FeatureFileProblem(file: file, line: start.line, column: start.column, message: message)]
        }
        return problems.list.map { problem in
            FeatureFileProblem(
                file: file, line: problem.location.line, column: problem.location.column, message: problem.message)
        }
    }

    /// `file:line:column: message` on one line, with control characters escaped.
    public var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        return "\(TextStyle.clean(file))\(place): \(TextStyle.clean(message))"
    }
}

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

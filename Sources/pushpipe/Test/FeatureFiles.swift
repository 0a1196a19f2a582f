import Gherkin
import PushPipeline
import Scenarios
import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A feature file that has been parsed.
struct FeatureFile {
    /// As reports name it: as it was typed, or found.
    let name: String
    let document: GherkinDocument
    let lines: LineSelection
}

/// Finds and parses the files that were asked for, before anything is run.
struct FeatureFiles {
    /// Of files in a directory that was named. A file that was named itself may end in anything.
    static let suffix = ".feature"

    private(set) var files: [FeatureFile] = []
    /// What cannot be read, or is not Gherkin: a line each.
    private(set) var troubles: [String] = []
    private var seen: Set<String> = []

    init(_ inputs: [String?]) {
        for input in inputs {
            guard let input else {
                add(nil, lines: [])
                continue
            }
            var status = stat()
            if stat(input, &status) == 0 {
                if status.st_mode & S_IFMT == S_IFDIR { walk(input) } else { add(input, lines: []) }
                continue
            }
            let error = SystemError()
            if let (path, lines) = Self.withoutLines(input) {
                add(path, lines: lines)
            } else {
                troubles.append("\(TextStyle.clean(input)): \(error)")
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
            var status = stat()
            if stat(String(path), &status) == 0 {
                return status.st_mode & S_IFMT == S_IFDIR ? nil : (String(path), lines)
            }
        }
        return nil
    }

    private mutating func walk(_ directory: String) {
        let found = DirectoryWalk.files(below: directory, endingIn: [Self.suffix]) { _ in true }
        for item in found {
            switch item {
            case .file(let path): add(path, lines: [])
            case .trouble(let path, let error): troubles.append("\(TextStyle.clean(path)): \(error)")
            }
        }
        if found.isEmpty {
            troubles.append("\(TextStyle.clean(directory)): no file below it ends in \(Self.suffix)")
        }
    }

    private mutating func add(_ path: String?, lines: [Int]) {
        // A file that was named twice is run once, unless lines of it are meant.
        if let path, lines.isEmpty, !seen.insert(FilePaths.absolute(path)).inserted { return }
        let name = path ?? "<stdin>"
        do {
            let bytes = try FileBytes.read(path)
            let document = try GherkinParser.parse(bytes)
            let end = Self.lineCount(bytes)
            if let line = lines.first(where: { $0 > end }) {
                troubles.append("\(TextStyle.clean(name)):\(line): the file has \(end) line\(end == 1 ? "" : "s")")
                return
            }
            files.append(
                FeatureFile(name: name, document: document, lines: LineSelection(lines, in: document)))
        } catch let error as GherkinErrors {
            troubles += error.errors.map { error in
                let place = "\(TextStyle.clean(name)):\(error.location.line):\(error.location.column)"
                return "\(place): \(TextStyle.clean(error.message))"
            }
        } catch {
            troubles.append("\(TextStyle.clean(name)): \(error)")
        }
    }

    /// Lines as Gherkin counts them: what stands behind the last line feed is one if there is anything.
    private static func lineCount(_ bytes: [UInt8]) -> Int {
        bytes.count { $0 == UInt8(ascii: "\n") } + (bytes.last.map { $0 == UInt8(ascii: "\n") ? 0 : 1 } ?? 0)
    }
}

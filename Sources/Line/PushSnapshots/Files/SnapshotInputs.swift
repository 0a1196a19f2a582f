import PushFiles
import PushLint
import PushLintFiles
import PushSystem

struct SnapshotInput {
    let path: String

    var isFeature: Bool { path.hasSuffix(SnapshotInputs.featureSuffix) }
}

/// Finds the inputs, and the approved files of inputs that are gone.
struct SnapshotInputs {
    static let featureSuffix = ".feature"
    /// Suffixes of the files to run in a directory. A file that was named itself may have any name.
    static let suffixes = LintInputs.suffixes + [featureSuffix]

    private(set) var found: [SnapshotInput] = []
    private(set) var obsolete: [String] = []
    private(set) var unreadable: [(path: String, reason: String)] = []
    private let recognition: PayloadRecognition
    private var seen: Set<String> = []

    /// - Parameters:
    ///   - paths: files and directories. An approved file stands for its input.
    ///   - ignored: files in directories that are not inputs.
    ///   - options: how records are read, which decides what can be a file of payloads.
    init(_ paths: [String], ignoring ignored: [String], _ options: LintOptions) {
        let ignored = Set(ignored.map(FilePaths.absolute))
        recognition = PayloadRecognition(options)
        for path in paths {
            do throws(SystemError) {
                if try FileStatus(path).kind == .directory { search(path, ignored) } else { add(path) }
            } catch {
                unreadable.append((path, "\(error)"))
            }
        }
    }

    private mutating func search(_ directory: String, _ ignored: Set<String>) {
        let suffixes = Self.suffixes + [ApprovedFile.suffix]
        let items = DirectoryWalk().files(below: directory) { _ in
            true
        } takes: { entry in
            suffixes.contains { entry.path.utf8.hasSuffix($0) }
        }
        for item in items {
            switch item {
            case .file(let path):
                let input = ApprovedFile.input(of: path) ?? path
                if !ignored.contains(FilePaths.absolute(input)), isInput(path) { add(path) }
            case .unreadable(let path, let error): unreadable.append((path, "\(error)"))
            }
        }
    }

    /// True if a file in a directory may have payloads. One that had some when its snapshot was approved is looked at in any
    /// case, so that it cannot pass by being broken.
    private func isInput(_ path: String) -> Bool {
        guard path.utf8.hasSuffix(PayloadRecognition.suffix), !ApprovedFile.isSnapshot(at: ApprovedFile(of: path).path),
            let file = try? FileDescriptor.open(path, .readOnly)
        else { return true }
        defer { file.close() }
        var bytes = [UInt8](repeating: 0, count: PayloadRecognition.examinedBytes)
        guard let count = try? file.read(into: &bytes, atMost: bytes.count) else { return true }
        return !PayloadRecognition.isBinary(bytes[..<count]) && recognition.mayHavePayloads(bytes[..<count])
    }

    private mutating func add(_ path: String) {
        if let input = ApprovedFile.input(of: path) {
            // Other programs may use the suffix, too.
            guard ApprovedFile.isSnapshot(at: path) else { return }
            if FileBytes.isPresent(input) { return add(input) }
            if seen.insert(FilePaths.absolute(path)).inserted { obsolete.append(path) }
        } else if seen.insert(FilePaths.absolute(path)).inserted {
            found.append(SnapshotInput(path: path))
        }
    }
}

struct ApprovedFile {
    /// Added to the name of an input. No file that is linted, and none that is run, ends like this.
    static let suffix = ".phone"
    /// The beginning of the first line, whatever its number.
    private static let mark = SnapshotText.heading.prefix { !$0.isNumber }

    private static func error(_ error: SystemError) -> PlainError {
        PlainError(FileBytes.message(for: error, limit: FileBytes.maximumDocumentBytes))
    }

    let path: String

    init(of input: String) { path = input + Self.suffix }

    private init(at path: String) { self.path = path }

    /// The path of the input that a file belongs to by its name; nil for another name.
    static func input(of path: String) -> String? {
        path.hasSuffix(suffix) && path.utf8.count > suffix.utf8.count ? String(path.dropLast(suffix.count)) : nil
    }

    /// True if a file was written by this command, in any format. False if it cannot be read.
    static func isSnapshot(at path: String) -> Bool {
        guard let bytes = try? ApprovedFile(at: path).read() else { return false }
        return bytes.starts(with: mark.utf8)
    }

    static func isCurrent(_ text: [UInt8]) -> Bool {
        text.starts(with: SnapshotText.heading.utf8) && text.dropFirst(SnapshotText.heading.utf8.count).first == 0x0A
    }

    /// The text; nil if there is no such file. Line ends are those of the text that was written, whatever a checkout of the
    /// repository has made of them.
    func read() throws(PlainError) -> [UInt8]? {
        let kind: FileStatus.Kind
        do throws(SystemError) { kind = try FileStatus(path).kind } catch {
            if error == .notFound { return nil }
            throw Self.error(error)
        }
        // Opening a pipe waits for its other end.
        guard kind == .regular else {
            let what = kind == .directory ? "a directory" : "not a regular file"
            throw PlainError("\(what), so nothing can be approved there; move it away")
        }
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileBytes.read(path, limit: FileBytes.maximumDocumentBytes) } catch {
            throw Self.error(error)
        }
        guard bytes.contains(0x0D) else { return bytes }
        return bytes.indices.filter { bytes[$0] != 0x0D || $0 + 1 == bytes.count || bytes[$0 + 1] != 0x0A }
            .map { bytes[$0] }
    }

    /// Replaces the file as a whole. A new one may be read and written by whoever may do so with the input.
    ///
    /// A link to something else than an approved file is replaced itself: a checkout of somebody else's could aim it at any file.
    func write(_ text: [UInt8], beside input: String) throws(PlainError) {
        do throws(SystemError) {
            if (try? FileStatus(path, followsLinks: false))?.kind == .symbolicLink, !Self.isSnapshot(at: path) {
                try FileSystem.removeFile(path)
            }
            try FileBytes.replaceOrMake(path, with: text, like: try FileStatus(input))
        } catch {
            throw Self.error(error)
        }
    }

    func remove() throws(PlainError) {
        do throws(SystemError) { try FileSystem.removeFile(path) } catch { throw Self.error(error) }
    }
}

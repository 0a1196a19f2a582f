import PushFiles
import PushLint
import PushLintFiles
import PushSystem

struct SnapshotInput {
    /// As it was typed, or found.
    let path: String

    var isFeature: Bool { path.hasSuffix(SnapshotInputs.featureSuffix) }
}

/// Finds the inputs, and the approved files of inputs that are gone.
struct SnapshotInputs {
    static let featureSuffix = ".feature"
    /// Suffixes of the files to run in a directory. A file that was named itself may have any name.
    static let suffixes = LintInputs.suffixes + [featureSuffix]

    private(set) var found: [SnapshotInput] = []
    /// Paths of approved files.
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
                if try DirectoryWalk.isDirectory(path) { search(path, ignored) } else { add(path) }
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

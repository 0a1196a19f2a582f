import Foundation

/// A file of the corpus. All its bytes are the JSON text.
struct CorpusCase: Sendable {
    /// Folder and file name.
    var name: String
    var bytes: [UInt8]
}

/// The folders next to this file, read once. `Corpus/README.md` describes them.
enum Corpus {
    static let accept = load("accept")
    static let refuse = load("refuse")
    static let unrepresentable = load("unrepresentable")

    static var all: [CorpusCase] { accept + refuse + unrepresentable }

    /// Empty when the folder is missing; a test counts the cases, so that this cannot go unnoticed.
    private static func load(_ folder: String) -> [CorpusCase] {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(components: "Corpus", folder, directoryHint: .isDirectory)
        let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { file in
                guard let data = try? Data(contentsOf: file) else { return nil }
                return CorpusCase(name: folder + "/" + file.lastPathComponent, bytes: [UInt8](data))
            }
    }
}

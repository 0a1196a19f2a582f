package import Foundation

/// A folder for one test. It is removed with its last use.
package final class TestFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// - Parameters:
    ///   - files: paths in the folder, and what the files contain.
    ///   - name: the beginning of the folder's name.
    package init(_ files: [String: String] = [:], name: String = "pushpipe") throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { remove() }

    /// For a test that shares the folder with a thread, which may outlive it by a moment.
    package func remove() { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }

    /// The path of what is in the folder; `.` is the folder itself.
    package func path(_ name: String) -> String { name == "." ? url.path : "\(url.path)/\(name)" }

    /// The `file:` URI of what is in the folder.
    package func uri(_ name: String) -> String { url.appendingPathComponent(name).absoluteString }

    /// Writes a file, and creates the folders above it. Returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    @discardableResult
    package func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
    }

    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Paths in this folder and below, sorted.
    package var names: [String] {
        (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    /// A text with paths relative to the folder.
    package func relative(_ text: String) -> String { text.replacingOccurrences(of: url.path + "/", with: "") }
}

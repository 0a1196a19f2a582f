import Foundation
import PushSystem
import Testing

/// Waiting for changes of files.
struct FileWatcherTests {
    /// The names of what has changed, waiting until this one has.
    private func changes(_ watcher: FileWatcher, until name: String, in folder: URL) -> Set<String> {
        var names: Set<String> = []
        while !names.contains(name) {
            for path in watcher.changes(milliseconds: -1).paths {
                names.insert(path.replacing(folder.path + "/", with: ""))
            }
        }
        return names
    }

    @Test func `writing, renaming and deleting files are changes, and so is a burst of them`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

        let watcher = try FileWatcher()
        try watcher.watch(folder.path)
        try Data("1".utf8).write(to: file("a"))
        #expect(changes(watcher, until: "a", in: folder).contains("a"))
        try FileManager.default.moveItem(at: file("a"), to: file("b"))
        #expect(changes(watcher, until: "b", in: folder).contains("b"))
        for number in 0..<3000 { try Data("\(number)".utf8).write(to: file("c\(number % 10)")) }
        try FileManager.default.removeItem(at: file("b"))
        #expect(changes(watcher, until: "b", in: folder).isSuperset(of: (0..<10).map { "c\($0)" }))
    }

    @Test func `without a change nothing is reported at the timeout`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("1".utf8).write(to: folder.appendingPathComponent("a"))
        let watcher = try FileWatcher()
        #expect(try watcher.watch(folder.path))
        #expect(try !watcher.watch(folder.path))
        #expect(watcher.changes(milliseconds: 0).isEmpty)
    }

    @Test func `a directory that is watched by two paths has changes in both`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inner)
        let watcher = try FileWatcher()
        try watcher.watch(inner.path)
        try watcher.watch(link.path)
        try Data("1".utf8).write(to: inner.appendingPathComponent("a"))
        #expect(changes(watcher, until: "link/a", in: folder).contains("inner/a"))
    }

    @Test func `a directory that does not exist cannot be watched`() throws {
        let watcher = try FileWatcher()
        #expect(throws: SystemError.notFound) { try watcher.watch("/no such directory") }
    }

    @Test func `a path in the root directory has one slash`() {
        #expect(FileWatcher.path("/", "a.json") == "/a.json")
        #expect(FileWatcher.path("/tmp", "a.json") == "/tmp/a.json")
    }

    /// Nothing is written there, because that takes the rights of the superuser.
    @Test func `the root directory can be watched`() throws {
        let watcher = try FileWatcher()
        #expect(try watcher.watch("/"))
        #expect(try !watcher.watch("/"))
    }

    @Test func `the time of day has hours, minutes and seconds`() {
        #expect(SystemClock.timeOfDay().wholeMatch(of: /[012]\d:[0-5]\d:[0-6]\d/) != nil)
    }
}

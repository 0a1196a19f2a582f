import Foundation
import PushLintConfiguration
import PushSystem
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// The files that `lint --watch` has the system watch, and which of their changes are a reason for another report.
struct WatchedFilesTests {
    /// Directories that were asked to be watched.
    private final class Watcher {
        private(set) var directories: Set<String> = []
        /// Called for a directory that is new.
        var onNew: (String) -> Void = { _ in }
        var error: SystemError?

        func watch(_ directory: String) throws(SystemError) -> Bool {
            if let error { throw error }
            guard directories.insert(directory).inserted else { return false }
            onNew(directory)
            return true
        }
    }

    private func files(_ paths: [String], _ watcher: Watcher = Watcher()) -> WatchedFiles {
        WatchedFiles(LintJob(paths), LintConfiguration.init(yaml:path:directory:), watch: watcher.watch)
    }

    private func isReason(_ path: String, _ known: WatchedFiles) -> Bool {
        let changes = FileWatcher.Changes(paths: [path])
        return known.mayDiffer(after: changes) && known.differs(from: known, after: changes, output: nil)
    }

    @Test func `all directories above are watched, for configurations and ignore files alone`() throws {
        let folder = try LintFolder(["in/deep/a.json": Payload.good])
        let watcher = Watcher()
        let known = files([folder.path("in/deep")], watcher)
        let expected = ["/", folder.path("."), folder.path("in"), folder.path("in/deep")]
        #expect(watcher.directories.isSuperset(of: expected))
        for name in [".pushpipe.yml", ".pushpipe.yaml", ".gitignore", ".ignore"] {
            #expect(isReason(folder.path(name), known), "\(name)")
            #expect(isReason(folder.path("in/deep/\(name)"), known), "\(name)")
        }
        #expect(isReason(folder.path("in/deep/a.json"), known))
        for name in ["b.json", "a.txt", "Node.gitignore", "in/deep/Node.gitignore", "in/deep/b.json.pushpipe.yml"] {
            #expect(!isReason(folder.path(name), known), "\(name)")
        }
        #expect(!known.mayDiffer(after: FileWatcher.Changes(paths: [folder.path("b.json")])))
        #expect(isReason(folder.path("in/deep/a.json.pushpipe.yml"), known))
    }

    @Test func `beside a file that was named, others are no reason`() throws {
        let folder = try LintFolder(["push.txt": Payload.good, "other.json": Payload.good])
        let known = files([folder.path("push.txt")])
        #expect(isReason(folder.path("push.txt"), known))
        #expect(!known.mayDiffer(after: FileWatcher.Changes(paths: [folder.path("other.json")])))
    }

    @Test func `a folder that vanishes and returns with the file that was named is a reason each time`() throws {
        let folder = try LintFolder(["in/deep/push.txt": Payload.good, "in/other/b.json": Payload.good])
        let path = folder.path("in/deep/push.txt")
        let known = files([path])
        for name in ["in/deep", "in", "."] { #expect(isReason(folder.path(name), known), "\(name)") }
        #expect(!isReason(folder.path("in/other"), known))
        try FileManager.default.removeItem(atPath: folder.path("in"))
        let watcher = Watcher()
        let gone = files([path], watcher)
        #expect(watcher.directories.contains(folder.path(".")))
        #expect(isReason(folder.path("in"), gone))
        #expect(isReason(folder.path("in/deep"), gone))
    }

    @Test func `a file in the root directory is one like others`() {
        let known = files(["/no such file.json"])
        #expect(isReason("/no such file.json", known))
        #expect(isReason("/.pushpipe.yml", known))
        #expect(!isReason("/other.json", known))
    }

    @Test func `a broken configuration of a folder leaves it watched`() throws {
        let folder = try LintFolder(["in/.pushpipe.yml": "lint:\n  severty: info\n", "in/a.json": Payload.good])
        let watcher = Watcher()
        let known = files([folder.path(".")], watcher)
        #expect(watcher.directories.contains(folder.path("in")))
        #expect(isReason(folder.path("in/.pushpipe.yml"), known))
        #expect(isReason(folder.path("in/a.json"), known))
    }

    @Test func `what is written into a directory before it is watched is found`() throws {
        let folder = try LintFolder(["in/a.json": Payload.good])
        let watcher = Watcher()
        watcher.onNew = { if $0 == folder.path("in") { _ = try? folder.write(Payload.good, to: "in/new/b.json") } }
        let known = files([folder.path(".")], watcher)
        #expect(watcher.directories.contains(folder.path("in/new")))
        #expect(isReason(folder.path("in/new/b.json"), known))
    }

    @Test func `a link to a directory that is replaced is a reason`() throws {
        let folder = try LintFolder(["one/a.json": Payload.good, "two/a.json": Payload.good])
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "one")
        let watcher = Watcher()
        let known = files([link], watcher)
        #expect(watcher.directories.isSuperset(of: [folder.path("."), link]))
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "two")
        let changes = FileWatcher.Changes(paths: [link])
        #expect(known.mayDiffer(after: changes))
        #expect(known.differs(from: files([link], watcher), after: changes, output: nil))
        #expect(!known.differs(from: known, after: changes, output: nil))
    }

    @Test func `a system that watches no more directories is known, and other errors are left to the report`() throws {
        let folder = try LintFolder(["a.json": Payload.good])
        let watcher = Watcher()
        #expect(!files([folder.path(".")], watcher).isLimited)
        watcher.error = .accessDenied
        #expect(!files([folder.path(".")], watcher).isLimited)
        watcher.error = .noSpace
        #expect(files([folder.path(".")], watcher).isLimited)
    }
}

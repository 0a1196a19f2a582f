import Foundation
import PushFiles
import PushSystem
import TestSupport
import Testing

/// Directories are searched as ripgrep searches them, and ignore files say what they say to git.
struct IgnoreTests {
    private func found(_ folder: TestFolder, _ change: (inout DirectoryWalk) -> Void = { _ in }) -> [String] {
        var walk = DirectoryWalk()
        change(&walk)
        let items = walk.files(below: folder.path("."), enters: { _ in true }, takes: { _ in true })
        return items.map { item in
            switch item {
            case .file(let path): String(path.dropFirst(folder.path(".").count + 1))
            case .unreadable(let path, _): "cannot read \(path)"
            }
        }.sorted()
    }

    private func folder(_ files: [String: String]) throws -> TestFolder {
        var files = files
        files[".git/HEAD"] = ""
        return try TestFolder(files)
    }

    @Test func `hidden files, .git and links are passed over`() throws {
        let folder = try folder(["a": "", ".b": "", ".c/d": "", "e/.f/g": "", "h/i": ""])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("h/up"), withDestinationPath: folder.path("."))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "a")
        #expect(found(folder) == ["a", "h/i"])
        #expect(found(folder) { $0.includesHidden = true } == [".b", ".c/d", "a", "e/.f/g", "h/i"])
    }

    @Test func `a directory's .ignore counts more than any .gitignore, and applies outside a repository`() throws {
        let files = [
            ".gitignore": "a\nb\n", ".ignore": "!a\nc\n", "a": "", "b": "", "c": "", "d/a": "", "d/c": "",
            "d/.ignore": "!c\n",
            "e/.gitignore": "!b\n", "e/b": "",
        ]
        #expect(found(try folder(files)) == ["a", "d/a", "d/c", "e/b"])
        // Without a repository git ignores nothing.
        #expect(found(try TestFolder(files)) == ["a", "b", "d/a", "d/c", "e/b"])
        #expect(found(try folder(files)) { $0.honoursIgnoreFiles = false }.count == 6)
    }

    @Test func `what is above a repository says nothing in it, and what git keeps for itself counts`() throws {
        let folder = try folder([
            ".gitignore": "a\n", "in/.git/info/exclude": "b\n", "in/a": "", "in/b": "", "in/c": "",
            "tree/.git": "gitdir: ../in/.git/worktrees/tree\n", "in/.git/worktrees/tree/commondir": "../..\n",
            "tree/a": "", "tree/b": "",
        ])
        #expect(found(folder) == ["in/a", "in/c", "tree/a"])
    }

    @Test func `a directory that is named is searched although its parent's .gitignore names it`() throws {
        let folder = try folder([".gitignore": "build/\n*.tmp\n", "build/a": "", "build/b.tmp": ""])
        let items = DirectoryWalk().files(below: folder.path("build"), enters: { _ in true }, takes: { _ in true })
        #expect(items.count == 1)
    }

    @Test func `a hidden file that an ignore file includes is found`() throws {
        let folder = try folder([".ignore": "!.a\n!.b/\n", ".a": "", ".b/c": "", ".d": ""])
        #expect(found(folder) == [".a", ".b/c"])
    }

    // ripgrep's guide, "Manual filtering: globs".
    @Test func `patterns of --glob count more than ignore files, and the last one decides`() throws {
        let folder = try folder([".gitignore": "a.x\n", "a.x": "", "b.x": "", "c.y": "", "d/e.x": "", "d/f.y": ""])
        func with(_ globs: String...) -> [String] {
            found(folder) { walk in for glob in globs { _ = walk.globs.add(glob) } }
        }
        #expect(with("*.x") == ["a.x", "b.x", "d/e.x"])
        #expect(with("!*.x") == ["c.y", "d/f.y"])
        #expect(with("*", "!d/") == [".gitignore", "a.x", "b.x", "c.y"])
        #expect(with("*.x", "!a.*") == ["b.x", "d/e.x"])
        #expect(with("!*.x", "b.x") == ["b.x"])
    }

    @Test func `an ignore file that is a pipe, a directory or endless is passed over`() throws {
        let folder = try folder(["a": "", "b/.ignore/c": "", "b/d": ""])
        #expect(mkfifo(folder.path(".ignore"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(".gitignore"), withDestinationPath: "/dev/zero")
        #expect(found(folder) == ["a", "b/d"])
        try folder.write(String(repeating: "x\n", count: 1 << 19) + "y", to: "e/.ignore")
        #expect(found(folder).contains { $0.hasPrefix("cannot read ") })
    }

    // MARK: - Patterns

    private func matches(_ pattern: String, _ path: String, _ dialect: GlobPattern.Dialect = .configuration) -> Bool {
        GlobPattern(pattern.utf8, dialect)?.matches(Array(path.utf8)[...]) ?? false
    }

    @Test func `a set with part of the name of a class is read`() {
        for pattern in ["[[:]", "[[:]]", "[[:]x:]", "[[::]]", "[[:", "[[:]:]", "[[:a]", "[![:]"] {
            _ = GlobPattern(pattern.utf8, .gitignore)
        }
        #expect(matches("[[:]", ":"))
        #expect(matches("[[:]x:]", "[x:]"))
        #expect(!matches("[[::]]", ":"))
    }

    @Test func `folders may be named by two stars more than once`() {
        for dialect in [GlobPattern.Dialect.gitignore, .configuration] {
            #expect(matches("**/**/a", "a", dialect) && matches("**/**/a", "x/y/a", dialect))
            #expect(matches("a/**/**/b", "a/b", dialect) && matches("a/**/**/b", "a/x/y/b", dialect))
        }
    }

    // wildmatch.c of git compares bytes.
    @Test func `a question mark is a character in a configuration, and a byte for git`() {
        #expect(matches("?", "ä") && matches("a?b", "a🎉b") && matches("??", "äö"))
        #expect(!matches("??", "ä") && !matches("?", "äö") && !matches("a?b", "a/b"))
        #expect(!matches("?", "ä", .gitignore) && matches("??", "ä", .gitignore))
    }

    // MARK: - As git

    /// Lines that mean something, or are easily misread.
    private static let lines = [
        "a", "*.json", "/a", "[[:]", "[[:]x:]", "[[::]]", "**/**/c", "a/**/**/c", "a/",
        "/b/", "a/b", "**/c", "a/**", "a/**/c", "**", "/**/b", "!a", "!*.json", "!b/",
        "!/a/c", "[ab]",
        "[!a]", "[a-b]*", "?", "a?", "\\!a", "\\#", "#a", "*", "/*", "!/*/", "b/*", "*/c", "a b", "a\\ ", "a ",
        "a  \\  ", "[",
        "[]]", "a\\", "\\a", "a**", "**a", "a**/c", "***/c", "/", "//", "!", "a//", "[[:alpha:]]", "[[:digit:]x]",
        "[^[:space:]]", "[[:a]", "[[:]:]", "[[:digit:]", "??", "?b",
        "c/d/", "*.j?on", "*[!n]", "d.json", "!**/d.json", "/a/*/c", "a/*", "\\*", "*\\*", "[\\]]", "[a\\-z]", "[z-a]",
        "\ta", "a\t",
        "./a", "a/./b", "b/**/", "!b/**", "[a", "a/[b]/c", "a[/]b", "a/b/", "!a/b/c", "*b*c*", "a*b",
    ]
    private static let names = [
        "a", "b", "c", "d.json", "\u{E4}", ":", "[x:]", "a b",
        "a ", "!a", "#", "#a", "]", "[", "*", "ab", "axb", "-", "1", "A", "\\", "abc",
        "x.jon",
    ]

    @Test(arguments: 0..<16) func `git check-ignore gives the same answers in random trees`(_ seed: UInt64) throws {
        let git = try #require(
            ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].first {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        var random = SplitMix64(seed: seed)
        func pick(_ list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }
        let folder = try TestFolder()
        try run(git, ["init", "-q", folder.path(".")])
        var paths: Set<String> = []
        for _ in 0..<40 {
            var path = pick(Self.names)
            for _ in 0..<(random.next() % 4) { path = pick(Self.names) + "/" + path }
            // A file does not become a directory.
            guard (try? folder.write("", to: path)) != nil else { continue }
            paths.insert(path)
        }
        for place in ["", "a/", "a/b/", "b/", "c/"] {
            let count = Int(random.next() % 7)
            let text = (0..<count).map { _ in pick(Self.lines) + "\n" }.joined()
            _ = try? folder.write(text, to: place + ".gitignore")
        }
        try folder.write(pick(Self.lines) + "\n", to: ".git/info/exclude")
        let list = folder.path(".git/paths")
        // A path that begins with a colon would have another meaning.
        try Data(paths.sorted().map { "./" + $0 }.joined(separator: "\0").utf8).write(to: URL(fileURLWithPath: list))
        let ignored = try run(
            git, ["-C", folder.path("."), "check-ignore", "-z", "--stdin", "--no-index"], input: list)
        let expected = paths.subtracting(ignored.split(separator: "\0").map { String($0.dropFirst(2)) })
        let ours = Set(found(folder) { $0.includesHidden = true }.filter { !$0.hasSuffix(".gitignore") })
        #expect(ours.sorted() == expected.sorted(), "seed \(seed), in \(folder.path("."))")
    }

    @discardableResult
    private func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"]
        process.standardOutput = output
        process.standardInput = input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

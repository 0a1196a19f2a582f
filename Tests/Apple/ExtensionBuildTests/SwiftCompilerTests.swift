import ExtensionBuild
import Foundation
import Testing

/// How `swift build` is run, with a script in its place.
struct SwiftCompilerTests {
    private let workshop: Workshop
    private let build: PackageBuild

    init() throws {
        workshop = try Workshop()
        build = PackageBuild(folder: workshop.path("package"), module: "Push", configuration: .release)
    }

    /// The output lines of a script called `swift`, and whether it succeeds.
    ///
    /// - Parameter prepare: changes the compiler; nil from it ends the test.
    private func run(
        _ script: String, prepare: (SwiftCompiler) throws -> SwiftCompiler? = { $0 }
    ) throws -> (lines: [String], succeeds: Bool)? {
        try workshop.write("#!/bin/sh\n\(script)", to: "bin/text")
        // Another process makes the program: while this one writes it, a child that another test starts could inherit the open file, and a
        // file that is open for writing cannot be executed.
        let copy = try Process.run(
            URL(fileURLWithPath: "/usr/bin/install"),
            arguments: ["-m", "755", workshop.path("bin/text"), workshop.path("bin/swift")])
        copy.waitUntilExit()
        #expect(copy.terminationStatus == 0)
        let variables = ["PATH": "\(workshop.path("bin")):/usr/bin:/bin", "PUSHPIPE_STRICT": "1", "OTHER": "2"]
        var lines: [String] = []
        guard let compiler = try prepare(SwiftCompiler(environment: variables)) else { return nil }
        let succeeds = try compiler.compile(build) { lines.append($0) }
        return (lines, succeeds)
    }

    // MARK: - The sandbox

    /// Runs a script where it sees the folder `own`, and may write to `cache`.
    private func runConfined(
        _ script: String, hasNetwork: Bool = false
    ) throws -> (lines: [String], succeeds: Bool)? {
        try run("cd '\(workshop.path("."))'; \(script)") { compiler in
            var compiler = compiler
            // A container may forbid it.
            guard compiler.prepareSandbox(root: workshop.path("sandbox")) != nil else { return nil }
            return compiler.confined(
                to: BuildAccess(
                    readable: [workshop.path("own")], writable: [workshop.path("cache")], hasNetwork: hasNetwork))
        }
    }

    @Test func `a confined program writes where it may, and nowhere else`() throws {
        for name in ["own/a", "cache/a"] { try workshop.write("1", to: name) }
        let script = "for file in own/a bin/text cache/a; do (echo 2 >$file) 2>/dev/null && echo $file; done"
        guard let (lines, succeeds) = try runConfined(script) else { return }
        #expect(succeeds)
        #expect(lines == ["cache/a"])
        #expect(try workshop.read("own/a") == "1")
        #expect(try workshop.read("cache/a") == "2\n")
    }

    @Test func `a confined program sees no other file and few variables`() throws {
        let other = try Workshop()
        try other.write("secret", to: "key")
        try workshop.write("1", to: "own/a")
        let script =
            "cat own/a; cat '\(other.path("key"))' 2>/dev/null || echo; ls -A \"$HOME\" 2>/dev/null; echo .; env"
        guard let (lines, succeeds) = try runConfined(script) else { return }
        #expect(succeeds)
        #expect(lines.first == "1" && !lines.contains("secret"))
        #expect(!lines.contains { $0.hasPrefix("OTHER=") })
    }

    @Test func `a confined program has no network unless packages are fetched`() throws {
        guard let confined = try runConfined("sed -n '/:/p' /proc/self/net/dev | grep -v ' *lo:' || echo none") else {
            return
        }
        #expect(confined.lines == ["none"])
    }

    @Test func `a confined program cannot mount its files differently`() throws {
        try workshop.write("1", to: "own/a")
        guard let (lines, _) = try runConfined("mount -o remount,bind,rw /usr 2>/dev/null && echo mounted; echo end")
        else { return }
        #expect(lines.last == "end" && !lines.contains("mounted"))
    }

    // MARK: - Packages

    /// As SwiftPM 6.3 does: it tries several at once, stops at a failure, and only the last of the failures is an error.
    private static let fetching = """
        folder=$3
        mkdir -p $folder/.build/checkouts
        echo 'Fetching https://example.org/here.git'
        echo 'Fetched https://example.org/here.git from cache (0.07s)'
        for name in b a; do
            grep -q example.org/$name.git $folder/Package.swift || continue
            echo "warning: '$name': skipping cache due to an error: Failed to clone repository https://example.org/$name.git:"
            echo "    fatal: '$name' does not appear to be a git repository"
        done
        grep -q example.org/a.git $folder/Package.swift && cat <<'END' && exit 1
        error: Failed to clone repository https://example.org/a.git:
            fatal: 'a' does not appear to be a git repository
        Fetched https://example.org/here.git from cache (0.07s)
        Fetching https://example.org/later.git
        END
        mkdir -p $folder/.build/checkouts/here
        """

    @Test func `a package that cannot be fetched takes no other with it`() throws {
        var fetched: FetchedPackages?
        let packages = ["here", "a", "b", "later"].map {
            XcodePackage(source: .remote("https://example.org/\($0).git", requirement: #"from: "1.0.0""#))
        }
        _ = try run(Self.fetching) { compiler in
            fetched = try compiler.fetch(packages, in: workshop.path("packages"))
            return nil
        }
        let result = try #require(fetched)
        #expect(result.failures.map(\.package) == Array(packages[1...2]))
        #expect(
            result.failures.map(\.reason)
                == ["a", "b"].map { "'\($0)' does not appear to be a git repository" })
        #expect(result.folders.map { URL(fileURLWithPath: $0).lastPathComponent } == ["here"])
    }

    // MARK: - Without a sandbox

    @Test func `its output is passed on line by line from either stream`() throws {
        let (lines, succeeds) = try #require(try run("echo one; echo two >&2; printf three; exit 3"))
        #expect(lines == ["one", "two", "three"])
        #expect(!succeeds)
    }

    @Test func `it gets the build arguments and none of pushpipe's own variables`() throws {
        let (lines, succeeds) = try #require(try run("echo \"$@\"; env"))
        #expect(succeeds)
        #expect(
            lines.first == "build --package-path \(workshop.path("package")) --configuration release --product Push "
                + "--disable-index-store --disable-local-rpath")
        #expect(lines.contains("OTHER=2"))
        #expect(!lines.contains { $0.contains("PUSHPIPE_") })
    }

    @Test func `a compiler that is killed by a signal has failed`() throws {
        #expect(try run("kill -9 $$")?.succeeds == false)
    }

    @Test func `a missing swift is reported`() throws {
        let compiler = SwiftCompiler(environment: ["PATH": workshop.path("empty")])
        do {
            _ = try compiler.compile(build) { _ in }
            Issue.record("it was started")
        } catch {
            #expect(error.message.contains("there is no swift on PATH"))
        }
    }
}

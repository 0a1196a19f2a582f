import ExtensionBuild
import Foundation
import PushSystem
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

    @Test func `a build is told in quarters`() {
        var steps = BuildSteps()
        let lines = (0...7).map { "[\($0)/8] Compiling A" } + ["[x/8]", "9/8", "[0/0] a"]
        #expect(lines.compactMap { steps.quarter(in: $0) } == ["step 2 of 8", "step 4 of 8", "step 6 of 8"])
        // More than it was.
        let others = (8...12).map { "[\($0)/12] Compiling B" }
        #expect(others.compactMap { steps.quarter(in: $0) } == ["step 9 of 12", "step 12 of 12"])
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

    /// As SwiftPM 6.3 does: it tries several at once, stops at a failure, and only the last of the failures is an error. A cache that cannot be
    /// written is a warning for each package. The package `later` needs `inner`.
    private static let fetching = """
        folder=$3
        wanted() { grep -q "example.org/$1.git" $folder/Package.swift; }
        skip() {
            wanted $1 || return
            echo "warning: '$1': skipping cache due to an error: Failed to clone repository https://example.org/$1.git:"
            echo "    $2"
        }
        skip here "/home/me/.cache/org.swift.swiftpm/repositories/here-1: Read-only file system"
        skip later "fatal: could not create leading directories of '/home/me/.cache/org.swift.swiftpm/repositories/later-1'"
        skip b "fatal: 'b' does not appear to be a git repository"
        echo 'Fetched https://example.org/here.git from cache (0.07s)'
        fail() {
            echo "error: Failed to clone repository https://example.org/$1.git:"
            echo "    fatal: '$1' does not appear to be a git repository"
            echo 'Fetching https://example.org/later.git'
            exit 1
        }
        wanted a && fail a
        grep -q absent/inner $folder/Package.swift || fail inner
        grep -q 'name: "inner"' $folder/absent/inner/Package.swift || exit 1
        mkdir -p $folder/.build/checkouts/here $folder/.build/checkouts/later
        """

    /// Fetches packages with a script in place of `swift`.
    private func fetch(_ script: String, _ names: [String]) throws -> FetchedPackages {
        var fetched: FetchedPackages?
        _ = try run(script) { compiler in
            fetched = try compiler.fetch(names.map(Self.package), in: workshop.path("packages"))
            return nil
        }
        return try #require(fetched)
    }

    private static func package(_ name: String) -> XcodePackage {
        XcodePackage(source: .remote("https://example.org/\(name).git", requirement: #"from: "1.0.0""#))
    }

    @Test func `a package that cannot be fetched takes no other with it, also if another needs it`() throws {
        let result = try fetch(Self.fetching, ["here", "a", "b", "later"])
        #expect(result.failures.prefix(2).map(\.package) == ["b", "a"].map(Self.package))
        #expect(
            result.failures.dropFirst(2).map(\.package.source)
                == [.remote("https://example.org/inner.git", requirement: "")])
        #expect(
            result.failures.map(\.reason)
                == ["b", "a", "inner"].map { "'\($0)' does not appear to be a git repository" })
        #expect(result.folders.map { URL(fileURLWithPath: $0).lastPathComponent } == ["here", "later"])
    }

    @Test func `nor does one without the version that is wanted, or one whose manifest is wrong`() throws {
        let script = """
            folder=$3
            if grep -q example.org/old.git $folder/Package.swift; then
                echo "error: Dependencies could not be resolved because no versions of 'old' match the requirement 1.0.0..<2.0.0 and root depends on 'old' 1.0.0..<2.0.0."
                exit 1
            fi
            if grep -q example.org/wrong.git $folder/Package.swift; then
                echo "error: 'wrong': Invalid manifest"
                exit 1
            fi
            mkdir -p $folder/.build/checkouts/here
            """
        let result = try fetch(script, ["here", "old", "wrong"])
        #expect(result.failures.map(\.package) == ["old", "wrong"].map(Self.package))
        #expect(result.failures.map(\.reason) == ["it has no version 1.0.0..<2.0.0", "'wrong': Invalid manifest"])
        #expect(result.folders.count == 1)
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

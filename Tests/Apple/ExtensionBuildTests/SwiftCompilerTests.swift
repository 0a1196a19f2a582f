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
    private func run(_ script: String) throws -> (lines: [String], succeeds: Bool) {
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
        let succeeds = try SwiftCompiler(environment: variables).compile(build) { lines.append($0) }
        return (lines, succeeds)
    }

    @Test func `its output is passed on line by line from either stream`() throws {
        let (lines, succeeds) = try run("echo one; echo two >&2; printf three; exit 3")
        #expect(lines == ["one", "two", "three"])
        #expect(!succeeds)
    }

    @Test func `it gets the build arguments and none of pushpipe's own variables`() throws {
        let (lines, succeeds) = try run("echo \"$@\"; env")
        #expect(succeeds)
        #expect(
            lines.first == "build --package-path \(workshop.path("package")) --configuration release --product Push "
                + "--disable-index-store --disable-local-rpath")
        #expect(lines.contains("OTHER=2"))
        #expect(!lines.contains { $0.contains("PUSHPIPE_") })
    }

    @Test func `a compiler that is killed by a signal has failed`() throws {
        #expect(try !run("kill -9 $$").succeeds)
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

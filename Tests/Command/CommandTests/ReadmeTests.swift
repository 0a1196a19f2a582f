import Foundation
import TestSupport
import Testing

/// Every session in `README.md` and in the documentation prints what a reader who types it sees.
struct ReadmeTests {
    struct Step {
        var command: String
        var output: String
    }

    /// Pages whose sessions run here, in a folder with a link to the samples.
    static let pages = [
        "README.md", "Documentation/explanation/delivery.md", "Documentation/explanation/devices.md",
        "Documentation/explanation/live-activities.md", "Documentation/guides/answers.md",
        "Documentation/guides/bench.md",
        "Documentation/guides/pipe.md", "Documentation/guides/schemas.md",
        "Documentation/guides/screen.md", "Documentation/guides/test-sender.md",
        "Documentation/guides/snapshots.md", "Documentation/reference/redaction.md",
        "Documentation/reference/trace.md",
    ]
    /// Pages with sessions that other tests run.
    static let otherPages = [
        "Documentation/guides/lint.md", "Documentation/guides/scenarios.md", "Documentation/guides/serve.md",
    ]

    /// The steps of all blocks that begin with ```console: a line that begins with `$ ` is a command, the lines after it
    /// are what it writes to standard output.
    private func steps(_ path: String) throws -> [Step] {
        let page = try String(contentsOf: Place.package.appendingPathComponent(path), encoding: .utf8)
        var steps: [Step] = []
        var isInside = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2)), output: ""))
            } else if isInside {
                try #require(!steps.isEmpty, "a block begins with output: \(line)")
                steps[steps.count - 1].output += line + "\n"
            }
        }
        return steps
    }

    /// The time that an extension takes differs from run to run.
    private func withoutTimes(_ text: String) -> String {
        text.replacing(#/ *\+\d+\.\d ms/#, with: " TIME")
    }

    @Test(arguments: pages)
    func `each command prints what the documentation says`(path: String) throws {
        let steps = try steps(path)
        try #require(!steps.isEmpty, "no session in \(path)")
        #expect(steps.contains { $0.command.contains("pushpipe") })
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Samples"),
            withDestinationURL: Place.samples.resolvingSymlinksInPath())
        // A page may leave a program in the background if one of its steps fails.
        defer { _ = try? folder.shell("kill $(cat serve.pid) 2>/dev/null") }
        for step in steps {
            let output = try folder.shell(step.command)
            #expect(withoutTimes(output.text) == withoutTimes(step.output), "$ \(step.command)\n\(output.stderr)")
            #expect(output.status == 0, "$ \(step.command)")
        }
    }

    @Test func `every session on a page is run by a test`() throws {
        for path in MarkdownPage.paths where !Self.pages.contains(path) && !Self.otherPages.contains(path) {
            #expect(try steps(path).isEmpty, "\(path) has a session: add it to ReadmeTests.pages")
        }
    }

    @Test func `README has at most 120 lines`() throws {
        let readme = try String(contentsOf: Place.package.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// `make options` writes it again.
    @Test func `the table of options has every option of every command`() throws {
        let script = Place.package.appendingPathComponent("Scripts/option-table.py").path
        let page = Place.package.appendingPathComponent("Documentation/reference/options.md").path
        let output = try Folder().shell("python3 '\(script)' --check '\(page)'")
        #expect(output.status == 0, "\(output.stderr)")
    }

    /// `make configuration` writes it again.
    @Test func `the table of the configuration has every key of the schema`() throws {
        let script = Place.package.appendingPathComponent("Scripts/configuration-table.py").path
        let page = Place.package.appendingPathComponent("Documentation/reference/configuration.md").path
        let output = try Folder().shell("python3 '\(script)' --check '\(page)'")
        #expect(output.status == 0, "\(output.stderr)")
    }

    /// `make rules`, `make answers`, `make words`, `make steps` and `make api` write them again.
    @Test(arguments: ["rules", "answers", "words", "steps", "api"])
    func `the reference pages have what the command lists`(_ page: String) throws {
        let script = Place.package.appendingPathComponent("Scripts/reference-pages.py").path
        let output = try Folder().shell("python3 '\(script)' --check \(page)")
        #expect(output.status == 0, "\(output.stderr)")
    }

    /// `make pictures` draws them again.
    @Test func `pictures in the README and the documentation show what their commands write`() throws {
        let script = Place.package.appendingPathComponent("Scripts/pictures.sh").path
        let output = try Folder().shell("'\(script)' --check")
        #expect(output.status == 0, "\(output.stderr)")
    }
}

import Foundation
import Testing

/// Every session in `README.md` is what a reader sees who types it.
struct ReadmeTests {
    struct Step {
        var command: String
        var output: String
    }

    /// The steps of all blocks that begin with ```console: a line that begins with `$ ` is a command, the lines behind it
    /// are what it writes to standard output.
    private func steps() throws -> [Step] {
        let readme = try String(contentsOf: Place.package.appendingPathComponent("README.md"), encoding: .utf8)
        var steps: [Step] = []
        var isInside = false
        for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
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

    @Test func `each command prints what the README says`() throws {
        let steps = try steps()
        try #require(!steps.isEmpty, "no session in README.md")
        #expect(steps.contains { $0.command.contains("pushpipe run") })
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Samples"),
            withDestinationURL: Place.samples.resolvingSymlinksInPath())
        for step in steps {
            let output = try folder.shell(step.command)
            #expect(output.text == step.output, "$ \(step.command)\n\(output.stderr)")
            #expect(output.status == 0, "$ \(step.command)")
        }
    }
}

import Foundation
import Testing

/// Every session in `README.md` and in the documentation is what a reader sees who types it.
struct ReadmeTests {
    struct Step {
        var command: String
        var output: String
    }

    /// The steps of all blocks that begin with ```console: a line that begins with `$ ` is a command, the lines behind it
    /// are what it writes to standard output.
    private func steps(_ path: String) throws -> [Step] {
        let readme = try String(contentsOf: Place.package.appendingPathComponent(path), encoding: .utf8)
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

    /// The time that an extension took is another one each time.
    private func withoutTimes(_ text: String) -> String {
        text.replacing(#/ *\+\d+\.\d ms/#, with: " TIME")
    }

    @Test(arguments: ["README.md", "Documentation/reference/trace.md"])
    func `each command prints what the documentation says`(path: String) throws {
        let steps = try steps(path)
        try #require(!steps.isEmpty, "no session in \(path)")
        #expect(steps.contains { $0.command.contains("pushpipe") })
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("Samples"),
            withDestinationURL: Place.samples.resolvingSymlinksInPath())
        for step in steps {
            let output = try folder.shell(step.command)
            #expect(withoutTimes(output.text) == withoutTimes(step.output), "$ \(step.command)\n\(output.stderr)")
            #expect(output.status == 0, "$ \(step.command)")
        }
    }
}

import Foundation
import Testing

/// `pushpipe test` where it has nothing to run: that would look like success.
struct ScenarioSelectionTests {
    private static let two = "Feature: f\n@a\nScenario: one\n* a push '{}' arrives\n@b\nScenario: two\n"

    private func folder(_ text: String = two) throws -> Folder {
        let folder = try Folder()
        try folder.write(text, to: "two.feature")
        return folder
    }

    @Test(arguments: [
        (["--tags", "@typo"], "of 2 scenarios in two.feature none is chosen by --tags \"@typo\""),
        (["--tags", "@a and @b"], "of 2 scenarios in two.feature none is chosen by --tags \"@a and @b\""),
        (["--name", "zzz"], "of 2 scenarios in two.feature none is chosen by --name \"zzz\""),
        (["--tags", "@b", "--name", "one"], "none is chosen by --tags \"@b\", --name \"one\""),
    ])
    func `a selection that leaves nothing ends with 2 and says which`(options: [String], message: String) throws {
        for more in [[], ["--dry-run"], ["--format", "tap"], ["--format", "junit"]] {
            let output = try folder().pushpipe(arguments: ["test"] + options + more + ["two.feature"])
            #expect(output.stderr.hasPrefix("pushpipe: nothing is run: "), "\(output.stderr)")
            #expect(output.stderr.contains(message), "\(output.stderr)")
            #expect(output.text.isEmpty)
            #expect(output.status == 2)
        }
    }

    @Test(arguments: ["", "# nothing\n", "Feature: f\n", "Feature: f\nScenario Outline: <n>\n* x\nExamples:\n|n|\n"])
    func `a file without a scenario ends with 2`(text: String) throws {
        let output = try folder(text).pushpipe("test", "two.feature")
        #expect(output.stderr == "pushpipe: nothing is run: there is no scenario in two.feature\n")
        #expect(output.status == 2)
        #expect(try Folder().pushpipe("test", "--dry-run", stdin: text).status == 2)
    }

    @Test func `a file without a scenario does no harm beside one that has some`() throws {
        let folder = try folder()
        try folder.write("Feature: later\n", to: "later.feature")
        let output = try folder.pushpipe("test", "later.feature", "two.feature", "/dev/null")
        #expect(output.text.contains("2 scenarios (1 passed, 1 pending)"))
        #expect(output.status == 0)
        #expect(
            try folder.pushpipe("test", "later.feature", "/dev/null").stderr
                == "pushpipe: nothing is run: there is no scenario in the 2 files\n")
    }

    @Test func `a line behind the end of a file is told, and the last one is a line`() throws {
        let lines = Self.two.split(separator: "\n").count
        for text in [Self.two, String(Self.two.dropLast())] {
            let folder = try folder(text)
            let output = try folder.pushpipe("test", "two.feature:2:\(lines + 1)")
            #expect(output.stderr == "two.feature:\(lines + 1): the file has \(lines) lines\n")
            #expect(output.text.isEmpty)
            #expect(output.status == 2)
            #expect(try folder.pushpipe("test", "two.feature:\(lines)").text.contains("f › two"))
        }
    }

    @Test func `a line of a rule without scenarios ends with 2`() throws {
        let output = try folder(Self.two + "Rule: none\n").pushpipe("test", "two.feature:7")
        #expect(
            output.stderr
                == "pushpipe: nothing is run: there is no scenario in two.feature, at the lines that were named\n")
        #expect(output.status == 2)
    }

    @Test(arguments: [("~@a", "not @a"), ("@a,@b", "@a or @b"), ("a", "@a")])
    func `a tag as Cucumber had it once is wrong usage, and is told how it is written now`(
        tags: String, now: String
    ) throws {
        let output = try folder().pushpipe("test", "--tags", tags, "two.feature")
        #expect(output.stderr.contains("--tags \"\(tags)\", column 1: "), "\(output.stderr)")
        #expect(output.stderr.contains("write \(now)"), "\(output.stderr)")
        #expect(output.text.isEmpty)
        #expect(output.status == 2)
    }
}

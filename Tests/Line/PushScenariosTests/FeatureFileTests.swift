import Foundation
import PushScenarios
import TestSupport
import Testing

/// Reading feature files, and the errors of files that cannot be read.
struct FeatureFileTests {
    private static let two = "Feature: f\n@a\nScenario: one\n* a push '{}' arrives\n@b\nScenario: two\n"

    // MARK: - Finding

    @Test func `files below a directory are found in order, and a file that is named twice is run once`() throws {
        let names = [
            "d/b.feature", "d/a.feature", "d/sub/c.feature", "d/.hidden.feature", "d/.git/x.feature", "d/notes.txt",
        ]
        let folder = try TestFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "Feature:\nScenario: \($0)\n") }))
        #expect(try folder.names("d/sub/c.feature", "d") == ["d/sub/c.feature", "d/a.feature", "d/b.feature"])
        #expect(try folder.names("d/../d/a.feature", "d/./a.feature") == ["d/a.feature"])
        #expect(try folder.names("d/notes.txt") == ["d/notes.txt"])
    }

    @Test func `a directory without a feature file is a problem`() throws {
        let folder = try TestFolder(["d/notes.txt": "x"])
        #expect(try folder.problems("d") == ["d: no .feature file in this directory or below"])
    }

    @Test func `what cannot be read is a problem`() throws {
        let folder = try TestFolder(["a.feature": Self.two])
        #expect(
            try folder.problems("none.feature", "a.feature", "none.feature:2") == [
                "none.feature: No such file or directory", "none.feature:2: No such file or directory",
            ])
    }

    // MARK: - Lines

    @Test func `scenarios are chosen by lines`() throws {
        let three = "Feature:\n@a\nScenario: 1\n@b\nScenario: 2\nScenario: 3\n"
        let folder = try TestFolder(["f.feature": three, "a:1": "Feature:\nScenario: 4\nScenario: 5\n"])
        #expect(try folder.names("f.feature:2:6") == ["1", "3"])
        #expect(try folder.names("a:1:3") == ["5"])
        #expect(try folder.names("a:1") == ["4", "5"])
    }

    @Test(arguments: [two, String(two.dropLast())])
    func `a line after the end of a file is a problem, and the last line is not`(text: String) throws {
        let lines = text.split(separator: "\n").count
        let folder = try TestFolder(["two.feature": text])
        #expect(
            try folder.problems("two.feature:2:\(lines + 1)") == [
                "two.feature:\(lines + 1): the file has \(lines) lines"
            ])
        #expect(try folder.names("two.feature:\(lines)") == ["two"])
    }

    @Test func `a line of a rule without scenarios leaves nothing to run`() throws {
        let folder = try TestFolder(["two.feature": Self.two + "Rule: none\n"])
        let files = try FeatureFile.read([folder.path("two.feature:7")])
        let error = #expect(throws: FeatureFileError.self) { try ScenarioTrial(files) }
        #expect(error?.description == "no scenario in \(files[0].name) at the given lines")
    }

    // MARK: - What is not Gherkin

    @Test func `the error lists the problems of all files, with line and column`() throws {
        let folder = try TestFolder([
            "payload.feature": "{\"aps\":{}}\n", "good.feature": Self.two,
            "bad.feature": "Feature: f\nScenario: s\n  Given x\n  words\n  @a b\n",
        ])
        let expected =
            "#EOF, #TableRow, #DocStringSeparator, #StepLine, #TagLine, #ExamplesLine, #ScenarioLine, #RuleLine, "
        #expect(
            try folder.problems("payload.feature", "good.feature", "bad.feature") == [
                "payload.feature:1:1: \(Self.otherText)",
                "bad.feature:4:3: expected: \(expected)#Comment, #Empty, got 'words'",
                "bad.feature:5:3: A tag may not contain whitespace",
                "bad.feature:5:3: expected: \(expected)#Comment, #Empty, got '@a b'",
            ])
    }

    @Test func `a problem has file, line and column`() throws {
        let error = try #require(throws: FeatureFileError.self) { try FeatureFile("\n x", name: "a\u{1B}.feature") }
        #expect(error.problems.map(\.file) == ["a\u{1B}.feature"])
        #expect(error.problems.map(\.line) == [2])
        #expect(error.problems.map(\.column) == [2])
        #expect(error.description == "a\\u{1b}.feature:2:2: \(Self.otherText)")
    }

    private static let otherText =
        "not a feature file, which begins with \"Feature:\", or with \"# language: …\" if it is not in English"

    @Test func `a file of something else is one problem, however many lines it has`() throws {
        let lines = String(repeating: "{\"aps\":{}}\n", count: 20)
        for text in [lines, "# a comment\n" + lines] {
            let error = try #require(throws: FeatureFileError.self) { try FeatureFile(text, name: "p") }
            #expect(error.problems.map(\.message) == [Self.otherText])
        }
        // A feature follows, or something else is wrong first.
        for text in ["x\nFeature: f\n", "# language: xx\nFeature: f\n", "@a b\nFeature: f\n"] {
            let error = try #require(throws: FeatureFileError.self) { try FeatureFile(text, name: "p") }
            #expect(error.problems.allSatisfy { $0.message != Self.otherText }, "\(error)")
        }
    }

    @Test func `a long line is quoted up to 300 code points`() throws {
        func quote(_ count: Int) throws -> String {
            let text = "Feature: f\nScenario: s\n  Given x\n" + String(repeating: "é", count: count)
            let error = try #require(throws: FeatureFileError.self) { try FeatureFile(text, name: "p") }
            return String(try #require(error.problems.first).message.split(separator: "got ")[1])
        }
        let most = String(repeating: "é", count: 300)
        #expect(try quote(300) == "'\(most)'")
        #expect(try quote(301) == "'\(most)…'")
    }
}

extension TestFolder {
    fileprivate func names(_ paths: String...) throws -> [String] {
        try ScenarioTrial(FeatureFile.read(paths.map { path($0) })).results.map(\.name)
    }

    /// The problems, without the folder's path.
    fileprivate func problems(_ paths: String...) throws -> [String] {
        let error = try #require(throws: FeatureFileError.self) { try FeatureFile.read(paths.map { path($0) }) }
        return error.problems.map { relative($0.description) }
    }
}

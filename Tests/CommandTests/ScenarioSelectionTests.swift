import Foundation
import Testing

/// `pushpipe test FILE:LINE` where there is nothing to run: that would look like success.
struct ScenarioSelectionTests {
    private static let two = "Feature: f\n@a\nScenario: one\n* a push '{}' arrives\n@b\nScenario: two\n"

    private func folder(_ text: String = two) throws -> Folder {
        let folder = try Folder()
        try folder.write(text, to: "two.feature")
        return folder
    }

    @Test func `a line past the end of a file is an error, and the last line is valid`() throws {
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

    @Test func `a line of a rule without scenarios is status 2`() throws {
        let output = try folder(Self.two + "Rule: none\n").pushpipe("test", "two.feature:7")
        #expect(
            output.stderr
                == "pushpipe: nothing is run: there is no scenario in two.feature, at the lines that were named\n")
        #expect(output.status == 2)
    }
}

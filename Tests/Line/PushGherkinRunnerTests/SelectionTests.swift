import PushGherkin
import Testing

@testable import PushGherkinRunner

/// Which scenarios are run.
struct SelectionTests {
    private static let text = """
        @f
        Feature: f
          Background:
            Given x
          @a
          Scenario: one
            Given x

          Scenario Outline: two <n>
            Given x
            Examples:
              | n |
              | 1 |
              | 2 |

            @e
            Examples:
              | n |
              | 3 |
          # behind
          @r
          Rule: r
            Background:
              Given x
            Example: four
              Given x
          Rule: s
            Example: five
              Given x
        """

    private func names(_ includes: (GherkinDocument) -> (Pickle) -> Bool) throws -> [String] {
        let document = try #require(GherkinParser.parse(Array(Self.text.utf8)))
        return Pickles(document).filter(includes(document)).map(\.name)
    }

    @Test(arguments: [
        ([], ["one", "two 1", "two 2", "two 3", "four", "five"]),
        ([1], ["one", "two 1", "two 2", "two 3", "four", "five"]),
        ([4], ["one", "two 1", "two 2", "two 3", "four", "five"]), ([5], ["one"]), ([7], ["one"]), ([8], ["one"]),
        ([9], ["two 1", "two 2", "two 3"]), ([12], ["two 1", "two 2", "two 3"]), ([13], ["two 1"]), ([14], ["two 2"]),
        ([19], ["two 3"]),
        ([15], ["two 1", "two 2", "two 3"]), ([21], ["four"]), ([24], ["four"]), ([25], ["four"]), ([27], ["five"]),
        ([99], ["five"]),
        ([6, 14], ["one", "two 2"]),
    ])
    func `a line means what it stands in`(lines: [Int], expected: [String]) throws {
        #expect(try names { LineSelection(lines, in: $0).includes } == expected)
    }

    @Test func `tags are inherited from all that is around`() throws {
        func names(_ tags: String) throws -> [String] {
            let selection = ScenarioSelection(tags: try TagExpression(tags))
            return try self.names { _ in selection.includes }
        }
        #expect(try names("@a or @e") == ["one", "two 3"])
        #expect(try names("@f and @r") == ["four"])
        #expect(try names("@f and not @r") == ["one", "two 1", "two 2", "two 3", "five"])
    }

    @Test func `of several names one has to occur`() throws {
        #expect(try names { _ in ScenarioSelection(names: ["o 2", "ive"]).includes } == ["two 2", "five"])
        #expect(try names { _ in ScenarioSelection(names: ["nobody"]).includes } == [])
    }
}

import Testing

@testable import PushGherkin

/// The table of languages.
struct LanguageTests {
    static let rows = Dialect.rows.map { row in
        String(decoding: row, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `there are the eighty languages of the official table`() {
        #expect(Self.rows.count == 80)
        #expect(Set(Self.rows.map(\.[0])).count == 80)
    }

    @Test(arguments: rows) func `every word of a language is understood`(row: [String]) throws {
        #expect(row.count == 13)
        let words = row.dropLast().map { $0.split(separator: "|").map(String.init) }
        #expect(words.allSatisfy { !$0.isEmpty })
        for feature in words[1] {
            var text = "# language: \(row[0])\n\(feature): f\n"
            for background in words[2].prefix(1) { text += "\(background):\n\(words[7][0])b\n" }
            for scenario in words[4] {
                text += "\(scenario): s\n" + words[7...].joined().map { "\($0)step\n" }.joined()
            }
            for outline in words[5] {
                text += "\(outline): <x>\n\(words[8][0])<x>\n"
                text += words[6].map { "\($0):\n|x|\n|1|\n" }.joined()
            }
            for rule in words[3] { text += "\(rule): r\n\(words[4][0]): s\n" }
            let parsed = try #require(try GherkinParser.parse(Array(text.utf8)).feature)
            #expect(parsed.language == row[0])
            #expect(parsed.title.keyword == feature)
            #expect(parsed.scenarios.map(\.title.keyword) == words[4] + words[5])
            #expect(parsed.scenarios.first?.steps.map(\.keyword) == Array(words[7...].joined()))
            #expect(parsed.scenarios.last?.examples.map(\.title.keyword) == words[6])
            #expect(parsed.rules.map(\.title.keyword) == words[3])
        }
    }

    @Test func `a keyword tells its step's type, unless it stands for several`() throws {
        let text = "Feature: f\nScenario: s\nGiven a\nWhen a\nThen a\nAnd a\nBut a\n* a\n"
        let steps = try #require(try GherkinParser.parse(Array(text.utf8)).feature?.scenarios.first?.steps)
        #expect(steps.map(\.keywordType) == [.context, .action, .outcome, .conjunction, .conjunction, .unknown])
    }
}

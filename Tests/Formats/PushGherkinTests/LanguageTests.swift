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
            let parts = try #require(GherkinParser.parse(Array(text.utf8))).parts
            #expect(parts.map(\.name) == ["f"] + words[3].map { _ in "r" })
            #expect(parts.first?.background.map(\.keyword) == [words[7][0]])
            #expect(
                parts.first?.scenarios.map(\.name) == words[4].map { _ in "s" } + words[5].map { _ in "<x>" })
            #expect(parts.first?.scenarios.first?.steps.map(\.keyword) == Array(words[7...].joined()))
            #expect(parts.first?.scenarios.last?.examples.count == words[6].count)
        }
    }
}

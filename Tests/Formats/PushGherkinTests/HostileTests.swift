import TestSupport
import Testing

@testable import PushGherkin

/// Whatever the bytes are, there is an answer, and in time that grows with their number.
struct HostileTests {
    /// What a feature file is made of, and what breaks one.
    private static let pieces = [
        "Feature: f\n", "Background:\n", "Scenario: s\n", "Scenario Outline: <a>\n", "Examples:\n", "Rule: r\n",
        "Given <a>\n",
        "And x\n", "* y\n", "| a | b |\n", "| 1 |\n", "\"\"\"\n", "```json\n", "@t @u\n", "@a b\n", "# c\n", "\n",
        "words\n", "# language: fr\n", "# language: no\n", "\\", "|", "\r", "\t", "\u{A0}", "é", "\u{1F600}", "@", "#",
        ":",
        "\0", "<", ">",
    ]

    @Test func `any order of lines has an outcome, with at most eleven errors, in the lines of the file`() {
        var random = SeededGenerator(seed: 20_261_121)
        var parsed = 0
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...25, using: &random) {
                text += Self.pieces.randomElement(using: &random) ?? ""
            }
            let document = GherkinParser.parse(Array(text.utf8)) { problems in
                let lines = text.utf8.count { $0 == 0x0A } + 2
                #expect((1...11).contains(problems.list.count))
                #expect(problems.list.allSatisfy { (1...lines).contains($0.location.line) }, "\(text)")
            }
            guard let document else { continue }
            parsed += 1
            // Every pickle of a document that was parsed can be made.
            for pickle in Pickles(document) { #expect(pickle.location.line > 0) }
        }
        #expect(parsed > 0)
    }

    @Test func `changed bytes of good files have an outcome`() {
        var random = SeededGenerator(seed: 4096)
        for gherkinCase in GherkinCase.all(in: "good") {
            for _ in 0..<50 where !gherkinCase.bytes.isEmpty {
                var bytes = gherkinCase.bytes
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                #expect(outcome(bytes).utf8.count < 1 << 20)
            }
        }
    }

    @Test func `a value that names another placeholder is not replaced again, so that nothing grows without end`()
        throws
    {
        let columns = (0..<40).map { "c\($0)" }
        let values = (0..<40).map { "<c\($0 + 1)><c\($0 + 1)>" }
        let text = """
            Feature: f
            Scenario Outline: <c0>
            Given <c0>
            Examples:
            | \(columns.joined(separator: " | ")) |
            | \(values.joined(separator: " | ")) |
            """
        let pickle = try #require(GherkinParser.parse(Array(text.utf8)).flatMap { Pickles($0).first { _ in true } })
        #expect(pickle.name == "<c1><c1>")
    }

    @Test func `look-ahead over many tags goes over them a few times, not once a tag`() throws {
        // Were it once a tag, this would take hours.
        let lines = Effort.rounds(60_000, fast: 10_000)
        let tags = String(repeating: "@a @b\n# c\n\n", count: lines)
        let text = "Feature: f\nScenario: s\nGiven g\n\(tags)Scenario: t\nGiven h\n"
        let scenarios = try #require(GherkinParser.parse(Array(text.utf8))?.parts.first?.scenarios)
        #expect(scenarios.map(\.tags.count) == [0, 2 * lines])
    }

    @Test func `pickles of a large table are made one at a time`() throws {
        let most = Effort.rounds(50_000, fast: 15_000)
        let rows = (0..<most).map { "|\($0)|" }.joined(separator: "\n")
        let text = "Feature: f\nScenario Outline: <n>\nGiven <n>\nExamples:\n|n|\n\(rows)\n"
        var pickles = Pickles(try #require(GherkinParser.parse(Array(text.utf8))))
        #expect(pickles.next()?.name == "0")
        #expect(pickles.next()?.name == "1")
        var count = 2
        while pickles.next() != nil { count += 1 }
        #expect(count == most)
    }
}

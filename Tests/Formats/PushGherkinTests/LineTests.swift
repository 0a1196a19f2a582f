import Testing

@testable import PushGherkin

/// How lines are taken apart.
struct LineTests {
    private func feature(_ text: String) throws -> GherkinDocument.Part {
        try #require(GherkinParser.parse(Array(text.utf8))?.parts.first)
    }

    private func cells(_ row: String) throws -> [String] {
        let feature = try feature("Feature: f\nScenario: s\nGiven g\n\(row)\n")
        return try #require(feature.scenarios.first?.steps.first?.table?.first)
    }

    @Test(arguments: [
        ("| a | b |", ["a", "b"]), ("|a||", ["a", ""]), ("|", []), ("| a", []), ("||", [""]),
        (#"| \| | \\ | \n |"#, ["|", #"\"#, "\n"]), (#"| \x \\n | a\"#, [#"\x \n"#]), (#"| a \n  |"#, ["a \n"]),
        ("|\u{A0}a\u{3000}b\u{2028}|", ["a\u{3000}b"]),
    ])
    func `a row is cut at pipes that no backslash stands before`(row: String, cells: [String]) throws {
        #expect(try self.cells(row) == cells)
    }

    @Test func `columns count code points, not bytes`() {
        // An accent of its own is a code point of its own.
        #expect(
            outcome("  @\u{1F600} @e\u{301} @a b\nFeature: f\n")
                .hasPrefix("(1:10): A tag may not contain whitespace\n"))
    }

    @Test func `a letter and its accent are no keyword that has the letter with its accent`() {
        #expect(outcome("# language: fr\nFonctionnalite\u{301}: f\n").hasPrefix("(2:1): expected: #TagLine"))
    }

    @Test(arguments: [
        ("\u{20}", true), ("\u{85}", true), ("\u{A0}", true), ("\u{1680}", true), ("\u{2003}", true),
        ("\u{2029}", true),
        ("\u{202F}", true), ("\u{205F}", true), ("\u{3000}", true), ("\u{1F}", true),
        ("\u{200B}", false), ("\u{180E}", false),
    ])
    func `white space at both ends of a line is that of Unicode, and four separators`(space: String, isTrimmed: Bool) {
        let result = outcome("\(space)Feature:\(space)\nScenario:\(space)a\(space)\n")
        if isTrimmed { #expect(result == "2:1: a\n") } else { #expect(result.hasPrefix("(1:1): expected: ")) }
    }

    @Test func `a keyword needs its blank, and a title its colon`() {
        #expect(outcome("Feature: f\nScenario: s\nGivenx\n") == "2:1: s\n")
        #expect(outcome("Feature: f\nScenario: s\nGiven x\nWhen\ny\n").hasPrefix("(4:1): expected: "))
        #expect(outcome("Feature f\n").hasPrefix("(1:1): expected: "))
    }

    @Test func `the longest keyword wins`() throws {
        let text = "# language: fr\nFonctionnalité: f\nScénario: s\nÉtant donné que x\nEt qu'y\n"
        let steps = try #require(try feature(text).scenarios.first?.steps)
        #expect(steps.map(\.keyword) == ["Étant donné que ", "Et qu'"])
        #expect(steps.map(\.text) == ["x", "y"])
    }

    @Test func `descriptions and comments are no part of the document`() throws {
        let text = "Feature: f\n\n  one\n\n  # comment\n    two  \n \n\nScenario: s\nGiven g\n"
        let plain = try feature("Feature: f\nScenario: s\nGiven g\n")
        let described = try feature(text)
        #expect(described.name == "f")
        #expect(described.scenarios.map(\.steps.count) == plain.scenarios.map(\.steps.count))
    }

    @Test(arguments: ["# language: fr", "#language:fr", "  \t# \u{A0}language  :  fr\t "])
    func `a language is told in a comment`(comment: String) throws {
        #expect(try feature("\n# other\n\(comment)\nFonctionnalité: f\n").name == "f")
    }

    @Test(arguments: ["# language fr", "# language: fr en", "# languages: fr", "# language:", "# language: f4"])
    func `what looks like it is a comment`(comment: String) throws {
        #expect(try feature("\(comment)\nFeature: f\n").name == "f")
    }

    @Test(
        arguments: [
            ([0x46, 0xFF], "(1:2): the bytes here are not UTF-8\n"),
            ([0x23, 0xC3, 0xA9, 0x0A, 0x20, 0xED, 0xA0, 0x80], "(2:2): the bytes here are not UTF-8\n"),
            ([0xFF, 0xFE, 0x46, 0x00], "(1:1): the file is UTF-16; save it as UTF-8\n"),
        ] as [([UInt8], String)])
    func `bytes that are not UTF-8 are told by their place`(bytes: [UInt8], error: String) {
        #expect(outcome(bytes) == error)
    }
}

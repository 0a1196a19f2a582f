import Testing

@testable import PushGherkinRunner

/// Cucumber Expressions. What is expected is by the official grammar and its cases (cucumber/cucumber-expressions,
/// `testdata`), and was checked against the official library for Python, version 20.1.0.
struct StepPatternTests {
    /// What the parameters stand for; nil when the text does not match.
    private func match(_ pattern: String, _ text: String) throws -> [String]? {
        try StepPattern(pattern).match(text)?.map { match in
            switch match.value {
            case .int(let number): "\(number)"
            case .float(let number): "\(number)"
            case .text(let text): text
            case nil: "?"
            }
        }
    }

    @Test(
        arguments: [
            ("three blind mice", "three blind mice", []), ("three blind mice", "three blind mice ", nil),
            ("{int} cucumbers", "-22 cucumbers", ["-22"]), ("{int}", "1.22", nil), ("{int}", "-", nil),
            ("{int}", "+1", nil),
            ("{float}", "0.22", ["0.22"]), ("{float}", ".22", ["0.22"]), ("{float}", "-1.22", ["-1.22"]),
            ("{float}", "+7", ["7.0"]),
            ("{float}", "1.5E-3", ["0.0015"]), ("{float}", ".", nil), ("{float}", "", nil), ("{float}", "1,22", nil),
            ("{float}", "1e5", nil),
            ("a {word}", "a b-c", ["b-c"]), ("a {word}", "a b c", nil), ("a {word}{word}", "a xyz", ["xy", "z"]),
            ("{string}", #""three""#, ["three"]), ("{string}", "'three'", ["three"]), ("{string}", #""""#, [""]),
            ("{string}", "''", [""]),
            ("{string}", #""a 'b' c""#, ["a 'b' c"]), ("{string}", #""a \"b\" c""#, [#"a "b" c"#]),
            ("{string}", #""three'"#, nil),
            ("{string} and {string}", #""a" and 'b'"#, ["a", "b"]), ("{string}", #""a" "b""#, nil),
            ("{string}", #"'{"a":"\n"}'"#, [#"{"a":"\n"}"#]), ("{string}", #""a\\\"b""#, [#"a\\"b"#]),
            ("{} of {}", "a of b of c", ["a of b", "c"]), ("{}", "", [""]),
            ("notification(s)", "notification", []), ("notification(s)", "notifications", []),
            ("notification(s)", "notificationss", nil),
            ("push(es) arrive(s)", "push arrives", []), ("(a )b", "a b", []), ("(a )b", "b", []),
            ("mice/rats", "mice", []), ("mice/rats", "rats", []), ("mice/rats", "mice/rats", nil),
            ("{int} mouse/mice ran", "2 mice ran", ["2"]), ("three mouse(s)/rat(s) x", "three rats x", []),
            ("three (brown )mice/rats", "three brown mice", []), ("three (brown )mice/rats", "three rats", []),
            ("a/i{int}n/y", "i18n", ["18"]), ("{int}x/y", "3y", ["3"]),
            (#"a\/b"#, "a/b", []), (#"\(s)"#, "(s)", []), (#"\{int}"#, "{int}", []), (#"\\"#, #"\"#, []),
            (#"a\ b/c d"#, "a b d", []),
            (#"(s\))"#, "s)", []), ("a) b}", "a) b}", []), ("\u{1F600}(s)", "\u{1F600}s", []), ("^a.b$", "^a.b$", []),
            ("^a.b$", "^axb$", nil),
            ("", "", []), ("", "a", nil),
        ] as [(String, String, [String]?)])
    func `a text matches as a whole, and its parameters have values`(pattern: String, text: String, values: [String]?)
        throws
    {
        #expect(try match(pattern, text) == values)
    }

    @Test(arguments: [
        ("three (brown mice", 7), ("()", 1), ("(a(b))", 3), ("(a{int})", 3), ("a(b/c)", 4), ("{int", 1), ("{a(b}", 3),
        ("{nothing}", 1),
        ("a//b", 1), ("x /b", 3), ("a/", 1), ("{int}/b", 6), ("a/{int}", 1), ("a/(b)", 1), (#"\a"#, 1), (#"a\"#, 2),
    ])
    func `what is no expression is refused with its place`(pattern: String, column: Int) throws {
        let error = try #require(throws: ExpressionError.self) { try StepPattern(pattern) }
        #expect(error.column == column, "\(error)")
    }

    @Test func `a number that is too large has no value`() throws {
        let match = try #require(try StepPattern("{int}").match("99999999999999999999"))
        #expect(match.map(\.type) == ["int"])
        #expect(match.allSatisfy { $0.value == nil })
    }

    @Test func `a text that is too long is not looked at`() throws {
        let pattern = try StepPattern("{}{}{}x")
        #expect(pattern.match(String(repeating: "x", count: StepPattern.maximumTextBytes)) != nil)
        #expect(pattern.match(String(repeating: "x", count: StepPattern.maximumTextBytes + 1)) == nil)
    }
}

import Testing

@testable import PushGherkin
@testable import PushGherkinRunner

/// Tag expressions, by the official grammar (cucumber/tag-expressions).
struct TagExpressionTests {
    private func holds(_ expression: String, _ tags: String) throws -> Bool {
        let location = Location(line: 1, column: 1)
        return try TagExpression(expression).holds(
            for: tags.split(separator: " ").map { GherkinDocument.Tag(location: location, name: String($0)) })
    }

    @Test(arguments: [
        ("", "", true), ("  ", "@a", true), ("@a", "@a", true), ("@a", "@b", false), ("not @a", "@a", false),
        ("not @a", "", true),
        ("not not @a", "@a", true), ("@a and @b", "@a @b", true), ("@a and @b", "@a", false), ("@a or @b", "@b", true),
        ("@a or @b and @c", "@a", true), ("(@a or @b) and @c", "@a", false), ("not @a or @b", "@a @b", true),
        ("not (@a or @b)", "@b", false), ("not @a and @b", "@b", true), ("@a and not (@b or @c)", "@a", true),
        ("((@a))", "@a", true), (#"@a\(1\)"#, "@a(1)", true), (#"@a\\"#, #"@a\"#, true), ("@and", "@and", true),
        ("@AND", "@AND", true),
    ])
    func `an expression holds for tags`(expression: String, tags: String, expected: Bool) throws {
        #expect(try holds(expression, tags) == expected)
    }

    @Test func `an escaped blank is part of a tag`() throws {
        let tag = GherkinDocument.Tag(location: Location(line: 1, column: 1), name: "@a b")
        #expect(try TagExpression(#"@a\ b"#).holds(for: [tag]))
    }

    @Test(arguments: [
        ("@a and", 7), ("@a @b", 4), ("or", 1), ("(@a", 4), ("@a)", 3), ("not", 4), ("@a or or @b", 7), ("()", 2),
        (#"@a\x"#, 3),
        (#"@a\"#, 3), ("@a not @b", 4),
    ])
    func `what is no expression is refused with its place`(expression: String, column: Int) throws {
        let error = try #require(throws: ExpressionError.self) { try TagExpression(expression) }
        #expect(error.column == column, "\(error)")
    }

    @Test(arguments: [
        ("~@a", 1, "write not @a"), ("@a,@b", 1, "write @a or @b"), ("@a and ~@b,@c", 8, "write (not @b or @c)"),
        ("a", 1, "write @a"), ("not slow", 5, "write @slow"), ("@a AND @b", 4, "lowercase"),
        (",", 1, "contains neither , nor ~"), ("@a~1", 1, "contains neither , nor ~"),
        (String(repeating: "~", count: 200_000), 1, "contains neither , nor ~"),
    ])
    func `a tag as it was written once, or without its @, is refused with the way to write it`(
        expression: String, column: Int, reason: String
    ) throws {
        let error = try #require(throws: ExpressionError.self) { try TagExpression(expression) }
        #expect(error.column == column, "\(error)")
        #expect(error.message.contains(reason), "\(error)")
    }

    @Test func `an expression that is nested too deeply is refused`() {
        let deep = String(repeating: "not ", count: 200_000) + "@a"
        #expect(throws: ExpressionError.self) { try TagExpression(deep) }
    }
}

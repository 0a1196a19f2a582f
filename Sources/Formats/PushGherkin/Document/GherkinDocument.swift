/// A place in a feature file. Lines and columns count from 1, and columns count code points, as every official parser
/// does.
///
/// An unexpected end of file has column 0, because there is no character to point at.
package struct Location: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: Location, right: Location) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The contents of a feature file, as written: outlines are not expanded, and backgrounds are not merged into
/// scenarios.
package struct GherkinDocument: Hashable, Sendable {
    /// Nil in a file with only comments and blank lines.
    package var feature: Feature?
    package var comments: [Comment] = []
}

package struct Comment: Hashable, Sendable {
    package var location: Location
    /// The whole line, with its indentation.
    package var text: String
}

package struct Tag: Hashable, Sendable {
    package var location: Location
    /// With its `@`.
    package var name: String
}

/// A keyword, a name, and the lines of free text below them.
package struct Title: Hashable, Sendable {
    package var location: Location
    /// As it was written, without the colon.
    package var keyword: String
    package var name: String
    package var description = ""
}

package struct Feature: Hashable, Sendable {
    package var tags: [Tag]
    /// The code of its language in the official table, such as `en`.
    package var language: String
    package var title: Title
    package var background: Background?
    package var scenarios: [Scenario] = []
    package var rules: [Rule] = []
}

package struct Rule: Hashable, Sendable {
    package var tags: [Tag]
    package var title: Title
    package var background: Background?
    package var scenarios: [Scenario] = []
}

package struct Background: Hashable, Sendable {
    package var title: Title
    package var steps: [Step] = []
}

/// A scenario or an outline. Examples make it an outline, not its keyword.
package struct Scenario: Hashable, Sendable {
    package var tags: [Tag]
    package var title: Title
    package var steps: [Step] = []
    package var examples: [Examples] = []
}

package struct Examples: Hashable, Sendable {
    package var tags: [Tag]
    package var title: Title
    /// Nil when there is no table.
    package var header: TableRow?
    package var rows: [TableRow] = []
}

package struct Step: Hashable, Sendable {
    package var location: Location
    /// With the space after it, if its language has one: `"Given "`.
    package var keyword: String
    package var keywordType: KeywordType
    package var text: String
    package var docString: DocString?
    package var table: DataTable?
}

/// The type of a step, by its keyword.
package enum KeywordType: Hashable, Sendable {
    /// `Given`
    case context
    /// `When`
    case action
    /// `Then`
    case outcome
    /// `And`, `But`: like the step before.
    case conjunction
    /// `*`, or a keyword with several meanings in its language.
    case unknown
}

package struct DocString: Hashable, Sendable {
    package var location: Location
    /// `"""` or three backticks.
    package var delimiter: String
    /// The text after the opening delimiter, if any.
    package var mediaType: String?
    package var content: String
}

package struct DataTable: Hashable, Sendable {
    package var location: Location
    package var rows: [TableRow]
}

package struct TableRow: Hashable, Sendable {
    package var location: Location
    package var cells: [TableCell]
}

package struct TableCell: Hashable, Sendable {
    package var location: Location
    package var value: String
}

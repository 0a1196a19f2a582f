/// A place in a feature file. Lines and columns count from 1, and columns count code points, as every official parser
/// does.
///
/// An unexpected end of file has column 0, because there is no character to point at.
package struct Location: Hashable, Sendable {
    package var line: Int
    package var column: Int
}

/// The contents of a feature file that scenarios are made of, as written: outlines are not expanded, and backgrounds are
/// not merged into scenarios.
package struct GherkinDocument: Hashable, Sendable {
    /// The feature, and then its rules; empty for a file with only comments and blank lines.
    package internal(set) var parts: [Part] = []

    package struct Tag: Hashable, Sendable {
        package var location: Location
        /// The name with its `@`.
        package var name: String
    }

    /// A feature or a rule, with the scenarios that are directly in it.
    package struct Part: Hashable, Sendable {
        package var tags: [Tag]
        package var location: Location
        package var name: String
        /// The steps of its background.
        package var background: [Step] = []
        package var scenarios: [Scenario] = []
    }

    /// A scenario or an outline. Examples make it an outline, not its keyword.
    package struct Scenario: Hashable, Sendable {
        package var tags: [Tag]
        package var location: Location
        package var name: String
        package var steps: [Step] = []
        package var examples: [Examples] = []
    }

    package struct Examples: Hashable, Sendable {
        package var tags: [Tag]
        /// The names of the columns; empty when there is no table.
        package var header: [String] = []
        package var rows: [TableRow] = []
    }

    package struct TableRow: Hashable, Sendable {
        package var location: Location
        package var cells: [String]
    }
}

package struct Step: Hashable, Sendable {
    package var location: Location
    /// The keyword with the space after it, if its language has one: `"Given "`.
    package var keyword: String
    package var text: String
    /// The content of the doc string below it.
    package var docString: String?
    /// The cells of the table below it, row by row.
    package var table: [[String]]?
}

/// Builds the document while the parser runs.
///
/// It accepts calls in any order: after an error any line may be missing, and the document is discarded.
struct DocumentBuilder {
    /// The kind of title that came last.
    private enum Place {
        case background, scenario, examples
    }

    private(set) var document = GherkinDocument()
    private var place = Place.background
    private var tags: [GherkinDocument.Tag] = []
    /// Rows of the open table.
    private var rows: [GherkinDocument.TableRow] = []
    /// Lines of the open doc string; nil outside of one.
    private var docString: [String]?

    mutating func add(_ token: Token) {
        switch token.kind {
        case .tagLine:
            tags += token.items.map { GherkinDocument.Tag(location: token.location, name: $0) }
        case .featureLine, .ruleLine:
            document.parts.append(
                GherkinDocument.Part(tags: takeTags(), location: token.location, name: token.text))
        case .backgroundLine:
            place = .background
        case .scenarioLine:
            place = .scenario
            let scenario = GherkinDocument.Scenario(tags: takeTags(), location: token.location, name: token.text)
            document.parts.changeLast { $0.scenarios.append(scenario) }
        case .examplesLine:
            place = .examples
            let examples = GherkinDocument.Examples(tags: takeTags())
            changeScenario { $0.examples.append(examples) }
        case .stepLine:
            let step = Step(location: token.location, keyword: token.keyword, text: token.text)
            changeSteps { $0.append(step) }
        case .docStringSeparator:
            if let lines = docString {
                changeSteps { $0.changeLast { $0.docString = lines.joined(separator: "\n") } }
            }
            docString = docString == nil ? [] : nil
        case .tableRow:
            rows.append(GherkinDocument.TableRow(location: token.location, cells: token.items))
        case .other:
            docString?.append(token.text)
        case .comment, .language, .empty, .end:
            break
        }
    }

    /// Ends the table, unless its rows have different numbers of cells.
    mutating func endTable(_ problems: inout GherkinProblems) {
        let rows = self.rows
        self.rows = []
        if let uneven = rows.first(where: { $0.cells.count != rows[0].cells.count }) {
            return problems.add("inconsistent cell count within the table", at: uneven.location)
        }
        guard place == .examples else { return changeSteps { $0.changeLast { $0.table = rows.map(\.cells) } } }
        changeScenario { scenario in
            scenario.examples.changeLast { examples in
                examples.header = rows.first?.cells ?? []
                examples.rows = Array(rows.dropFirst())
            }
        }
    }

    private mutating func takeTags() -> [GherkinDocument.Tag] {
        defer { tags = [] }
        return tags
    }

    private mutating func changeScenario(_ change: (inout GherkinDocument.Scenario) -> Void) {
        document.parts.changeLast { $0.scenarios.changeLast(change) }
    }

    private mutating func changeSteps(_ change: (inout [Step]) -> Void) {
        if place == .background { return document.parts.changeLast { change(&$0.background) } }
        changeScenario { change(&$0.steps) }
    }
}

extension Array {
    /// Changes the last element, if there is one.
    fileprivate mutating func changeLast(_ change: (inout Element) -> Void) {
        if let last = indices.last { change(&self[last]) }
    }
}

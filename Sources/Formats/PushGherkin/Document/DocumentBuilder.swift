/// Builds the document while the parser runs.
///
/// It accepts calls in any order: after an error any line may be missing, and the document is discarded.
struct DocumentBuilder {
    private(set) var document = GherkinDocument()

    // The rules that have begun and not ended.
    private var feature: Feature?
    private var rule: Rule?
    private var background: Background?
    private var scenario: Scenario?
    private var examples: Examples?
    private var step: Step?
    private var docString: DocString?

    private var tags: [Tag] = []
    private var rows: [TableRow] = []
    /// Lines of the open description or doc string.
    private var lines: [String] = []

    mutating func add(_ token: Token, language: String) {
        switch token.kind {
        case .comment:
            document.comments.append(Comment(location: token.location, text: token.text))
        case .tagLine:
            tags += token.items.map { item in
                Tag(location: Location(line: token.location.line, column: item.column), name: item.text)
            }
        case .featureLine:
            feature = Feature(tags: takeTags(), language: language, title: title(token))
        case .ruleLine:
            rule = Rule(tags: takeTags(), title: title(token))
        case .backgroundLine:
            background = Background(title: title(token))
        case .scenarioLine:
            scenario = Scenario(tags: takeTags(), title: title(token))
        case .examplesLine:
            examples = Examples(tags: takeTags(), title: title(token))
        case .stepLine:
            step = Step(
                location: token.location, keyword: token.keyword, keywordType: token.keywordType, text: token.text)
        case .docStringSeparator:
            // The opening delimiter creates the doc string; the closing one finds it here.
            if docString == nil {
                docString = DocString(
                    location: token.location, delimiter: token.keyword,
                    mediaType: token.text.isEmpty ? nil : token.text, content: "")
            }
        case .tableRow:
            let cells = token.items.map { item in
                TableCell(location: Location(line: token.location.line, column: item.column), value: item.text)
            }
            rows.append(TableRow(location: token.location, cells: cells))
        case .other:
            lines.append(token.text)
        case .language, .empty, .end:
            break
        }
    }

    private func title(_ token: Token) -> Title {
        Title(location: token.location, keyword: token.keyword, name: token.text)
    }

    private mutating func takeTags() -> [Tag] {
        defer { tags = [] }
        return tags
    }

    mutating func open(_ rule: RuleKind) {
        switch rule {
        case .description, .docString: lines = []
        case .dataTable, .examplesTable: rows = []
        default: break
        }
    }

    /// - Throws: when rows of a table have different numbers of cells.
    mutating func close(_ kind: RuleKind) throws(GherkinError) {
        switch kind {
        case .description:
            describe()
        case .docString:
            docString?.content = lines.joined(separator: "\n")
            step?.docString = docString
            docString = nil
        case .dataTable:
            let rows = try takeRows()
            if let first = rows.first { step?.table = DataTable(location: first.location, rows: rows) }
        case .examplesTable:
            let rows = try takeRows()
            examples?.header = rows.first
            examples?.rows = Array(rows.dropFirst())
        case .step:
            guard let step else { return }
            if background != nil { background?.steps.append(step) } else { scenario?.steps.append(step) }
            self.step = nil
        case .background:
            if rule != nil { rule?.background = background } else { feature?.background = background }
            background = nil
        case .examplesDefinition:
            if let examples { scenario?.examples.append(examples) }
            examples = nil
        case .scenarioDefinition:
            guard let scenario else { return }
            if rule != nil { rule?.scenarios.append(scenario) } else { feature?.scenarios.append(scenario) }
            self.scenario = nil
        case .rule:
            if let rule { feature?.rules.append(rule) }
            rule = nil
        case .feature:
            document.feature = feature
        case .featureHeader, .ruleHeader, .scenario, .examples, .tags:
            break
        }
    }

    /// Assigns the description to the innermost open title.
    private mutating func describe() {
        while let last = lines.last, WhiteSpace.trimmingStart(Array(last.utf8)[...]).isEmpty { lines.removeLast() }
        let text = lines.joined(separator: "\n")
        if examples != nil {
            examples?.title.description = text
        } else if scenario != nil {
            scenario?.title.description = text
        } else if background != nil {
            background?.title.description = text
        } else if rule != nil {
            rule?.title.description = text
        } else {
            feature?.title.description = text
        }
    }

    private mutating func takeRows() throws(GherkinError) -> [TableRow] {
        defer { rows = [] }
        if let uneven = rows.first(where: { $0.cells.count != rows[0].cells.count }) {
            throw GherkinError(uneven.location, "inconsistent cell count within the table")
        }
        return rows
    }
}

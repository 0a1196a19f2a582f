/// The pickles of a document, in the order of the file. Each is created on demand, so a table with a million examples
/// needs no more memory than the table itself.
package struct Pickles: Sequence, IteratorProtocol {
    /// A scenario and what it inherits from its feature and rule.
    private struct Source {
        let scenario: Scenario
        let backgrounds: [Step]
        let tags: [Tag]
        let rule: String?
    }

    private let feature: String
    private let language: String
    private let sources: [Source]
    // The next pickle.
    private var source = 0
    private var examples = 0
    private var row = 0

    package init(_ document: GherkinDocument) {
        guard let feature = document.feature else {
            self.feature = ""
            language = ""
            sources = []
            return
        }
        self.feature = feature.title.name
        language = feature.language
        let backgrounds = feature.background?.steps ?? []
        sources =
            feature.scenarios.map { scenario in
                Source(scenario: scenario, backgrounds: backgrounds, tags: feature.tags, rule: nil)
            }
            + feature.rules.flatMap { rule in
                let backgrounds = backgrounds + (rule.background?.steps ?? [])
                let tags = feature.tags + rule.tags
                return rule.scenarios.map { scenario in
                    Source(scenario: scenario, backgrounds: backgrounds, tags: tags, rule: rule.title.name)
                }
            }
    }

    package mutating func next() -> Pickle? {
        while source < sources.count {
            let current = sources[source]
            guard !current.scenario.examples.isEmpty else {
                source += 1
                return pickle(current, examples: nil, row: nil)
            }
            while examples < current.scenario.examples.count {
                let table = current.scenario.examples[examples]
                if row < table.rows.count {
                    row += 1
                    return pickle(current, examples: table, row: table.rows[row - 1])
                }
                examples += 1
                row = 0
            }
            source += 1
            examples = 0
        }
        return nil
    }

    private func pickle(_ source: Source, examples: Examples?, row: TableRow?) -> Pickle {
        let scenario = source.scenario
        let placeholders = Placeholders(header: examples?.header, row: row)
        var steps: [PickleStep] = []
        // A scenario without steps gets no background steps either.
        if !scenario.steps.isEmpty {
            var type = KeywordType.unknown
            for step in source.backgrounds { steps.append(pickle(step, Placeholders(), &type, isBackground: true)) }
            for step in scenario.steps { steps.append(pickle(step, placeholders, &type, isBackground: false)) }
        }
        return Pickle(
            name: placeholders.replaced(in: scenario.title.name), language: language,
            location: row?.location ?? scenario.title.location, scenarioLocation: scenario.title.location,
            feature: feature, rule: source.rule,
            tags: source.tags + scenario.tags + (examples?.tags ?? []), steps: steps)
    }

    private func pickle(
        _ step: Step, _ placeholders: Placeholders, _ type: inout KeywordType, isBackground: Bool
    ) -> PickleStep {
        if step.keywordType != .conjunction { type = step.keywordType }
        let docString = step.docString.map { docString in
            PickleDocString(
                mediaType: docString.mediaType.map(placeholders.replaced(in:)),
                content: placeholders.replaced(in: docString.content), location: docString.location)
        }
        let table = step.table?.rows.map { row in row.cells.map { placeholders.replaced(in: $0.value) } }
        return PickleStep(
            keyword: step.keyword, type: type, text: placeholders.replaced(in: step.text), location: step.location,
            docString: docString, table: table, isBackground: isBackground)
    }
}

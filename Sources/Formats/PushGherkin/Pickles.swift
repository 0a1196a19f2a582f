/// The pickles of a document, in the order of the file. Each is created on demand, so a table with a million examples
/// needs no more memory than the table itself.
package struct Pickles: Sequence, IteratorProtocol {
    /// A scenario and what it inherits from its feature and rule.
    private struct Source {
        let scenario: GherkinDocument.Scenario
        let background: [Step]
        let tags: [GherkinDocument.Tag]
        let rule: String?
    }

    private let feature: String
    private let sources: [Source]
    // The next pickle.
    private var source = 0
    private var examples = 0
    private var row = 0

    package init(_ document: GherkinDocument) {
        let feature = document.parts.first
        self.feature = feature?.name ?? ""
        sources = document.parts.enumerated().flatMap { index, part in
            let isRule = index > 0
            let background = (isRule ? feature?.background ?? [] : []) + part.background
            let tags = (isRule ? feature?.tags ?? [] : []) + part.tags
            return part.scenarios.map { scenario in
                Source(scenario: scenario, background: background, tags: tags, rule: isRule ? part.name : nil)
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

    private func pickle(
        _ source: Source, examples: GherkinDocument.Examples?, row: GherkinDocument.TableRow?
    ) -> Pickle {
        let scenario = source.scenario
        let placeholders = Placeholders(header: examples?.header ?? [], row: row?.cells ?? [])
        let steps = scenario.steps.map(placeholders.replaced(in:))
        return Pickle(
            name: placeholders.replaced(in: scenario.name), location: row?.location ?? scenario.location,
            scenarioLocation: scenario.location, feature: feature, rule: source.rule,
            tags: source.tags + scenario.tags + (examples?.tags ?? []),
            // A scenario without steps gets no background steps either.
            steps: steps.isEmpty ? [] : source.background + steps)
    }
}

/// A scenario as it runs, or one row of an outline: with the steps of its backgrounds first, and with the tags of its
/// rule, feature and examples.
package struct Pickle: Hashable, Sendable {
    package var name: String
    /// Location of its title, or of its examples row.
    package var location: Location
    /// Location of its title.
    package var scenarioLocation: Location
    /// Names of its feature and of its rule, if it has one.
    package var feature: String
    package var rule: String?
    package var tags: [GherkinDocument.Tag]
    package var steps: [Step]
}

/// Replaces `<header>` with the values of one examples row.
///
/// One pass: each `<` is matched against the headers in the order of the columns, and inserted values are not searched
/// again.
private struct Placeholders {
    private struct Column {
        let placeholder: [UInt8]
        let value: [UInt8]
    }

    private let columns: [Column]

    init(header: [String], row: [String]) {
        columns = zip(header, row).map { name, cell in
            Column(placeholder: Array("<\(name)>".utf8), value: Array(cell.utf8))
        }
    }

    func replaced(in step: Step) -> Step {
        var step = step
        step.text = replaced(in: step.text)
        step.docString = step.docString.map(replaced)
        step.table = step.table?.map { $0.map(replaced) }
        return step
    }

    func replaced(in text: String) -> String {
        let opening = UInt8(ascii: "<")
        guard !columns.isEmpty, text.utf8.contains(opening) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == opening,
                let column = columns.first(where: { bytes[index...].starts(with: $0.placeholder) })
            {
                result += column.value
                index += column.placeholder.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result[...].text
    }
}

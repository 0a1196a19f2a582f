package import Gherkin

/// Which scenarios of a file are run: those for which all of this holds.
public struct ScenarioSelection: Sendable {
    private let tags: TagExpression?
    private let names: [String]

    /// Chooses by tags, by names, or by both. Without arguments it chooses all.
    ///
    /// - Parameter names: parts of names, of which one has to occur. None asks for nothing.
    public init(tags: TagExpression? = nil, names: [String] = []) {
        self.tags = tags
        self.names = names
    }

    package func includes(_ pickle: Pickle) -> Bool {
        if let tags, !tags.holds(for: pickle.tags) { return false }
        return names.isEmpty || names.contains { pickle.name.contains($0) }
    }
}

/// The scenarios that are meant by lines of a file. A line of a scenario means it, the row of an example that row alone; the line of a rule or
/// of a feature, or of its background, means all that is in it.
package struct LineSelection: Sendable {
    private enum Meaning: Sendable {
        case everything
        case rule(Range<Int>)
        case scenario(line: Int)
        case row(line: Int)
    }

    private var meanings: [Meaning] = []

    /// - Parameter lines: from 1. None means all scenarios.
    package init(_ lines: [Int], in document: GherkinDocument) {
        guard let feature = document.feature, !lines.isEmpty else {
            meanings = [.everything]
            return
        }
        // Where what is meant begins, in the order of the file; it ends where the next begins.
        var starts: [(line: Int, meaning: Meaning)] = [(0, .everything)]
        func add(_ scenarios: [Scenario]) {
            for scenario in scenarios {
                let line = scenario.title.location.line
                starts.append((Self.start(scenario.tags, line), .scenario(line: line)))
                for row in scenario.examples.flatMap(\.rows) {
                    starts.append((row.location.line, .row(line: row.location.line)))
                    // What stands behind a row is of the scenario again.
                    starts.append((row.location.line + 1, .scenario(line: line)))
                }
            }
        }
        add(feature.scenarios)
        for (index, rule) in feature.rules.enumerated() {
            let start = Self.start(rule.tags, rule.title.location.line)
            let next = index + 1 < feature.rules.count ? feature.rules[index + 1] : nil
            let end = next.map { Self.start($0.tags, $0.title.location.line) } ?? Int.max
            starts.append((start, .rule(start..<max(start, end))))
            add(rule.scenarios)
        }
        meanings = lines.compactMap { line in starts.last { $0.line <= line }?.meaning }
    }

    private static func start(_ tags: [Tag], _ line: Int) -> Int { min(tags.first?.location.line ?? line, line) }

    /// Whether no line, or one of the feature's own, means all that is in the file.
    package var isEverything: Bool {
        meanings.contains { if case .everything = $0 { true } else { false } }
    }

    package func includes(_ pickle: Pickle) -> Bool {
        meanings.contains { meaning in
            switch meaning {
            case .everything: true
            case .rule(let lines): lines.contains(pickle.scenarioLocation.line)
            case .scenario(let line): pickle.scenarioLocation.line == line
            case .row(let line): pickle.location.line == line
            }
        }
    }
}

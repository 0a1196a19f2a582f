package import PushGherkin

/// Which scenarios of a file to run. All conditions must hold.
public struct ScenarioSelection: Sendable {
    private let tags: TagExpression?
    private let names: [String]

    /// Chooses by tags, by names, or by both. Without arguments it chooses all.
    ///
    /// - Parameter names: parts of names. A scenario needs to contain one of them; without names, any scenario will do.
    public init(tags: TagExpression? = nil, names: [String] = []) {
        self.tags = tags
        self.names = names
    }

    package func includes(_ pickle: Pickle) -> Bool {
        if let tags, !tags.holds(for: pickle.tags) { return false }
        return names.isEmpty || names.contains { pickle.name.contains($0) }
    }
}

/// The scenarios at given lines of a file. A line of a scenario selects the scenario, an examples row selects that row
/// alone, and a line of a rule, a feature or a background selects everything in it.
package struct LineSelection: Sendable {
    private enum Meaning: Sendable {
        case everything
        case rule(Range<Int>)
        case scenario(line: Int)
        case row(line: Int)
    }

    private var meanings: [Meaning] = []

    /// - Parameter lines: from 1; without lines, all scenarios are selected.
    package init(_ lines: [Int], in document: GherkinDocument) {
        guard let feature = document.feature, !lines.isEmpty else {
            meanings = [.everything]
            return
        }
        // Where each part begins, in the order of the file. It ends where the next one begins.
        var starts: [(line: Int, meaning: Meaning)] = [(0, .everything)]
        func add(_ scenarios: [Scenario]) {
            for scenario in scenarios {
                let line = scenario.title.location.line
                starts.append((Self.start(scenario.tags, line), .scenario(line: line)))
                for row in scenario.examples.flatMap(\.rows) {
                    starts.append((row.location.line, .row(line: row.location.line)))
                    // Lines after a row belong to the scenario again.
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

    /// True if everything in the file is selected.
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

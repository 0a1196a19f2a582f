/// The kinds of lines. Raw values are the names in the official grammar, which errors contain.
enum TokenKind: String, Sendable {
    case end = "#EOF"
    case empty = "#Empty"
    case comment = "#Comment"
    case tagLine = "#TagLine"
    case featureLine = "#FeatureLine"
    case ruleLine = "#RuleLine"
    case backgroundLine = "#BackgroundLine"
    case scenarioLine = "#ScenarioLine"
    case examplesLine = "#ExamplesLine"
    case stepLine = "#StepLine"
    case docStringSeparator = "#DocStringSeparator"
    case tableRow = "#TableRow"
    case language = "#Language"
    case other = "#Other"
}

/// The official grammar of Gherkin, `gherkin.berp` of cucumber/gherkin. Nothing else in the parser knows which line may
/// follow which: `StateMachine` is built from this.
indirect enum Grammar: Hashable, Sendable {
    case token(TokenKind)
    case rule(Rule)
    case sequence([Grammar])
    case choice([Grammar])
    case optional(Grammar)
    /// Zero or more.
    case many(Grammar)
    /// The end of a table, which is no line of its own.
    case endOfTable
    /// A tag line begins this only when a line of that kind follows, with only blank lines, comments and tags in
    /// between.
    case ahead(TokenKind, Grammar)

    enum Rule: Sendable {
        case feature, rule, background, scenario, examples, step, table, docString, tags, description

        var definition: Grammar {
            switch self {
            case .feature:
                .sequence([
                    .optional(.token(.language)), .optional(.rule(.tags)), .token(.featureLine), .rule(.description),
                    .optional(.rule(.background)), .many(.rule(.scenario)), .many(.rule(.rule)),
                ])
            case .rule:
                .sequence([
                    .optional(.rule(.tags)), .token(.ruleLine), .rule(.description), .optional(.rule(.background)),
                    .many(.rule(.scenario)),
                ])
            case .background: .sequence([.token(.backgroundLine), .rule(.description), .many(.rule(.step))])
            case .scenario:
                .ahead(
                    .scenarioLine,
                    .sequence([
                        .optional(.rule(.tags)), .token(.scenarioLine), .rule(.description), .many(.rule(.step)),
                        .many(.rule(.examples)),
                    ]))
            case .examples:
                .ahead(
                    .examplesLine,
                    .sequence([
                        .optional(.rule(.tags)), .token(.examplesLine), .rule(.description), .optional(.rule(.table)),
                    ]))
            case .step:
                .sequence([
                    .token(.stepLine),
                    .optional(
                        .choice([
                            .sequence([.rule(.table), .optional(.rule(.docString))]),
                            .sequence([.rule(.docString), .optional(.rule(.table))]),
                        ])),
                ])
            case .table: .sequence([.token(.tableRow), .many(.token(.tableRow)), .endOfTable])
            case .docString:
                .sequence([.token(.docStringSeparator), .many(.token(.other)), .token(.docStringSeparator)])
            case .tags: .sequence([.token(.tagLine), .many(.token(.tagLine))])
            case .description:
                .sequence([.many(.token(.empty)), .many(.choice([.token(.other), .token(.comment)]))])
            }
        }
    }
}

/// The grammar as a state machine, with a state for each rest of the grammar that a file may still have to match.
///
/// Built from the grammar once, when the first file is parsed. Transitions are in the order of the official parsers, in
/// which they are tried and listed in errors: the end of the file first, then in the order of the grammar, any other
/// line last.
struct StateMachine: Sendable {
    struct Transition: Sendable {
        let token: TokenKind
        /// A tag line matches only when a line of this kind follows the tags.
        var ahead: TokenKind?
        /// True if a table ends before the line.
        var endsTable = false
        var next: Int
    }

    struct State: Sendable {
        let transitions: [Transition]
        /// The tokens as an error lists them.
        let expected: String

        init(_ transitions: [Transition]) {
            self.transitions = transitions
            var names: [String] = []
            for transition in transitions where !names.contains(transition.token.rawValue) {
                names.append(transition.token.rawValue)
            }
            expected = names.joined(separator: ", ")
        }
    }

    private(set) var states: [State] = []

    static let gherkin = StateMachine()

    /// The state before the first line.
    static let start = 0

    private init() {
        var rests: [[Grammar]] = []
        var numbers: [[Grammar]: Int] = [:]
        func number(of rest: [Grammar]) -> Int {
            if let number = numbers[rest] { return number }
            numbers[rest] = rests.count
            rests.append(rest)
            return rests.count - 1
        }
        _ = number(of: [.optional(.rule(.feature))])
        while states.count < rests.count {
            let index = states.count
            let steps = Self.steps(of: rests[index][...])
            var transitions =
                steps.filter { $0.token == .end } + steps.filter { $0.token != .end && $0.token != .other }
            let others = steps.filter { $0.token == .other }
            if others.isEmpty {
                // Comments and blank lines are allowed anywhere, and ignored where the grammar does not name them.
                for token in [TokenKind.comment, .empty] where !steps.contains(where: { $0.token == token }) {
                    transitions.append(LineStep(token: token, rest: rests[index]))
                }
            }
            states.append(
                State(
                    (transitions + others).map { step in
                        Transition(
                            token: step.token, ahead: step.ahead, endsTable: step.endsTable, next: number(of: step.rest)
                        )
                    }))
        }
    }

    /// A transition, with what the rest of the file has to match.
    private struct LineStep {
        let token: TokenKind
        var ahead: TokenKind?
        var endsTable = false
        let rest: [Grammar]
    }

    /// The lines with which a sequence can begin.
    private static func steps(of parts: ArraySlice<Grammar>) -> [LineStep] {
        guard let part = parts.first else { return [LineStep(token: .end, rest: [])] }
        let rest = Array(parts.dropFirst())
        switch part {
        case .token(let token): return [LineStep(token: token, rest: rest)]
        case .rule(let rule): return steps(of: ([rule.definition] + rest)[...])
        case .sequence(let parts): return steps(of: (parts + rest)[...])
        case .choice(let parts): return parts.flatMap { steps(of: ([$0] + rest)[...]) }
        case .optional(let part): return steps(of: ([part] + rest)[...]) + steps(of: rest[...])
        case .many(let repeated): return steps(of: ([repeated, part] + rest)[...]) + steps(of: rest[...])
        case .endOfTable:
            return steps(of: rest[...]).map { step in
                var step = step
                step.endsTable = true
                return step
            }
        case .ahead(let token, let part):
            return steps(of: ([part] + rest)[...]).map { step in
                var step = step
                if step.token == .tagLine { step.ahead = token }
                return step
            }
        }
    }
}

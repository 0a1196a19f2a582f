/// The grammar as a state machine, with one state for each place in the grammar where a line can occur.
///
/// Built from the grammar once, when the first file is parsed. Transitions are in the order of the official parsers, in
/// which they are tried and listed in errors: the end of the file first, then in the order of the grammar, any other
/// line last.
struct StateMachine: Sendable {
    struct Transition: Sendable {
        let token: TokenKind
        /// A tag line matches only when a line of this kind follows the tags.
        var ahead: TokenKind?
        /// Rules that end before the line, the innermost first, and rules that begin with it, the outermost first.
        var closes: [RuleKind] = []
        var opens: [RuleKind] = []
        var next: Int
    }

    struct State: Sendable {
        var transitions: [Transition] = []
        /// The tokens as an error lists them.
        var expected = ""
    }

    private(set) var states: [State] = []

    static let gherkin = StateMachine(Grammar.document)

    /// Before the first line.
    static let start = 0

    private init(_ grammar: Grammar) {
        // One place per token, in the order of the grammar; 0 precedes all of them.
        var places = Places()
        let root = places.add(grammar)
        states = [State()]
        let end = places.tokens.count + 1
        var first = places.first(of: root)
        if places.isNullable(root) { first.append(Transition(token: .end, next: end)) }
        states = ([first] + places.tokens.map { places.following($0, end: end) }).enumerated().map {
            index, transitions in
            Self.state(transitions, at: index)
        }
        states.append(State())
    }

    private static func state(_ transitions: [Transition], at index: Int) -> State {
        let known = transitions.map(\.token)
        var all = transitions.filter { $0.token == .end }
        all += transitions.filter { $0.token != .end && $0.token != .other }
        let others = transitions.filter { $0.token == .other }
        if others.isEmpty {
            // Comments and blank lines are allowed anywhere, and ignored where the grammar does not name them.
            for token in [TokenKind.comment, .empty] where !known.contains(token) {
                all.append(Transition(token: token, next: index))
            }
        }
        all += others
        var names: [String] = []
        for transition in all where !names.contains(transition.token.rawValue) {
            names.append(transition.token.rawValue)
        }
        return State(transitions: all, expected: names.joined(separator: ", "))
    }
}

/// The expanded grammar: each use of a rule has its own nodes, each with its parent.
private struct Places {
    struct Node {
        enum Kind {
            /// The number of its state.
            case token(TokenKind, Int)
            case rule(RuleKind)
            case ahead(TokenKind)
            case sequence, choice, optional, many, some
        }

        let kind: Kind
        var parent: Int?
        var children: [Int] = []
    }

    private var nodes: [Node] = []
    /// The nodes of tokens, in the order of their states.
    private(set) var tokens: [Int] = []

    mutating func add(_ grammar: Grammar) -> Int {
        let (kind, parts): (Node.Kind, [Grammar]) =
            switch grammar {
            case .token(let token): (.token(token, tokens.count + 1), [])
            case .node(let rule, let part): (.rule(rule), [part])
            case .ahead(let token, let part): (.ahead(token), [part])
            case .sequence(let parts): (.sequence, parts)
            case .choice(let parts): (.choice, parts)
            case .optional(let part): (.optional, [part])
            case .many(let part): (.many, [part])
            case .some(let part): (.some, [part])
            }
        let index = nodes.count
        nodes.append(Node(kind: kind))
        if case .token = kind { tokens.append(index) }
        for part in parts {
            let child = add(part)
            nodes[child].parent = index
            nodes[index].children.append(child)
        }
        return index
    }

    func isNullable(_ index: Int) -> Bool {
        let children = nodes[index].children
        return switch nodes[index].kind {
        case .token: false
        case .optional, .many: true
        case .choice: children.contains(where: isNullable)
        case .rule, .ahead, .sequence, .some: children.allSatisfy(isNullable)
        }
    }

    /// The tokens with which a node can begin.
    func first(of index: Int) -> [StateMachine.Transition] {
        let children = nodes[index].children
        switch nodes[index].kind {
        case .token(let token, let state):
            return [StateMachine.Transition(token: token, next: state)]
        case .rule(let rule):
            return children.flatMap(first).map { transition in
                var transition = transition
                transition.opens.insert(rule, at: 0)
                return transition
            }
        case .ahead(let token):
            return children.flatMap(first).map { transition in
                var transition = transition
                if transition.token == .tagLine { transition.ahead = token }
                return transition
            }
        case .sequence:
            return first(ofSequence: children)
        case .choice, .optional, .many, .some:
            return children.flatMap(first)
        }
    }

    private func first(ofSequence parts: some Sequence<Int>) -> [StateMachine.Transition] {
        var transitions: [StateMachine.Transition] = []
        for part in parts {
            transitions += first(of: part)
            if !isNullable(part) { break }
        }
        return transitions
    }

    /// The tokens that can follow a token in each of its ancestors, from the innermost to the root.
    func following(_ token: Int, end: Int) -> [StateMachine.Transition] {
        var transitions: [StateMachine.Transition] = []
        var closes: [RuleKind] = []
        var index = token
        while let parent = nodes[index].parent {
            var next: [StateMachine.Transition] = []
            var isNextNeeded = false
            switch nodes[parent].kind {
            case .many, .some:
                next = first(of: index)
            case .sequence:
                let rest = nodes[parent].children.drop { $0 != index }.dropFirst()
                next = first(ofSequence: rest)
                isNextNeeded = !rest.allSatisfy(isNullable)
            case .rule(let rule):
                closes.append(rule)
            case .token, .ahead, .choice, .optional:
                break
            }
            for var transition in next {
                transition.closes = closes
                transitions.append(transition)
            }
            if isNextNeeded { return transitions }
            index = parent
        }
        return transitions + [StateMachine.Transition(token: .end, closes: closes, next: end)]
    }
}

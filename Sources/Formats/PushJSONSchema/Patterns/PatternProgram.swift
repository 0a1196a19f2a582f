struct PatternProgram: Sendable {
    /// Patterns are refused beyond this size, to which `{n,m}` can blow up a short one.
    static let maximumInstructions = 10_000

    enum Instruction: Equatable, Sendable {
        /// Goes on if the next character is in a class.
        case characters(CharacterClass)
        /// Goes on in two ways: with the next instruction, and with this one.
        case split(Int)
        case jump(Int)
        case assertion(PatternNode.Assertion)
        /// Goes on if the part that begins at `start` matches here.
        case look(start: Int, isAhead: Bool, isNegated: Bool)
        case match
    }

    private(set) var instructions: [Instruction] = []
    /// True if the instructions that can follow without reading a character depend on nothing but the text's two ends.
    private(set) var isContextFree = true
    private var pending: [(address: Int, node: PatternNode, isAhead: Bool)] = []

    init(_ pattern: String) throws(PatternError) {
        try emit(PatternParser.parse(pattern), isAhead: true)
        try append(.match)
        while let look = pending.popLast() {
            guard case .look(_, let isAhead, let isNegated) = instructions[look.address] else { continue }
            instructions[look.address] = .look(start: instructions.count, isAhead: isAhead, isNegated: isNegated)
            try emit(look.node, isAhead: look.isAhead)
            try append(.match)
        }
    }

    private mutating func append(_ instruction: Instruction) throws(PatternError) {
        guard instructions.count < Self.maximumInstructions else {
            throw PatternError(message: "the pattern is too large: its repetitions multiply", offset: 0)
        }
        instructions.append(instruction)
    }

    /// - Parameter isAhead: false for a part that is matched from right to left.
    private mutating func emit(_ node: PatternNode, isAhead: Bool) throws(PatternError) {
        switch node {
        case .empty: break
        case .characters(let set): try append(.characters(set))
        case .assertion(let assertion):
            if assertion == .wordBoundary || assertion == .notWordBoundary { isContextFree = false }
            try append(.assertion(assertion))
        case .sequence(let parts):
            for part in isAhead ? parts : parts.reversed() { try emit(part, isAhead: isAhead) }
        case .alternatives(let branches): try emit(branches[...], isAhead: isAhead)
        case .repetition(let inner, let minimum, let maximum):
            for _ in 0..<minimum { try emit(inner, isAhead: isAhead) }
            guard let maximum else { return try emitLoop(inner, isAhead: isAhead) }
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(instructions.count)
                try append(.split(0))
                try emit(inner, isAhead: isAhead)
            }
            for split in splits { instructions[split] = .split(instructions.count) }
        case .look(let inner, let isAhead, let isNegated):
            isContextFree = false
            pending.append((instructions.count, inner, isAhead))
            try append(.look(start: 0, isAhead: isAhead, isNegated: isNegated))
        }
    }

    private mutating func emitLoop(_ inner: PatternNode, isAhead: Bool) throws(PatternError) {
        let start = instructions.count
        try append(.split(0))
        try emit(inner, isAhead: isAhead)
        try append(.jump(start))
        instructions[start] = .split(instructions.count)
    }

    private mutating func emit(_ branches: ArraySlice<PatternNode>, isAhead: Bool) throws(PatternError) {
        var jumps: [Int] = []
        for (index, branch) in branches.enumerated() {
            let isLast = index == branches.count - 1
            let split = instructions.count
            if !isLast { try append(.split(0)) }
            try emit(branch, isAhead: isAhead)
            guard !isLast else { break }
            jumps.append(instructions.count)
            try append(.jump(0))
            instructions[split] = .split(instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }
}

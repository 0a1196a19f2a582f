import PayloadJSON

/// Searches a text for a pattern, in time proportional to the text times the pattern.
///
/// It follows all ways through the pattern at once, so no text makes it try one after the other. A set of
/// instructions that has been computed is kept, with the set that each ASCII character leads to: a pattern that has been
/// used costs one step per character. Patterns with `\b` or lookaround depend on the surrounding text, and are followed
/// without that cache.
struct PatternMatcher {
    /// Sets that are kept. A pattern that needs more starts over.
    private static let maximumStates = 64
    private static let unknown: Int32 = -1

    private struct State {
        /// Instructions that read a character, and ends; sorted.
        var members: [Int32]
        var isMatch: Bool
        /// True if it matches if the text ends here.
        var isMatchAtEnd: Bool
    }

    private let program: PatternProgram
    private var states: [State] = []
    private var numbers: [[Int32]: Int32] = [:]
    /// For each state 128 successors.
    private var successors: [Int32] = []
    /// The set that a search begins with; nil until it is needed.
    private var first: Int32?
    /// The members of the set that matching could begin with at any later place.
    private var restart: [Int32] = []

    init(_ program: PatternProgram) { self.program = program }

    /// - Parameters:
    ///   - text: well-formed UTF-8.
    ///   - steps: is reduced by the work done; matching gives up, with false, when it falls to 0.
    mutating func matches(_ text: BorrowedText, steps: inout Int) -> Bool {
        if !program.isContextFree {
            // SOUND: the text is alive during the call.
            return unsafe PatternSearch(program, text.buffer).isFound(steps: &steps)
        }
        var state = initialState(steps: &steps)
        var index = 0
        // SOUND: `index` is below the count, and a character's bytes are those of well-formed UTF-8.
        let bytes = unsafe text.buffer
        while index < bytes.count {
            if states[Int(state)].isMatch { return true }
            steps -= 1
            guard steps > 0 else { return false }
            let byte = unsafe bytes[index]
            if byte < 0x80 {
                let known = successors[Int(state) << 7 | Int(byte)]
                index += 1
                if known != Self.unknown {
                    state = known
                } else {
                    let from = state
                    let count = states.count
                    state = next(from, UInt32(byte), steps: &steps)
                    // After starting over, the old state is gone.
                    if states.count >= count { successors[Int(from) << 7 | Int(byte)] = state }
                }
            } else {
                let (scalar, length) = unsafe PatternSearch.scalar(bytes, at: index)
                index += length
                state = next(state, scalar, steps: &steps)
            }
            if states[Int(state)].members.isEmpty, restart.isEmpty { return states[Int(state)].isMatch }
        }
        return states[Int(state)].isMatchAtEnd
    }

    private mutating func initialState(steps: inout Int) -> Int32 {
        if let first { return first }
        let closure = PatternSearch.Closure(program)
        restart = closure.members(from: [0], isStart: false, steps: &steps)
        let state = number(of: closure.members(from: [0], isStart: true, steps: &steps), steps: &steps)
        first = state
        return state
    }

    private mutating func next(_ state: Int32, _ scalar: UInt32, steps: inout Int) -> Int32 {
        let members = states[Int(state)].members
        steps -= members.count
        var starts: [Int32] = []
        for member in members {
            if case .characters(let set) = program.instructions[Int(member)], set.contains(scalar) {
                starts.append(member + 1)
            }
        }
        var reached = PatternSearch.Closure(program).members(from: starts, isStart: false, steps: &steps)
        if !restart.isEmpty { reached = Array(Set(reached).union(restart)).sorted() }
        return number(of: reached, steps: &steps)
    }

    private mutating func number(of members: [Int32], steps: inout Int) -> Int32 {
        if let number = numbers[members] { return number }
        if states.count >= Self.maximumStates {
            states.removeAll()
            numbers.removeAll()
            successors.removeAll()
            first = nil
        }
        let number = Int32(states.count)
        let isMatch = members.contains { program.instructions[Int($0)] == .match }
        let isMatchAtEnd =
            isMatch
            || PatternSearch.Closure(program).reachesMatchAtEnd(from: members, isStart: false, steps: &steps)
        states.append(State(members: members, isMatch: isMatch, isMatchAtEnd: isMatchAtEnd))
        numbers[members] = number
        successors.append(contentsOf: repeatElement(Self.unknown, count: 128))
        return number
    }
}

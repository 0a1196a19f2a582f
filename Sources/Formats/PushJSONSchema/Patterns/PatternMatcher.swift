import PushJSON

/// Searches a text for a pattern, in time proportional to the text times the pattern.
///
/// It follows all ways through the pattern at once, so no text makes it try one after the other. A set of
/// instructions that has been computed is kept, with the set that each ASCII character leads to, and the steps that computing it took: they count
/// again whenever it is used, so that whether a value takes too much work does not depend on what was checked before. Patterns with `\b` or
/// lookaround depend on the surrounding text, and are followed without that cache.
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
        /// The steps that it took to know that.
        var cost: Int
    }

    private let program: PatternProgram
    private var states: [State] = []
    private var numbers: [[Int32]: Int32] = [:]
    /// The 128 successors of each state, and the steps to each.
    private var successors: [(state: Int32, cost: Int32)] = []
    /// The set that a search begins with; nil until it is needed.
    private var first: (state: Int32, cost: Int)?
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
        let initial = initialState()
        var state = initial.state
        steps -= initial.cost
        var index = 0
        // SOUND: `index` is below the count, and a character's bytes are those of well-formed UTF-8.
        let bytes = unsafe text.buffer
        while index < bytes.count {
            if states[Int(state)].isMatch { return true }
            steps -= 1
            guard steps > 0 else { return false }
            let byte = unsafe bytes[index]
            if byte < 0x80 {
                var known = successors[Int(state) << 7 | Int(byte)]
                index += 1
                if known.state == Self.unknown {
                    let count = states.count
                    known = next(state, UInt32(byte))
                    // After starting over, the old state is gone.
                    if states.count >= count { successors[Int(state) << 7 | Int(byte)] = known }
                }
                state = known.state
                steps -= Int(known.cost)
            } else {
                let (scalar, length) = unsafe PatternSearch.scalar(bytes, at: index)
                index += length
                let reached = next(state, scalar)
                state = reached.state
                steps -= Int(reached.cost)
            }
            if states[Int(state)].members.isEmpty, restart.isEmpty { return states[Int(state)].isMatch }
        }
        return states[Int(state)].isMatchAtEnd
    }

    private mutating func initialState() -> (state: Int32, cost: Int) {
        if let first { return first }
        let closure = PatternSearch.Closure(program)
        var steps = 0
        restart = closure.members(from: [0], isStart: false, steps: &steps)
        let state = number(of: closure.members(from: [0], isStart: true, steps: &steps))
        let initial = (state, states[Int(state)].cost - steps)
        first = initial
        return initial
    }

    private mutating func next(_ state: Int32, _ scalar: UInt32) -> (state: Int32, cost: Int32) {
        let members = states[Int(state)].members
        var steps = -members.count
        var starts: [Int32] = []
        for member in members {
            if case .characters(let set) = program.instructions[Int(member)], set.contains(scalar) {
                starts.append(member + 1)
            }
        }
        var reached = PatternSearch.Closure(program).members(from: starts, isStart: false, steps: &steps)
        if !restart.isEmpty { reached = Array(Set(reached).union(restart)).sorted() }
        let next = number(of: reached)
        return (next, Int32(clamping: states[Int(next)].cost - steps))
    }

    private mutating func number(of members: [Int32]) -> Int32 {
        if let number = numbers[members] { return number }
        if states.count >= Self.maximumStates {
            states.removeAll()
            numbers.removeAll()
            successors.removeAll()
            first = nil
        }
        let number = Int32(states.count)
        let isMatch = members.contains { program.instructions[Int($0)] == .match }
        var steps = 0
        let isMatchAtEnd =
            isMatch
            || PatternSearch.Closure(program).reachesMatchAtEnd(from: members, isStart: false, steps: &steps)
        states.append(State(members: members, isMatch: isMatch, isMatchAtEnd: isMatchAtEnd, cost: -steps))
        numbers[members] = number
        successors.append(contentsOf: repeatElement((state: Self.unknown, cost: 0), count: 128))
        return number
    }
}

/// Follows a pattern through one text, all ways at once. O(text × pattern) without lookaround.
@safe  // SOUND: reads only bytes of `text`, at positions between characters; the matcher keeps the text alive.
struct PatternSearch {
    private let program: PatternProgram
    private let text: UnsafeBufferPointer<UInt8>

    init(_ program: PatternProgram, _ text: UnsafeBufferPointer<UInt8>) {
        // SOUND: storing the address reads nothing.
        self.program = program
        unsafe self.text = unsafe text
    }

    /// True if the pattern matches anywhere.
    ///
    /// - Parameter steps: is reduced by the work done; the search gives up, with false, when it falls to 0.
    func isFound(steps: inout Int) -> Bool { run(0, from: 0, isAhead: true, isSearch: true, steps: &steps) }

    private func run(_ start: Int32, from origin: Int, isAhead: Bool, isSearch: Bool, steps: inout Int) -> Bool {
        var position = origin
        var starts = [start]
        while steps > 0 {
            let members = Closure(program).members(from: starts, steps: &steps) { instruction, steps in
                holds(instruction, at: position, steps: &steps)
            }
            if members.contains(where: { program.instructions[Int($0)] == .match }) { return true }
            guard unsafe isAhead ? position < text.count : position > 0, !members.isEmpty || isSearch else {
                return false
            }
            let scalar: UInt32
            if isAhead {
                let (value, length) = unsafe Self.scalar(text, at: position)
                scalar = value
                position += length
            } else {
                position -= 1
                // SOUND: a character begins with a byte that continues none, and `position` is not below 0.
                while position > 0, unsafe text[position] & 0xC0 == 0x80 { position -= 1 }
                scalar = unsafe Self.scalar(text, at: position).value
            }
            starts.removeAll(keepingCapacity: true)
            for member in members {
                if case .characters(let set) = program.instructions[Int(member)], set.contains(scalar) {
                    starts.append(member + 1)
                }
            }
            if isSearch { starts.append(start) }
        }
        return false
    }

    /// True if an assertion holds between two characters.
    private func holds(_ instruction: PatternProgram.Instruction, at position: Int, steps: inout Int) -> Bool {
        switch instruction {
        case .assertion(.start): return position == 0
        case .assertion(.end): return unsafe position == text.count
        case .assertion(.wordBoundary): return isWord(position - 1) != isWord(position)
        case .assertion(.notWordBoundary): return isWord(position - 1) == isWord(position)
        case .look(let start, let isAhead, let isNegated):
            return run(Int32(start), from: position, isAhead: isAhead, isSearch: false, steps: &steps) != isNegated
        default: return false
        }
    }

    private func isWord(_ index: Int) -> Bool {
        // SOUND: the index is compared with both ends.
        guard index >= 0, unsafe index < text.count && text[index] < 0x80 else { return false }
        return unsafe Self.word.contains(UInt32(text[index]))
    }

    private static let word = CharacterClass.word(isNegated: false)

    /// The character at a position, and its length in bytes.
    static func scalar(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt32, length: Int) {
        // SOUND: the text is well-formed, so a character's first byte is followed by the others; the count is compared
        // nevertheless.
        let first = unsafe text[index]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, text.count - index)
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for offset in 1..<max(length, 1) { value = unsafe value << 6 | UInt32(text[index + offset] & 0x3F) }
        return (value, length)
    }

    /// The places of a pattern that can be reached without reading a character.
    struct Closure {
        private let program: PatternProgram

        init(_ program: PatternProgram) { self.program = program }

        /// The instructions that read a character, and ends, in order; `$` too where it does not hold yet.
        func members(from starts: [Int32], isStart: Bool, steps: inout Int) -> [Int32] {
            members(from: starts, steps: &steps) { instruction, _ in
                instruction == .assertion(.start) ? isStart : nil
            }
        }

        /// True if a set leads to a match if the text ends.
        func reachesMatchAtEnd(from starts: [Int32], isStart: Bool, steps: inout Int) -> Bool {
            members(from: starts, steps: &steps) { instruction, _ in
                instruction == .assertion(.end) || instruction == .assertion(.start) && isStart
            }
            .contains { program.instructions[Int($0)] == .match }
        }

        /// - Parameter holds: true if an assertion holds; nil to decide later, which keeps it in the set.
        func members(
            from starts: [Int32], steps: inout Int,
            _ holds: (PatternProgram.Instruction, inout Int) -> Bool?
        ) -> [Int32] {
            var isSeen = [UInt64](repeating: 0, count: program.instructions.count >> 6 + 1)
            steps -= isSeen.count
            var stack = starts
            var members: [Int32] = []
            while let address = stack.popLast() {
                let word = Int(address) >> 6
                let bit = UInt64(1) << UInt64(address & 63)
                guard isSeen[word] & bit == 0 else { continue }
                isSeen[word] |= bit
                steps -= 1
                let instruction = program.instructions[Int(address)]
                switch instruction {
                case .characters, .match: members.append(address)
                case .split(let other):
                    stack.append(Int32(other))
                    stack.append(address + 1)
                case .jump(let target): stack.append(Int32(target))
                case .assertion, .look:
                    switch holds(instruction, &steps) {
                    case true: stack.append(address + 1)
                    case false: break
                    case nil: members.append(address)
                    }
                }
            }
            return members.sorted()
        }
    }
}

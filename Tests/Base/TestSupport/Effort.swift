import Foundation

/// How much of a random corpus the tests go through: a part of it, or all with `PUSHPIPE_THOROUGH=1`, which `make nightly` sets.
package enum Effort {
    private static let isThorough = ProcessInfo.processInfo.environment["PUSHPIPE_THOROUGH"] == "1"

    /// How many rounds, or records: `all` of them or, in the fast suite, `fast`.
    package static func rounds(_ all: Int, fast: Int) -> Int { isThorough ? all : fast }

    /// Seeds or other arguments: `all` of them or, in the fast suite, `fast` of them, at even distances from the first.
    package static func some<Argument>(_ all: [Argument], fast: Int) -> [Argument] {
        isThorough ? all : (0..<fast).map { all[$0 * all.count / fast] }
    }
}

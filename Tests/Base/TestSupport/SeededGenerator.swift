import PushSystem

/// The same numbers on every machine, so that a failure can be reproduced.
package struct SeededGenerator: RandomNumberGenerator {
    private var source: SplitMix64

    package init(seed: UInt64) { source = SplitMix64(seed: seed) }

    package mutating func next() -> UInt64 { source.next() }

    /// A number from 0 to `bound - 1`. `bound` is at least 1.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// One of the elements. There must be at least one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

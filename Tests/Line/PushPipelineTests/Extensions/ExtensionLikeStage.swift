import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import TestSupport

/// Takes messages ahead of their turn as a service extension does that needs now more and now less time, and asks for removals that come late.
final class ExtensionLikeStage: AheadStage {
    let seesUndelivered = true
    let removesLate = true
    let longestDelay: Int64 = 5

    private let ahead: Int
    private var generator: SeededGenerator
    /// The messages that were begun and not yet processed.
    private var begun = 0
    /// The most messages that were begun at a time.
    private(set) var mostAhead = 0

    /// - Parameter ahead: the most messages that it takes ahead of their turn.
    init(ahead: Int, seed: UInt64) {
        self.ahead = ahead
        generator = SeededGenerator(seed: seed)
    }

    func beginChunk(_ context: DeliveryContext) { begun = 0 }

    func begin(_ message: DecodedMessage, _ context: DeliveryContext) -> Bool {
        // One that was queued is not of the chunk.
        guard context.index >= 0 else { return true }
        guard begun == 0 || begun <= generator.below(ahead + 1) else { return false }
        begun += 1
        mostAhead = max(mostAhead, begun)
        return true
    }

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) {
        if context.index >= 0 { begun -= 1 }
    }

    func didDeliver(_ message: DecodedMessage, _ result: inout DeliveryResult?, _ context: DeliveryContext) throws {
        guard result != nil, context.seq % 3 == 0 else { return }
        try context.store.screens.removeLate(
            nil, askedBy: message, seq: context.seq, shownAt: context.at, due: context.at + longestDelay)
    }
}

import FuzzTargets
import TestSupport
import Testing

/// A token among what looks like the beginnings of encoded characters.
struct RandomRedactionTests {
    private static let pieces = [
        "%", "%3", "%35", "&", "&#", "&#5", "&#x", "&#x3", "&amp;", ";", "x", "5", "5e", "5ec2e7", "\"", "\\", "{\"",
        "\":\"", "}",
    ].map { Array($0.utf8) }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a text with a token is hidden, wherever that stands and however it is encoded`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let check = try #require(FuzzTarget.named("redact")).makeCheck()
        for _ in 0..<250 {
            var bytes: [UInt8] = []
            for _ in 0..<generator.below(8) {
                bytes += generator.below(3) == 0 ? [0x80, UInt8(generator.below(256))] : generator.pick(Self.pieces)
            }
            #expect(bytes.withUnsafeBytes(check) == nil)
        }
    }
}

import PushSystem
import Testing

struct SplitMix64Tests {
    /// The published first outputs of splitmix64.c for two seeds (Rosetta Code, for 1234567).
    @Test func `SplitMix64 gives the published numbers`() {
        var random = SplitMix64(seed: 1_234_567)
        let outputs = (0..<5).map { _ in random.next() }
        #expect(
            outputs == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
        var zero = SplitMix64(seed: 0)
        let outputsOfZero = (0..<4).map { _ in zero.next() }
        #expect(
            outputsOfZero == [
                0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f, 0xf88b_b8a8_724c_81ec,
            ])
    }
}

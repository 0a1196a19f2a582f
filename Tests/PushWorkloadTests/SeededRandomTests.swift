import PushWorkload
import Testing

@Suite struct SeededRandomTests {
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

    /// The outputs of the authors' xoshiro256starstar.c from the state 1, 2, 3, 4, as in the Rust crate `rand_xoshiro`.
    @Test func `xoshiro256** gives the published numbers`() {
        var random = Xoshiro256StarStar(state: (1, 2, 3, 4))
        let outputs = (0..<10).map { _ in random.next() }
        #expect(
            outputs == [
                11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
                16_172_922_978_634_559_625, 8_476_171_486_693_032_832, 10_595_114_339_597_558_777,
                2_904_607_092_377_533_576,
            ])
    }

    @Test func `xoshiro256** takes its state from SplitMix64`() {
        var seeder = SplitMix64(seed: 42)
        var expected = Xoshiro256StarStar(state: (seeder.next(), seeder.next(), seeder.next(), seeder.next()))
        var random = Xoshiro256StarStar(seed: 42)
        let outputs = (0..<100).map { _ in random.next() }
        let expectedOutputs = (0..<100).map { _ in expected.next() }
        #expect(outputs == expectedOutputs)
    }
}

import PushSystem
import PushWorkload
import Testing

@Suite struct SeededRandomTests {
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

import PushSystem
import Testing

@testable import PushDevices

/// The banners of a device, compared with looking at each.
struct BannerBoardTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `the newest banner that fits is found, whatever came and went before`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var board = BannerBoard()
        var banners: [UInt32: ShownBanner] = [:]
        var now: Int64 = 0
        for step in 0..<2000 {
            now += Int64.random(in: 0...400, using: &random)
            // Rarely, the clock of a run is set back.
            if step % 500 == 499 { now -= 3 * ShownBanner.lifetime }
            let app = UInt32.random(in: 0..<12, using: &random)
            // What was queued has the number of an earlier record.
            let seq = UInt64(step) - UInt64.random(in: 0...UInt64(min(step, 3)), using: &random)
            let banner: ShownBanner? =
                Int.random(in: 0..<4, using: &random) == 0
                ? nil
                : ShownBanner(identifier: "c\(Int.random(in: 0..<5, using: &random))", seq: seq, shownAt: now)
            board.set(banner, of: app)
            banners[app] = banner
            let wanted = Bool.random(using: &random) ? nil : UInt64(step) - UInt64(min(step, 2))
            let identifier = Bool.random(using: &random) ? nil : "c\(Int.random(in: 0..<5, using: &random))"
            let fitting = banners.filter { _, banner in
                banner.isShown(at: now) && wanted ?? banner.seq == banner.seq
                    && identifier ?? banner.identifier == banner.identifier
            }
            let newest = fitting.values.map(\.seq).max()
            let expected = fitting.filter { $0.value.seq == newest }.keys.min()
            #expect(board.newest(seq: wanted, identifier: identifier, at: now) == expected, "step \(step)")
        }
    }

    @Test func `banners that are gone are forgotten, whichever events look for them`() {
        var board = BannerBoard()
        for step in 0..<2000 {
            let banner = ShownBanner(identifier: "c\(step)", seq: UInt64(step), shownAt: 0)
            board.set(banner, of: UInt32(step % 3))
            board.set(nil, of: UInt32(step % 3))
            // Either way only some entries are looked at.
            _ = board.newest(seq: nil, identifier: step % 2 == 0 ? nil : "c7", at: 0)
            #expect(board.entryCount <= 2 * (2 * 3 + 16))
        }
    }
}

import PushJSON
import PushSystem
import Testing

@testable import PushDevices

/// The banners of a device with several apps.
struct BannerTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `the newest banner that fits is found, whatever came and went before`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = DeviceTable()
        let device = table.device(BorrowedText("ab54"))
        let apps = (0..<12).map { number in BorrowedText.with("app\(number)") { table.app($0, on: device) } }
        var banners: [UInt32: ShownBanner] = [:]
        var now: Int64 = 0
        for step in 0..<2000 {
            now += Int64.random(in: 0...400, using: &random)
            // Rarely, the clock of a run is set back.
            if step % 500 == 499 { now -= 3 * ShownBanner.lifetime }
            let app = apps[Int.random(in: 0..<12, using: &random)]
            // What was queued has the number of an earlier record.
            let seq = UInt64(step) - UInt64.random(in: 0...UInt64(min(step, 3)), using: &random)
            let banner: ShownBanner? =
                Int.random(in: 0..<4, using: &random) == 0
                ? nil
                : ShownBanner(identifier: "c\(Int.random(in: 0..<5, using: &random))", seq: seq, shownAt: now)
            table.changeDetails(of: app) { $0.banner = banner }
            banners[app] = banner
            let wanted = Bool.random(using: &random) ? nil : UInt64(step) - UInt64(min(step, 2))
            let identifier = Bool.random(using: &random) ? nil : "c\(Int.random(in: 0..<5, using: &random))"
            let fitting = banners.filter { _, banner in
                banner.isShown(at: now) && wanted ?? banner.seq == banner.seq
                    && identifier ?? banner.identifier == banner.identifier
            }
            let newest = fitting.values.map(\.seq).max()
            let expected = fitting.filter { $0.value.seq == newest }.keys.min()
            let found = table.appWithBanner(on: device, seq: wanted, identifier: identifier, at: now)
            #expect(found == expected, "step \(step)")
        }
    }
}

import PushModel
import PushSystem
import Testing

@testable import PushDevices

struct DetailsTableTests {
    @Test func `details stay with their app while others come and go`() {
        var random = SplitMix64(seed: 7)
        var table = DetailsTable()
        var places: [UInt32: UInt32] = [:]
        var expected: [UInt32: Int] = [:]
        for step in 1...2000 {
            let app = UInt32.random(in: 0..<300, using: &random)
            if let place = places[app], Bool.random(using: &random) {
                table[place].settings.silentPushes = nil
                table.remove(place)
                places[app] = nil
                expected[app] = nil
            } else {
                let place = places[app] ?? table.add(app)
                if places[app] == nil {
                    let isEmpty = table.isEmpty(place)
                    #expect(isEmpty)
                }
                places[app] = place
                table[place].settings.silentPushes = step
                let isEmpty = table.isEmpty(place)
                #expect(!isEmpty)
                expected[app] = step
            }
        }
        var found: [UInt32: Int] = [:]
        table.forEachApp { app, details in found[app] = details.settings.silentPushes }
        #expect(found == expected)
        let (count, nothing) = (table.count, table[DeviceTable.none])
        #expect(count == expected.count)
        #expect(nothing.isEmpty)
        table.removeAll()
        let left = table.count
        #expect(left == 0)
        // The places are there again, with nothing in them.
        let place = table.add(5)
        let isEmpty = table.isEmpty(place)
        #expect(isEmpty)
    }
}

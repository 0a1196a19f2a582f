import PayloadJSON
import Testing

@testable import DeviceScreens

struct LaneTests {
    @Test(arguments: [1, 2, 3, 16]) func `each lane has its share of the devices`(lanes: Int) {
        let hasher = SeededHash()
        var devices = Array(repeating: 0, count: lanes)
        for number in 0..<2000 {
            BorrowedText.with("device-\(number)") { devices[DeliveryKey.lane(of: $0, hasher, lanes: lanes)] += 1 }
        }
        #expect(devices.allSatisfy { $0 > 1000 / lanes }, "\(devices)")
    }
}

import Foundation
import PushWorkload
import Testing

/// Device events among the records.
@Suite struct WorkloadEventTests {
    private func events(_ mix: WorkloadMix) throws -> [[String: Any]] {
        let configuration = try WorkloadConfiguration(
            count: 20_000, seed: 3, devices: 50, mix: mix, eventRate: WorkloadRate(parsing: "1"))
        return try lines(configuration).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
    }

    @Test func `everything that can happen at a device does`() throws {
        var counts: [String: Int] = [:]
        var changes: Set<String> = []
        for event in try events(WorkloadMix(apns: 5, gcm: 2, fcm: 1)) {
            let name = try #require(event["event"] as? String)
            counts[name, default: 0] += 1
            if name == "device" { changes.formUnion(event.keys) }
        }
        // At least one in a hundred, which is two hundred; five standard deviations are 70.
        #expect(
            counts.filter { $0.value > 130 }.keys.sorted() == [
                "back", "clear", "clock", "close", "confirm", "device", "dismiss", "edit", "open", "preference", "read",
                "save",
                "tap",
            ])
        #expect(
            changes == [
                "event", "device", "platform", "online", "state", "authorization", "alerts", "unregistered",
                "canonical",
                "confirmed", "types",
            ])
    }

    @Test func `another token stands for those of GCM and FCM alone`() throws {
        #expect(try events(WorkloadMix(apns: 1)).allSatisfy { $0["canonical"] == nil })
        let canonical = try events(WorkloadMix(gcm: 1)).compactMap { $0["canonical"] as? String }
        #expect(canonical.count > 100)
        #expect(canonical.allSatisfy { $0.contains(":APA91b") })
    }
}

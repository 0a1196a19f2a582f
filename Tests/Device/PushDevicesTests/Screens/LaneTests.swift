import PushDecoding
import PushJSON
import PushModel
import Testing

@testable import PushDevices

struct LaneTests {
    @Test(arguments: [1, 2, 3, 16]) func `each lane has its share of the devices`(lanes: Int) {
        let hasher = SeededHash()
        var devices = Array(repeating: 0, count: lanes)
        for number in 0..<2000 {
            BorrowedText.with("device-\(number)") { devices[DeliveryKey.lane(of: $0, hasher, lanes: lanes)] += 1 }
        }
        #expect(devices.allSatisfy { $0 > 1000 / lanes }, "\(devices)")
    }

    /// With as many notifications as these, a lane prefetches what its next messages will need.
    @Test(arguments: zip([1, 2], [12_000, 26_000]))
    func `a lane delivers as if it were one message at a time`(lanes: Int, count: Int) throws {
        let hasher = SeededHash()
        let alone = Part(hasher)
        let parts = (0..<lanes).map { _ in Part(hasher) }
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        var mistakes: [String] = []
        var first = 0
        var chunk = 0
        while first < count {
            // Chunks of fewer and of more messages than are prefetched at a time.
            let size = [1, 7, 24, 25, 33, 600][chunk % 6]
            chunk += 1
            var bytes: [UInt8] = []
            let ranges = (first..<first + size).map { number in
                let start = bytes.count
                bytes += Self.record(number).utf8
                return start..<bytes.count
            }
            try bytes.withUnsafeBytes { bytes in
                batch.removeAll()
                for (record, range) in ranges.enumerated() {
                    decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[range]), record: record, into: &batch)
                }
                let messages = batch.messages
                try #require(messages.count == size)
                let start = UnsafePointer(try #require(messages.baseAddress))
                let keys = UnsafeMutablePointer<DeliveryKey>.allocate(capacity: size)
                let results = UnsafeMutablePointer<LaneResult>.allocate(capacity: size)
                defer {
                    keys.deallocate()
                    results.deallocate()
                }
                results.initialize(repeating: LaneResult(outcome: .silent), count: size)
                for index in 0..<size { DeliveryKey.write(start + index, hasher, lanes: lanes, to: keys + index) }
                let sequence = UInt64(first + 1)
                let work = LaneWork(
                    messages: start, keys: keys, results: results, count: size, firstSequence: sequence,
                    firstOrder: sequence, time: 0, timePerRecord: 1)
                for (lane, part) in parts.enumerated() { part.centers.deliver(work, lane: lane) }
                for index in 0..<size {
                    let expected = alone.centers.deliver(
                        messages[index], seq: sequence + UInt64(index), at: Int64(index))
                    let result = results[index]
                    if result.outcome != expected.outcome || result.replaces != expected.replaces ?? 0
                        || result.cleared != UInt32(expected.cleared)
                    {
                        mistakes.append("\(first + index): \(result), not \(expected)")
                    }
                }
            }
            first += size
        }
        #expect(mistakes.isEmpty, "\(mistakes.count), such as \(mistakes.prefix(3))")
        #expect(parts.reduce(0) { $0 + $1.centers.count } == alone.centers.count)
        #expect(parts.allSatisfy { $0.centers.count > 8192 }, "too few notifications to prefetch anything")
    }

    /// Replaces an earlier notification of its app, or clears the app's, now and then.
    private static func record(_ number: Int) -> String {
        let device = String(repeating: "0", count: 60) + String(1000 + number * 7919 % 1000)
        let identifier = number.isMultiple(of: 3) ? number % 500 : number
        let collapseID = number.isMultiple(of: 5) ? "" : #","apns-collapse-id":"news-\#(identifier)""#
        let headers = #"{"apns-topic":"org.example.app\#(number % 3)","apns-push-type":"alert"\#(collapseID)}"#
        let badge = number.isMultiple(of: 97) ? 0 : 1
        return #"{"device":"\#(device)","headers":\#(headers),"payload":{"aps":{"alert":"Hi","badge":\#(badge)}}}"#
    }

    /// The devices of a lane, in a class because they cannot be copied.
    private final class Part {
        var centers: NotificationCenters

        init(_ hasher: SeededHash) { centers = NotificationCenters(keeping: .nothing, hasher: hasher) }
    }
}

import PushModel
import PushSystem
import TestSupport
import Testing

@testable import PushDevices

/// Queued messages, compared with looking through all of them.
struct OfflineStorageTests {
    private func message(_ seq: UInt64, _ random: inout SplitMix64) -> QueuedMessage {
        let platform = [Platform.web, .web, .web, .android, .ios][Int.random(in: 0..<5, using: &random)]
        // A platform for an app, so that only keys of its own kind meet.
        let topic = "\(platform.rawValue)\(Int.random(in: 0..<2, using: &random))"
        let key = Int.random(in: 0..<(platform == .web ? 200 : 7), using: &random)
        return QueuedMessage(
            seq: seq, target: nil, acceptedAt: 0, expiresAt: Int64.random(in: 0..<40_000, using: &random),
            collapseKey: platform == .ios || key == 0 ? nil : "k\(key)", provider: .fcm, gateway: nil,
            platform: platform, device: "d", topic: topic, collapseID: nil, pushType: nil, byteCount: 0, byteLimit: 0,
            isBackground: false, payload: "")
    }

    /// What is left of the messages, and which ones a new one removes.
    private func discarded(by new: QueuedMessage, from messages: [QueuedMessage]) -> (seqs: [UInt64], isKept: Bool) {
        let ofApp = messages.filter { $0.topic == new.topic }
        if new.platform == .ios { return (ofApp.map(\.seq), true) }
        guard new.collapseKey != nil else {
            let isFull = ofApp.count { $0.collapseKey == nil } == OfflineStorage.maximumWithoutKey
            return (isFull ? ofApp.map(\.seq) : [], !isFull)
        }
        if let same = ofApp.first(where: { $0.collapseKey == new.collapseKey }) { return ([same.seq], true) }
        let keyed = ofApp.filter { $0.collapseKey != nil }
        let isFull = new.platform == .android && keyed.count == OfflineStorage.maximumCollapseKeys
        return (isFull ? keyed.prefix(1).map(\.seq) : [], true)
    }

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64], fast: 1))
    func `many messages are superseded, expire and are taken like few`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var storage = OfflineStorage()
        var model: [QueuedMessage] = []
        var largest = 0
        for seq in 1...3000 as ClosedRange<UInt64> {
            let new = message(seq, &random)
            let (seqs, isKept) = discarded(by: new, from: model)
            let change = storage.keep(new)
            #expect(change.discarded.map(\.seq) == seqs)
            #expect((change.refusal == nil) == isKept)
            model.removeAll { seqs.contains($0.seq) }
            if isKept { model.append(new) }
            if seq % 10 == 0 {
                let now = Int64(seq) * 10
                #expect(storage.takeExpired(at: now) == model.filter { $0.expiresAt <= now })
                model.removeAll { $0.expiresAt <= now }
            }
            if seq % 500 == 0 {
                #expect(storage.take { $0.seq % 3 == 0 } == model.filter { $0.seq % 3 == 0 })
                model.removeAll { $0.seq % 3 == 0 }
                #expect(storage == OfflineStorage(messages: model, deletedCount: storage.deletedCount))
            }
            #expect(storage.count == model.count)
            #expect(storage.nextExpiry() == model.map(\.expiresAt).min())
            largest = max(largest, model.count)
        }
        #expect(storage.messages == model)
        #expect(largest > 150)
        #expect(storage.takeAll().messages == model)
        #expect(storage.isEmpty)
    }
}

import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// Pushes to Live Activities, one per line: each changes something or says why not, activities keep their order and their
/// identifiers, and activities that a store has saved answer the same as those that stayed in memory.
enum ActivitiesCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            return check(input.text, millisecondsPerRecord: 1 << (Int64(input.options.0) % 32))
        }
    }

    private static func check(_ text: UnsafeRawBufferPointer, millisecondsPerRecord: Int64) -> String? {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        for (number, line) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
            let line = UnsafeRawBufferPointer(rebasing: line)
            line.withCopy { decoder.decode(batch.scratch.copy($0).bytes, record: number, into: &batch) }
        }
        var reader = TransitReader()
        var kept = LiveActivities()
        var saved: [LiveActivity] = []
        for (index, message) in batch.messages.enumerated() where message.headers.pushType == .liveactivity {
            let push = reader.activityPush(message, token: batch.activityTokens[index])
            let (seq, at) = (UInt64(index + 1), Int64(index) * millisecondsPerRecord)
            let answer = kept.apply(push, seq: seq, target: nil, at: at)
            if (answer.refusal == nil) != !answer.changed.isEmpty { return "record \(seq) neither changed nor refused" }

            var restored = LiveActivities(keepsChanges: true)
            for activity in saved { restored.restore(activity) }
            let same = restored.apply(push, seq: seq, target: nil, at: at)
            if same.refusal != answer.refusal || same.changed.map(\.identifier) != answer.changed.map(\.identifier) {
                return "record \(seq) answers differently after a restart"
            }
            restored.saveChanges { _ in }
            saved = restored.activities(device: nil, app: nil, at: at)
            let all = kept.activities(device: nil, app: nil, at: at)
            if saved.map(describe) != all.map(describe) {
                return "record \(seq) leaves other activities after a restart"
            }
            if Set(all.map(\.identifier)).count != all.count { return "an identifier occurs twice" }
        }
        return nil
    }

    private static func describe(_ activity: LiveActivity) -> String {
        "\(activity.identifier) \(activity.token) \(activity.state) \(activity.contentState ?? "-") \(activity.hourCount)"
    }
}

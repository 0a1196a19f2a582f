import PayloadJSON
import PushDecoding
import PushModel
import PushPipeline
import PushStore
import PushWorkload
import RecordFraming
import TestSupport

/// A line of a report, with what its place among those of other parts follows from.
struct PartLine: Equatable {
    var seq: UInt64
    var text: String
    var device: String
    var isOwn: Bool
    var sentTo: String?
    var target: Int?
    var recipients: Int?
    var app: String
    var activities: [String]

    init(_ report: borrowing RecordReport) {
        let reported = Reported(report)
        (seq, text, device, target) = (reported.seq, reported.line, reported.device, reported.target)
        let note = report.note
        isOwn = !(note?.isConsequence ?? false)
        (sentTo, recipients, activities) = (note?.sentTo, note?.recipients, note?.activities ?? [])
        app = report.message.topic.string
    }
}

/// The first line of a part.
func partHeader(_ part: Int, of parts: Int, limits: String = "") -> String {
    var out = ByteBuffer()
    PartHeader.append(RecordPlace.Part(part, of: parts), reportsSources: false, limits: limits, to: &out)
    return String(decoding: out.bytes, as: UTF8.self)
}

/// Runs an input, and returns its lines.
func partLines(
    _ input: String, _ configuration: PipelineConfiguration, _ store: any DeliveryStore,
    devices: String? = nil, part: PartMark? = nil, stages: [any DeliveryStage] = [RegistryStage()]
) throws -> (lines: [PartLine], summary: RunSummary, mark: PartMark?) {
    let pipeline = Pipeline(configuration, deliveringTo: store, stages)
    if let devices { try pipeline.registerDevices(devices, of: part) }
    var lines: [PartLine] = []
    try pipeline.process(input) { lines.append(PartLine($0)) }
    return (lines, pipeline.summary, pipeline.part)
}

/// Divides records as `pushpipe partition` does, but takes from the report of the whole input who is subscribed to topics.
struct TestPartitioner {
    let parts: Int
    let configuration: PipelineConfiguration
    /// The report of the whole input.
    let whole: [PartLine]

    func divide(_ records: [String]) throws -> [String] {
        var texts = (0..<parts).map { part in
            var place = RecordPlace(seq: 0)
            place.part = RecordPlace.Part(part, of: parts)
            place.limits = configuration.devicePolicy.limits
            return line(place, nil)
        }
        let lines = Dictionary(grouping: whole, by: \.seq)
        var channelParts: [String: [Int]] = [:]
        for (index, record) in records.enumerated() {
            let seq = UInt64(index + 1)
            // The messages borrow their texts from the record.
            let divided = try Array(record.utf8).withUnsafeBytes { bytes in
                try self.places(of: bytes, seq, lines[seq] ?? [], &channelParts)
            }
            for (part, place) in divided {
                texts[part] += "\n" + line(place.place(seq), record)
            }
        }
        var end = RecordPlace(seq: UInt64(records.count))
        end.isEnd = true
        return texts.map { $0 + "\n" + line(end, nil) }
    }

    /// Members of a place.
    private struct Members {
        var target: Int?
        var recipient: (device: String, app: String)?
        var recipients: Int?
        var isCopy = false

        func place(_ seq: UInt64) -> (RecordPlace, (device: String, app: String)?) {
            var place = RecordPlace(seq: seq)
            (place.target, place.recipients, place.isCopy) = (target, recipients, isCopy)
            return (place, recipient)
        }
    }

    private func part(of device: String) -> Int {
        BorrowedText.with(device) { RecordPlace.part(of: $0, among: parts) }
    }

    private func places(
        of record: UnsafeRawBufferPointer, _ seq: UInt64, _ lines: [PartLine], _ channelParts: inout [String: [Int]]
    ) throws -> [(Int, Members)] {
        var decoder = RecordDecoder(options: configuration.decoding)
        var batch = MessageBatch()
        var reader = LiveActivityReader()
        var found: [(Int, Members)] = []
        defer { withExtendedLifetime(decoder) {} }
        decoder.decode(record, record: 0, into: &batch)
        let messages = batch.messages
        let isRefused = messages.allSatisfy { if case .accepted = $0.verdict { false } else { true } }
        if messages.count > 1, isRefused {
            return [(part(of: messages[0].device.string), Members())]
        }
        for (target, message) in messages.enumerated() {
            var members = Members(target: messages.count > 1 ? target : nil)
            let device = message.device.string
            switch message.verdict {
            case .malformed: found.append((Int(seq % UInt64(parts)), members))
            case .event where device.isEmpty:
                for part in 0..<parts {
                    members.isCopy = part > 0
                    found.append((part, members))
                }
            case .accepted where message.headers.pushType == .liveactivity:
                let push = reader.push(message, token: batch.activityTokens[target])
                guard let channel = push.channel ?? push.inputChannel else {
                    found.append((part(of: device), members))
                    continue
                }
                let own = part(of: device)
                if push.channel == nil {
                    found.append((own, members))
                    if !channelParts[channel, default: []].contains(own) {
                        channelParts[channel, default: []].append(own)
                    }
                    continue
                }
                let all = channelParts[channel] ?? [own]
                channelParts[channel] = all
                for (position, part) in all.enumerated() {
                    members.isCopy = position > 0
                    found.append((part, members))
                }
            case .accepted where message.isForTopic:
                let sent = lines.filter { $0.sentTo == device }
                let own = lines.first { $0.isOwn && $0.device == device }
                members.recipients = own?.recipients
                found.append((part(of: device), members))
                for line in sent {
                    var copy = Members(target: line.target)
                    copy.recipient = (line.device, line.app)
                    found.append((part(of: line.device), copy))
                }
            default: found.append((part(of: device), members))
            }
        }
        return found
    }

    private func line(_ place: RecordPlace, _ record: String?) -> String { line((place, nil), record) }

    private func line(_ place: (RecordPlace, (device: String, app: String)?), _ record: String?) -> String {
        var out = ByteBuffer()
        var (place, recipient) = place
        func write() {
            guard let record else { return PlacedRecordWriter.append(place, record: nil, isJSON: false, to: &out) }
            Array(record.utf8).withUnsafeBytes { bytes in
                let isJSON = Array(record.utf8).withJSON { _ in true } ?? false
                PlacedRecordWriter.append(place, record: bytes, isJSON: isJSON, to: &out)
            }
        }
        if let recipient {
            BorrowedText.with(recipient.device) { device in
                BorrowedText.with(recipient.app) { app in
                    place.recipient = RecordPlace.Recipient(device: device, app: app)
                    write()
                }
            }
        } else {
            write()
        }
        recipient = nil
        return String(decoding: out.bytes, as: UTF8.self)
    }
}

/// Records of all kinds for a few devices.
func mixedRecords(_ count: Int, seed: UInt64) throws -> [String] {
    let generated = String(
        decoding: try workload(count, seed: seed, malformedRate: "0.05", eventRate: "0.25"), as: UTF8.self
    ).split(separator: "\n").map(String.init)
    let devices = Set(
        generated.compactMap { line in Array(line.utf8).withJSON { $0["device"]?.string?.string } ?? nil }
    ).sorted()
    var generator = SeededGenerator(seed: seed)
    var records: [String] = []
    func any(_ names: [String]) -> String { names[Int(generator.next() % UInt64(names.count))] }
    for record in generated {
        records.append(record)
        let (first, second) = (any(devices), any(devices))
        let app = any(["org.example.a", "org.example.b"])
        switch generator.next() % 24 {
        case 0: records.append(#"{"event":"subscribe","device":"\#(first)","topic":"\#(any(["news", "sport"]))"}"#)
        case 1: records.append(#"{"event":"unsubscribe","device":"\#(first)","topic":"news"}"#)
        case 2, 3:
            records.append(#"{"message":{"topic":"\#(any(["news", "sport"]))","notification":{"title":"Polls"}}}"#)
        case 4:
            records.append(#"{"message":{"condition":"'news' in topics && !('sport' in topics)","data":{"a":"b"}}}"#)
        case 5, 6:
            records.append(
                #"{"registration_ids":["\#(first)","\#(second)","anna"],"time_to_live":600,"notification":{"body":"Hi"}}"#
            )
        case 7: records.append(#"{"registration_ids":["\#(first)",""],"notification":{"body":"Hi"}}"#)
        case 8: records.append(#"{"event":"device","device":"\#(first)","app":"\#(app)","online":false}"#)
        case 9: records.append(#"{"event":"device","device":"\#(first)","app":"\#(app)","online":true,"locked":false}"#)
        case 10:
            records.append(
                #"{"event":"device","device":"\#(first)","confirmed":false,"locked":true,"previews":"never"}"#)
        case 11: records.append(backgroundPush(to: first, app: app))
        case 12:
            records.append(
                push("Text", to: first, app: app, headers: #""apns-expiration":"1700000\#(generator.next() % 900)""#))
        case 13: records.append(advance("\(generator.next() % 40)m"))
        case 14: records.append(#"{"event":"tap","device":"\#(first)"}"#)
        // Of devices that are never away: who divides records takes an activity as begun.
        case 15, 16: records.append(activity("start", any(["ac01", "ac02", "ac03", "ac04"])))
        case 17: records.append(activity("update", first))
        case 18, 19:
            records.append(broadcast(any(["c29tZUNoYW5uZWw=", "b3RoZXI="]), timestamp: Int(generator.next() % 100)))
        case 20: records.append(" " + push("with a blank", to: first))
        default: break
        }
    }
    return records
}

private func activity(_ event: String, _ device: String) -> String {
    let start =
        #""input-push-channel":"c29tZUNoYW5uZWw=","attributes-type":"S","attributes":{},"alert":{"title":"Kick-off","body":"x"},"#
    return
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.sport.push-type.liveactivity","apns-push-type":"liveactivity"},"#
        + #""payload":{"aps":{"timestamp":10,"event":"\#(event)",\#(event == "start" ? start : "")"content-state":{"goals":0}}}}"#
}

private func broadcast(_ channel: String, timestamp: Int) -> String {
    #"{"headers":{"apns-channel-id":"\#(channel)","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"5"},"#
        + #""payload":{"aps":{"timestamp":\#(timestamp),"event":"update","content-state":{"goals":3}}}}"#
}

import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushWorkload
import TestSupport

/// A line of a report.
struct PartLine: Equatable {
    var seq: UInt64
    var text: String
    var device: String

    init(_ report: borrowing RecordReport) {
        let reported = Reported(report)
        (seq, text, device) = (reported.seq, reported.line, reported.device)
    }
}

/// The first line of a part.
func partHeader(_ part: Int, of parts: Int) -> String {
    var out = ByteBuffer()
    PartHeader.append(RecordPlace.Part(part, of: parts), reportsSources: false, to: &out)
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

/// Divides records as `pushpipe partition` does: each is in the parts of its devices.
struct TestPartitioner {
    let parts: Int
    let configuration: PipelineConfiguration

    func divide(_ records: [String]) -> [String] {
        var texts = (0..<parts).map { partHeader($0, of: parts) }
        for (index, record) in records.enumerated() {
            let seq = UInt64(index + 1)
            let line = line(RecordPlace(seq: seq), record)
            for part in parts(of: record, seq) { texts[part] += "\n" + line }
        }
        var end = RecordPlace(seq: UInt64(records.count))
        end.isEnd = true
        return texts.map { $0 + "\n" + line(end, nil) }
    }

    private func parts(of record: String, _ seq: UInt64) -> Set<Int> {
        // The messages borrow their texts from the record.
        Array(record.utf8).withUnsafeBytes { bytes in
            var decoder = RecordDecoder(options: configuration.decoding)
            var batch = MessageBatch()
            defer { withExtendedLifetime(decoder) {} }
            decoder.decode(bytes, record: 0, into: &batch)
            var found: [Int] = []
            var isAccepted = false
            for message in batch.messages {
                switch message.verdict {
                case .malformed: continue
                case .event where message.device.isEmpty: return Set(0..<parts)
                case .accepted: isAccepted = true
                default: break
                }
                found.append(RecordPlace.part(of: message.device, among: parts))
            }
            if found.isEmpty { return [Int(seq % UInt64(parts))] }
            return isAccepted ? Set(found) : [found[0]]
        }
    }

    private func line(_ place: RecordPlace, _ record: String?) -> String {
        var out = ByteBuffer()
        if let record {
            let bytes = Array(record.utf8)
            let isJSON = bytes.withJSON { _ in true } ?? false
            bytes.withUnsafeBytes { PlacedRecordWriter.append(place, record: $0, isJSON: isJSON, to: &out) }
        } else {
            PlacedRecordWriter.append(place, record: nil, isJSON: false, to: &out)
        }
        return String(decoding: out.bytes, as: UTF8.self)
    }
}

/// Records of all kinds that `pushpipe partition` takes.
func divisibleRecords(_ count: Int, seed: UInt64) throws -> [String] {
    try mixedRecords(count, seed: seed).filter { !$0.contains(/"event":"(un)?subscribe"|liveactivity/) }
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

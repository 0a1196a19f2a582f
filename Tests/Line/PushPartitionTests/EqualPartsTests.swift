import PushDevices
import PushJSON
import PushModel
import PushPartition
import PushPipeline
import PushRuns
import TestSupport
import Testing

/// The reports of parts, merged, are the report of one run. `Tests/Line/ScaleOut/mutated.py` compares stores as well, over more streams.
struct EqualPartsTests {
    private static let clock = PipelineClock.fixed(milliseconds: 1_000_000)

    /// The report of a run.
    private func report(_ input: String, _ policy: DevicePolicy, hasRules: Bool) throws -> String {
        var configuration = PipelineConfiguration()
        (configuration.jobs, configuration.clock, configuration.devicePolicy) = (1, Self.clock, policy)
        if hasRules { configuration.recordStages = [LintStage()] }
        let pipeline = Pipeline(configuration)
        var lines = ""
        try pipeline.process(input) { report in
            var out = ByteBuffer()
            NDJSONReport().append(report, to: &out)
            lines += String(decoding: out.bytes, as: UTF8.self)
        }
        return lines
    }

    private func compare(
        _ records: [String], parts: Int, _ policy: DevicePolicy = DevicePolicy(), hasRules: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let input = records.joined(separator: "\n")
        let divided = try DividedInput(input, parts: parts)
        let folder = try TestFolder([:])
        var paths: [String] = []
        for part in 0..<parts {
            try folder.write(try report(divided.output.text(part), policy, hasRules: hasRules), to: "\(part).ndjson")
            paths.append(folder.path("\(part).ndjson"))
        }
        var job = MergeJob(paths)
        job.isQuiet = true
        let streams = CollectedStreams()
        let isComplete = try job.run(to: streams)
        #expect(isComplete, "\(streams.notes)", sourceLocation: sourceLocation)
        let one = try report(input, policy, hasRules: hasRules).split(separator: "\n").map(Self.withoutSource)
        let merged = streams.text.split(separator: "\n").map(Self.withoutSource)
        if one != merged {
            let first = zip(one, merged).first { $0 != $1 }
            Issue.record("one run: \(first?.0 ?? "")\nparts: \(first?.1 ?? "")", sourceLocation: sourceLocation)
        }
    }

    /// The report of one run names no file here.
    private static func withoutSource(_ line: Substring) -> String {
        String(line).replacing(/,"source":\{[^}]*\}/, with: "")
    }

    /// Requests with several targets, each of which is reported in the part of its device.
    static let requests = [
        #"{"registration_ids":["one","two","three"],"data":{"a":"b"}}"#,
        #"{"registration_ids":["one","","three"],"data":{"a":"b"}}"#,
        #"{"registration_ids":["",7,"three",null,"f ve"],"data":{"a":"b"}}"#,
        #"{"data":{"a":"b","a":"c"},"registration_ids":["one","two"]}"#,
        #"{"registration_ids":["x"],"registration_ids":["one","two"],"data":{"a":"\ud800"}}"#,
        #"{"registration_ids":["one","t\ud800","two"],"registration_ids":null,"dry_run":true}"#,
        #"{"registration\u005fids":["one","two"],"data":{"a":"b"}}"#,
        #"{ "registration_ids" : [ "one" , "two" ] , "notification" : { "title" : "t" } }"#,
        #"{"provider":"gcm","payload":{"registration_ids":["one","two",""],"data":{"a":"b"}}}"#,
        #"{"provider":"gcm","payload":"{\"registration_ids\":[\"one\",\"two\",\"\"],\"data\":{}}"}"#,
        #"{"deviceTokens":["ab","CD","xyz",4],"messageType":"checkEchoV1","topic":"org.example.app"}"#,
        #"{"deviceTokens":["one","two"],"messageType":"checkEchoV1"}"#,
        #"{"TargetArn":"arn","APNS":"{\"aps\":{\"alert\":\"a\"}}","GCM":"{\"registration_ids\":[\"one\",\"two\"],\"data\":{}}"}"#,
        #"{"registration_ids":["one","two"],"time_to_live":-1,"data":{}}"#,
        #"{"registration_ids":["",""],"data":{}}"#,
    ]

    @Test(arguments: [2, 5, 64]) func targetsAreReportedAsInTheWhole(parts: Int) throws {
        try compare(Self.requests, parts: parts)
    }

    /// Findings of the linter are about the request, and in the line of its first target.
    @Test(arguments: [2, 3, 64]) func findingsAreReportedOnce(parts: Int) throws {
        try compare(
            [
                #"{"event":"device","device":"one","app":"a","online":false}"#,
                #"{"registration_ids":["one","two","two","three"],"notificaton":{"title":"t"},"data":{"a":1}}"#,
                #"{"registration_ids":["","two","three"],"notificaton":{"title":"t"},"data":{"a":1}}"#,
                #"{"to":"/topics/news","notificaton":{"title":"t"},"data":{"a":1}}"#,
            ], parts: parts, hasRules: true)
    }

    // MARK: - Random streams

    @Test(arguments: Effort.some(Array(0..<200), fast: 10)) func mixedStreams(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let devices = ["ab01", "ab02", "ab03", "one", "two"]
        func any<Value>(_ values: [Value]) -> Value { values[Int(generator.next() % UInt64(values.count))] }
        var records: [String] = []
        for number in 1...60 {
            let device = any(devices)
            let app = any(["org.a", "org.b"])
            switch generator.next() % 13 {
            case 0, 1:
                records.append(
                    #"{"event":"device","device":"\#(device)","app":"\#(app)","online":\#(any(["true", "false"]))}"#)
            case 2: records.append(#"{"event":"device","device":"\#(device)"}"#)
            case 3: records.append(#"{"event":"tap","device":"\#(device)"}"#)
            case 4: records.append(#"{"event":"post","device":"\#(device)","app":"\#(app)","title":"\#(number)"}"#)
            case 5: records.append(#"{"event":"device","device":"\#(device)","app":"\#(app)","unregistered":true}"#)
            case 6: records.append(#"{"to":"/topics/news","data":{"a":"\#(number)"}}"#)
            case 7, 8:
                records.append(
                    #"{"registration_ids":["one","two","\#(device)"],"notification":{"title":"\#(number)"}}"#)
            case 9: records.append(#"{"event":"clock","advance":"\#(any(["1m", "5h"]))"}"#)
            default:
                let expiration = any(["2000000000", "1090", "5000"])
                records.append(
                    #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)","apns-expiration":"\#(expiration)"},"payload":{"aps":{"alert":"\#(number)"}}}"#
                )
            }
        }
        var policy = DevicePolicy()
        policy.rejectsUnknownDevices = seed % 5 == 0
        policy.pushesPerMinute = seed % 7 == 0 ? 3 : nil
        policy.backgroundPushesPerHour = seed % 3 == 0 ? 1 : nil
        try compare(records, parts: 2 + seed % 6, policy, hasRules: seed % 2 == 0)
    }
}

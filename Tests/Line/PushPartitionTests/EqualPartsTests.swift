import PayloadJSON
import PushDevices
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

    /// Compares parts with one run.
    ///
    /// - Returns: false if the input is refused, because only a run can know.
    @discardableResult
    private func compare(
        _ records: [String], parts: Int, _ policy: DevicePolicy = DevicePolicy(), hasRules: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bool {
        let input = records.joined(separator: "\n")
        let divided: DividedInput
        do {
            divided = try DividedInput(input, parts: parts) { configuration in
                (configuration.clock, configuration.devicePolicy) = (Self.clock, policy)
            }
        } catch is UnknownOutcome {
            return false
        }
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
        return true
    }

    /// The report of one run names no file here.
    private static func withoutSource(_ line: Substring) -> String {
        String(line).replacing(/,"source":\{[^}]*\}/, with: "")
    }

    // MARK: - What was different

    private static func activity(
        _ event: String, _ device: String, timestamp: Int = 1, channel: String? = nil, priority: Int = 10
    ) -> String {
        let start =
            event == "start"
            ? #","attributes-type":"T","attributes":{},"alert":{"title":"t","body":"b"}"#
                + (channel.map { #","input-push-channel":"\#($0)""# } ?? "") : ""
        return
            #"{"device":"\#(device)","headers":{"apns-topic":"org.a.push-type.liveactivity","apns-push-type":"liveactivity","apns-priority":"\#(priority)"},"#
            + #""payload":{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{}\#(start)}}}"#
    }

    private static func broadcast(_ event: String, timestamp: Int, channel: String = "Yw==") -> String {
        #"{"headers":{"apns-channel-id":"\#(channel)","apns-topic":"org.a.push-type.liveactivity","apns-push-type":"liveactivity"},"#
            + #""payload":{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{}}}}"#
    }

    @Test(arguments: [2, 3, 64]) func aRejectedStartIsNoActivityOfItsChannel(parts: Int) throws {
        let rejected = Self.activity("start", "ab01", channel: "Yw==").replacing(
            #"priority":"10""#, with: #"priority":"7""#)
        try compare(
            [rejected, Self.broadcast("update", timestamp: 2), Self.broadcast("update", timestamp: 3)], parts: parts)
    }

    @Test(arguments: [2, 3, 64]) func aBroadcastThatChangesNothingSaysWhy(parts: Int) throws {
        let starts = ["ab01", "ab02", "ab03", "ab04"].map { Self.activity("start", $0, timestamp: 9, channel: "Yw==") }
        try compare(
            starts + [
                Self.activity("end", "ab01", timestamp: 10), Self.broadcast("update", timestamp: 2),
                Self.broadcast("end", timestamp: 20), Self.broadcast("update", timestamp: 21),
            ], parts: parts)
    }

    @Test(arguments: [2, 3, 64]) func aPushThatSupersedesAQueuedStart(parts: Int) throws {
        let offline = #"{"event":"device","device":"ab01","app":"org.a","online":false}"#
        let expiring = #""apns-expiration":"2000000000","apns-push-type""#
        let start = Self.activity("start", "ab01", channel: "Yw==").replacing(#""apns-push-type""#, with: expiring)
        let alert =
            #"{"device":"ab01","headers":{"apns-topic":"org.a","apns-expiration":"2000000000"},"payload":{"aps":{"alert":"a"}}}"#
        let online = #"{"event":"device","device":"ab01","online":true}"#
        try compare(
            [offline, start, alert, online, Self.broadcast("update", timestamp: 2), Self.activity("update", "ab02")],
            parts: parts)
    }

    /// Findings of the linter are about the request, and in the line of its first target.
    @Test(arguments: [2, 3, 64]) func findingsAreReportedOnce(parts: Int) throws {
        try compare(
            [
                #"{"event":"device","device":"one","app":"a","topics":["news"]}"#,
                #"{"registration_ids":["one","two","two","three"],"notificaton":{"title":"t"},"data":{"a":1}}"#,
                #"{"to":"/topics/news","notificaton":{"title":"t"},"data":{"a":1}}"#,
            ], parts: parts, hasRules: true)
    }

    @Test(arguments: [2, 3, 64]) func limitsThatDecideWhoGetsATopic(parts: Int) throws {
        let records = [
            #"{"event":"subscribe","device":"one","topic":"news"}"#,
            #"{"event":"device","device":"two","app":"a","topics":["news"]}"#,
            #"{"to":"/topics/news","data":{"a":"b"}}"#, #"{"to":"/topics/news","data":{"a":"b"}}"#,
            Self.activity("start", "ab01"), Self.activity("update", "ab01", timestamp: 2),
            Self.activity("update", "ab01", timestamp: 3), Self.activity("update", "ab02", timestamp: 4),
        ]
        var policy = DevicePolicy()
        policy.rejectsUnknownDevices = true
        try compare(records, parts: parts, policy)
        policy = DevicePolicy()
        policy.pushesPerMinute = 1
        try compare(records, parts: parts, policy)
        policy = DevicePolicy()
        policy.activityUpdatesPerHour = 1
        try compare(records, parts: parts, policy)
    }

    /// A device may have the name of a topic.
    @Test(arguments: [2, 7]) func aTopicBeyondItsLimitIsNoDevice(parts: Int) throws {
        var policy = DevicePolicy()
        policy.pushesPerMinute = 1
        let message = #"{"message":{"topic":"weather","data":{"a":"b"}}}"#
        let records = [
            #"{"event":"device","device":"weather","app":"org.a"}"#,
            #"{"event":"subscribe","device":"one","topic":"weather"}"#, message, message,
        ]
        #expect(try compare(records, parts: parts, policy))
    }

    /// A push that was queued asks about its token when it arrives.
    @Test(arguments: ["ab10", "ab11"])
    func aQueuedPushFindsTheStartTokenAsItIsWhenItArrives(token: String) throws {
        let records = [
            #"{"event":"device","device":"one","online":false}"#,
            #"{"event":"device","device":"one","app":"a","start_token":"ab10"}"#,
            Self.activity("update", "ab10", timestamp: 9),
            #"{"event":"device","device":"one","app":"a","start_token":"\#(token)"}"#,
            #"{"event":"device","device":"one","online":true}"#,
            Self.activity("update", "ab10", timestamp: 5),
        ]
        for parts in 2...6 { #expect(try compare(records, parts: parts)) }
    }

    // MARK: - What only a run knows

    private func refusal(_ records: [String], _ policy: DevicePolicy = DevicePolicy()) throws -> UnknownOutcome? {
        do {
            _ = try DividedInput(records.joined(separator: "\n"), parts: 3) { $0.devicePolicy = policy }
            return nil
        } catch let error as UnknownOutcome {
            return error
        }
    }

    @Test func aSubscriptionAfterATapNamesItsApp() throws {
        let tap = #"{"event":"tap","device":"one"}"#
        let push = #"{"to":"one","notification":{"title":"t"},"restricted_package_name":"a"}"#
        let refused = try refusal([push, tap, #"{"event":"subscribe","device":"one","topic":"n"}"#])
        #expect(refused?.seq == 3 && refused?.cause == 2)
        #expect(refused?.description.contains("only a run knows if record 2 has made another app known") == true)
        #expect(try refusal([push, tap, #"{"event":"subscribe","device":"one","app":"a","topic":"n"}"#]) == nil)
        let registered = #"{"event":"device","device":"one","app":"a"}"#
        #expect(try refusal([registered, push, tap, #"{"event":"subscribe","device":"one","topic":"n"}"#]) == nil)
    }

    @Test func aSubscriptionAfterATapOnANotificationOfNoAppNamesItsApp() throws {
        let registered = #"{"event":"device","device":"one","app":"a"}"#
        let shown = #"{"to":"one","notification":{"title":"t"}}"#
        let posted = #"{"event":"post","device":"one","app":"","title":"t"}"#
        let tap = #"{"event":"tap","device":"one"}"#
        let subscription = #"{"event":"subscribe","device":"one","topic":"n"}"#
        for records in [[shown, registered, tap], [registered, posted, tap]] {
            let refused = try refusal(records + [subscription])
            #expect(refused?.seq == 4)
            #expect(refused?.description.contains("for the entry for every app, if there is one") == true)
            #expect(try refusal(records + [#"{"event":"subscribe","device":"one","app":"a","topic":"n"}"#]) == nil)
        }
        #expect(try refusal([shown, registered, subscription]) == nil)
    }

    /// The event that names no app is about the tapped one, if the tap had a target.
    @Test(arguments: [#""unregistered":true"#, #""unregistered":false"#, #""unregistered":true,"unregistered_at":999"#])
    func aTopicOfASubscriberWhoseRegistrationDependsOnATapIsRefused(change: String) throws {
        let post = #"{"event":"post","device":"one","app":"a","title":"t","body":"b"}"#
        let tap = #"{"event":"tap","device":"one","app":"a"}"#
        let subscribed = #"{"event":"device","device":"one","app":"b","topics":["n"]}"#
        let changed = #"{"event":"device","device":"one",\#(change)}"#
        let changedByName = #"{"event":"device","device":"one","app":"b",\#(change)}"#
        let push = #"{"to":"/topics/n","notification":{"title":"t"}}"#
        let refused = try refusal([post, tap, subscribed, changed, push])
        #expect(refused?.seq == 5 && refused?.cause == 1)
        #expect(refused?.description.contains("only a run knows if record 1 has made another app known") == true)
        for records in [
            [subscribed, post, tap, changed, push], [post, tap, subscribed, push],
            [post, tap, subscribed, changed, #"{"to":"/topics/other","notification":{"title":"t"}}"#],
            [post, tap, subscribed, changedByName, push],
        ] {
            #expect(try refusal(records) == nil)
            #expect(try compare(records, parts: 3))
        }
    }

    @Test(arguments: [
        #"{"event":"subscribe","device":"one","app":"b","topic":"n"}"#,
        #"{"event":"preference","device":"one","app":"b","type":"t","on":false}"#,
        #"{"event":"focus","device":"one","on":true}"#,
    ])
    func whatIsIgnoredOnAnUnknownDeviceMayFollowATap(event: String) throws {
        let post = #"{"event":"post","device":"one","app":"a","title":"t","body":"b"}"#
        let tap = #"{"event":"tap","device":"one","app":"a"}"#
        var policy = DevicePolicy()
        #expect(try refusal([post, tap, event], policy) == nil)
        policy.rejectsUnknownDevices = true
        #expect(try refusal([event], policy) == nil)
        let refused = try refusal([post, tap, event], policy)
        #expect(refused?.seq == 3 && refused?.cause == 1)
        #expect(try refusal([post, tap, #"{"event":"device","device":"one","app":"a"}"#, event], policy) == nil)
    }

    @Test func aStartAfterATapMayBeRefused() throws {
        let tap = #"{"event":"tap","device":"ab01"}"#
        let start = Self.activity("start", "ab01", channel: "Yw==")
        #expect(try refusal([tap, start, Self.broadcast("update", timestamp: 2)])?.seq == 3)
        #expect(try refusal([tap, start, Self.activity("update", "ab02")])?.seq == 3)
        #expect(try refusal([tap, start, Self.activity("update", "ab01")]) == nil)
        #expect(try refusal([tap, start, Self.broadcast("update", timestamp: 2, channel: "ZA==")]) == nil)
    }

    @Test func aStartAfterATapNamesItsApp() throws {
        let tap = #"{"event":"tap","device":"ab01"}"#
        let start =
            #"{"device":"ab01","payload":{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{},"alert":"a"}}}"#
        let refused = try refusal([tap, start])
        #expect(refused?.seq == 2 && refused?.cause == 1)
        #expect(try refusal([start]) == nil)
        #expect(try refusal([#"{"event":"device","device":"ab01","app":"a"}"#, tap, start]) == nil)
    }

    /// A token of Expo's that is an activity's, too, is taken from the app that has it for Expo, and not from the one that it leads to.
    @Test func aTokenOfExpoIsTakenFromItsApp() throws {
        let records = [
            #"{"event":"device","device":"two","app":"org.a","expo":"ExponentPushToken[a]"}"#,
            #"{"event":"device","device":"ab01","app":"org.a","activity_tokens":["ExponentPushToken[a]"]}"#,
            #"{"event":"device","device":"three","app":"org.a","expo":"ExponentPushToken[a]"}"#,
        ]
        #expect(try compare(records, parts: 7))
        let divided = try DividedInput(records.joined(separator: "\n"), parts: 7)
        let parts = (0..<7).filter { divided.output.text($0).contains(#""device":"three""#) }
        let function = PartFunction(parts: 7)
        #expect(parts == Set(["two", "three"].map { function.part(of: $0) }).sorted())
        #expect(parts.count == 2)
    }

    /// A token of an app on a device starts activities; the request has neither headers nor a topic.
    @Test(arguments: [2, 6, 7]) func aStartWithoutATopicIsForTheAppOfItsDevice(parts: Int) throws {
        let records = [
            #"{"event":"device","device":"one","app":"org.a","start_token":"ab0f"}"#,
            #"{"device":"ab0f","payload":{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{},"alert":{"title":"t","body":"b"}}}}"#,
            Self.activity("update", "ab05", timestamp: 2),
        ]
        #expect(try compare(records, parts: parts))
    }

    /// The limit is one of a token, whose pushes are for two devices then.
    @Test func aTokenOfADeviceAndOfAnActivityElsewhereHasOneLimit() throws {
        let alert = #"{"device":"ab01","payload":{"aps":{"alert":"a"}}}"#
        let claim = #"{"event":"device","device":"one","app":"org.a","activity_tokens":["ab01"]}"#
        let later = #"{"event":"clock","advance":"1m"}"#
        let update = Self.activity("update", "ab01", timestamp: 2)
        var policy = DevicePolicy()
        policy.pushesPerMinute = 1
        // Each of them would be within the limit in a part of its own.
        for records in [[claim, alert, update], [claim, update, alert]] {
            #expect(try !compare(records, parts: 7, policy))
            #expect(try compare(records, parts: 7))
        }
        #expect(try compare([claim, alert, later, update], parts: 7, policy))
        #expect(try compare([claim, update, update, later, alert, alert], parts: 7, policy))
        #expect(try compare([claim, Self.activity("update", "ab02", timestamp: 2), alert], parts: 7, policy))
    }

    // MARK: - Other limits

    @Test func aPartIsForRunsWithItsLimits() throws {
        var policy = DevicePolicy()
        policy.pushesPerMinute = 60
        policy.rejectsUnknownDevices = true
        let divided = try DividedInput(#"{"device":"ab01","payload":{"aps":{"alert":"a"}}}"#, parts: 2) {
            $0.devicePolicy = policy
        }
        #expect(
            divided.output.text(0).hasPrefix(
                "\"pushpipe-part 1 0 of 2 limits unknown-devices=reject,pushes-per-minute=60 "))
        #expect(throws: InputError.self) {
            try self.report(divided.output.text(0), DevicePolicy(), hasRules: false)
        }
        _ = try report(divided.output.text(0), policy, hasRules: false)
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
            switch generator.next() % 16 {
            case 0:
                records.append(
                    #"{"event":"device","device":"\#(device)","app":"\#(app)","online":\#(any(["true", "false"]))}"#)
            case 1: records.append(#"{"event":"device","device":"\#(device)"}"#)
            case 2: records.append(#"{"event":"subscribe","device":"\#(device)","topic":"news"}"#)
            case 3: records.append(#"{"event":"subscribe","device":"\#(device)","app":"\#(app)","topic":"news"}"#)
            case 4: records.append(#"{"event":"tap","device":"\#(device)"}"#)
            case 5: records.append(#"{"event":"device","device":"\#(device)","app":"\#(app)","unregistered":true}"#)
            case 6: records.append(#"{"to":"/topics/news","data":{"a":"\#(number)"}}"#)
            case 7:
                records.append(
                    #"{"registration_ids":["one","two","\#(device)"],"notification":{"title":"\#(number)"}}"#)
            case 8, 9: records.append(Self.activity("start", device, timestamp: number, channel: any([nil, "Yw=="])))
            case 10: records.append(Self.activity(any(["update", "end"]), device, timestamp: number))
            case 11, 12: records.append(Self.broadcast(any(["update", "end"]), timestamp: any([number, 1])))
            case 13: records.append(#"{"event":"clock","advance":"\#(any(["1m", "5h"]))"}"#)
            default:
                records.append(
                    #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)","apns-expiration":"2000000000"},"payload":{"aps":{"alert":"\#(number)"}}}"#
                )
            }
        }
        var policy = DevicePolicy()
        policy.rejectsUnknownDevices = seed % 5 == 0
        policy.pushesPerMinute = seed % 7 == 0 ? 3 : nil
        policy.activityUpdatesPerHour = seed % 3 == 0 ? 1 : nil
        try compare(records, parts: 2 + seed % 6, policy, hasRules: seed % 2 == 0)
    }
}

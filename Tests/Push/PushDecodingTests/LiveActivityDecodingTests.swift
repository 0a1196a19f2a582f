import PushDecoding
import PushModel
import Testing

/// Which records are pushes to Live Activities, and what such a push says.
struct LiveActivityDecodingTests {
    private static let aps =
        #"{"timestamp":1168364460,"event":"start","content-state":{"demo":1},"attributes-type":"DemoAttributes","attributes":{"demoAttribute":1},"alert":{"title":"test title","body":"test body"}}"#

    /// Firebase, "Get started with Live Activity": the request to start one has a token of the app and one of the activity,
    /// and no push type.
    @Test(arguments: ["live_activity_token", "liveActivityToken"])
    func `Firebase: live_activity_token makes a push to a Live Activity, in both spellings`(name: String) throws {
        let record =
            #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","apns":{"\#(name)":"PUSH_TO_START","headers":{"apns-priority":"10"},"payload":{"aps":\#(Self.aps)}}}}"#
        let reading = try read(record)
        #expect(reading.platform == .ios && reading.pushType == .liveactivity && reading.verdict == .accepted)
        #expect(!reading.isShown)
        let push = try #require(pushes(record).first)
        #expect(push.device == "cXwZ9kT3R0m:APA91bHun4" && push.token == "PUSH_TO_START")
        #expect(push.event == .start && push.contentState == #"{"demo":1}"#)
    }

    @Test func `a message with android and a live_activity_token is for an Apple device`() throws {
        let record =
            #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","notification":{"title":"t"},"android":{"priority":"HIGH"},"apns":{"live_activity_token":"T","payload":{"aps":{"event":"update","content-state":{}}}}}}"#
        let reading = try read(record)
        #expect(reading.platform == .ios && reading.pushType == .liveactivity)
    }

    /// The linter reads the keys the same way.
    @Test(
        arguments: [
            (#"{"aps":\#(Self.aps)}"#, PushType.liveactivity),
            (#"{"device":"ab","payload":{"aps":{"event":"end","timestamp":1}}}"#, .liveactivity),
            (
                #"{"device":"ab","headers":{"apns-topic":"a"},"payload":{"aps":{"event":"end","timestamp":1}}}"#,
                .liveactivity
            ),
            (
                #"{"device":"ab","headers":{"apns-topic":"a"},"payload":"{\"aps\":{\"event\":\"end\",\"timestamp\":1}}"}"#,
                .liveactivity
            ),
            (
                #"{"device":"ab","headers":{"apns-push-type":"alert"},"payload":{"aps":{"event":"end","timestamp":1}}}"#,
                .alert
            ),
            (#"{"aps":{"alert":"b","event":"match"}}"#, nil), (#"{"aps":{"alert":"b","timestamp":1}}"#, nil),
        ] as [(String, PushType?)])
    func `without a push type, event with content-state or timestamp says that a push is for a Live Activity`(
        record: String, type: PushType?
    ) throws {
        #expect(try read(record).pushType == type)
    }

    @Test func `dates are seconds, with fractions; a missing priority is 10`() throws {
        let members =
            #""event":"update","content-state":{ "a":1.50 },"timestamp":1.5,"stale-date":-1,"dismissal-date":1e300"#
        let push = try #require(pushes(#"{"aps":{\#(members),"relevance-score":25.0}}"#).first)
        #expect(push.timestamp == 1500 && push.staleAt == -1000)
        #expect(push.dismissAt == EventTime.writable.upperBound)
        #expect(push.contentState == #"{ "a":1.50 }"# && push.relevanceScore == "25.0")
        #expect(push.hasHighPriority && push.alert == nil)
    }

    /// Apple, "Starting and updating Live Activities with ActivityKit push notifications": in an alert title and body may be
    /// objects with loc-key.
    @Test(
        arguments: [
            (#""b""#, LiveActivityPush.Alert(body: "b")), (#"{"title":"t","body":"b"}"#, .init(title: "t", body: "b")),
            (#"{"title":{"loc-key":"TK","loc-args":["a"]},"body":{"loc-key":"BK"}}"#, .init(title: "TK", body: "BK")),
            (#""""#, nil), ("7", nil),
        ] as [(String, LiveActivityPush.Alert?)])
    func `an alert is text, or an object with texts or keys`(alert: String, expected: LiveActivityPush.Alert?) throws {
        let push = try #require(pushes(#"{"aps":{"event":"end","timestamp":1,"alert":\#(alert)}}"#).first)
        #expect(push.alert == expected)
    }

    @Test(arguments: ["{}", #"{"aps":7}"#, #"{"aps":{"event":7,"timestamp":"x","content-state":[],"alert":null}}"#])
    func `values of other types are as good as missing`(payload: String) throws {
        let record =
            #"{"device":"ab","headers":{"apns-topic":"a","apns-push-type":"liveactivity"},"payload":\#(payload)}"#
        #expect(pushes(record) == [LiveActivityPush(event: nil, device: "ab", app: "a", highPriority: true)])
    }

    /// Apple, "Generating a remote notification": a badge is a number, 0 removes it. What a negative one does is not
    /// documented.
    @Test(arguments: [
        (#"{"aps":{"alert":"b","badge":-1}}"#, "/aps/badge"), (#"{"aps":{"alert":"b","badge":-1.0}}"#, "/aps/badge"),
        (#"{"device":"ab","headers":{"apns-topic":"a"},"payload":{"aps":{"badge":-7}}}"#, "/payload/aps/badge"),
        (#"{"device":"ab","payload":"{\"aps\":{\"badge\":-7}}"}"#, "/payload/aps/badge"),
    ]) func `a negative badge is a finding, and sets nothing`(record: String, pointer: String) throws {
        let reading = try read(record)
        #expect(reading.shown.badge == nil && reading.verdict == .accepted)
        #expect(reading.findings.map(\.rule) == ["aps.badge-value"] && reading.findings.map(\.pointer) == [pointer])
    }

    /// Apple, "Generating a remote notification": loc-key is used instead of the text.
    @Test(arguments: ["title", "subtitle", "body"])
    func `an empty text next to its key gives way to the key`(name: String) throws {
        let key = name == "body" ? "loc-key" : "\(name)-loc-key"
        for (text, expected) in [("", "K"), ("text", "text")] {
            let shown = try read(#"{"aps":{"alert":{"\#(name)":"\#(text)","\#(key)":"K"}}}"#).shown
            #expect([shown.title, shown.subtitle, shown.body].compactMap(\.self) == [expected])
        }
        let alone = try read(#"{"aps":{"alert":{"\#(name)":"","\#(key)":"K"}}}"#)
        #expect(alone.isShown)
    }

    private func pushes(_ record: String) -> [LiveActivityPush] {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        var reader = TransitReader()
        return Array(record.utf8).withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            let isNoted = batch.hasLiveActivities
            #expect(isNoted)
            return batch.messages.enumerated().map {
                reader.activityPush($0.element, token: batch.activityTokens[$0.offset])
            }
        }
    }
}

extension LiveActivityPush {
    fileprivate init(event: Event?, device: String, app: String, highPriority: Bool) {
        self.init(event: event, device: device, app: app)
        hasHighPriority = highPriority
    }
}

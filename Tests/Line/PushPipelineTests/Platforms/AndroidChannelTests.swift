import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// Notification channels on an Android device.
///
/// Sources: Android, "Create and manage notification channels": `none` is not shown, `min` and `low` make no sound, `default` does, `high`
/// appears on top. Firebase, `AndroidNotification.channel_id`: a channel that the app has not created is replaced by that of the manifest,
/// else by FCM's own.
struct AndroidChannelTests {
    private func channels(_ list: String, _ more: String = "") -> String {
        device(#""platform":"android","channels":[\#(list)]\#(more)"#, of: "pixel")
    }

    private func message(_ channel: String?) -> String {
        let android = channel.map { #","android":{"notification":{"channel_id":"\#($0)"}}"# } ?? ""
        return #"{"message":{"token":"pixel","notification":{"title":"Text"}\#(android)}}"#
    }

    /// Outcome, reason, why it is quiet, steps and findings of each message.
    private func lines(_ records: [String], store: any DeliveryStore = MemoryStore()) throws -> [String] {
        try reportLines(
            records, store: store,
            line: { report in
                guard report.note?.event == nil else { return nil }
                var words = [report.outcome.name.description]
                if let reason = report.reason, report.outcome != .silent { words.append("\(reason)") }
                if let quiet = report.quiet { words.append("quiet:\(quiet)") }
                words += report.note?.steps ?? []
                words += report.findings.map { "\($0.rule) \($0.pointer)" }
                return words.joined(separator: " ")
            })
    }

    @Test(arguments: [
        ("none", "suppressed channel-off"), ("min", "delivered quiet:channel list badge"),
        ("low", "delivered quiet:channel list badge"), ("default", "delivered list sound badge"),
        ("high", "delivered banner list sound badge"),
    ])
    func `the importance of its channel says how a notification is presented`(importance: String, line: String) throws {
        let news = #"{"id":"news","importance":"\#(importance)"}"#
        #expect(try lines([channels(news), message("news")]) == [line])
        let legacy = #"{"to":"pixel","notification":{"title":"Text","android_channel_id":"news"}}"#
        #expect(try lines([channels(news), legacy]) == [line])
    }

    @Test func `a channel can be without sound and without a dot`() throws {
        let mute = #"{"id":"news","importance":"default","sound":false,"badge":false}"#
        #expect(try lines([channels(mute), message("news")]) == ["delivered quiet:channel list"])
        let muteOnTop = #"{"id":"news","importance":"high","sound":false}"#
        #expect(try lines([channels(muteOnTop), message("news")]) == ["delivered banner list badge"])
    }

    @Test func `an unknown channel is replaced, with a finding`() throws {
        let finding = "android.unknown-channel /message/android/notification/channel_id"
        let news = #"{"id":"news","importance":"high"}"#
        #expect(try lines([channels(news), message("sport")]) == ["delivered list sound badge \(finding)"])
        let manifest = #"{"id":"other","importance":"low","default":true}"#
        #expect(
            try lines([channels("\(news),\(manifest)"), message("sport")])
                == ["delivered quiet:channel list badge \(finding)"])
        #expect(try lines([channels("\(news),\(manifest)"), message(nil)]) == ["delivered quiet:channel list badge"])
        let fallback = #"{"id":"fcm_fallback_notification_channel","importance":"none"}"#
        #expect(try lines([channels(fallback), message("sport")]) == ["suppressed channel-off \(finding)"])
    }

    @Test func `without an event about channels nothing is said about presentation`() throws {
        let known = device(#""platform":"android""#, of: "pixel")
        #expect(try lines([known, message("news"), message(nil)]) == ["delivered", "delivered"])
    }

    @Test func `what the app gets itself needs no channel`() throws {
        let off = #"{"id":"news","importance":"none"}"#
        #expect(try lines([channels(off, #","state":"foreground""#), message("news")]) == ["silent fetch"])
    }

    @Test func `a held message is presented in its channel when it arrives`() throws {
        let low = #"{"id":"news","importance":"low"}"#
        let records = [
            channels(low, #","online":false"#), message("sport"), device(#""online":true"#, of: "pixel"),
        ]
        #expect(
            try lines(records)
                == ["held", "delivered list sound badge android.unknown-channel /android/notification/channel_id"])
    }

    @Test func `a file keeps channels between runs`() throws {
        let folder = try TestFolder()
        let path = folder.path("phone.db")
        _ = try lines([channels(#"{"id":"news","importance":"none"}"#)], store: try SQLiteStore(path: path))
        #expect(try lines([message("news")], store: try SQLiteStore(path: path)) == ["suppressed channel-off"])
    }

    @Test(arguments: [#"{}"#, #"{"id":""}"#, #"{"id":"a","importance":"loud"}"#, #"{"id":"a","sound":"ding"}"#])
    func `a value that is not a channel is refused`(channel: String) throws {
        #expect(try story([channels(channel)]) == ["1 malformed event.value"])
    }
}

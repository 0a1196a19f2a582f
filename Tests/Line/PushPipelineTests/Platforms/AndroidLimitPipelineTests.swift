import PushDevices
import PushModel
import PushPipeline
import PushSQLite
import TestSupport
import Testing

/// AOSP, `NotificationManagerService.MAX_PACKAGE_NOTIFICATIONS`.
struct AndroidLimitPipelineTests {
    private func notification(_ tag: String) -> String {
        #"{"to":"pixel","notification":{"title":"Text","tag":"\#(tag)"}}"#
    }

    @Test(arguments: [true, false])
    func `a notification over the limit is suppressed with a reason and a finding`(isRegistered: Bool) throws {
        let start = isRegistered ? [device(#""platform":"android""#, of: "pixel")] : []
        let records = start + ["a", "b", "c", "b"].map(notification)
        let outcomes = try reportLines(records, store: MemoryStore()) {
            $0.devicePolicy.notificationsPerAndroidApp = 2
        } line: { report in
            let words = [report.outcome.description, report.reason].compactMap(\.self) + report.findings.map(\.rule)
            return words.joined(separator: " ")
        }
        #expect(
            outcomes.suffix(4) == [
                "delivered", "delivered", "suppressed too-many-notifications android.too-many", "replaced",
            ])
    }

    /// The count is the screen's, so no message has to be looked up among the devices.
    @Test func `a limit of one's own leaves messages to the lanes`() throws {
        var configuration = PipelineConfiguration()
        configuration.measuresStages = true
        configuration.devicePolicy.notificationsPerAndroidApp = 2
        let pipeline = Pipeline(configuration, store: MemoryStore(keepsJournal: false))
        var outcomes: [String] = []
        let records = ["a", "b", "c"].map(notification)
        try pipeline.process(records.joined(separator: "\n")) { outcomes.append($0.outcome.description) }
        #expect(outcomes == ["delivered", "delivered", "suppressed"])
        #expect(pipeline.stageTimes.lanes.chunksInOrder == 0)
    }

    /// AOSP, `NotificationManagerService.checkDisqualifyingFeatures`: the count comes before the look at the channel.
    @Test(arguments: [true, false])
    func `what is dropped makes no sound, whatever its channel`(isInFile: Bool) throws {
        let folder = try TestFolder()
        let file = folder.path("limit.db")
        let store: any DeliveryStore = isInFile ? try SQLiteStore(path: file) : MemoryStore()
        func message(_ tag: String, in channel: String) -> String {
            let options = #"{"tag":"\#(tag)","channel_id":"\#(channel)"}"#
            return #"{"message":{"token":"pixel","notification":{"title":"T"},"android":{"notification":\#(options)}}}"#
        }
        let channels = #"[{"id":"loud","importance":"high"},{"id":"off","importance":"none"}]"#
        let start = device(#""platform":"android","channels":\#(channels)"#, of: "pixel")
        let records: [String] =
            [start, message("a", in: "loud"), message("b", in: "loud"), message("c", in: "off")]
            + [message("a", in: "loud"), #"{"event":"post","device":"pixel","title":"P","channel":"loud"}"#]
        let lines = try reportLines(records, store: store) {
            $0.devicePolicy.notificationsPerAndroidApp = 1
        } line: { report in
            let words = [report.outcome.description, report.reason].compactMap(\.self) + (report.note?.steps ?? [])
            return words.joined(separator: " ")
        }
        #expect(
            lines.dropFirst() == [
                "delivered banner list sound badge", "suppressed too-many-notifications",
                "suppressed too-many-notifications", "replaced banner list sound badge",
                "ignored too-many-notifications",
            ])
        #expect(try store.events().filter { $0.seq == 3 || $0.seq == 4 }.map(\.kind) == [.suppressed, .suppressed])
    }
}

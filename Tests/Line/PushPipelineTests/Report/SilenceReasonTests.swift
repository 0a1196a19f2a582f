import PushDevices
import PushModel
import PushPipeline
import TestSupport
import Testing

/// Why pushes that reached their app show nothing.
///
/// Sources: Apple, "Generating a remote notification": an alert has a title, subtitle or body, and the keys of `aps`; "Pushing
/// background updates to your App"; Firebase, "About FCM messages": notification messages and data messages.
struct SilenceReasonTests {
    private func reasons(_ records: [String]) throws -> [String] {
        try reportLines(records, store: MemoryStore(keepsJournal: false)) { report in
            report.note?.event == nil ? "\(report.outcome.name) \(report.reason ?? "-")" : nil
        }
    }

    private static func request(_ type: String, _ payload: String, topic: String = "org.example.news") -> String {
        #"{"device":"ab54","headers":{"apns-topic":"\#(topic)","apns-push-type":"\#(type)"},"payload":\#(payload)}"#
    }

    private static let rows: [(record: String, reason: SilenceReason)] = [
        (#"{"aps":{}}"#, .noAlert), (#"{"aps":{"sound":"default"}}"#, .noAlert),
        (#"{"aps":{"alert":{"title":"","body":""}}}"#, .noAlert), (#"{"aps":{"alert":{"action":"x"}}}"#, .noAlert),
        (#"{"aps":{"alrt":"x"}}"#, .misspelledKey), (#"{"aps":{"Alert":"x"}}"#, .misspelledKey),
        (#"{"aps":{"alrt":"x","content-available":1}}"#, .misspelledKey),
        (#"{"aps":{"alrt":"x","badge":1}}"#, .misspelledKey),
        (#"{"aps":{"alert":{"titel":"x"}}}"#, .misspelledKey), (#"{"aps":{"alert":{"loc_key":"x"}}}"#, .misspelledKey),
        (#"{"aps":{"alert":{"loc-args":["x"]}}}"#, .noAlert), (#"{"aps":{"score":"x"}}"#, .noAlert),
        (#"{"aps":{"badge":3}}"#, .badgeOnly), (#"{"aps":{"badge":3,"content-available":1}}"#, .badgeOnly),
        (#"{"aps":{"content-available":1}}"#, .background), (#"{"aps":{"content-available":true}}"#, .noAlert),
        (request("background", #"{"aps":{"content-available":1},"kind":"sync"}"#), .background),
        (request("voip", #"{"aps":{"alert":"b"}}"#, topic: "org.example.news.voip"), .pushType),
        (#"{"message":{"token":"t","data":{"a":"b"}}}"#, .dataOnly),
        (#"{"message":{"token":"t","notification":{"image":"https://example.org/a.png"}}}"#, .noAlert),
        (#"{"to":"t","data":{"a":"b"}}"#, .dataOnly),
    ]

    @Test(arguments: rows.indices) func `a silent push says why`(_ index: Int) throws {
        let row = Self.rows[index]
        #expect(try reasons([row.record]) == ["silent \(row.reason.row.name)"], "\(row.record)")
    }

    @Test func `every reason but those of apps and browsers has a row`() {
        let others: Set<SilenceReason> = [.foreground, .refusedOptions]
        #expect(Set(Self.rows.map(\.reason)).union(others) == Set(SilenceReason.allCases))
    }

    @Test func `a browser that refuses the options says so`() throws {
        let push =
            #"{"message":{"token":"t","webpush":{"notification":{"title":"T","renotify":true}}}}"#
        let device = #"{"event":"device","device":"t","platform":"web"}"#
        #expect(try reasons([device, push]) == ["silent refused-options"])
    }

    @Test func `an app in the foreground that does not present it says so`() throws {
        let device =
            #"{"event":"device","device":"ab54","app":"org.example.news","state":"foreground","will_present":[]}"#
        #expect(try reasons([device, Self.request("alert", #"{"aps":{"alert":"b"}}"#)]) == ["silent foreground"])
    }

    @Test func `what is shown has no reason`() throws {
        let push = #"{"aps":{"alert":{"title":"A","titel":"B"},"alrt":"x"}}"#
        #expect(try reasons([push]) == ["delivered -"])
    }

    @Test func `the reason stands behind the status`() throws {
        let line = try Pipeline(PipelineConfiguration()).reports(#"{"aps":{"badge":3}}"#).first?.line
        #expect(line?.contains(#""outcome":"silent","status":200,"reason":"badge-only","bytes":"#) == true)
    }
}

import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import Testing

/// Which pushes start no service extension, and why.
///
/// Source: Apple, "Modifying content in newly delivered notifications": the system runs the extension when the app may
/// show alerts, the payload has `mutable-content` 1, and an alert with a title, subtitle or body; not for silent pushes, and
/// not for those that only play a sound or set a badge.
struct ExtensionObstacleTests {
    /// `seq` or `seq<original`, and the obstacle, of each message of an app with an extension.
    private func obstacles(
        _ records: [String], replacing key: String? = "id", jobs: Int = 1
    ) throws -> (lines: [String], summary: RunSummary) {
        let configure = { (configuration: inout PipelineConfiguration) in
            configuration.decoding.replacementKey = key
            configuration.jobs = jobs
        }
        return try reportRun(records, store: MemoryStore(keepsJournal: false), configure) { report in
            guard report.note?.event == nil else { return nil }
            let number = "\(report.seq)" + (report.note?.original.map { "<\($0)" } ?? "")
            return "\(number) \(report.extensionObstacle.map { "\($0.name)" } ?? "-")"
        }
    }

    private func mutable(_ members: String = "", type: String = "alert", topic: String = "org.example.news") -> String {
        #"{"device":"ab54","headers":{"apns-topic":"\#(topic)","apns-push-type":"\#(type)"},"#
            + #""payload":{"aps":{"alert":"b","mutable-content":1}\#(members)}}"#
    }

    @Test(
        arguments: [
            (#"{"aps":{"alert":"b","mutable-content":1}}"#, nil),
            (#"{"aps":{"alert":{"subtitle":"s"},"mutable-content":1.0}}"#, nil),
            (#"{"aps":{"alert":{"loc-key":"K"},"mutable-content":1}}"#, nil),
            (#"{"aps":{"alert":"b"}}"#, .notMutable), (#"{"aps":{"alert":"b","mutable-content":"1"}}"#, .notMutable),
            (#"{"aps":{"alert":"b","mutable-content":true}}"#, .notMutable),
            (#"{"aps":{"alert":"b"},"mutable-content":1}"#, .notMutable),
            (#"{"aps":{"content-available":1,"mutable-content":1}}"#, .noAlert),
            (#"{"aps":{"badge":3,"mutable-content":1}}"#, .noAlert),
            (#"{"aps":{"sound":"default","mutable-content":1}}"#, .noAlert),
            (#"{"aps":{"alert":{"title":""},"mutable-content":1}}"#, .noAlert),
            (#"{"to":"t","notification":{"title":"A"},"mutable_content":true}"#, .android),
            (#"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"b","mutable-content":1}}}}}"#, nil),
            (
                #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"b","mutable-content":1}}}},"validate_only":true}"#,
                .notDelivered
            ),
        ] as [(String, ExtensionObstacle?)])
    func `Apple: an extension needs mutable-content 1 and an alert`(payload: String, obstacle: ExtensionObstacle?)
        throws
    {
        let (lines, summary) = try obstacles([payload])
        #expect(lines == ["1 \(obstacle.map { "\($0.name)" } ?? "-")"])
        for other in ExtensionObstacle.allCases { #expect(summary.count(other) == (other == obstacle ? 1 : 0)) }
    }

    @Test(arguments: PushType.allCases.filter { !$0.row.isShown })
    func `a push type that the system never shows starts none`(type: PushType) throws {
        let record = mutable(
            type: "\(type.row.wireName)", topic: "org.example.news" + "\(type.row.topicSuffix)")
        #expect(try obstacles([record]).lines == ["1 push-type"])
    }

    @Test func `what the device or the person stands in the way of is said after what the payload lacks`() throws {
        let records = [
            device(#""app":"org.example.news","platform":"ios","authorization":"denied""#), mutable(), push(),
            device(#""authorization":"authorized","alerts":false"#), mutable(),
            device(#""alerts":true,"logged_in":false"#), mutable(), device(#""logged_in":true"#),
            away(), mutable(), push(), back(),
        ]
        #expect(
            try obstacles(records).lines == [
                "2 not-authorized", "3 not-mutable", "5 not-authorized", "7 not-delivered", "10 offline",
                "11 not-mutable", "11<10 not-delivered", "12<11 not-mutable",
            ])
    }

    @Test func `a browser has no service extensions`() throws {
        let browser = device(#""platform":"web","app":"https://news.example.org""#, of: "t")
        let messages = [
            #"{"message":{"token":"t","webpush":{"notification":{"title":"A"}}}}"#,
            #"{"message":{"token":"t","notification":{"title":"A"},"#
                + #""apns":{"payload":{"aps":{"alert":"b","mutable-content":1}}}}}"#,
        ]
        let (lines, summary) = try obstacles([browser] + messages)
        #expect(lines == ["2 web", "3 web"])
        #expect(summary.count(.web) == 2 && summary.count(.notMutable) == 0)
    }

    @Test func `nothing is said of a message that left no provider, nor of a run without an extension`() throws {
        let records = ["{", #"{"device":"xyz","headers":{},"payload":{"aps":{"alert":"A"}}}"#, push()]
        #expect(try obstacles(records).lines == ["1 -", "2 -", "3 not-mutable"])
        #expect(try obstacles(records, replacing: nil).lines == ["1 -", "2 -", "3 -"])
    }

    @Test func `lanes report it as one job does`() throws {
        let records = (0..<3000).map { [push("\($0)"), mutable(), backgroundPush()][$0 % 3] }
        let one = try obstacles(records)
        let two = try obstacles(records, jobs: 2)
        #expect(two.lines == one.lines)
        #expect(two.summary == one.summary)
        #expect(one.summary.count(.notMutable) == 1000)
        #expect(one.summary.count(.noAlert) == 1000)
    }
}

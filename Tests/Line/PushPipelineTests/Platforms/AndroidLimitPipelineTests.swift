import PushPipeline
import PushStore
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
}

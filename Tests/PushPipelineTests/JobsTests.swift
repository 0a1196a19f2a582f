import DeviceScreens
import NotificationStore
import PayloadJSON
import PushDecoding
import PushModel
import PushPipeline
import Testing

/// The output does not depend on the number of cores.
struct JobsTests {
    /// Marks messages by their contents, as a stage that may run on any core.
    private struct Marker: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            guard let body = message.content.body?.string, body.utf8.count.isMultiple(of: 3) else { return }
            context.report(Finding(rule: "test.third", severity: .info, pointer: "", message: "\(body.utf8.count)"))
        }
    }

    private func run(
        _ bytes: [UInt8], jobs: Int, pieces: [Int] = []
    ) throws -> ([Reported], [DeliveredNotification], [JournalEntry]) {
        let store = MemoryStore()
        let pipeline = Pipeline(
            configuration {
                $0.jobs = jobs
                $0.decoding.replacementKey = "custom-payload-id"
                $0.recordStages = [Marker()] + [ProviderValidation()]
            }, store: store)
        let reports = try pipeline.reports(bytes, pieces: pieces)
        return (reports, try store.notifications(), try store.events())
    }

    @Test(arguments: [2, 3, 8]) func `reports, screens and journal do not depend on the number of jobs`(
        jobs: Int
    ) throws {
        let bytes = try workload(6000, seed: 12, malformedRate: "0.03")
        #expect(bytes.count > 8 * 256 * 1024)
        let alone = try run(bytes, jobs: 1)
        let together = try run(bytes, jobs: jobs)
        #expect(alone.0.count > 6000)
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
        #expect(together.2 == alone.2)
        #expect(alone.0.contains { $0.rules.contains("test.third") })
    }

    @Test func `small pieces are reported immediately with any number of jobs`() throws {
        let bytes = try workload(60, seed: 13, malformedRate: "0.1")
        let alone = try run(bytes, jobs: 1)
        let together = try run(bytes, jobs: 4, pieces: byteByByte(bytes))
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
    }

    @Test func `a record longer than many chunks passes between its neighbours`() throws {
        let long = String(repeating: "x", count: 900_000)
        let input = (0..<40).map { apns($0.isMultiple(of: 4) ? long : "short \($0)") }.joined(separator: "\n")
        let alone = try run(Array(input.utf8), jobs: 1)
        let together = try run(Array(input.utf8), jobs: 3)
        #expect(alone.0.map(\.outcome).count { $0 == .rejected } == 10)
        #expect(together.0 == alone.0)
    }
}

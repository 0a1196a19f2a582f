import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import Testing

/// A trace only observes.
struct TracingTests {
    @Test(arguments: [1, 3]) func `tracing changes neither reports nor screens nor journal`(jobs: Int) throws {
        let bytes = try workload(3000, seed: 21, malformedRate: "0.05")
        func run(traces: Bool) throws -> ([Reported], [DeliveredNotification], [JournalEntry], Int) {
            let store = MemoryStore()
            let pipeline = Pipeline(
                configuration {
                    $0.jobs = jobs
                    $0.traces = traces
                    $0.decoding.replacementKey = "custom-payload-id"
                    $0.recordStages = [FitToBudget()]
                }, store: store)
            var events = 0
            var reports: [Reported] = []
            func add(_ report: borrowing RecordReport) {
                reports.append(Reported(report))
                events += report.trace?.events.count ?? 0
            }
            try bytes.withUnsafeBytes { try pipeline.feed($0, report: add) }
            try pipeline.finish(report: add)
            return (reports, try store.notifications(), try store.events(), events)
        }
        let (without, with) = (try run(traces: false), try run(traces: true))
        #expect(with.0 == without.0)
        #expect(with.1 == without.1)
        #expect(with.2 == without.2)
        // Everything in the journal is in one of the traces.
        #expect(without.3 == 0)
        #expect(with.3 == with.2.count)
        #expect(with.3 > 1000)
    }
}

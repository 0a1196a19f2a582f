import PushJSON
import PushModel
import PushPipeline
import PushRuns
import Testing

/// The linter's rules during a run.
struct LintStageTests {
    private func findings(of record: String, jobs: Int = 1) throws -> [[Finding]] {
        var found: [[Finding]] = []
        var configuration = PipelineConfiguration()
        configuration.recordStages.insert(LintStage(), at: 0)
        configuration.jobs = jobs
        try Pipeline(configuration).process(record) { found.append(Array($0.findings)) }
        return found
    }

    @Test func `the linter's findings are in the record's report`() throws {
        let found = try findings(of: #"{"aps":{"alert":"Hi","mutable_content":1}}"#)
        #expect(found.map { $0.map(\.rule) } == [["aps.misspelled-key"]])
        #expect(found.first?.first?.pointer == "/aps/mutable_content")
    }

    @Test func `without the option there are no findings`() throws {
        var found: [Finding] = []
        try Pipeline().process(#"{"aps":{"alert":"Hi","mutable_content":1}}"#) { found += Array($0.findings) }
        #expect(found.isEmpty)
    }

    @Test func `of several messages of a record the first has the findings`() throws {
        let found = try findings(of: #"{"registration_ids":["a1","b2"],"data":{"n":1}}"#)
        #expect(found.map { $0.map(\.rule) } == [["gcm.data-not-string"], []])
    }

    @Test func `infos are left out`() throws {
        #expect(try findings(of: #"{"aps":{"badge":2,"category":"COUNT"}}"#) == [[]])
    }

    /// A report has a line for each record, and no place for what is said once.
    @Test func `that a protocol is switched off is left out`() throws {
        #expect(try findings(of: #"{"to":"a1","data":{"n":"1"}}"#) == [[]])
    }

    @Test func `a refusal is reported once`() throws {
        let found = try findings(of: #"{"to":"a1","data":{"from":"1"}}"#)
        #expect(found.map { $0.map(\.rule) } == [["gcm.invalid-data-key"]])
    }

    /// Reports the text that a stage after the linter sees.
    private struct Probe: RecordStage {
        func process(_ message: inout PushMessage, context: StageContext) {
            let text =
                context.withPayload(of: message.decoded) { $0[pointer: "/aps/alert"]?.string?.string ?? "" } ?? ""
            context.report(Finding(rule: "probe", severity: .info, pointer: "", message: text))
        }
    }

    @Test func `stages before and after it see the same record`() throws {
        var configuration = PipelineConfiguration()
        configuration.recordStages = [Probe(), LintStage(), Probe()]
        var found: [Finding] = []
        try Pipeline(configuration).process(#"{"aps":{"alert":"Hi","mutable_content":1}}"#) {
            found += Array($0.findings)
        }
        #expect(found.map(\.rule) == ["probe", "aps.misspelled-key", "probe"])
        #expect(found.first?.message == "Hi" && found.last?.message == "Hi")
    }

    @Test func `a malformed record has only its error`() throws {
        #expect(try findings(of: #"{"aps":{"alert":"Hi",}}"#) == [[]])
    }

    @Test func `findings do not depend on the number of cores`() throws {
        let records = (0..<200).map { #"{"aps":{"alert":"Hi","badge":"\#($0)"}}"# }.joined(separator: "\n")
        #expect(try findings(of: records, jobs: 2) == findings(of: records))
    }
}

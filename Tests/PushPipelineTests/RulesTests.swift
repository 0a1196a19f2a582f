import PushModel
import PushPipeline
import Testing

/// The linter's rules within a run.
struct RulesTests {
    private func findings(of record: String, jobs: Int = 1) throws -> [[Finding]] {
        var found: [[Finding]] = []
        var configuration = PipelineConfiguration()
        configuration.recordStages.insert(LintStage(), at: 0)
        configuration.jobs = jobs
        try Pipeline(configuration).process(record) { found.append(Array($0.findings)) }
        return found
    }

    @Test func `what the linter finds stands in the report of the record`() throws {
        let found = try findings(of: #"{"aps":{"alert":"Hi","mutable_content":1}}"#)
        #expect(found.map { $0.map(\.rule) } == [["aps.misspelled-key"]])
        #expect(found.first?.first?.pointer == "/aps/mutable_content")
    }

    @Test func `without the option nothing is said`() throws {
        var found: [Finding] = []
        try Pipeline().process(#"{"aps":{"alert":"Hi","mutable_content":1}}"#) { found += Array($0.findings) }
        #expect(found.isEmpty)
    }

    @Test func `of several messages of a record the first has the findings`() throws {
        let found = try findings(of: #"{"registration_ids":["a1","b2"],"data":{"n":1}}"#)
        #expect(found.map { $0.map(\.rule) } == [["gcm.data-not-string"], []])
    }

    @Test func `what only is worth a look is left out`() throws {
        #expect(try findings(of: #"{"to":"a1","data":{"n":"1"}}"#) == [[]])
    }

    @Test func `a refusal is told once`() throws {
        let found = try findings(of: #"{"to":"a1","data":{"from":"1"}}"#)
        #expect(found.map { $0.map(\.rule) } == [["gcm.invalid-data-key"]])
    }

    @Test func `a malformed record is told by its error alone`() throws {
        #expect(try findings(of: #"{"aps":{"alert":"Hi",}}"#) == [[]])
    }

    @Test func `findings are the same for every number of cores`() throws {
        let records = (0..<200).map { #"{"aps":{"alert":"Hi","badge":"\#($0)"}}"# }.joined(separator: "\n")
        #expect(try findings(of: records, jobs: 2) == findings(of: records))
    }
}

import PushPipeline
import Testing

struct InputTests {
    let pushes = [#"{"aps":{"alert":"Soup"}}"#, #"{"aps":"#, #"{"aps":{"alert":"Tea"}}"#].map { Array("\($0)\n".utf8) }

    @Test func `lines are lent, and some are kept`() throws {
        var malformed: [PushReport] = []
        try Pipeline().process(pushes.joined()) { if $0.outcome == .malformed { malformed.append(PushReport($0)) } }
        #expect(malformed.map(\.seq) == [2])
    }

    @Test func `a body is processed as it arrives`() async throws {
        let (body, sender) = AsyncStream.makeStream(of: [UInt8].self)
        for push in pushes { sender.yield(push) }
        sender.finish()
        var outcomes: [Outcome] = []
        for try await report in Pipeline().reports(of: body) { outcomes.append(report.outcome) }
        #expect(outcomes == [.delivered, .malformed, .delivered])
    }
}

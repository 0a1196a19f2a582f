import ServiceTestSupport
import Synchronization
import Testing

@testable import PushServices

struct UnreadBytesTests {
    private func answer(_ bytes: Int) -> GatewayAnswer {
        GatewayAnswer(status: 200, body: Array(repeating: 0, count: bytes))
    }

    @Test func `there is room up to the limit and no byte beyond, until an answer is taken`() {
        let wakeUps = Atomic(0)
        let unread = UnreadBytes(limit: 5000) { wakeUps.add(1, ordering: .relaxed) }
        let first = unread.counted(answer(2500))
        var second: GatewayAnswer? = unread.counted(answer(2500))
        #expect(second?.unread != nil)
        #expect(unread.hasRoom)
        second = unread.counted(answer(2501))
        #expect(!unread.hasRoom)
        #expect(wakeUps.load(ordering: .relaxed) == 0)
        second = nil
        #expect(unread.hasRoom)
        #expect(wakeUps.load(ordering: .relaxed) == 1)
        withExtendedLifetime(first) { #expect(unread.bytes == 2500) }
    }

    @Test func `short answers do not count`() {
        let unread = UnreadBytes(limit: 0)
        let short = unread.counted(answer(UnreadBytes.shortest - 1))
        #expect(short.unread == nil)
        #expect(unread.bytes == 0)
        let long = unread.counted(answer(UnreadBytes.shortest))
        withExtendedLifetime(long) { #expect(unread.bytes == UnreadBytes.shortest) }
    }

    @Test(arguments: [0, 1])
    func `beyond it the API answers 503, and pushes and health are answered`(_ excess: Int) throws {
        let trial = SessionTrial.withAPI()
        let document = GatewayRequest(method: "GET", path: "/api/v1/openapi.json")
        let bytes = try trial.answer(document).body.count
        trial.session.unread = UnreadBytes(limit: bytes - excess)
        let first = try trial.session.process([document])
        try withExtendedLifetime(first) {
            let answer = try trial.answer(document)
            #expect(answer.status == (excess == 0 ? 200 : 503))
            #expect(answer.header("retry-after") == (excess == 0 ? nil : "1"))
            #expect(try trial.get("/api/v1/health").status == 200)
            #expect(try trial.get("/healthz").status == 200)
            #expect(try trial.answer(push()).status == 200)
        }
    }

    @Test func `what the log keeps does not count`() throws {
        let trial = SessionTrial.withAPI()
        let unread = UnreadBytes()
        trial.session.unread = unread
        _ = try trial.session.process((0..<3).map { _ in push() })
        _ = try trial.session.process([GatewayRequest(method: "GET", path: "/api/v1/messages")])
        #expect(unread.bytes == 0)
    }
}

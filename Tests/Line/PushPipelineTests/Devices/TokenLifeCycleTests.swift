import PushDevices
import PushModel
import PushPipeline
import Testing

/// How a sender maintains its tokens. Source: Moodle's notification server, risks and plans.
struct TokenLifeCycleTests {
    private func run(_ records: [String]) throws -> [String] {
        // 22:13:20 on the clock: 46 minutes and 40 seconds to the next full hour.
        try story(records) { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
    }

    @Test func `an unconfirmed token is swept on the hour`() throws {
        #expect(
            try run([device(#""confirmed":false"#), advance("46m39s"), push(), advance("1s"), push()])
                == [
                    "1 device applied", "2 clock applied", "3 delivered", "4 clock applied",
                    "4 token_deleted applied unconfirmed", "5 suppressed token-deleted",
                ])
    }

    @Test func `a token younger than a minute stays until the next sweep`() throws {
        #expect(
            try run([advance("46m"), device(#""confirmed":false"#), advance("40s"), push(), advance("1h")])
                == [
                    "1 clock applied", "2 device applied", "3 clock applied", "4 delivered", "5 clock applied",
                    "5 token_deleted applied unconfirmed",
                ])
    }

    @Test func `a token that is confirmed in time stays`() throws {
        #expect(
            try run([device(#""confirmed":false"#), device(#""confirmed":true"#), advance("2h"), push()]).last
                == "4 delivered")
    }

    @Test func `the owner of an unregistered token is notified once, and nothing more is sent to it`() throws {
        #expect(
            try run([device(#""unregistered":true"#), push(), push(), push()])
                == [
                    "1 device applied", "2 rejected Unregistered", "2 token_disabled applied failed-delivery",
                    "3 suppressed token-disabled", "4 suppressed token-disabled",
                ])
    }

    @Test func `a disabled token is deleted after a month`() throws {
        let dead = [device(#""unregistered":true"#), push()]
        #expect(try run(dead + [advance("29d23h"), push()]).last == "4 suppressed token-disabled")
        #expect(
            try run(dead + [advance("30d"), push()])[3...]
                == ["3 clock applied", "3 token_deleted applied disabled-for-long", "4 suppressed token-deleted"])
    }

    @Test func `a token that is confirmed again is fully restored`() throws {
        let dead = [device(#""unregistered":true"#), push()]
        #expect(
            try run(dead + [device(#""unregistered":false,"confirmed":true"#), advance("31d"), push()])[3...]
                == ["3 device applied", "4 clock applied", "5 delivered"])
    }

    @Test func `the journal has the tokens that were disabled and deleted`() throws {
        let store = MemoryStore()
        _ = try story(
            [
                device(#""app":"news","unregistered":true"#), push(app: "news"), advance("30d"),
                device(#""confirmed":false"#, of: "cd"), advance("2h"),
            ], store: store
        ) { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        #expect(
            try store.events().map { "\($0.seq) \($0.device) \($0.app) \($0.kind.name) \($0.identifier)" }
                == ["2 ab54 news token_disabled ", "3 ab54 news token_deleted ", "5 cd  token_deleted "])
    }

    @Test func `a token's standing and its time can be given`() throws {
        let since = #""token_since":"2023-11-14T20:00:00Z""#
        #expect(
            try run([device(#""token":"deleted""#), push()]).last == "2 suppressed token-deleted")
        #expect(try run([device(#""token":"disabled",\#(since)"#), push()]).last == "2 suppressed token-disabled")
        // Unconfirmed for more than two hours, so a sweep has passed, before the push.
        #expect(
            try run([device(#""confirmed":false,\#(since)"#), push()])[1...]
                == ["2 token_deleted applied unconfirmed", "2 suppressed token-deleted"])
    }

    @Test func `without the policy every push to an unregistered token is answered`() throws {
        #expect(
            try story([device(#""unregistered":true"#), push(), push()])[1...]
                == ["2 rejected Unregistered", "3 rejected Unregistered"])
    }

    @Test(arguments: [
        (0, 3_600_000), (3_539_999, 3_600_000), (3_540_000, 7_200_000), (3_600_000, 7_200_000), (-1, 3_600_000),
        (-3_660_001, -3_600_000), (-3_660_000, 0),
    ])
    func `a token is swept at the first sweep at which it is older than a minute`(since: Int64, due: Int64) {
        #expect(TokenLifeCycle().due(.unconfirmed, since: since) == due)
    }
}

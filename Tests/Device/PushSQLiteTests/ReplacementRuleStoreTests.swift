import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

/// A file gives back ids from payloads, and a store in memory remembers them: both must agree under every rule.
struct ReplacementRuleStoreTests {
    private static let rules: [ReplacementRule] = ReplacementRule.Match.allCases.flatMap { match in
        ReplacementRule.Missing.allCases.flatMap { missing in
            ReplacementRule.Comparison.allCases.map { comparison in
                var rule = ReplacementRule(key: "/data/id")
                (rule.match, rule.missing, rule.comparison) = (match, missing, comparison)
                return rule
            }
        }
    }

    private static func records(_ count: Int) -> [String] {
        var generator = SeededGenerator(seed: 3)
        let ids = [
            "", #","data":{"id":"17"}"#, #","data":{"id":17}"#, #","data":{"id":1.7e1}"#, #","data":{"id":null}"#,
            #","data":{"id":true}"#, #","data":{"id":"a\u0041"}"#, #","data":{"id":"aA"}"#, #","data":{"id":[1]}"#,
        ]
        return (0..<count).map { _ in
            let mutable = generator.below(3) == 0 ? ",\"mutable-content\":1" : ""
            let collapse = generator.below(4) == 0 ? ",\"apns-collapse-id\":\"c\(generator.below(3))\"" : ""
            return """
                {"device":"ab","headers":{"apns-topic":"c"\(collapse)},\
                "payload":{"aps":{"alert":"b"\(mutable)}\(generator.pick(ids))}}
                """
        }
    }

    @Test(arguments: rules)
    func `a file that is opened again and again gives what a store in memory gives`(rule: ReplacementRule) throws {
        let folder = try TemporaryFolder()
        let memory = MemoryStore()
        let records = Self.records(Effort.rounds(400, fast: 120))
        for start in stride(from: 0, to: records.count, by: 20) {
            let part = Array(records[start..<start + 20])
            let expected = try memory.run(part, replacing: rule)
            try #require(
                try SQLiteStore(path: folder()).run(part, replacing: rule) == expected, "\(rule) from \(start)")
        }
        let file = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try file.notifications() == memory.notifications())
        #expect(try file.events() == memory.events())
        #expect(try file.events().contains { $0.kind == .removed })
    }

    /// The rule is that of the run, not that of the run that delivered.
    @Test func `a file compares by the rule of the run that looks`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let (number, text) = (
            #"{"aps":{"alert":"b","mutable-content":1},"id":17}"#,
            #"{"aps":{"alert":"b","mutable-content":1},"id":"17"}"#
        )
        var typed = ReplacementRule(key: "id")
        typed.comparison = .typed
        #expect(try store.run([number], replacing: typed).map(\.outcome) == [.delivered])
        #expect(try store.run([text], replacing: typed).map(\.outcome) == [.delivered])
        let delivery = Delivery(outcome: .reposted, replaces: 2)
        #expect(try store.run([number], replacing: ReplacementRule(key: "id")) == [delivery])
        #expect(try store.lines() == ["push-3: b"])
    }
}

import PushDevices
import PushModel
import TestSupport
import Testing

/// The options of `--replace-by`, against extensions that are written out as Swift would run them.
struct ReplacementRuleTests {
    /// A value in a payload, as `JSONSerialization` gives it to an extension.
    private enum Value: Equatable {
        case string(String)
        case number(Double)
        case boolean(Bool)
        case null, list

        var json: String {
            switch self {
            case .string(let text): "\"\(text)\""
            case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
            case .boolean(let flag): "\(flag)"
            case .null: "null"
            case .list: "[\"s\"]"
            }
        }

        /// The value as `as? String` has it.
        var asString: String? {
            if case .string(let text) = self { text } else { nil }
        }
    }

    /// A push to one of two apps.
    private struct Push {
        var app: String
        var id: Value?
        var isMutable: Bool

        init(_ generator: inout SeededGenerator) {
            app = generator.pick(["org.example.news", "org.example.radio"])
            let ids: [Value?] = [
                nil, nil, .string("s"), .string("17"), .string("true"), .string("null"), .string(""), .number(17),
                .number(1.5), .boolean(true), .null, .list,
            ]
            id = generator.pick(ids)
            isMutable = generator.below(3) == 0
        }

        var record: String {
            let mutable = isMutable ? ",\"mutable-content\":1" : ""
            let id = id.map { ",\"story\":\($0.json)" } ?? ""
            return """
                {"device":"ab","headers":{"apns-topic":"\(app)"},"payload":{"aps":{"alert":"b"\(mutable)}\(id)}}
                """
        }
    }

    /// A device with such an extension: one list for each app, oldest first.
    private struct Oracle {
        var rule: ReplacementRule
        var delivered: [String: [(seq: UInt64, id: Value?)]] = [:]

        mutating func deliver(_ push: Push, seq: UInt64) -> Delivery {
            var list = delivered[push.app] ?? []
            defer { delivered[push.app] = list + [(seq, push.id)] }
            guard push.isMutable else { return Delivery(outcome: .delivered) }
            let matches = list.filter { isSame($0.id, push.id) }
            let removed = rule.match == .first ? Array(matches.prefix(1)) : matches
            list.removeAll { shown in removed.contains { $0.seq == shown.seq } }
            return Delivery(outcome: removed.isEmpty ? .delivered : .reposted, replaces: removed.last?.seq)
        }

        private func isSame(_ old: Value?, _ new: Value?) -> Bool {
            let (old, new) = (known(old), known(new))
            guard let old, let new else { return rule.missing == .equal && old == nil && new == nil }
            return rule.comparison == .text ? text(old) == text(new) : old == new
        }

        /// What of a value the extension can compare.
        private func known(_ value: Value?) -> Value? {
            switch value {
            case nil, .null, .list: nil
            case .string: value
            case .number, .boolean: rule.comparison == .string ? nil : value
            }
        }

        private func text(_ value: Value) -> String { value.asString ?? value.json }
    }

    private static let rules: [ReplacementRule] = ReplacementRule.Match.allCases.flatMap { match in
        ReplacementRule.Missing.allCases.flatMap { missing in
            ReplacementRule.Comparison.allCases.map { comparison in
                var rule = ReplacementRule(key: "story")
                (rule.match, rule.missing, rule.comparison) = (match, missing, comparison)
                return rule
            }
        }
    }

    @Test(arguments: rules)
    func `every rule removes what the extension written out removes`(rule: ReplacementRule) throws {
        for keeping in [NotificationCenters.Keeping.tapOptions, .everything] {
            var generator = SeededGenerator(seed: 18)
            let screens = Screens(replacing: rule, keeping: keeping)
            var oracle = Oracle(rule: rule)
            var reposted = 0
            let rounds = Effort.rounds(3000, fast: 600)
            for seq in 1...UInt64(rounds) {
                let push = Push(&generator)
                let expected = oracle.deliver(push, seq: seq)
                try #require(try screens.sendOne(push.record) == expected, "\(rule), record \(seq): \(push.record)")
                if expected.outcome == .reposted { reposted += 1 }
            }
            #expect(reposted > rounds / 10)
            #expect(screens.count == oracle.delivered.values.map(\.count).reduce(0, +))
        }
    }

    /// The extension of the thread: `notifications.first(where: { $0…userInfo[key] as? String == customID })`, where the id of
    /// the new notification is an optional, too. So a push without an id removes the oldest other one without.
    @Test func `the extension of the thread takes nil for nil, and removes one notification only`() throws {
        var rule = ReplacementRule(key: "story")
        (rule.match, rule.missing, rule.comparison) = (.first, .equal, .string)
        let screens = Screens(replacing: rule)
        for body in ["a", "b"] { try screens.sendOne(apns(body: body)) }
        try screens.sendOne(apns(body: "c", customID: "s"))
        #expect(try screens.sendOne(apns(body: "d", isMutable: true)) == Delivery(outcome: .reposted, replaces: 1))
        #expect(screens.lines() == ["push-2: b", "push-3: c", "push-4: d"])
        // A number is no string, so it counts as missing: `as? String` is nil.
        let number =
            #"{"device":"ab","headers":{"apns-topic":"org.example.news"},"payload":{"aps":{"alert":"e","mutable-content":1},"story":17}}"#
        #expect(try screens.sendOne(number) == Delivery(outcome: .reposted, replaces: 2))
        #expect(screens.lines() == ["push-3: c", "push-4: d", "push-5: e"])
    }

    @Test(arguments: [
        ("17", "17.0", true), ("17", "1.7e1", true), ("-0", "0", true), ("17", "\"17\"", false),
        ("true", "\"true\"", false), ("true", "1", false), ("1e400", "1e400", true), ("1e400", "1e401", false),
        ("9007199254740993", "9007199254740992", false), ("\"a\"", "\"\\u0061\"", true), ("\"\\\"\"", "\"\"", false),
    ])
    func `typed ids are the same when type and value are`(old: String, new: String, isSame: Bool) throws {
        var rule = ReplacementRule(key: "/a/id")
        rule.comparison = .typed
        let screens = Screens(replacing: rule)
        let record = { (id: String) in #"{"aps":{"alert":"b","mutable-content":1},"a":{"id":\#(id)}}"# }
        try screens.sendOne(record(old))
        let expected: Outcome = isSame ? .reposted : .delivered
        #expect(try screens.sendOne(record(new)).outcome == expected)
    }

    /// No text in a payload may pass for a missing id.
    @Test(arguments: ["", "nil", "null", "none", "\\u0000", "\\u00ff", "\\ud83d", "\u{FFFD}"])
    func `a missing id equals no text`(id: String) throws {
        for comparison in ReplacementRule.Comparison.allCases {
            var rule = ReplacementRule(key: "story")
            (rule.missing, rule.comparison) = (.equal, comparison)
            let screens = Screens(replacing: rule)
            try screens.sendOne(apns(customID: id))
            #expect(try screens.sendOne(apns(isMutable: true)).outcome == .delivered)
        }
    }

    @Test func `an Android notification has no user info, so it is not one without an id either`() throws {
        var rule = ReplacementRule(key: "story")
        rule.missing = .equal
        let screens = Screens(replacing: rule)
        try screens.sendOne(#"{"to":"ab","notification":{"body":"b"}}"#)
        let apple = #"{"device":"ab","payload":{"aps":{"alert":"b","mutable-content":1}}}"#
        #expect(try screens.sendOne(apple).outcome == .delivered)
    }

    /// Each of many notifications without an id is found in constant time, the oldest first.
    @Test func `a long list of the same id gives way one by one, oldest first`() throws {
        var rule = ReplacementRule(key: "story")
        (rule.match, rule.missing) = (.first, .equal)
        let screens = Screens(replacing: rule, keeping: .nothing)
        for _ in 0..<20_000 { try screens.sendOne(apns()) }
        for oldest in 1...20_000 as ClosedRange<UInt64> {
            let delivery = try screens.sendOne(apns(isMutable: true))
            try #require(delivery == Delivery(outcome: .reposted, replaces: oldest))
        }
    }
}

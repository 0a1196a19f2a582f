import PushModel
import Testing

@testable import PushDevices

/// How long neither notification is on the screen, or both are.
///
/// Source: Apple, `removeDeliveredNotifications(withIdentifiers:)` returns at once and removes in the background; extensions
/// are known to wait before they call their content handler (mattermost-mobile pull 2652: 0.2 s).
struct RepostTimesTests {
    struct Case: Sendable {
        var removal: RemovalTiming
        var wait: Int
        /// `kind time` of each journal line of the second push, which arrives at 2.
        var events: [String]
        var outcome: Outcome
        var shown: [String]
        /// What comes later; the push before it has number 1.
        var late: [LateRemoval] = []
    }

    private static func late(due: Int64?, _ milliseconds: Int64?) -> [LateRemoval] {
        let stale = StaleNotification(seq: 1, identifier: "push-1", milliseconds: milliseconds)
        return [LateRemoval(identifiers: ["push-1"], due: due, stale: [stale])]
    }

    static let cases = [
        Case(removal: .immediate, wait: 0, events: ["removed 2", "delivered 2"], outcome: .reposted, shown: ["b"]),
        Case(removal: .immediate, wait: 200, events: ["removed 2", "delivered 202"], outcome: .reposted, shown: ["b"]),
        Case(
            removal: .delayed(.milliseconds(150)), wait: 200, events: ["removed 152", "delivered 202"],
            outcome: .reposted, shown: ["b"]),
        // A removal that is due when the handler is called is done.
        Case(
            removal: .delayed(.milliseconds(200)), wait: 200, events: ["removed 202", "delivered 202"],
            outcome: .reposted, shown: ["b"]),
        Case(
            removal: .delayed(.milliseconds(201)), wait: 200, events: ["delivered 202"], outcome: .delivered,
            shown: ["a", "b"], late: late(due: 203, 1)),
        Case(
            removal: .lostAfterHandler(.milliseconds(200)), wait: 200, events: ["removed 202", "delivered 202"],
            outcome: .reposted, shown: ["b"]),
        Case(
            removal: .lostAfterHandler(.milliseconds(201)), wait: 200, events: ["delivered 202", "removal-lost 202"],
            outcome: .delivered, shown: ["a", "b"], late: late(due: nil, nil)),
        Case(
            removal: .lostAfterHandler(.milliseconds(100)), wait: 0, events: ["delivered 2", "removal-lost 2"],
            outcome: .delivered, shown: ["a", "b"], late: late(due: nil, nil)),
    ]

    private static func rule(_ removal: RemovalTiming, _ wait: Int) -> ReplacementRule {
        var rule = ReplacementRule(key: "story")
        (rule.removal, rule.wait) = (removal, .milliseconds(wait))
        return rule
    }

    private func events(_ screens: Screens) -> [String] {
        screens.recorder.lines.compactMap { line in
            if case .event(let kind, _, let at, _, _) = line { "\(kind.name) \(at)" } else { nil }
        }
    }

    @Test(arguments: cases)
    func `a removal and the new notification have times of their own`(expected: Case) throws {
        let screens = Screens(replacing: Self.rule(expected.removal, expected.wait))
        try screens.sendOne(apns(body: "a", customID: "s"))
        screens.recorder.lines.removeAll()
        let delivery = try screens.sendOne(apns(body: "b", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: expected.outcome, replaces: expected.outcome == .reposted ? 1 : nil))
        #expect(events(screens) == expected.events)
        #expect(screens.notifications().compactMap(\.content.body) == expected.shown)
        #expect(screens.notifications().last?.deliveredAt == 2 + Int64(expected.wait))
        #expect(screens.takeLateRemovals() == expected.late)
        #expect(screens.takeLateRemovals().isEmpty)
    }

    @Test func `the extension waits only when it removes something`() throws {
        let screens = Screens(replacing: Self.rule(.immediate, 200))
        try screens.sendOne(apns(body: "a", customID: "s", isMutable: true))
        try screens.sendOne(apns(body: "b", customID: "t", isMutable: true))
        try screens.sendOne(apns(body: "c", customID: "s"))
        #expect(events(screens) == ["delivered 1", "delivered 2", "delivered 3"])
    }

    @Test(arguments: ReplacementRule.Match.allCases)
    func `a late removal names what the extension has found, and not the new one`(match: ReplacementRule.Match) throws {
        var rule = Self.rule(.delayed(.seconds(1)), 0)
        rule.match = match
        let screens = Screens(replacing: rule)
        for body in ["a", "b"] { try screens.sendOne(apns(body: body, customID: "s")) }
        #expect(try screens.sendOne(apns(body: "c", customID: "s", isMutable: true)).outcome == .delivered)
        let found = match == .first ? ["push-1"] : ["push-1", "push-2"]
        #expect(screens.takeLateRemovals().map(\.identifiers) == [found])
        #expect(screens.count == 3)
        #expect(screens.centers.staleCount == found.count)
    }

    /// Apple: a removal names identifiers, and a notification with the same collapse id has the same identifier.
    @Test func `a late removal names the identifier of a new notification with the same collapse id`() throws {
        let screens = Screens(replacing: Self.rule(.delayed(.seconds(1)), 0))
        try screens.sendOne(apns(collapseID: "c", body: "a", customID: "s"))
        let delivery = try screens.sendOne(apns(collapseID: "c", body: "b", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .replaced, replaces: 1))
        // The new one is on the screen alone, so there is no duplicate.
        #expect(screens.takeLateRemovals() == [LateRemoval(identifiers: ["c"], due: 1002, stale: [])])
        #expect(screens.centers.staleCount == 0)
    }

    @Test func `what is pending is named again only if it can come back with its identifier`() throws {
        let screens = Screens(replacing: Self.rule(.delayed(.seconds(1)), 0))
        try screens.sendOne(apns(body: "a", customID: "s"))
        try screens.sendOne(apns(collapseID: "c", body: "b", customID: "s"))
        for _ in 0..<2 { try screens.sendOne(apns(body: "x", customID: "s", isMutable: true)) }
        let late = screens.takeLateRemovals()
        #expect(late.map(\.identifiers) == [["push-1", "c"], ["c", "push-3"]])
        #expect(late.map { $0.stale.map(\.identifier) } == [["push-1", "c"], ["push-3"]])
    }
}

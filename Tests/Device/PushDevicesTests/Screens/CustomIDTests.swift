import PushDevices
import PushModel
import Testing

/// An extension finds the notifications with the same custom id and removes them before the new one appears.
struct CustomIDTests {
    @Test func `the same custom id on a mutable notification removes the earlier one`() throws {
        let screens = Screens(replacementKey: "story")
        #expect(try screens.sendOne(apns(body: "1", customID: "s", isMutable: true)) == Delivery(outcome: .delivered))
        try screens.sendOne(apns(body: "2"))
        let delivery = try screens.sendOne(apns(body: "3", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .reposted, replaces: 1))
        #expect(screens.lines() == ["push-2: 2", "push-3: 3"])
    }

    @Test func `without mutable-content no extension runs, so nothing is removed`() throws {
        let screens = Screens(replacementKey: "story")
        try screens.sendOne(apns(body: "1", customID: "s", isMutable: true))
        #expect(try screens.sendOne(apns(body: "2", customID: "s")) == Delivery(outcome: .delivered))
        #expect(screens.lines() == ["push-1: 1", "push-2: 2"])
    }

    @Test func `what is removed need not have been mutable itself`() throws {
        let screens = Screens(replacementKey: "story")
        try screens.sendOne(apns(body: "1", customID: "s"))
        let delivery = try screens.sendOne(apns(body: "2", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .reposted, replaces: 1))
        #expect(screens.lines() == ["push-2: 2"])
    }

    @Test func `without an alert no extension runs, so nothing is removed`() throws {
        let screens = Screens(replacementKey: "story")
        try screens.sendOne(apns(body: "1", customID: "s"))
        for record in [
            apns(body: nil, customID: "s", isMutable: true), apns(body: "", customID: "s", isMutable: true),
            apns(body: nil, badge: 3, customID: "s", isMutable: true),
        ] {
            #expect(try screens.sendOne(record) == Delivery(outcome: .silent))
        }
        #expect(screens.lines() == ["push-1: 1"])
    }

    @Test func `without a replacement key the same member of the payload means nothing`() throws {
        let screens = Screens()
        for _ in 0..<2 {
            #expect(try screens.sendOne(apns(customID: "s", isMutable: true)) == Delivery(outcome: .delivered))
        }
    }

    @Test func `several with one custom id are all removed, and the newest of them counts as replaced`() throws {
        let screens = Screens(replacementKey: "story")
        for body in ["1", "2", "3"] { try screens.sendOne(apns(body: body, customID: "s")) }
        try screens.sendOne(apns(body: "4", customID: "other"))
        let delivery = try screens.sendOne(apns(body: "5", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .reposted, replaces: 3))
        #expect(screens.lines() == ["push-4: 4", "push-5: 5"])
    }

    /// Whichever of several notifications with one custom id is replaced by its collapse id first, the others are still
    /// found.
    @Test(arguments: ["abc", "acb", "bac", "bca", "cab", "cba"], 1...3)
    func `what a collapse id took is no longer found by the custom id`(order: String, count: Int) throws {
        let screens = Screens(replacementKey: "story")
        let identifiers: [Character] = ["a", "b", "c"]
        for identifier in identifiers { try screens.sendOne(apns(collapseID: String(identifier), customID: "s")) }
        // Each replaces one, and has no custom id itself.
        let taken = order.prefix(count)
        for identifier in taken { try screens.sendOne(apns(collapseID: String(identifier), body: "plain")) }

        let delivery = try screens.sendOne(apns(collapseID: "new", customID: "s", isMutable: true))
        let newest = identifiers.lastIndex { !taken.contains($0) }.map { UInt64($0 + 1) }
        #expect(delivery == Delivery(outcome: newest == nil ? .delivered : .reposted, replaces: newest))
        #expect(screens.lines() == taken.map { "\($0): plain" } + ["new: Text"])
    }

    @Test func `custom id and collapse id of one notification`() throws {
        let screens = Screens(replacementKey: "story")
        try screens.sendOne(apns(collapseID: "c", body: "1", customID: "s", isMutable: true))
        // The extension removes it, so the collapse id finds nothing.
        let delivery = try screens.sendOne(apns(collapseID: "c", body: "2", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .reposted, replaces: 1))
        #expect(screens.lines() == ["c: 2"])
    }

    @Test func `custom id of one notification and collapse id of another`() throws {
        let screens = Screens(replacementKey: "story")
        try screens.sendOne(apns(collapseID: "c", body: "1"))
        try screens.sendOne(apns(collapseID: "d", body: "2", customID: "s"))
        screens.recorder.lines.removeAll()
        let delivery = try screens.sendOne(apns(collapseID: "c", body: "3", customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .reposted, replaces: 2))
        #expect(screens.lines() == ["c: 3"])
        let events = screens.recorder.lines.compactMap { line -> JournalKind? in
            if case .event(let event, _, _, _, _) = line { event } else { nil }
        }
        #expect(events == [.removed, .replaced])
    }

    @Test func `a custom id counts on its own device and app only`() throws {
        let screens = Screens(replacementKey: "story")
        for (device, app) in [("ab", "c"), ("a", "bc"), ("ab", "d")] {
            let delivery = try screens.sendOne(apns(device: device, app: app, customID: "s", isMutable: true))
            #expect(delivery.outcome == .delivered)
        }
        #expect(screens.count == 3)
    }

    @Test func `a pointer leads to a custom id further in, and a number is as good as a string`() throws {
        let screens = Screens(replacementKey: "/article/id")
        let record = #"{"aps":{"alert":"b","mutable-content":1},"article":{"id":17}}"#
        #expect(try screens.sendOne(record) == Delivery(outcome: .delivered))
        #expect(try screens.sendOne(record) == Delivery(outcome: .reposted, replaces: 1))
    }

    @Test func `no extension runs on Android`() throws {
        let screens = Screens(replacementKey: "story")
        let record = #"{"to":"t","mutable_content":true,"story":"s","notification":{"body":"b"},"data":{"story":"s"}}"#
        for _ in 0..<2 { #expect(try screens.sendOne(record) == Delivery(outcome: .delivered)) }
        #expect(screens.count == 2)
    }
}

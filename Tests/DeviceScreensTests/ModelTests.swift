import DeviceScreens
import PushModel
import TestSupport
import Testing

/// Compares random deliveries with a model simple enough to verify by reading.
struct ModelTests {
    private static let places = [("ab", "c"), ("a", "bc"), ("abc", ""), ("b", "c"), ("dd", "org.example.news")]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `screens, badges, outcomes and journal are those of the naive model`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let screens = Screens(replacementKey: "story")
        var model = NaiveScreens()
        var outcomes: [Outcome: Int] = [:]
        for number in 1...5000 {
            let push = RandomPush(&generator, number: number)
            let expected = model.deliver(push, seq: UInt64(number))
            let delivery = try screens.sendOne(push.record)
            outcomes[expected.outcome, default: 0] += 1
            try #require(delivery == expected, "seed \(seed), step \(number): \(push.record)")
            try #require(screens.count == model.shown.count, "seed \(seed), step \(number): \(push.record)")
            if number.isMultiple(of: 97) { try compare(screens, model, "seed \(seed), step \(number)") }
        }
        try compare(screens, model, "seed \(seed), at the end")
        // The stream is a useful test only when all of these occur in it.
        for outcome in [Outcome.delivered, .replaced, .reposted, .silent] {
            #expect(outcomes[outcome, default: 0] > 100, "\(outcome)")
        }

        let events = screens.recorder.lines.compactMap { line -> NaiveScreens.Event? in
            guard case .event(let kind, let seq, _, _, let identifier) = line else { return nil }
            return NaiveScreens.Event(kind: kind, seq: seq, identifier: identifier)
        }
        #expect(events == model.events)
    }

    @Test(arguments: [4, 5] as [UInt64])
    func `what a recorder adds and removes is what is on the screens`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let screens = Screens(replacementKey: "story")
        var kept: [UInt64: (seq: UInt64, identifier: String)] = [:]
        var highest: UInt64 = 0
        for number in 1...3000 {
            screens.recorder.lines.removeAll(keepingCapacity: true)
            try screens.sendOne(RandomPush(&generator, number: number).record)
            for line in screens.recorder.lines {
                switch line {
                case .added(let order, let seq, _, _, let identifier):
                    #expect(order > highest)
                    highest = order
                    kept[order] = (seq, identifier)
                case .removed(let order):
                    #expect(kept.removeValue(forKey: order) != nil, "step \(number)")
                case .badge, .event: break
                }
            }
            try #require(kept.count == screens.count, "step \(number)")
        }
        let shown = screens.notifications()
        let expected = kept.sorted { $0.key < $1.key }.map(\.value)
        #expect(shown.map(\.seq) == expected.map(\.seq))
        #expect(shown.map(\.identifier) == expected.map(\.identifier))
    }

    /// A store that keeps some apps on disk forgets all of them and restores each when it is next used.
    @Test func `forgetting everything and restoring it changes nothing`() throws {
        var generator = SeededGenerator(seed: 6)
        let screens = Screens(replacementKey: "story")
        var model = NaiveScreens()
        for number in 1...2000 {
            if number.isMultiple(of: 50) { restore(screens, from: model) }
            let push = RandomPush(&generator, number: number)
            let expected = model.deliver(push, seq: UInt64(number))
            try #require(try screens.sendOne(push.record) == expected, "step \(number): \(push.record)")
        }
        #expect(screens.notifications().map(\.identifier) == model.shown.map(\.identifier))
        #expect(screens.notifications().map(\.seq) == model.shown.map(\.seq))
    }

    private func compare(_ screens: Screens, _ model: NaiveScreens, _ place: String) throws {
        let shown = screens.notifications()
        try #require(shown.map(\.seq) == model.shown.map(\.seq), "\(place)")
        try #require(shown.map(\.identifier) == model.shown.map(\.identifier), "\(place)")
        try #require(shown.map(\.device) == model.shown.map(\.device), "\(place)")
        try #require(shown.map(\.app) == model.shown.map(\.app), "\(place)")
        try #require(shown.map(\.content.body) == model.shown.map(\.body), "\(place)")
        for (device, app) in Self.places {
            try #require(screens.badge(device: device, app: app) == model.badges[[device, app]], "\(place)")
            let here = model.shown.filter { $0.device == device && $0.app == app }
            try #require(screens.notifications(device: device, app: app).map(\.seq) == here.map(\.seq), "\(place)")
        }
    }

    private func restore(_ screens: Screens, from model: NaiveScreens) {
        screens.restore { centers in
            centers.removeAll()
            for (order, shown) in model.shown.enumerated() {
                withBorrowed(shown.device) { device in
                    withBorrowed(shown.app) { app in
                        withBorrowed(shown.identifier) { identifier in
                            withBorrowed(shown.customID ?? "") { customID in
                                let entry = NotificationCenters.Entry(
                                    order: UInt64(order), seq: shown.seq, at: 0, target: nil,
                                    identifier: shown.identifier == "push-\(shown.seq)" ? nil : identifier,
                                    customID: shown.customID == nil ? nil : customID)
                                centers.restore(entry, device: device, app: app)
                            }
                        }
                    }
                }
            }
        }
    }
}

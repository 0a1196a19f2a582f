import PushDevices
import PushModel
import TestSupport
import Testing

/// Compares random deliveries with a model simple enough to verify by reading.
struct ModelTests {
    private static let places = [("ab", "c"), ("a", "bc"), ("abc", ""), ("b", "c"), ("dd", "org.example.news")]

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64], fast: 1))
    func `screens, badges, outcomes and journal are those of the naive model`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let screens = Screens(replacementKey: "story")
        var model = NaiveScreens()
        var outcomes: [Outcome: Int] = [:]
        let rounds = Effort.rounds(5000, fast: 1200)
        for number in 1...rounds {
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
            #expect(outcomes[outcome, default: 0] > rounds / 50, "\(outcome)")
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
            for (names, badge) in model.badges {
                withBorrowed(names[0]) { device in
                    withBorrowed(names[1]) { app in centers.restore(device: device, app: app, badge: badge) }
                }
            }
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

/// What is kept besides what replacement needs changes no delivery.
struct KeepingTests {
    private static let kinds: [NotificationCenters.Keeping] = [.nothing, .tapOptions, .everything]

    @Test(arguments: Effort.some([7, 8] as [UInt64], fast: 1))
    func `outcomes and journal are the same whatever is kept`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let screens = Self.kinds.map { Screens(replacementKey: "story", keeping: $0) }
        var model = NaiveScreens()
        for number in 1...Effort.rounds(5000, fast: 1200) {
            let push = RandomPush(&generator, number: number)
            let expected = model.deliver(push, seq: UInt64(number))
            for (kind, screens) in zip(Self.kinds, screens) {
                try #require(
                    try screens.sendOne(push.record) == expected,
                    "\(kind), seed \(seed), step \(number): \(push.record)")
                try #require(screens.count == model.shown.count, "\(kind), seed \(seed), step \(number)")
            }
        }
    }

    /// Someone asks what is shown only after some notifications have been delivered, replaced and removed.
    @Test(arguments: [0, 1, 40, 700])
    func `what an app shows is in the order of delivery, whenever it is first asked for`(first: Int) throws {
        var generator = SeededGenerator(seed: 9)
        let screens = Self.kinds.map { Screens(replacementKey: "story", keeping: $0) }
        var model = NaiveScreens()
        for number in 1...1000 {
            let push = RandomPush(&generator, number: number)
            _ = model.deliver(push, seq: UInt64(number))
            for screens in screens { try screens.sendOne(push.record) }
            guard number > first, number.isMultiple(of: 19) else { continue }
            let here = model.shown.filter { $0.device == push.device && $0.app == push.app }
            for (kind, screens) in zip(Self.kinds, screens) {
                let shown = try screens.shown(for: push.record)
                try #require(shown.map(\.identifier) == here.map(\.identifier), "\(kind), step \(number)")
                try #require(shown.map(\.seq) == here.map(\.seq), "\(kind), step \(number)")
                try #require(
                    zip(shown, shown.dropFirst()).allSatisfy { $0.order < $1.order }, "\(kind), step \(number)")
            }
        }
    }

    @Test func `a message that was queued is the newest, although its record is older`() throws {
        for kind in Self.kinds {
            let screens = Screens(keeping: kind)
            for _ in 1...5 { try screens.sendOne(apns()) }
            try screens.sendQueued(apns(collapseID: "late"), seq: 2)
            try screens.sendOne(apns())
            let shown = try screens.shown(for: apns())
            #expect(shown.map(\.identifier).suffix(3) == ["push-5", "late", "push-6"], "\(kind)")
            #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.order < $1.order }, "\(kind)")
        }
    }

    @Test func `a generated identifier is found by a sender who names it, and only from then on in the index`() throws {
        let screens = Screens(keeping: .nothing)
        for _ in 1...20 { try screens.sendOne(apns()) }
        #expect(try screens.sendOne(apns(collapseID: "push-7")) == Delivery(outcome: .replaced, replaces: 7))
        #expect(try screens.sendOne(apns(collapseID: "push-21")) == Delivery(outcome: .delivered))
        try screens.sendOne(apns())
        #expect(try screens.sendOne(apns(collapseID: "push-23")) == Delivery(outcome: .replaced, replaces: 23))
        #expect(screens.count == 22)
    }
}

import AppSimulation
import PushModel
import TestSupport
import Testing
import WikimediaSettings

/// Invariants for random events and answers.
struct PreferencePropertyTests {
    private static let types: [NotificationType] = ["a", "b", "c", "d"]
    private static let table = NotificationTypeTable(types.map { NotificationTypeTable.Row($0.name) })
    private static let wikis = ["de", "en", "fr"]
    private static let errors = ["badtoken", "readonly", "nochanges", "ratelimited", "echo-push-token-exists"]

    private func event(_ random: inout SeededGenerator, _ world: inout PreferenceWorld) -> Machine.Event {
        switch random.below(21) {
        case 0: return .loggedIn(account: random.pick(["Anna", "Bela"]), wiki: random.pick(Self.wikis))
        case 1: return random.below(3) == 0 ? .loggedOut : .appeared
        case 2: return .permissionAnswered(isGranted: random.below(3) > 0)
        case 3:
            return .settingsChanged(
                permission: random.pick(NotificationPermission.allCases), alertsAreOn: random.below(2) == 0)
        case 4: return .registrationSucceeded(token: random.pick(["one", "two"]))
        case 5: return .registrationFailed(reason: "no network")
        case 6: return .primaryLanguageChanged(to: random.pick(Self.wikis))
        case 20: return .pushSwitched(random.below(2) == 0)
        case 7, 8, 9, 10, 11: return .toggled(random.pick(Self.types + ["no-switch"]), random.below(2) == 0)
        default: return answer(&random, &world) ?? .appeared
        }
    }

    /// An answer to a pending request, or a duplicate of an earlier answer: right, wrong, lost, or of the wrong kind.
    private func answer(_ random: inout SeededGenerator, _ world: inout PreferenceWorld) -> Machine.Event? {
        if random.below(8) == 0, let id = world.log.compactMap(\.id).randomElement(using: &random) {
            // Only stale answers may be random; the others must be true.
            if !world.requests.contains(where: { $0.id == id }) { return .answered(id, .success(warnings: [])) }
        }
        guard !world.requests.isEmpty else { return nil }
        let request = world.requests.remove(at: random.below(world.requests.count))
        guard let id = request.id else { return nil }
        switch random.below(10) {
        case 0: return .answered(id, .error(code: random.pick(Self.errors)))
        case 1:
            if random.below(2) == 0 { _ = world.answer(to: request) }
            return random.below(2) == 0 ? .timedOut(id) : .answered(id, .lost)
        case 2 where random.below(10) == 0: return .answered(id, .error(code: "notloggedin"))
        case 3:
            // The options were rejected, and the warning names them.
            guard case .writeOptions(_, _, let changes, _) = request else { return .answered(id, .lost) }
            return .answered(id, .success(warnings: changes.keys.map { "Validation error for \"\($0.option)\"" }))
        case 4:
            guard case .writeOptions = request else { return .answered(id, .lost) }
            return .answered(id, .success(warnings: ["Nothing was taken."]))
        default: return world.answer(to: request).map { .answered($0.0, $0.1) }
        }
    }

    @Test func `whatever happens, the screen ends with what the wiki has, and nothing comes out after a logout`() {
        var settled = 0
        for seed in UInt64(0)..<600 {
            var random = SeededGenerator(seed: seed)
            var world = PreferenceWorld(Self.table, permission: random.pick(NotificationPermission.allCases))
            for _ in 0..<random.below(80) {
                let wasLoggedIn = world.machine.device.account != nil
                let event = event(&random, &world)
                let effects = world.send(event)
                if case .loggedIn = event { continue }
                if !wasLoggedIn { #expect(effects.isEmpty, "seed \(seed), \(event): \(effects)") }
                let isShown = world.machine.shown == world.switches
                #expect(isShown, "seed \(seed), \(event)")
                if world.requests.count > 40 { break }
            }
            // The last answers arrive, some of which were lost until now.
            while let request = world.requests.first, let id = request.id {
                world.requests.removeFirst()
                world.send(.timedOut(id))
                if world.requests.count > 200 { break }
            }
            world.send(.appeared)
            world.settle()
            #expect(world.requests.isEmpty && !world.isAsked && !world.isRegistering, "seed \(seed)")
            guard let preferences = world.machine.device.current else { continue }
            settled += 1
            let isUpToDate = world.machine.isUpToDate
            #expect(isUpToDate, "seed \(seed)")
            #expect(world.on == world.wikis[preferences.primarySite] ?? [], "seed \(seed)")
            #expect(world.machine.device.typesOn == world.on, "seed \(seed)")
        }
        #expect(settled > 300)
    }

    @Test func `one request waits for its answer at a time`() {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            var world = PreferenceWorld(Self.table)
            world.send(.loggedIn(account: "Anna", wiki: "en"))
            for _ in 0..<60 {
                switch random.below(4) {
                case 0: world.answerNext(random.below(3) == 0 ? .lost : nil)
                case 1: world.send(.primaryLanguageChanged(to: random.pick(Self.wikis)))
                case 2: world.send(.registrationSucceeded(token: random.pick(["one", "two"])))
                default: world.send(.toggled(random.pick(Self.types), random.below(2) == 0))
                }
                #expect(world.requests.count <= 1, "seed \(seed)")
            }
        }
    }
}

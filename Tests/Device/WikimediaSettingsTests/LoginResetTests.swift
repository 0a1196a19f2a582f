import AppSimulation
import PushModel
import Testing
import WikimediaSettings

/// A login switches every type off at the wiki.
///
/// Source: Wikimedia's Phabricator, T271855: "If notification types are supposed to be toggled OFF by default, then upon
/// login we MUST make a call to options API toggle them all off on the server."
struct LoginResetTests {
    private static let everythingOff = Dictionary(
        uniqueKeysWithValues: NotificationTypeTable.wikimedia.types.map { ($0, false) })

    private func loggedIn(_ answers: [Machine.Answer?], on: Set<NotificationType> = []) -> PreferenceWorld {
        var world = PreferenceWorld()
        world.wikis["en"] = on
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        for answer in answers { world.answerNext(answer) }
        return world
    }

    @Test func `a login switches all types off on the server, and reads back (T271855)`() {
        var world = loggedIn([nil], on: ["mention", "cx", "system"])
        #expect(world.writes == [Self.everythingOff])
        #expect(world.on.isEmpty)
        #expect(world.switches.count == 16)
        world.answerNext()
        guard case .requestUserinfo(_, wiki: "en")? = world.requests.first else {
            Issue.record("no read: \(world.requests)")
            return
        }
        world.settle()
        // Types without a switch are not the app's.
        #expect(world.wikis["en"] == ["system"])
        #expect(world.errors.isEmpty && world.machine.isUpToDate)
        #expect(world.writes.count == 1)
    }

    @Test func `no other event switches everything off`() {
        var world = loggedIn([])
        world.settle()
        world.log = []
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        world.send(.appeared)
        world.settle()
        #expect(world.writes.isEmpty)
        world.send(.loggedIn(account: "Bela", wiki: "en"))
        world.settle()
        #expect(world.writes == [Self.everythingOff])
        var restored = Machine(restoring: world.machine.device)
        #expect(restored.handle(.loggedIn(account: "Bela", wiki: "en")).isEmpty)
    }

    @Test(arguments: [Machine.Answer.error(code: "readonly"), .lost])
    func `a reset that fails is an error, the switches show what the wiki has, and opening the screen tries again`(
        answer: Machine.Answer
    ) {
        var world = loggedIn([nil, answer], on: ["mention"])
        guard case .cannotSwitchOff? = world.errors.first else {
            Issue.record("\(world.errors)")
            return
        }
        world.settle()
        #expect(world.on == ["mention"])
        #expect(world.machine.device.typesOn == ["mention"])
        world.send(.appeared)
        world.settle()
        #expect(world.on.isEmpty)
        #expect(world.wikis["en"] == [])
    }

    @Test func `what the user switches on after a failure stays on`() {
        var world = loggedIn([nil, .error(code: "readonly")], on: ["cx", "mention"])
        world.settle()
        world.send(.toggled("reverted", true))
        world.settle()
        world.send(.appeared)
        world.settle()
        #expect(world.on == ["reverted"])
        #expect(world.wikis["en"] == ["reverted"])
    }

    @Test func `what the user switches on before the answer is on in the end`() {
        var world = loggedIn([nil], on: ["cx"])
        world.send(.toggled("mention", true))
        world.settle()
        #expect(world.writes == [Self.everythingOff, ["mention": true]])
        #expect(world.on == ["mention"])
        #expect(world.wikis["en"] == ["mention"])
    }

    @Test(arguments: [true, false])
    func `an option that the wiki does not change is an error only if it is on`(isOn: Bool) {
        let warning = #"Validation error for "echo-subscriptions-push-cx": not a valid preference."#
        var world = loggedIn([nil, .success(warnings: [warning])], on: isOn ? ["cx"] : [])
        world.settle()
        #expect(world.errors == (isOn ? [.cannotWrite(["cx"], reason: warning)] : []))
        #expect(world.on == (isOn ? ["cx"] : []))
    }

    @Test func `a session that has ended sends nothing more`() {
        var world = loggedIn([nil, .error(code: "notloggedin")])
        #expect(world.requests.isEmpty)
        #expect(world.errors == [.sessionEnded])
        #expect(world.send(.appeared).isEmpty)
    }

    @Test func `reading may fail, and a later read shows what the wiki has`() {
        var world = loggedIn([nil, nil, .lost])
        guard case .cannotRead? = world.errors.first else {
            Issue.record("\(world.errors)")
            return
        }
        #expect(world.on.isEmpty && !world.machine.isUpToDate)
        world.wikis["en"] = ["reverted"]
        world.send(.appeared)
        world.settle()
        #expect(world.on == ["reverted"])
    }
}

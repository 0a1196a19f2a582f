import AppSimulation
import PushModel
import Testing
import WikimediaSettings

/// Writes that fail, answers in any order, and changes of the primary language.
struct PreferenceWriteTests {
    /// A registered device, with `cx` on and a token.
    private func registered() -> PreferenceWorld { .loggedIn(on: ["cx"]) }

    @Test func `a write that fails puts the switch back`() {
        var world = registered()
        world.send(.toggled("mention", true))
        #expect(world.on == ["cx", "mention"])
        let effects = world.answerNext(.error(code: "readonly"))
        #expect(
            effects == [.showError(.cannotWrite(["mention"], reason: "readonly")), .showToggle("mention", false)])
    }

    @Test func `a warning that names the option is no success`() {
        var world = registered()
        world.send(.toggled("mention", true))
        world.send(.toggled("mention-failure", true))
        world.answerNext()
        let warning = #"Validation error for "echo-subscriptions-push-mention-failure": not a valid preference."#
        world.answerNext(.success(warnings: [warning]))
        #expect(world.errors == [.cannotWrite(["mention-failure"], reason: warning)])
        world.settle()
        #expect(world.on == ["cx", "mention"])
    }

    @Test func `a warning that names none of the options is looked into by reading back`() {
        var world = registered()
        world.send(.toggled("mention", true))
        let effects = world.answerNext(.success(warnings: ["Something is odd."]))
        #expect(world.requests.count == 1)
        guard case .requestUserinfo? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        world.settle()
        #expect(world.on == ["cx"])
    }

    @Test func `after an answer that is lost the wiki is asked what it has`() {
        for isDone in [true, false] {
            var world = registered()
            world.send(.toggled("mention", true))
            if isDone { world.wikis["en"]?.insert("mention") }
            world.answerNext(.lost)
            #expect(!world.machine.isUpToDate)
            world.settle()
            #expect(world.on == (isDone ? ["cx", "mention"] : ["cx"]))
            #expect(world.machine.isUpToDate)
        }
    }

    @Test func `a time limit is an answer that is lost, and a later answer is none`() throws {
        var world = registered()
        let effects = world.send(.toggled("mention", true))
        let id = try #require(effects.first?.id)
        world.send(.timedOut(id))
        #expect(world.errors.count == 1)
        #expect(world.send(.answered(id, .success(warnings: []))).isEmpty)
        #expect(world.on == ["cx"])
    }

    @Test func `a token that is refused is fetched once more, and no more than once`() {
        var world = registered()
        world.csrfToken = "new+\\"
        world.send(.toggled("mention", true))
        world.settle()
        #expect(world.wikis["en"] == ["cx", "mention"])
        #expect(world.errors.isEmpty)

        world.send(.toggled("reverted", true))
        world.answerNext(.error(code: "badtoken"))
        world.answerNext()
        let effects = world.answerNext(.error(code: "badtoken"))
        #expect(effects.contains(.showError(.cannotWrite(["reverted"], reason: "badtoken"))))
        #expect(world.requests.isEmpty)
        world.send(.toggled("reverted", true))
        world.settle()
        #expect(world.on == ["cx", "mention", "reverted"])
    }

    // Source: Phabricator T271855, "If there was a failure in setting it, show an error and reset toggles to what it was
    // before."
    @Test func `a wiki that says nobody is logged in ends the session, and the switch moves back`() {
        var world = registered()
        world.send(.toggled("mention", true))
        world.send(.toggled("cx", false))
        #expect(
            world.answerNext(.error(code: "notloggedin")) == [
                .showError(.sessionEnded), .showToggle("cx", true), .showToggle("mention", false),
            ])
        #expect(world.machine.shown.isEmpty)
        #expect(world.machine.device.decision(about: nil) == .suppressed(.loggedOut))
    }

    @Test func `what is switched twice before the first answer ends as it was left`() {
        for last in [true, false] {
            var world = registered()
            world.send(.toggled("mention", true))
            world.send(.toggled("mention", false))
            if last { world.send(.toggled("mention", true)) }
            world.settle()
            #expect(world.on.contains("mention") == last)
            #expect(world.wikis["en"]?.contains("mention") == last)
            #expect(world.writes == (last ? [["mention": true]] : [["mention": true], ["mention": false]]))
        }
    }

    @Test func `a failure of what is not wanted any more is not told`() {
        var world = registered()
        world.send(.toggled("mention", true))
        world.send(.toggled("mention", false))
        #expect(world.answerNext(.error(code: "readonly")).isEmpty)
    }

    @Test func `switches that move during a write go together with the next one`() {
        var world = registered()
        for type in ["mention", "reverted", "page-review"] { world.send(.toggled(NotificationType(type), true)) }
        #expect(world.requests.count == 1)
        world.settle()
        #expect(world.writes == [["mention": true], ["reverted": true, "page-review": true]])
    }

    @Test func `a write has fifty changes at most`() {
        let rows = (0..<101).map { NotificationTypeTable.Row("type-\($0)") }
        var world = PreferenceWorld(NotificationTypeTable(rows))
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        world.settle()
        #expect(world.writes.map(\.count) == [50, 50, 1])
        world.log = []
        for row in rows { world.send(.toggled(row.type, true)) }
        world.settle()
        #expect(world.writes.map(\.count) == [50, 50, 1])
        #expect(world.on.count == 101)
    }

    // MARK: - Another primary language

    @Test func `another primary language takes the settings along`() {
        var world = PreferenceWorld.loggedIn(on: ["cx", "mention"])
        world.wikis["de"] = ["mention", "reverted"]
        world.send(.primaryLanguageChanged(to: "de"))
        world.settle()
        #expect(world.wikis["de"] == ["cx", "mention"])
        #expect(world.on == ["cx", "mention"])
        #expect(world.writes == [["cx": true, "reverted": false]])
        #expect(world.machine.device.current?.primarySite == "de")
    }

    @Test(arguments: [
        (0, Machine.Answer.error(code: "readonly")), (0, .lost), (1, .error(code: "badtoken")), (2, .lost),
        (2, .error(code: "readonly")),
        (2, .success(warnings: [#"Validation error for "echo-subscriptions-push-cx": not a valid preference."#])),
    ])
    func `a copy that fails is behind the scenes, and the next load shows what the new wiki has (T271855)`(
        step: Int, answer: Machine.Answer
    ) {
        var world = PreferenceWorld.loggedIn(on: ["cx", "mention"])
        world.wikis["de"] = ["reverted"]
        world.send(.primaryLanguageChanged(to: "de"))
        for _ in 0..<step { world.answerNext() }
        world.answerNext(answer)
        world.settle()
        #expect(world.errors.isEmpty)
        #expect(world.on == ["cx", "mention"])
        #expect(world.wikis["de"] == ["reverted"])
        #expect(world.machine.device.current?.primarySite == "de")
        world.send(.appeared)
        world.settle()
        #expect(world.on == ["reverted"])
        #expect(world.machine.isUpToDate)
        #expect(world.wikis["en"] == ["cx", "mention"])
        #expect(world.errors.isEmpty)
    }

    @Test func `a switch that moves after a copy that failed is written to the new wiki`() {
        var world = PreferenceWorld.loggedIn(on: ["cx"])
        world.wikis["de"] = ["reverted"]
        world.send(.primaryLanguageChanged(to: "de"))
        world.answerNext(.lost)
        world.send(.toggled("mention", true))
        world.settle()
        #expect(world.wikis == ["en": ["cx"], "de": ["mention", "reverted"]])
        // And what is copied to a third wiki is what the second has.
        world.send(.primaryLanguageChanged(to: "fr"))
        world.settle()
        #expect(world.wikis["fr"] == ["mention", "reverted"])
    }

    @Test func `a language that changes back leaves the other wiki alone`() {
        var world = PreferenceWorld.loggedIn(on: ["cx"])
        world.send(.primaryLanguageChanged(to: "de"))
        world.answerNext()
        world.send(.primaryLanguageChanged(to: "en"))
        world.settle()
        #expect(world.wikis["de"] == nil)
        #expect(world.writes.isEmpty)
        #expect(world.machine.device.current?.primarySite == "en")
    }

    @Test func `what was never read is not copied`() {
        var world = PreferenceWorld()
        world.wikis["de"] = ["mention"]
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        world.send(.primaryLanguageChanged(to: "de"))
        // The token, and the request that switches everything off.
        world.answerNext()
        world.answerNext()
        world.answerNext(.lost)
        world.settle()
        #expect(world.wikis["de"] == ["mention"])
        #expect(world.machine.device.current?.primarySite == "de")
    }
}

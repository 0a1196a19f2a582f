import AppSimulation
import PushModel
import Testing
import WikimediaSettings

/// Switches, permission and registration.
struct PreferenceToggleTests {
    @Test func `what the wiki has on is shown on, and the device is registered for it`() {
        var world = PreferenceWorld()
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        world.settle()
        world.wikis["en"] = ["mention", "cx", "unknown-here"]
        world.send(.appeared)
        let effects = world.answerNext()
        #expect(world.on == ["mention", "cx"])
        #expect(effects.contains(.register))
        world.settle()
        #expect(world.machine.device.registration == .registered)
        #expect(world.machine.device.typesOn == ["mention", "cx"])
    }

    @Test func `the first switch asks for permission, and what is on at the wiki does not`() {
        var world = PreferenceWorld.loggedIn(on: ["cx"], permission: .notDetermined)
        #expect(!world.isAsked)
        #expect(world.send(.toggled("mention", true)) == [.askForPermission])
        #expect(world.send(.toggled("reverted", true)).isEmpty)
        #expect(world.send(.permissionAnswered(isGranted: true)) == [.register])
        world.isAsked = false
        world.settle()
        #expect(world.writes == [["mention": true, "reverted": true]])
        #expect(world.wikis["en"] == ["cx", "mention", "reverted"])
        #expect(world.machine.device.permission == .authorized)
    }

    @Test func `a no puts the switches back and says why`() {
        var world = PreferenceWorld.loggedIn(permission: .notDetermined)
        world.send(.toggled("mention", true))
        let effects = world.send(.permissionAnswered(isGranted: false))
        #expect(effects == [.showError(.permissionDenied), .showToggle("mention", false)])
        #expect(world.send(.toggled("cx", true)) == [.showError(.permissionDenied), .showToggle("cx", false)])
        #expect(world.writes.isEmpty)
    }

    @Test func `to switch off needs no permission`() {
        var world = PreferenceWorld.loggedIn(on: ["mention"])
        world.send(.settingsChanged(permission: .denied, alertsAreOn: true))
        world.send(.toggled("mention", false))
        world.settle()
        #expect(world.wikis["en"] == [])
        #expect(world.errors.isEmpty)
    }

    @Test func `the server has the token before anything is switched on there`() {
        var world = PreferenceWorld.loggedIn()
        #expect(world.send(.toggled("mention", true)) == [.register])
        world.isRegistering = false
        world.send(.registrationSucceeded(token: "device"))
        world.settle()
        let requests = world.log.compactMap { effect in
            switch effect {
            case .subscribe: "subscribe"
            case .writeOptions: "write"
            default: nil
            }
        }
        #expect(requests == ["subscribe", "write"])
    }

    @Test func `a registration that fails puts the switch back, and the next switch tries again`() {
        var world = PreferenceWorld.loggedIn()
        world.send(.toggled("mention", true))
        let effects = world.send(.registrationFailed(reason: "no network"))
        #expect(
            effects == [.showError(.registrationFailed(reason: "no network")), .showToggle("mention", false)])
        #expect(world.machine.device.registration == .failed(reason: "no network"))
        #expect(world.send(.toggled("cx", true)) == [.register])
        world.settle()
        #expect(world.on == ["cx"])
    }

    @Test(arguments: [Machine.Answer.error(code: "echo-push-topic-required"), .lost])
    func `a server that does not take the token is a subscription that failed`(answer: Machine.Answer) {
        var world = PreferenceWorld.loggedIn()
        world.send(.toggled("mention", true))
        world.isRegistering = false
        world.send(.registrationSucceeded(token: "device"))
        world.answerNext(answer)
        guard case .subscriptionFailed = world.machine.device.registration else {
            Issue.record("\(world.machine.device.registration)")
            return
        }
        #expect(world.errors.count == 1)
        #expect(world.on.isEmpty)
        #expect(world.writes.isEmpty)
        // The next switch tries again.
        #expect(world.send(.toggled("cx", true)) == [.register])
        world.settle()
        #expect(world.machine.device.registration == .registered)
        #expect(world.on == ["cx"])
    }

    @Test func `a token that the server has already is registered`() {
        var world = PreferenceWorld.loggedIn()
        world.send(.toggled("mention", true))
        world.isRegistering = false
        world.send(.registrationSucceeded(token: "device"))
        world.answerNext(.error(code: "echo-push-token-exists"))
        #expect(world.machine.device.registration == .registered)
        world.settle()
        #expect(world.wikis["en"] == ["mention"])
    }

    @Test func `another token is taken to the server, and the same one is not`() {
        var world = PreferenceWorld.loggedIn(on: ["mention"])
        #expect(world.send(.registrationSucceeded(token: "device")).isEmpty)
        let effects = world.send(.registrationSucceeded(token: "another"))
        guard case .subscribe(_, _, deviceToken: "another", _)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
    }

    @Test func `a logout takes the token back, and leaves nothing to come`() {
        var world = PreferenceWorld.loggedIn(on: ["mention"])
        world.send(.toggled("cx", true))
        #expect(world.send(.loggedOut) == [.unsubscribe(wiki: "en", deviceToken: "device", csrfToken: "t+\\")])
        #expect(world.machine.device.decision(about: "mention") == .suppressed(.loggedOut))
        while !world.requests.isEmpty { #expect(world.answerNext().isEmpty) }
        #expect(world.send(.toggled("cx", true)).isEmpty)
        #expect(world.send(.appeared).isEmpty)
        #expect(world.send(.registrationSucceeded(token: "late")).isEmpty)
    }

    @Test func `a type without a switch cannot be switched`() {
        var world = PreferenceWorld.loggedIn(on: ["cx"])
        #expect(world.send(.toggled("system", true)).isEmpty)
    }
}

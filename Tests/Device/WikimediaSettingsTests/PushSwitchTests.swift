import AppSimulation
import PushModel
import Testing
import WikimediaSettings

/// The switch for pushes as a whole. Source: Wikimedia's Phabricator, T288688, "Add primary toggle to enable and disable
/// push notifications".
struct PushSwitchTests {
    @Test func `switched on, the app asks for permission and registers, though no type is on (T288688)`() {
        var world = PreferenceWorld.loggedIn(permission: .notDetermined)
        #expect(!world.machine.pushIsOn && !world.machine.hidesTypes)
        #expect(world.send(.pushSwitched(true)) == [.askForPermission])
        #expect(world.send(.pushSwitched(true)).isEmpty)
        world.settle()
        #expect(world.machine.pushIsOn)
        #expect(world.writes.isEmpty)
        #expect(world.machine.device.decision(about: nil) == .delivered)
    }

    @Test func `switched off, the server loses the token, and the types keep their settings but are hidden (T288688)`()
    {
        var world = PreferenceWorld.loggedIn(on: ["mention"])
        #expect(
            world.send(.pushSwitched(false)) == [.unsubscribe(wiki: "en", deviceToken: "device", csrfToken: "t+\\")])
        #expect(!world.machine.pushIsOn && world.machine.hidesTypes)
        #expect(world.machine.device.decision(about: "mention") == .suppressed(.notRegistered))
        // Nothing registers it again but the switch.
        world.send(.toggled("cx", true))
        world.send(.appeared)
        world.send(.registrationSucceeded(token: "late"))
        world.settle()
        #expect(world.machine.device.registration == .none)
        #expect(world.on == ["mention"])
        world.send(.pushSwitched(true))
        world.settle()
        #expect(world.machine.pushIsOn && !world.machine.hidesTypes)
        #expect(world.machine.device.typesOn == ["mention"])
    }

    @Test func `a no to the prompt is an error, and the switch stays off`() {
        var world = PreferenceWorld.loggedIn(permission: .notDetermined)
        world.send(.pushSwitched(true))
        #expect(world.send(.permissionAnswered(isGranted: false)) == [.showError(.permissionDenied)])
        #expect(world.send(.appeared).allSatisfy { if case .requestUserinfo = $0 { true } else { false } })
        #expect(!world.machine.pushIsOn)
    }

    @Test func `a token that is on its way when pushes are switched off is withdrawn`() {
        var world = PreferenceWorld.loggedIn()
        world.send(.pushSwitched(true))
        world.isRegistering = false
        world.send(.registrationSucceeded(token: "device"))
        #expect(world.send(.pushSwitched(false)).isEmpty)
        #expect(world.answerNext() == [.unsubscribe(wiki: "en", deviceToken: "device", csrfToken: "t+\\")])
        #expect(world.machine.device.registration == .none)
    }

    @Test(arguments: [
        (true, true, BellPlace?.some(.feed)), (false, true, .some(.settings)), (true, false, nil), (false, false, nil),
    ])
    func `the bell is in the feed, or without one in the settings of who is logged in (wikipedia-ios 4109)`(
        showsFeed: Bool, isLoggedIn: Bool, place: BellPlace?
    ) {
        #expect(BellPlace(showsFeed: showsFeed, isLoggedIn: isLoggedIn) == place)
    }
}

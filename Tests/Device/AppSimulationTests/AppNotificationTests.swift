import AppSimulation
import PushModel
import Testing

/// How the app presents arriving notifications, and the state of the bell.
struct AppNotificationTests {
    private let loud = NotificationTraits(hasSound: true, hasBadge: true)

    private func launched() -> AppStateMachine {
        var app = AppStateMachine()
        _ = app.handle(.launch)
        return app
    }

    @Test(
        arguments: [
            ([.banner, .list, .sound, .badge], [.banner, .list, .sound, .badge]), ([.list], [.list]),
            ([.banner], [.banner]),
            ([.sound, .badge], [.sound, .badge]), ([.alert], [.banner, .list]),
            ([.alert, .sound], [.banner, .list, .sound]),
            ([], []),
        ] as [(PresentationOptions, PresentationOptions)])
    func `in the foreground the delegate decides`(answer: PresentationOptions, expected: PresentationOptions) {
        #expect(loud.presentation(state: .foreground, delegate: .answers(answer)) == expected)
    }

    @Test func `a delegate without the method shows nothing in the foreground, and no delegate shows all`() {
        #expect(loud.presentation(state: .foreground, delegate: .methodMissing) == [])
        #expect(loud.presentation(state: .foreground, delegate: .none) == [.banner, .list, .sound, .badge])
    }

    @Test(arguments: [AppState.background, .terminated, .forceQuit])
    func `elsewhere the system presents, whatever the delegate would say`(state: AppState) {
        for delegate in [PresentationDelegate.none, .methodMissing, .answers([])] {
            #expect(loud.presentation(state: state, delegate: delegate) == [.banner, .list, .sound, .badge])
        }
    }

    @Test(arguments: AppState.allCases)
    func `provisional and passive notifications go to the list without a sound`(state: AppState) {
        let delegate = PresentationDelegate.answers([.banner, .list, .sound])
        #expect(loud.presentation(state: state, delegate: delegate, permission: .provisional) == [.list])
        for reason in QuietReason.allCases {
            let quiet = NotificationTraits(hasSound: true, quiet: reason)
            #expect(quiet.presentation(state: state, delegate: delegate) == [.list])
        }
    }

    @Test(arguments: [NotificationPermission.denied, .notDetermined])
    func `without permission nothing is presented`(permission: NotificationPermission) {
        #expect(loud.presentation(state: .background, delegate: .none, permission: permission) == [])
    }

    @Test func `only what a notification brings is presented`() {
        #expect(NotificationTraits().presentation(state: .background, delegate: .none) == [.banner, .list])
        let badge = NotificationTraits(hasText: false, hasBadge: true)
        #expect(badge.presentation(state: .background, delegate: .none) == [.badge])
    }

    @Test func `the steps say how a notification was presented`() {
        var app = launched()
        #expect(
            app.handle(.arrived(id: "1", loud, .answers([.sound, .alert]))) == [.banner, .list, .sound, .markBell])
        #expect(app.handle(.arrived(id: "2", loud, .methodMissing)) == [.notPresented])
        #expect(app.notifications.map(\.id) == ["1", "2"])
    }

    @Test func `what comes does not disturb what is on the screen`() {
        var app = launched()
        _ = app.handle(.open(AppScreen("editor", kind: .editor, isModal: true)))
        _ = app.handle(.edit)
        let screens = app.screens
        _ = app.handle(.arrived(id: "1", loud, .answers([.banner, .list])))
        #expect(app.screens == screens)
        #expect(app.state == .foreground)
    }

    @Test func `the bell shows what the center has not shown since`() {
        var app = launched()
        #expect(!app.isBellUnread)
        _ = app.handle(.arrived(id: "1", loud, .none))
        #expect(app.isBellUnread)
        #expect(app.handle(.openCenter) == [.pushCenter, .clearBell])
        _ = app.handle(.back)
        #expect(!app.isBellUnread)
        _ = app.handle(.arrived(id: "2", loud, .none))
        #expect(app.handle(.tap) == [.pushCenter, .clearBell])
    }

    @Test func `a center on the screen shows at once what comes`() {
        var app = launched()
        _ = app.handle(.openCenter)
        _ = app.handle(.arrived(id: "1", loud, .none))
        #expect(!app.isBellUnread)
        // In the background it shows nothing; back in the foreground it does.
        _ = app.handle(.background)
        _ = app.handle(.arrived(id: "2", loud, .none))
        #expect(app.isBellUnread)
        #expect(app.handle(.launch) == [.comeToFront, .clearBell])
    }

    @Test func `a center that appears clears the bell`() {
        var app = launched()
        _ = app.handle(.openCenter)
        _ = app.handle(.open(AppScreen("article")))
        _ = app.handle(.arrived(id: "1", loud, .none))
        #expect(app.handle(.back) == [.back("article"), .clearBell])
    }

    @Test func `to see a notification is less than to read it`() {
        var app = launched()
        for id in ["1", "2", "3"] { _ = app.handle(.arrived(id: id, loud, .none)) }
        _ = app.handle(.read(id: "1"))
        #expect(app.notifications.allSatisfy { !$0.isRead })  // The center is not open.
        _ = app.handle(.tap)
        #expect(app.notifications.allSatisfy { !$0.isRead })
        _ = app.handle(.read(id: "2"))
        #expect(app.notifications.filter(\.isRead).map(\.id) == ["2"])
        _ = app.handle(.readAll)
        #expect(app.notifications.allSatisfy { $0.isRead })
    }

    @Test func `a notification that comes again is new again`() {
        var app = launched()
        _ = app.handle(.arrived(id: "1", loud, .none))
        _ = app.handle(.arrived(id: "2", loud, .none))
        _ = app.handle(.openCenter)
        _ = app.handle(.readAll)
        _ = app.handle(.back)
        _ = app.handle(.arrived(id: "1", loud, .none))
        #expect(app.notifications.map(\.id) == ["2", "1"])
        #expect(app.notifications.map(\.isRead) == [true, false])
        #expect(app.isBellUnread)
    }

    @Test func `a silent push wakes the app, unless the person has ended it`() {
        var app = AppStateMachine()
        #expect(app.handle(.arrivedSilently) == [.wake, .fetch])
        #expect(app.state == .background)
        #expect(app.handle(.arrivedSilently) == [.wake, .fetch])
        _ = app.handle(.launch)
        #expect(app.handle(.arrivedSilently) == [.fetch])
        _ = app.handle(.forceQuit)
        #expect(app.handle(.arrivedSilently) == [.keepSilent])
        #expect(app.state == .forceQuit)
    }
}

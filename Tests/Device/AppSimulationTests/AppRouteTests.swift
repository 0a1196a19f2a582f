import AppSimulation
import PushModel
import Testing

/// Where a tap on a notification leads, by the app's state and screens.
struct AppRouteTests {
    private let article = AppScreen("article")
    private let editor = AppScreen("editor", kind: .editor)
    private let modalEditor = AppScreen("editor", kind: .editor, isModal: true)
    private let share = AppScreen("share", isModal: true)

    /// An app in the foreground, with these screens on top of its first one.
    private func app(_ screens: AppScreen..., edited: Bool = false) -> AppStateMachine {
        var app = AppStateMachine()
        _ = app.handle(.launch)
        for screen in screens {
            _ = app.handle(.open(screen))
            if edited { _ = app.handle(.edit) }
        }
        return app
    }

    @Test(arguments: [AppState.terminated, .forceQuit])
    func `an app that does not run starts with the center`(state: AppState) {
        var app = AppStateMachine()
        if state == .forceQuit { _ = app.handle(.forceQuit) }
        #expect(app.handle(.tap) == [.launch, .showCenter])
        #expect(app.screens == [.main, .center])
        #expect(app.handle(.back) == [.back("centre")])
        #expect(app.top == .main)
    }

    @Test func `an app that the system ended returns to the article that was read most recently`() {
        let (ant, bee) = (AppScreen("Ant", kind: .article), AppScreen("Bee", kind: .article, isModal: true))
        // Closed, and covered by another screen.
        var app = app(ant)
        _ = app.handle(.back)
        _ = app.handle(.open(share))
        _ = app.handle(.terminate)
        #expect(app.handle(.tap) == [.launch, .restore("Ant"), .pushCenter])
        #expect(app.screens == [.main, ant, .center])
        // The last one that was on top, not the last one that was opened.
        app = self.app(ant, bee)
        #expect(app.lastArticle == AppScreen("Bee", kind: .article))
        _ = app.handle(.dismiss)
        _ = app.handle(.terminate)
        #expect(app.handle(.launch) == [.launch, .restore("Ant")])
    }

    @Test(arguments: [AppStateMachine.Event.forceQuit, .returnLate])
    func `an article does not come back after a force-quit, or more than 24 hours`(event: AppStateMachine.Event) {
        var app = app(AppScreen("Ant", kind: .article))
        _ = app.handle(.back)
        _ = app.handle(.background)
        if event == .forceQuit { _ = app.handle(event) }
        _ = app.handle(.terminate)
        if event == .returnLate { _ = app.handle(event) }
        #expect(app.handle(.launch) == [.launch])
        // And not the next time either.
        _ = app.handle(.terminate)
        #expect(app.handle(.tap) == [.launch, .showCenter])
    }

    @Test func `the center is pushed over plain screens, and back returns`() {
        var app = app(article)
        #expect(app.handle(.tap) == [.pushCenter])
        #expect(app.screens == [.main, article, .center])
        #expect(app.handle(.back) == [.back("centre")])
        #expect(app.top == article)
    }

    @Test func `an app in the background comes to the front first`() {
        var app = app(article)
        _ = app.handle(.background)
        #expect(app.top == nil)
        #expect(app.handle(.tap) == [.comeToFront, .pushCenter])
        #expect(app.top == .center)
    }

    @Test func `modal screens are dismissed first, the one on top before the others`() {
        var app = app(article, share, AppScreen("mail", isModal: true))
        #expect(app.handle(.tap) == [.dismissModal("mail"), .dismissModal("share"), .pushCenter])
        #expect(app.screens == [.main, article, .center])
    }

    @Test func `what was pushed within a modal screen goes with it`() {
        var app = app(share, article)
        #expect(app.handle(.tap) == [.dismissModal("share"), .pushCenter])
        #expect(app.screens == [.main, .center])
    }

    @Test func `a center on top is not pushed twice`() {
        var app = app(article)
        _ = app.handle(.openCenter)
        #expect(app.handle(.tap) == [.showCenter])
        #expect(app.handle(.openCenter) == [.showCenter])
        #expect(app.screens == [.main, article, .center])
    }

    @Test func `a center that appears under a modal screen is not pushed twice`() {
        var app = app()
        _ = app.handle(.openCenter)
        _ = app.handle(.open(share))
        #expect(app.handle(.tap) == [.dismissModal("share"), .showCenter])
        #expect(app.screens == [.main, .center])
    }

    @Test func `a center further down is pushed again, so that back returns to what was there`() {
        var app = app()
        _ = app.handle(.openCenter)
        _ = app.handle(.open(article))
        #expect(app.handle(.tap) == [.pushCenter])
        _ = app.handle(.back)
        #expect(app.top == article)
    }

    @Test func `an editor without unsaved work is no obstacle`() {
        var pushed = app(editor)
        #expect(pushed.handle(.tap) == [.pushCenter])
        _ = pushed.handle(.back)
        #expect(pushed.top == editor)
        var modal = app(modalEditor)
        #expect(modal.handle(.tap) == [.dismissModal("editor"), .pushCenter])
    }

    @Test func `unsaved work is asked about, and cancel changes nothing`() {
        for screen in [editor, modalEditor] {
            var app = app(article, screen, edited: true)
            let before = app
            #expect(app.handle(.tap) == [.askToDiscard("editor")])
            #expect(app.screens == before.screens)
            #expect(app.handle(.confirm(.cancel)) == [.cancel])
            #expect(app == before)
        }
    }

    @Test func `unsaved work that is discarded goes, and the way goes on`() {
        for screen in [editor, modalEditor] {
            var app = app(article, screen, edited: true)
            _ = app.handle(.tap)
            #expect(app.handle(.confirm(.discard)) == [.discard("editor"), .pushCenter])
            #expect(app.screens == [.main, article, .center])
            _ = app.handle(.back)
            #expect(app.top == article)
        }
    }

    @Test func `an editor under a modal screen is asked about too`() {
        var app = app(editor, edited: true)
        _ = app.handle(.open(share))
        #expect(app.handle(.tap) == [.askToDiscard("editor")])
        #expect(app.handle(.confirm(.discard)) == [.dismissModal("share"), .discard("editor"), .pushCenter])
        #expect(app.screens == [.main, .center])
    }

    @Test func `an editor under other pushed screens stays as it is, with its work`() {
        var app = app(editor, edited: true)
        _ = app.handle(.open(article))
        #expect(app.handle(.tap) == [.pushCenter])
        #expect(app.screens[1].hasUnsavedWork)
    }

    @Test func `work that was saved is not asked about`() {
        var app = app(editor, edited: true)
        #expect(app.handle(.save) == [.save("editor")])
        #expect(app.handle(.tap) == [.pushCenter])
    }

    @Test func `the question covers the screen, and is asked once`() {
        var app = app(editor, edited: true)
        _ = app.handle(.tap)
        for event in [AppStateMachine.Event.back, .dismiss, .open(article), .openCenter, .save, .edit, .tap] {
            #expect(app.handle(event).isEmpty)
        }
        #expect(app.screens.count == 2)
        #expect(app.handle(.confirm(.cancel)) == [.cancel])
        #expect(app.handle(.confirm(.discard)).isEmpty)
    }

    @Test func `closing an editor asks about unsaved work as well`() {
        var pushed = app(editor, edited: true)
        #expect(pushed.handle(.back) == [.askToDiscard("editor")])
        #expect(pushed.handle(.confirm(.discard)) == [.discard("editor")])
        #expect(pushed.screens == [.main])
        var modal = app(modalEditor, edited: true)
        _ = modal.handle(.dismiss)
        #expect(modal.handle(.confirm(.cancel)) == [.cancel])
        _ = modal.handle(.dismiss)
        // A tap during the question is answered together with it.
        #expect(modal.handle(.tap).isEmpty)
        #expect(modal.handle(.confirm(.discard)) == [.discard("editor"), .pushCenter])
    }

    @Test func `unsaved work is lost with the process, and so is the question`() {
        var app = app(editor, edited: true)
        _ = app.handle(.tap)
        #expect(app.handle(.terminate).isEmpty)
        #expect(app.handle(.confirm(.discard)).isEmpty)
        #expect(app.handle(.launch) == [.launch])
        #expect(app.screens == [.main])
    }

    @Test func `plain screens return after the system has ended the app, and what was modal or written does not`() {
        var app = app(article, share)
        _ = app.handle(.background)
        _ = app.handle(.terminate)
        #expect(app.screens.isEmpty)
        #expect(app.handle(.launch) == [.launch, .restore("article")])
        #expect(app.screens == [.main, article])
        _ = app.handle(.open(editor))
        _ = app.handle(.terminate)
        #expect(app.handle(.tap) == [.launch, .restore("article"), .pushCenter])
        #expect(app.screens == [.main, article, .center])
        _ = app.handle(.terminate)
        _ = app.handle(.returnLate)
        #expect(app.handle(.tap) == [.launch, .showCenter])
    }

    @Test(arguments: [(0, false), (86_399_999, false), (86_400_000, false), (86_400_999, false), (86_401_000, true)])
    func `an absence is long after more than 24 hours, in whole seconds`(milliseconds: Int64, isLong: Bool) {
        #expect(AppStateMachine.isLongAbsence(since: 7, at: 7 + milliseconds) == isLong)
        #expect(!AppStateMachine.isLongAbsence(since: .max, at: .min))
        #expect(AppStateMachine.isLongAbsence(since: .min, at: .max))
    }

    @Test func `the system does not end what the person has ended`() {
        var app = app()
        _ = app.handle(.forceQuit)
        _ = app.handle(.terminate)
        #expect(app.state == .forceQuit)
    }

    @Test func `the first screen cannot be left, and what is not there cannot be closed`() {
        var app = app()
        #expect(app.handle(.back).isEmpty)
        #expect(app.handle(.dismiss).isEmpty)
        #expect(app.handle(.edit).isEmpty)
        #expect(app.handle(.save).isEmpty)
        #expect(app.screens == [.main])
    }
}

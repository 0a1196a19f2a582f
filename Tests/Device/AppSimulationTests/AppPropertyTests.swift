import AppSimulation
import PushModel
import TestSupport
import Testing

/// Invariants of the app for random events.
struct AppPropertyTests {
    private func event(_ random: inout SeededGenerator) -> AppStateMachine.Event {
        let screens = [
            AppScreen("article"), AppScreen("editor", kind: .editor), AppScreen("share", isModal: true),
            AppScreen("note", kind: .editor, isModal: true), AppScreen("ant", kind: .article),
            AppScreen("bee", kind: .article, isModal: true),
        ]
        switch random.below(25) {
        case 0: return .background
        case 1: return random.below(4) == 0 ? .terminate : .launch
        case 2: return random.below(4) == 0 ? .forceQuit : .launch
        case 3, 4, 5, 6: return .open(random.pick(screens))
        case 7: return .openCenter
        case 8: return .dismiss
        case 9, 10: return .back
        case 11, 12: return .edit
        case 13: return .save
        case 14: return .confirm(random.pick(AppStateMachine.Confirmation.allCases))
        case 15: return .read(id: random.pick(["1", "2", "3"]))
        case 16: return .readAll
        case 17: return .arrivedSilently
        case 18, 19:
            return .arrived(
                id: random.pick(["1", "2", "3"]), NotificationTraits(quiet: random.below(2) == 0 ? .passive : nil),
                random.pick([.none, .methodMissing, .answers([.list, .banner])]))
        case 20, 21: return .tapTo(random.pick(screens))
        case 22: return .act("MARK_READ")
        default: return .tap
        }
    }

    /// Applies random events, and passes each step with the state before it to `body`.
    private func walk(
        _ body: (_ before: AppStateMachine, AppStateMachine.Event, [AppStateMachine.Step], AppStateMachine) -> Void
    ) {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            var app = AppStateMachine()
            for _ in 0..<80 {
                let before = app
                let event = event(&random)
                body(before, event, app.handle(event), app)
            }
        }
    }

    @Test func `an app that runs has its first screen at the bottom, and one that does not has none`() {
        walk { _, event, _, app in
            #expect(app.state.isRunning == (app.screens.first == .main), "\(event)")
            #expect(app.state.isRunning || app.screens.isEmpty && app.question == nil, "\(event)")
            #expect(app.top?.kind != .center || !app.isBellUnread, "\(event)")
        }
    }

    @Test func `a tap ends in the center or in a question, and back returns to what was there`() {
        var returned = 0
        walk { before, event, steps, app in
            guard event == .tap else { return }
            if app.question != nil {
                #expect(app.screens == before.screens)
                return
            }
            #expect(app.top == .center)
            guard steps.contains(.pushCenter) else { return }
            returned += 1
            var back = app
            _ = back.handle(.back)
            let screens = (before.state.isRunning ? before.screens : [.main]) + before.restorable
            #expect(back.screens == Array(screens.prefix { !$0.isModal }))
        }
        #expect(returned > 100)
    }

    @Test func `a tap that leads to a screen ends there or in a question, and an action changes no screen`() {
        var taps = 0
        var actions = 0
        walk { before, event, steps, app in
            switch event {
            case .tapTo(let screen) where app.question == nil:
                taps += 1
                #expect(app.top == screen)
                #expect(steps.last == .open(screen.name) || steps.last == .clearBell)
            case .act:
                actions += 1
                #expect(app.screens == (before.screens.isEmpty ? [.main] : before.screens))
            default: break
            }
        }
        #expect(taps > 100 && actions > 100)
    }

    @Test func `no unsaved work goes without having been asked about`() {
        walk { before, event, steps, app in
            let unsaved = { (app: AppStateMachine) in app.screens.filter(\.hasUnsavedWork).count }
            guard unsaved(app) < unsaved(before) else { return }
            switch event {
            case .confirm(.discard): #expect(before.question != nil)
            case .save: #expect(unsaved(app) + 1 == unsaved(before))
            // Terminating the process does not ask.
            case .terminate, .forceQuit, .forceStop: break
            default: Issue.record("\(event) lost work: \(steps)")
            }
        }
    }

    @Test func `cancel leaves the screens as they were before the question`() {
        var cancelled = 0
        walk { before, event, _, app in
            guard before.question == nil, app.question != nil else { return }
            var answered = app
            #expect(answered.handle(.confirm(.cancel)) == [.cancel])
            cancelled += 1
            // A tap brings the app to the foreground, and cancel does not undo that.
            var expected = before
            if event.opensApp { _ = expected.handle(.launch) }
            #expect(answered == expected)
        }
        #expect(cancelled > 100)
    }

    @Test func `what comes changes nothing on the screen`() {
        walk { before, event, _, app in
            guard case .arrived = event else { return }
            #expect(app.screens == before.screens && app.state == before.state && app.question == before.question)
        }
    }
}

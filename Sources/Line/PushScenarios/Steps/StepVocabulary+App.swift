import PushGherkinRunner
import PushModel
import PushPipeline

/// The app on a device: its state, its screens, taps, and the steps that it takes.
extension StepVocabulary {
    /// The user's actions in the app, with the event for each.
    private static let deeds:
        [(pattern: String, summary: String, example: String, event: DeviceEvent.Name, member: String?, value: String?)] =
            [
                (
                    "the user taps the notification on {string}", "The newest notification on the device.",
                    "When the user taps the notification on \"anna\"", .tap, nil, nil
                ),
                (
                    "the user wipes the notification off {string}", "The newest notification on the device.",
                    "When the user wipes the notification off \"anna\"", .dismiss, nil, nil
                ),
                (
                    "the user clears the screen of {string}", "Removes all notifications.",
                    "When the user clears the screen of \"anna\"", .clear, nil, nil
                ),
                (
                    "the user goes back on {string}", "Pops the top screen.",
                    "When the user goes back on \"anna\"", .back, nil, nil
                ),
                (
                    "the user closes the modal screen on {string}", "The modal screen on top.",
                    "When the user closes the modal screen on \"anna\"", .close, nil, nil
                ),
                (
                    "the user writes in the editor on {string}", "The editor on top, which then has unsaved work.",
                    "When the user writes in the editor on \"anna\"", .edit, nil, nil
                ),
                (
                    "the user saves on {string}", "The work in the editor on top.", "When the user saves on \"anna\"",
                    .save, nil, nil
                ),
                (
                    "the user discards the unsaved work on {string}", "Answers the app's question.",
                    "When the user discards the unsaved work on \"anna\"", .confirm, "answer", "discard"
                ),
                (
                    "the user keeps the unsaved work on {string}", "Answers the app's question: nothing changes.",
                    "When the user keeps the unsaved work on \"anna\"", .confirm, "answer", "cancel"
                ),
                (
                    "the user reads everything on {string}", "Marks all notifications as read in the app's own list.",
                    "When the user reads everything on \"anna\"", .read, nil, nil
                ),
            ]

    static func addApps(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the app on {string} is {string}",
            summary: "The state of the app: foreground, background, terminated, force-quit or force-stopped.",
            example: "Given the app on \"anna\" is \"foreground\""
        ) { world, step in
            try world.happen(StepEvent(.device, device: try step.text(0), "state", try step.text(1)).text)
        }
        try library.add(
            .given, "the app on {string} presents {string} in the foreground",
            summary:
                "The presentation options that the app's delegate returns: banner, list, sound and badge; an empty text for none.",
            example: "Given the app on \"anna\" presents \"banner, list\" in the foreground"
        ) { world, step in
            try world.happen(StepEvent(.device, device: try step.text(0), "will_present", try step.text(1)).text)
        }
        for deed in deeds {
            try library.add(.when, deed.pattern, summary: deed.summary, example: deed.example) { world, step in
                let device = try step.text(0)
                var event = StepEvent(deed.event, device: device)
                if let member = deed.member, let value = deed.value { event.add(member, value) }
                if deed.event.isInApp {
                    try world.happenInApp(event, on: device)
                } else {
                    try world.happen(event.text)
                }
            }
        }
        try addScreensOfApps(to: &library)
        try addSteps(to: &library)
    }

    private static func addScreensOfApps(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the user opens the screen {string} on {string}",
            summary: "Pushes a screen.", example: "When the user opens the screen \"article\" on \"anna\""
        ) { world, step in
            let device = try step.text(1)
            try world.happenInApp(StepEvent(.open, device: device, "screen", try step.text(0)), on: device)
        }
        try library.add(
            .when, "the user reads the article {string} on {string}",
            summary:
                "Pushes a screen with an article. After the system has ended the app, it returns to the article that was read most recently.",
            example: "When the user reads the article \"Ant\" on \"anna\""
        ) { world, step in
            let device = try step.text(1)
            var event = StepEvent(.open, device: device, "screen", try step.text(0))
            event.add("kind", "article")
            try world.happenInApp(event, on: device)
        }
        try library.add(
            .when, "the user opens the modal screen {string} on {string}",
            summary: "Presents it over the other screens.",
            example: "When the user opens the modal screen \"search\" on \"anna\""
        ) { world, step in
            let device = try step.text(1)
            var event = StepEvent(.open, device: device, "screen", try step.text(0))
            event.add("modal", "true")
            try world.happenInApp(event, on: device)
        }
        try library.add(
            .when, "the user opens the editor {string} on {string}",
            summary: "Presents it over the other screens.",
            example: "When the user opens the editor \"note\" on \"anna\""
        ) { world, step in
            let device = try step.text(1)
            var event = StepEvent(.open, device: device, "screen", try step.text(0))
            event.add("kind", "editor")
            event.add("modal", "true")
            try world.happenInApp(event, on: device)
        }
        try library.add(
            .when, "the user opens the pushed editor {string} on {string}",
            summary: "Pushes an editor, which the user leaves by going back.",
            example: "When the user opens the pushed editor \"note\" on \"anna\""
        ) { world, step in
            let device = try step.text(1)
            var event = StepEvent(.open, device: device, "screen", try step.text(0))
            event.add("kind", "editor")
            try world.happenInApp(event, on: device)
        }
        try library.add(
            .when, "the user opens the centre on {string}",
            summary: "Opens the app's own list of notifications.",
            example: "When the user opens the centre on \"anna\""
        ) { world, step in
            let device = try step.text(0)
            var event = StepEvent(.open, device: device, "screen", "centre")
            event.add("kind", "centre")
            try world.happenInApp(event, on: device)
        }
    }

    private static func addSteps(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the app does {string}",
            summary:
                "The steps in the last report line, in order; an empty text for none.",
            example: "Then the app does \"dismiss-modal search, push-centre\""
        ) { world, step in
            let wanted = try step.text(0)
            let last = try world.last()
            let found = last.steps.joined(separator: ", ")
            guard found == wanted else { throw StepFailure("the app does \"\(found)\"") }
        }
        try library.add(
            .then, "the app is not disturbed",
            summary: "The last message may be presented, but nothing else happens in the app.",
            example: "Then the app is not disturbed"
        ) { world, _ in
            let harmless = ["banner", "list", "sound", "badge", "toast", "not-presented", "mark-bell"]
            let last = try world.last()
            if let step = last.steps.first(where: { !harmless.contains($0) }) {
                throw StepFailure("the app does \"\(step)\"")
            }
        }
        try library.add(
            .then, "there is nothing to do",
            summary: "The last event has no effect.", example: "Then there is nothing to do"
        ) { world, _ in
            let last = try world.last()
            guard last.outcome == .ignored else { throw StepFailure("the event is \(last)") }
        }
    }
}

extension DeviceEvent.Name {
    /// True if the user does it in the app, where nothing may cover it.
    fileprivate var isInApp: Bool {
        switch self {
        case .back, .close, .edit, .save, .confirm, .read: true
        default: false
        }
    }
}

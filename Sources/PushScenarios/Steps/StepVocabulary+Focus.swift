import GherkinRunner
import PushModel

/// What silences notifications at the device: a Focus, and the scheduled summary.
extension StepVocabulary {
    static func addFocus(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "a Focus is on at {string}",
            summary: "It silences all apps; time-sensitive and critical notifications pass.",
            example: "Given a Focus is on at \"anna\""
        ) { world, step in try world.happen(StepEvent(.focus, device: try step.text(0), "on", "true").text) }
        try library.add(
            .given, "a Focus is on at {string} that allows {string}",
            summary: "The apps that it does not silence, separated by commas.",
            example: "Given a Focus is on at \"anna\" that allows \"org.example.chat\""
        ) { world, step in
            var event = StepEvent(.focus, device: try step.text(0), "on", "true")
            event.add("apps", try step.text(1))
            try world.happen(event.text)
        }
        try library.add(
            .given, "a Focus is on at {string} that allows nothing time-sensitive",
            summary: "Only critical notifications pass.",
            example: "Given a Focus is on at \"anna\" that allows nothing time-sensitive"
        ) { world, step in
            var event = StepEvent(.focus, device: try step.text(0), "on", "true")
            event.add("time_sensitive", "false")
            try world.happen(event.text)
        }
        try library.add(
            .when, "the user turns the Focus off at {string}", summary: "No Focus is on then.",
            example: "When the user turns the Focus off at \"anna\""
        ) { world, step in try world.happen(StepEvent(.focus, device: try step.text(0), "on", "false").text) }
        for (text, value) in [("is", "true"), ("is not", "false")] {
            try library.add(
                .given, "the app on {string} \(text) in the scheduled summary",
                summary: "What is neither time-sensitive nor critical goes to the list alone while it is.",
                example: "Given the app on \"anna\" \(text) in the scheduled summary"
            ) { world, step in try world.happen(StepEvent(.summary, device: try step.text(0), "on", value).text) }
        }
        try library.add(
            .then, "the push is quiet because of {string}",
            summary: "It is in the list, without banner and sound: focus, summary, passive or provisional.",
            example: "Then the push is quiet because of \"focus\""
        ) { world, step in
            let last = try world.last()
            guard last.quiet == (try step.text(0)) else {
                throw StepFailure(last.quiet.map { "it is quiet because of \"\($0)\"" } ?? "it is not quiet")
            }
        }
        try library.add(
            .then, "the push is not quiet", summary: "Nothing at the device silences it.",
            example: "Then the push is not quiet"
        ) { world, _ in
            if let quiet = try world.last().quiet { throw StepFailure("it is quiet because of \"\(quiet)\"") }
        }
    }
}

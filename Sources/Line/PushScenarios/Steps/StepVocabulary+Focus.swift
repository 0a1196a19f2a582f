import PushGherkinRunner
import PushModel

/// A Focus and the scheduled summary, which silence notifications at the device.
extension StepVocabulary {
    static func addFocus(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "a Focus is on at {string}",
            summary: "It silences all apps; time-sensitive and critical notifications pass.",
            example: "Given a Focus is on at \"anna\""
        ) { world, step in try world.happen(focus(try step.text(0), ("on", "true"))) }
        try library.add(
            .given, "a Focus is on at {string} that allows {string}",
            summary: "The apps that it does not silence, separated by commas.",
            example: "Given a Focus is on at \"anna\" that allows \"org.example.chat\""
        ) { world, step in
            try world.happen(focus(try step.text(0), ("on", "true"), ("apps", try step.text(1))))
        }
        try library.add(
            .given, "a Focus is on at {string} that allows the people {string}",
            summary: """
                The people whose communication notifications pass, separated by commas, by the names that these notifications show.
                """,
            example: "Given a Focus is on at \"anna\" that allows the people \"Ada, Grace\""
        ) { world, step in
            let people = try step.text(1).split(separator: ",").map { words in
                String(words.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            var event = StepEvent(.focus, device: try step.text(0))
            event.add("on", "true")
            event.add("people", texts: people)
            try world.happen(event.text)
        }
        try library.add(
            .given, "a Focus is on at {string} that allows nothing time-sensitive",
            summary: "Only critical notifications pass.",
            example: "Given a Focus is on at \"anna\" that allows nothing time-sensitive"
        ) { world, step in
            try world.happen(focus(try step.text(0), ("on", "true"), ("time_sensitive", "false")))
        }
        try library.add(
            .when, "the user turns the Focus off at {string}", summary: "No Focus is on then.",
            example: "When the user turns the Focus off at \"anna\""
        ) { world, step in try world.happen(focus(try step.text(0), ("on", "false"))) }
        for (text, value) in [("is", "true"), ("is not", "false")] {
            try library.add(
                .given, "the app on {string} \(text) in the scheduled summary",
                summary: "What is neither time-sensitive nor critical goes to the list alone while it is.",
                example: "Given the app on \"anna\" \(text) in the scheduled summary"
            ) { world, step in try world.happen(StepEvent(.summary, device: try step.text(0), "on", value).text) }
        }
        try library.add(
            .then, "the push is quiet because of {string}",
            summary: "It is in the list, without banner and sound: focus, summary, passive, provisional or channel.",
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

    /// The event `focus` with these members.
    private static func focus(_ device: String, _ members: (String, String)...) -> String {
        var event = StepEvent(.focus, device: device)
        for (name, value) in members { event.add(name, value) }
        return event.text
    }
}

import GherkinRunner
import PushDecoding
import PushPipeline

/// What is set before pushes arrive, and pushes.
extension StepVocabulary {
    static func addSettings(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "pushes that name no device go to {string}",
            summary: """
                As `run --device`; the device is `default` otherwise. Any name will do here, while a `device` in an APNs record is a token: \
                hexadecimal digits, or the answer is `BadDeviceToken`.
                """,
            example: "Given pushes that name no device go to \"anna\""
        ) { world, step in
            let device = try step.text(0)
            guard !device.isEmpty else { throw StepFailure("a device needs a name") }
            world.configuration.decoding.device = device
        }
        try library.add(
            .given, "pushes that name no app are for {string}",
            summary: "As `run --topic`: a bundle identifier or package name.",
            example: "Given pushes that name no app are for \"org.example.news\""
        ) { world, step in
            world.configuration.decoding.topic = try step.text(0)
        }
        try library.add(
            .given, "an extension that replaces by {string}",
            summary: "As `run --replace-by`: what an extension does that removes earlier notifications of the same id.",
            example: "Given an extension that replaces by \"custom-payload-id\""
        ) { world, step in
            let key = try step.text(0)
            guard !key.isEmpty else { throw StepFailure("the member of the payload needs a name") }
            world.configuration.decoding.replacementKey = key
        }
    }

    static func addPushes(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the following push(es) arrive(s):", argument: .docString,
            summary:
                "Delivers what stands below, in any form that `run` reads: a payload, a request, or several a line each.",
            example: """
                When the following push arrives:
                  \"\"\"json
                  {"aps":{"alert":"Dinner is ready"}}
                  \"\"\"
                """
        ) { world, step in
            try world.receive(try step.docStringContent())
        }
        try library.add(
            .when, "a push {string} arrives",
            summary:
                "Delivers a record that is short enough to stand in the step; in single quotes, JSON needs no escapes.",
            example: #"When a push '{"aps":{"alert":"Dinner is ready"}}' arrives"#
        ) { world, step in
            try world.receive(try step.text(0))
        }
    }
}

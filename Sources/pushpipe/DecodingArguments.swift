import ArgumentParser
import PushDecoding
import PushModel
import PushPipeline
import RecordFraming

/// Options of `run` and `lint` for reading records.
struct DecodingArguments: ParsableArguments {
    @Option(help: "How records are told apart.")
    var framing = Framing.auto

    @Option(help: "Read every record as this format; recognised from its keys otherwise.")
    var provider: RecordFormat?

    @Option(help: "The device of payloads that name none. (default: \"default\")")
    var device: String?

    @Option(help: "The app of payloads that name none: a bundle identifier or package name.")
    var topic: String?

    @Option(
        help:
            "The kind of device behind GCM and FCM tokens. (default: android, but for messages with an apns block alone)"
    )
    var platform: Platform?

    @Option(help: "Hold every message against this budget: a name or a number of bytes.")
    var budget: Budget?

    @Option(help: ArgumentHelp("Longest record in bytes; K, M or G may follow.", valueName: "bytes"))
    var maxRecord = "1M"

    /// The options, validated.
    ///
    /// - Throws: `ValidationError`.
    func options() throws -> DecodingOptions {
        var options = DecodingOptions()
        options.format = provider
        options.platform = platform
        if let device {
            guard !device.isEmpty else { throw ValidationError("--device needs a name.") }
            options.device = device
        }
        options.topic = topic ?? ""
        options.budget = budget
        return options
    }
}

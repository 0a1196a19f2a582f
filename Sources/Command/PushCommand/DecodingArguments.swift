import ArgumentParser
import PushDecoding
import PushModel
import RecordFraming

struct InputArguments: ParsableArguments {
    @Option(name: .customLong("framing"), help: "How to split the input into records.")
    var givenFraming = Framing.auto

    @Option(
        help: ArgumentHelp(
            "Take each payload from this place in its record, such as /log/payload: an object, or a string that holds it.",
            valueName: "pointer"))
    var at: String?

    @Flag(help: "Skip text before the object on each line, as in the output of kubectl logs.")
    var skipPrefix = false
    @Option(help: "Read every record as this format. (default: recognized from its keys)")
    var provider: RecordFormat?

    @Flag(help: "Accept single quotes, bare keys and trailing commas, and report each correction.")
    var relaxed = false

    @Option(help: ArgumentHelp("Longest record in bytes, with an optional suffix K, M or G.", valueName: "bytes"))
    var maxRecord = OptionValue.defaultRecordBytes

    /// - Throws: `ValidationError`.
    func maximumRecordBytes() throws -> Int { try OptionValue.byteCount(maxRecord) }

    /// - Throws: `ValidationError`.
    func framing() throws -> Framing { try OptionValue.framing(givenFraming, skipsPrefix: skipPrefix) }
}

struct MessageArguments: ParsableArguments {
    @Option(
        help: """
            Device for payloads that name none, and the only one whose screen, trace or snapshot is shown: its name, or the beginning of it. \
            (default: "default", and all)
            """)
    var device: String?
    @Option(help: "App for payloads that name none: a bundle identifier or package name.")
    var topic: String?

    @Option(
        help:
            "Device platform of GCM and FCM tokens. (default: android; ios for messages with only an apns block)"
    )
    var platform: Platform?

    @Option(help: "Check every message against this budget: a name or a number of bytes.")
    var budget: Budget?

    /// The options, validated, with those for records.
    ///
    /// - Throws: `ValidationError`.
    func options(_ input: InputArguments) throws -> DecodingOptions {
        var options = DecodingOptions()
        options.advice = Advice.options
        options.format = input.provider
        options.acceptsRelaxedJSON = input.relaxed
        options.location = try OptionValue.location(input.at, skipsPrefix: input.skipPrefix)
        options.platform = platform
        options.budget = budget
        options.topic = topic ?? ""
        if let device { options.device = device }
        if device == "" { throw ValidationError("--device needs a name.") }
        return options
    }
}

/// Options of `lint` and `schema` for reading records.
struct DecodingArguments: ParsableArguments {
    @OptionGroup var input: InputArguments
    @OptionGroup var message: MessageArguments
    /// - Throws: `ValidationError`.
    func options() throws -> DecodingOptions { try message.options(input) }
}

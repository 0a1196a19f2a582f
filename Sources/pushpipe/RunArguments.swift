import ArgumentParser
import PushPipeline

/// Arguments that `run` and `trace` share.
struct RunArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Files of payloads.", valueName: "file"), completion: .file())
    var files: [String] = []

    @OptionGroup var decoding: DecodingArguments

    @Flag(help: "Cut the texts of an alert that is over its budget, so that it fits, and report what was cut.")
    var fit = false

    @Option(
        help: ArgumentHelp(
            "Which texts --fit may cut, in this order; implies --fit. (default: body,subtitle,title)",
            valueName: "texts"))
    var fitOrder: String?

    @Flag(help: "Read single quotes, bare keys and trailing commas too, and report what was changed.")
    var relaxed = false

    @Option(
        help: ArgumentHelp(
            "Replace as an extension would that looks up this member of the payload: a name, or a JSON Pointer.",
            valueName: "key"))
    var replaceBy: String?

    @OptionGroup(title: "Devices") var deviceOptions: DeviceArguments

    @OptionGroup(title: "Service extension") var serviceExtension: ExtensionArguments

    @Option(
        help: ArgumentHelp("Keep what is on the screens in this SQLite file.", valueName: "file"), completion: .file())
    var store: String?

    @OptionGroup(title: "Privacy") var redaction: RedactionArguments

    @Flag(help: "Show what is on each screen at the end.")
    var screen = false

    @Option(
        help: ArgumentHelp(
            "Time of delivery: wall, or a start as epoch seconds or RFC 3339, from which each record takes a millisecond.",
            valueName: "time"))
    var clock = "wall"

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if there was one: malformed, rejected, error or warning (a finding). May be repeated.",
            valueName: "what"))
    var failOn: [FailureCondition] = []
}

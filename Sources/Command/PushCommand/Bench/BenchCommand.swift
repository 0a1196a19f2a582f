import ArgumentParser

struct BenchCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast payloads are processed on this machine.",
        discussion: CommandHelp.bench)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var work: WorkArguments
    @OptionGroup(title: "Measurement") var measurement: MeasurementArguments
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> BenchPlan { try BenchPlan(self) }

    func run() throws { try plan().execute() }
}

struct MeasurementArguments: ParsableArguments {
    // Its value begins with a dash.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Measure generated traffic: options of pushpipe generate, as one argument. --count is 100000 here by default.",
            valueName: "options"))
    var generate: String?

    @Option(help: ArgumentHelp("Passes over the input before the first sample.", valueName: "n"))
    var warmup = 1

    @Option(
        help: ArgumentHelp(
            "Number of samples. (default: as many as --time allows, at least 5)", valueName: "n"))
    var samples: Int?

    @Option(help: ArgumentHelp("Seconds that the samples take together.", valueName: "seconds"))
    var time = 3.0
    @Option(help: ArgumentHelp("Records to measure the latency of; 0 for none.", valueName: "n"))
    var latencyRecords = 5000
    @Option(help: "Format of the result on standard output: text or json.")
    var format = Format.text

    @Option(
        help: ArgumentHelp("Also write the result to this file, as JSON.", valueName: "file"), completion: .file())
    var save: String?

    @Option(
        help: ArgumentHelp("Say what changed since this result, which --save wrote.", valueName: "file"),
        completion: .file())
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if a record takes more time by more than this and the noise; needs --compare.",
            valueName: "percent"))
    var failOnRegression: Double?

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    /// The names of these options, with the dashes. Each has a value.
    static let names = [
        "--generate", "--warmup", "--samples", "--time", "--latency-records", "--format", "--save", "--compare",
        "--fail-on-regression",
    ]
}

public import ArgumentParser
public import PushWorkload

extension WorkloadDeviceChoice: ExpressibleByArgument {}

/// The traffic that `generate` writes and `bench --generate` measures.
struct WorkloadArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: "Number of records.")
    var count = 1000

    @Option(parsing: .unconditional, help: "Seed of the random numbers.")
    var seed: UInt64 = 1
    @Option(parsing: .unconditional, help: ArgumentHelp("Number of devices.", valueName: "n"))
    var deviceCount = 1000
    @Option(help: "How devices are chosen: skewed sends more to some of them, uniform the same to all.")
    var deviceChoice = WorkloadDeviceChoice.skewed
    @Option(help: "Relative weights of the providers.")
    var mix = "apns=5,gcm=2,fcm=1"
    @Option(parsing: .unconditional, help: "Share of records that replace an earlier notification, 0 to 1.")
    var replaceRate = "0.2"
    @Option(parsing: .unconditional, help: "Share of malformed records, 0 to 1.")
    var malformedRate = "0"
    @Option(parsing: .unconditional, help: "Share of device events, 0 to 1.")
    var eventRate = "0"

    @Option(
        help: ArgumentHelp(
            "Make every record an APNs alert of this many bytes, for benchmarks; --mix is ignored then.",
            valueName: "bytes"))
    var recordBytes: String?

    /// Validates here, so that errors come with the usage of the command.
    func validate() throws { _ = try configuration() }

    /// - Throws: `ValidationError`.
    func configuration() throws -> WorkloadConfiguration {
        let bytes = try recordBytes.map { text in try OptionValue.byteCount(text, option: "--record-bytes") }
        do {
            return try WorkloadConfiguration(
                count: count, seed: seed, devices: deviceCount, mix: WorkloadMix(parsing: mix),
                replaceRate: WorkloadRate(parsing: replaceRate), malformedRate: WorkloadRate(parsing: malformedRate),
                eventRate: WorkloadRate(parsing: eventRate), recordBytes: bytes, deviceChoice: deviceChoice)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

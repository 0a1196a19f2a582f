import ArgumentParser
import PayloadJSON
import PushWorkload

/// `pushpipe generate`: synthetic traffic.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate synthetic push traffic, identical for identical arguments on every machine.",
        discussion: "  pushpipe generate --count 100000 | pushpipe run --report none")

    @Option(help: "Number of records.")
    var count = 1000

    @Option(help: "Seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(help: "Number of devices.")
    var devices = 1000

    @Option(help: "Relative weights of the providers.")
    var mix = "apns=5,gcm=2,fcm=1"

    @Option(help: "Share of records that replace an earlier notification, 0 to 1.")
    var replaceRate = "0.2"

    @Option(help: "Share of malformed records, 0 to 1.")
    var malformedRate = "0"

    @Option(help: "Share of device events, 0 to 1.")
    var eventRate = "0"

    @Flag(help: "Write only the events that register the devices, one per line: a file for run --devices.")
    var register = false

    @Option(help: "Make every record an APNs alert of this many bytes, for benchmarks; --mix is ignored then.")
    var recordBytes: Int?

    /// Validates here, so that errors come with the usage of this command.
    func validate() throws { _ = try configuration() }

    private func configuration() throws -> WorkloadConfiguration {
        do {
            return try WorkloadConfiguration(
                count: count, seed: seed, devices: devices, mix: WorkloadMix(parsing: mix),
                replaceRate: WorkloadRate(parsing: replaceRate), malformedRate: WorkloadRate(parsing: malformedRate),
                eventRate: WorkloadRate(parsing: eventRate), recordBytes: recordBytes)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() throws {
        let configuration = try configuration()
        var generator = WorkloadGenerator(configuration)
        let output = StandardOutput()
        var chunk: [UInt8] = []
        var isDone = false
        var registered = 0
        while !isDone {
            chunk.removeAll(keepingCapacity: true)
            while chunk.count < 60_000, !isDone {
                if register {
                    isDone = !generator.appendRegistration(of: registered, to: &chunk)
                    registered += 1
                } else {
                    isDone = !generator.appendRecord(to: &chunk)
                }
            }
            try chunk.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                try output.append { $0.append(BorrowedText(start: start, count: bytes.count)) }
            }
        }
        try output.flush()
    }
}

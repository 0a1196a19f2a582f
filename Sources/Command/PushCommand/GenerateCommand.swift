import ArgumentParser
import PayloadJSON
import PushStreams
import PushWorkload

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate synthetic push traffic, identical for identical arguments on every machine.",
        discussion: "  pushpipe generate --count 100000 | pushpipe run --format none")

    @OptionGroup var workload: WorkloadArguments
    @Flag(help: "Write only the events that register the devices, one per line: a file for run --devices.")
    var register = false

    func run() throws {
        var generator = WorkloadGenerator(try workload.configuration())
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

import ExtensionHosting
import PushFraming
import PushJSON
import PushModel
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whatever a process writes, every push is reported once and in order, and the process receives one JSON object per line.
///
/// No process is started: the bytes come from a pipe, up to a byte 0xFF from the first one, the rest from those that are
/// started after it.
enum ExtensionCheck {
    private static let pushes = (1...4).map { number in
        #"{"device":"\#(number == 3 ? "cd" : "ab")","headers":{"apns-topic":"org.example","apns-collapse-id":"c\#(number & 1)"},"#
            + #""payload":{"aps":{"alert":{"title":"T","body":"\#(number)"},"mutable-content":1},"x":"\u2028"}}"#
    }.joined(separator: "\n")

    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes), input.text.count < 60_000, isHarmless(input.text) else { return nil }
            let script = Script(input.text.split(separator: 0xFF, omittingEmptySubsequences: false).map { Array($0) })
            defer { script.close() }

            var options = ExtensionConfiguration(executable: "/nonexistent/extension")
            options.sandbox = FuzzFolder.path
            options.mayFilter = input.options.0 & 1 != 0
            options.removal = input.options.0 & 2 == 0 ? .immediate : .delayed(.seconds(1))
            options.instances = input.options.0 & 4 == 0 ? 1 : 2
            options.standIn = { script.next() }
            var configuration = PipelineConfiguration()
            configuration.clock = .fixed(milliseconds: 1_000_000)
            configuration.framing = .ndjson
            do {
                let host = try ExtensionHost(options)
                defer { host.finish() }
                let pipeline = Pipeline(
                    configuration, deliveringTo: FreshStore(), [RegistryStage(), ServiceExtensionStage(host)])
                var seqs: [UInt64] = []
                var trouble: String?
                try pipeline.process(pushes) { report in
                    seqs.append(report.seq)
                    trouble = trouble ?? check(report)
                }
                if let trouble { return trouble }
                if seqs != [1, 2, 3, 4] { return "reports \(seqs)" }
            } catch {
                return "the pipeline threw \(error)"
            }
            for channel in script.channels {
                if let trouble = check(channel.heard()) { return trouble }
            }
            return nil
        }
    }

    /// An attachment is moved from the path in its message. Inputs with a path, however it is spelled, must not move real files.
    private static func isHarmless(_ text: UnsafeRawBufferPointer) -> Bool {
        func has(_ word: StaticString) -> Bool {
            let word = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard text.count >= word.count else { return false }
            return (0...text.count - word.count).contains { text[$0..<$0 + word.count].elementsEqual(word) }
        }
        return !has("path") && !has("\\u00")
    }

    private static func check(_ report: borrowing RecordReport) -> String? {
        var out = ByteBuffer()
        NDJSONReport().append(report, to: &out)
        let isWhole = !out.bytes.dropLast().contains(UInt8(ascii: "\n")) && isJSON(out.bytes)
        if !isWhole { return "a report line that is not JSON: \(readable(out.bytes))" }
        if report.message.serviceExtension == nil { return "a push without an extension result" }
        let changes = report.message.changes
        return changes.isEmpty || isJSON(changes.bytes) ? nil : "changes that are not JSON: \(readable(changes.buffer))"
    }

    private static func check(_ heard: [UInt8]) -> String? {
        // The capacity of a pipe; input that is cut off there ends within a line.
        for line in heard.split(separator: UInt8(ascii: "\n")).prefix(heard.count < 60_000 ? .max : 1) {
            if !Array(line).withUnsafeBytes(isJSON) {
                return "the process received a line that is not JSON: \(readable(line))"
            }
        }
        return nil
    }

    /// The output of the processes, and their pipes.
    // SOUND: a pipeline with one job works on the caller's thread alone.
    private final class Script: @unchecked Sendable {
        private var stages: ArraySlice<[UInt8]>
        private(set) var channels: [Channel] = []

        init(_ stages: [[UInt8]]) { self.stages = stages[...] }

        func next() -> (input: Int32, output: Int32) {
            let channel = Channel(saying: stages.popFirst() ?? [])
            channels.append(channel)
            return (channel.input, channel.output)
        }

        func close() {
            for channel in channels { channel.closeAll() }
        }
    }

    /// Two pipes: one that has been written to and closed, and one that is read at the end.
    private final class Channel {
        let input: Int32
        let output: Int32
        private let listening: Int32

        init(saying bytes: [UInt8]) {
            var toChild: [Int32] = [-1, -1]
            var fromChild: [Int32] = [-1, -1]
            guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { fatalError("no pipe") }
            for descriptor in toChild + fromChild {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            }
            _ = write(fromChild[1], bytes, bytes.count)
            close(fromChild[1])
            input = toChild[1]
            output = fromChild[0]
            listening = toChild[0]
        }

        /// The bytes written to the process.
        func heard() -> [UInt8] {
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(listening, &buffer, buffer.count)
                guard count > 0 else { return all }
                all += buffer[..<count]
            }
        }

        // The host has closed the other two.
        func closeAll() { close(listening) }
    }
}

/// A folder for extensions, the same for all inputs of a process.
private enum FuzzFolder {
    static let path: String = {
        "/tmp/pushpipe-fuzz-XXXXXX".withCString { template in
            let copy = strdup(template)
            defer { free(copy) }
            guard let copy, let path = mkdtemp(copy) else { return "/tmp" }
            return String(cString: path)
        }
    }()
}

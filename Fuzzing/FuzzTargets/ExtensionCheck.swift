import ExtensionHost
import PayloadJSON
import PushModel
import PushPipeline
import RecordFraming

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whatever a process says, every push is reported once and in order, and what it is told is a JSON object a line.
///
/// No process is started: the bytes come out of a pipe, up to a byte 0xFF out of the first one, the rest out of those that are
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
                    configuration, deliveringTo: FreshStore(),
                    deviceStages: [RegistryStage(), ServiceExtensionStage(host)])
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

    /// Attachments are moved by the path that they are given. Here they are not to be, however it is spelled.
    private static func isHarmless(_ text: UnsafeRawBufferPointer) -> Bool {
        func has(_ word: StaticString) -> Bool {
            let word = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard text.count >= word.count else { return false }
            return (0...text.count - word.count).contains { text[$0..<$0 + word.count].elementsEqual(word) }
        }
        return !has("path") && !has("\\u00")
    }

    private static func check(_ report: RecordReport) -> String? {
        var out = ByteBuffer()
        NDJSONReport().append(report, to: &out)
        let isWhole = !out.bytes.dropLast().contains(UInt8(ascii: "\n")) && isJSON(out.bytes)
        if !isWhole { return "a report line that is not JSON: \(readable(out.bytes))" }
        if report.message.serviceExtension == nil { return "a push that no extension was started for" }
        let changes = report.message.changes
        return changes.isEmpty || isJSON(changes.bytes) ? nil : "changes that are not JSON: \(readable(changes.buffer))"
    }

    private static func check(_ heard: [UInt8]) -> String? {
        // A pipe holds so much; what is cut off there is cut off in a line.
        for line in heard.split(separator: UInt8(ascii: "\n")).prefix(heard.count < 60_000 ? .max : 1) {
            if !Array(line).withUnsafeBytes(isJSON) { return "it is told what is not JSON: \(readable(line))" }
        }
        return nil
    }

    /// What the processes say, and the pipes that they have been given.
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

    /// Two pipes: one that has been written to and closed, and one that is read when all is over.
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

        /// What was written for the process to read.
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

#if os(Linux)
    import Foundation
    import Synchronization

    /// The two pipes to the host. Each line of JSON is a message.
    final class HostConnection: Sendable {
        private let input: Int32
        private let output: Int32
        private let writing = Mutex(())

        private init(input: Int32, output: Int32) {
            self.input = input
            self.output = output
        }

        /// Takes standard input and output for the protocol: the extension reads an empty standard input, and prints to standard error.
        static func takeOverStandardStreams() -> HostConnection {
            let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
            let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            dup2(STDERR_FILENO, STDOUT_FILENO)
            let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if nothing >= 0 {
                dup2(nothing, STDIN_FILENO)
                close(nothing)
            }
            return HostConnection(input: input, output: output)
        }

        /// Writes a message. Exits if the host is gone.
        func send(_ message: [String: Any]) {
            // Sorted, because the host keeps some of what it gets.
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? JSONSerialization.data(withJSONObject: message, options: options) else { return }
            send(line + [UInt8(ascii: "\n")])
        }

        /// Writes lines, each with its line feed.
        func send(_ lines: Data) {
            writing.withLock { _ in
                lines.withUnsafeBytes { bytes in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let part = UnsafeRawBufferPointer(rebasing: rest)
                        let count = write(output, part.baseAddress, part.count)
                        if count > 0 {
                            rest = rest.dropFirst(count)
                        } else if count == 0 || errno != EINTR {
                            exit(0)
                        }
                    }
                }
            }
        }

        /// Hands over one line after the other, without its line feed, until the host closes the pipe.
        func forEachLine(_ body: (_ line: Data) -> Void) {
            var pending = Data()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                var rest = buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    body(pending + rest[..<end])
                    pending = Data()
                    rest = rest[(end + 1)...]
                }
                pending += rest
            }
        }
    }
#endif

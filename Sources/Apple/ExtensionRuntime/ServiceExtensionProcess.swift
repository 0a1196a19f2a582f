#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization
    public import UserNotifications

    /// Runs a service extension as the child process that `pushpipe run --extension` starts.
    ///
    /// The complete `main.swift`:
    ///
    ///     import ExtensionRuntime
    ///
    ///     ServiceExtensionProcess.main { NotificationService() }
    ///
    /// The main thread runs the main queue and the main run loop, as in an app. `didReceive` runs on another thread, one push at a time, with a
    /// new instance for each. Standard output carries the protocol (`Documentation/reference/extension-protocol.md`), so what the extension
    /// prints goes to standard error.
    public enum ServiceExtensionProcess {
        /// Handles pushes until standard input ends, then exits with status 0.
        ///
        /// When started by hand, without a host, it explains how to start it and exits with status 2.
        public static func main(_ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) -> Never {
            guard ProcessInfo.processInfo.environment["PUSHPIPE_EXTENSION_PROTOCOL"] == "1" else {
                let name = CommandLine.arguments.first ?? "EXECUTABLE"
                FileHandle.standardError.write(
                    Data(
                        "This is a notification service extension. Start it with: pushpipe run --extension \(name)\n"
                            .utf8)
                )
                exit(2)
            }
            signal(SIGPIPE, SIG_IGN)
            if let language = ProcessInfo.processInfo.environment["PUSHPIPE_LANGUAGE"] {
                LocalizedText.language = language
                if !BundleLanguage.choose(language) {
                    FileHandle.standardError.write(Data("The language cannot be chosen with this Foundation.\n".utf8))
                }
            }
            UserDefaults.loadSeeds()
            let connection = HostConnection.takeOverStandardStreams()
            let server = PushServer(connection: connection, makeExtension: makeExtension)
            server.start()
            // A run loop without a timer returns at once.
            let idle = Timer(timeInterval: 1e9, repeats: true) { _ in }
            RunLoop.main.add(idle, forMode: .default)
            while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        }
    }

    /// The language in which a bundle's texts are looked up.
    ///
    /// On Linux, Foundation reads only the folder that `CFBundleDevelopmentRegion` names, whatever the environment or defaults say. So the
    /// language is set by changing that entry of the main bundle's dictionary before the first lookup, with functions of Core Foundation that
    /// Foundation for Linux exports without declaring them to Swift.
    enum BundleLanguage {
        private typealias GetBundle = @convention(c) () -> UnsafeRawPointer?
        private typealias GetInformation = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
        private typealias SetValue = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> Void

        /// Chooses the folder `NAME.lproj`. Returns false if that is not possible.
        static func choose(_ language: String) -> Bool {
            guard let getBundle = function("CFBundleGetMainBundle", as: GetBundle.self),
                let getInformation = function("CFBundleGetInfoDictionary", as: GetInformation.self),
                let setValue = function("CFDictionarySetValue", as: SetValue.self),
                let bundle = getBundle(), let information = getInformation(bundle)
            else { return false }
            // Never released: the dictionary keeps them for the life of the process.
            let key = Unmanaged.passRetained(NSString(string: "CFBundleDevelopmentRegion")).toOpaque()
            let value = Unmanaged.passRetained(NSString(string: language)).toOpaque()
            setValue(information, key, value)
            return true
        }

        private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            // Nil is the main program.
            guard let address = dlsym(nil, name) else { return nil }
            // SOUND: the types above are those of Core Foundation's headers.
            return unsafeBitCast(address, to: type)
        }
    }

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

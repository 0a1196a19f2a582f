#if os(Linux)
    import Dispatch
    import Foundation
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
#endif

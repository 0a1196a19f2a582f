#if os(Linux)
    import Foundation
    import ServiceExtension
    import UserNotifications

    /// `time-extension [PUSHES [ROUNDS [NAME]]]`: pushes per second of a `ServiceExtensionHarness` in process.
    ///
    /// One line per case: microseconds per push in the best and in the median round, and pushes per second in the median. Every push is a
    /// new notification, and each round has a new device. Payloads are created in advance. With NAME, runs only cases with NAME in theirs.
    @main
    enum ExtensionTiming {
        static func main() async throws {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let pushes = arguments.count > 0 ? Int(arguments[0]) ?? 0 : 20_000
            let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 9
            guard pushes > 0, rounds > 0, arguments.count <= 3 else {
                FileHandle.standardError.write(Data("usage: time-extension [PUSHES [ROUNDS [NAME]]]\n".utf8))
                exit(2)
            }
            for (name, make) in extensions {
                for (size, payloads) in [("119 bytes", short(pushes)), ("415 bytes", long(pushes))] {
                    try await time("\(name), \(size), in one call", payloads, rounds) { harness, payloads in
                        guard try await harness.deliver(payloads).allSatisfy({ $0.outcome == .modified }) else {
                            throw NotModified()
                        }
                    } make: {
                        make()
                    }
                    try await time("\(name), \(size), one by one", payloads, rounds) { harness, payloads in
                        for payload in payloads {
                            guard try await harness.deliver(payload).outcome == .modified else { throw NotModified() }
                        }
                    } make: {
                        make()
                    }
                }
            }
        }

        private static func time(
            _ name: String, _ payloads: [String], _ rounds: Int,
            _ body: @Sendable (ServiceExtensionHarness, [String]) async throws -> Void,
            make: @escaping @Sendable () -> UNNotificationServiceExtension
        ) async throws {
            guard CommandLine.arguments.dropFirst(3).first.map({ name.contains($0) }) ?? true else { return }
            var times: [Double] = []
            for _ in 0..<rounds {
                let harness = ServiceExtensionHarness(makeExtension: make)
                let start = ContinuousClock.now
                try await body(harness, payloads)
                times.append((ContinuousClock.now - start) / .microseconds(payloads.count))
            }
            times.sort()
            let median = (times[(rounds - 1) / 2] + times[rounds / 2]) / 2
            let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
            print(padded + String(format: "%7.2f %7.2f us %8.0f/s", times[0], median, 1e6 / median))
        }

        private static let extensions: [(String, @Sendable () -> UNNotificationServiceExtension)] = [
            ("title", { TitleService() }), ("user info", { UserInfoService() }),
            ("from another queue", { QueueService() }),
        ]

        private static func short(_ count: Int) -> [String] {
            (0..<count).map { number in
                #"{"aps":{"alert":{"title":"North-west","body":"\#(String(format: "%06d", number)) of 98 counted"},"mutable-content":1},"custom-payload-id":"nw"}"#
            }
        }

        private static func long(_ count: Int) -> [String] {
            let text = String(repeating: "All quiet at the polling stations. ", count: 6)
            return (0..<count).map { number in
                #"{"aps":{"alert":{"title":"North-west","subtitle":"Election night","body":"\#(text)"},"badge":1,"sound":"default","thread-id":"nw","category":"RESULT","mutable-content":1},"custom-payload-id":"nw","counted":\#(String(format: "%06d", number + 100_000)),"shares":[41.5,38.25,20.25]}"#
            }
        }

        private struct NotModified: Error {}
    }

    /// Changes the title, as Xcode's template does.
    private final class TitleService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            content.title += " [modified]"
            contentHandler(content)
        }
    }

    /// Reads the payload.
    private final class UserInfoService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            content.threadIdentifier = content.userInfo["custom-payload-id"] as? String ?? ""
            contentHandler(content)
        }
    }

    /// Calls its handler from another queue.
    private final class QueueService: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            // SOUND: the handler may be called from any thread, and is called once.
            nonisolated(unsafe) let handle = contentHandler
            DispatchQueue.global().async { handle(request.content) }
        }
    }
#else
    @main
    enum ExtensionTiming {
        static func main() { print("time-extension is for Linux") }
    }
#endif

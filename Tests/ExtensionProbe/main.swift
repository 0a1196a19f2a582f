#if os(Linux)
    import ExtensionRuntime
    import SampleExtension
    import UserNotifications

    /// Read once: Foundation takes the whole environment apart for it.
    let probe = ProcessInfo.processInfo.environment["PUSHPIPE_PROBE"] ?? "template"

    /// What the variable `PUSHPIPE_PROBE` asks for. The sample extensions are run as they are; the others end the process in some way.
    func makeExtension() -> UNNotificationServiceExtension {
        switch probe {
        case "silent": SilentService()
        case "late": LateService()
        case "twice": TwiceService()
        case "empty": EmptyService()
        case "leaky": LeakyService()
        case "local": LocalService()
        case "blocking": BlockingService()
        case "custom-id": CustomIDService()
        case "racing-custom-id": racingCustomID()
        case "attachment": AttachmentService()
        case "badge": BadgeService()
        case "async": AsyncService()
        case "crash": ProbeService { _, _ in crash() }
        case "crash-on-bad":
            ProbeService { content, handler in
                if content.body == "bad" { crash() }
                handler(content)
            }
        case "crash-after-handler":
            ProbeService { content, handler in
                content.subtitle = "handled"
                handler(content)
                crash()
            }
        case "exit": ProbeService { _, _ in exit(3) }
        case "hang": ProbeService { _, _ in while true { sleep(1) } }
        case "print":
            ProbeService { content, handler in
                print("not a message")
                handler(content)
            }
        case "memory":
            ProbeService { content, handler in
                hoard.append([UInt8](repeating: 1, count: 64 << 20))
                sleep(1)
                handler(content)
            }
        case "main-queue":
            ProbeService { content, handler in
                DispatchQueue.main.async {
                    content.subtitle = Thread.isMainThread ? "main" : "other"
                    handler(content)
                }
            }
        case "group":
            ProbeService { content, handler in
                if let defaults = UserDefaults(suiteName: "group.org.example.probe") {
                    defaults.set(defaults.integer(forKey: "count") + 1, forKey: "count")
                    content.badge = defaults.integer(forKey: "count") as NSNumber
                }
                handler(content)
            }
        case "user-info":
            ProbeService { content, handler in
                content.userInfo["list"] = [1, 2.5, "three", true] as [Any]
                content.userInfo["date"] = Date(timeIntervalSince1970: 1)
                content.userInfo["data"] = Data([1, 2])
                content.userInfo.removeValue(forKey: "secret")
                handler(content)
            }
        default: TemplateService()
        }
    }

    private nonisolated(unsafe) var hoard: [[UInt8]] = []

    private func racingCustomID() -> CustomIDService {
        let service = CustomIDService()
        service.waitsForRemoval = false
        return service
    }

    /// Ends the process as a trap of Swift's does.
    private func crash() -> Never {
        fatalError("asked to crash")
    }

    /// Does what it is told with a copy of the content.
    final class ProbeService: UNNotificationServiceExtension {
        private let work: (UNMutableNotificationContent, @escaping (UNNotificationContent) -> Void) -> Void

        init(_ work: @escaping (UNMutableNotificationContent, @escaping (UNNotificationContent) -> Void) -> Void) {
            self.work = work
            super.init()
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            work(content, contentHandler)
        }
    }

    ServiceExtensionProcess.main { makeExtension() }
#endif

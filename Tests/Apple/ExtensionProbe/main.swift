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
        case "firebase":
            ProbeService { content, handler in
                // Where Firebase's helper looks for the picture.
                let options = content.userInfo["fcm_options"] as? [String: Any]
                content.subtitle = options?["image"] as? String ?? "no image"
                handler(content)
            }
        case "async": AsyncService()
        case "authorities":
            ProbeService { content, handler in
                content.title = lastLine(of: "/etc/ssl/certs/ca-certificates.crt")
                handler(content)
            }
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
        case "receipt":
            ProbeService { content, handler in
                let variables = ProcessInfo.processInfo.environment
                var request = URLRequest(url: probeURL())
                request.httpMethod = "POST"
                URLSession.shared.dataTask(with: request) { data, _, _ in
                    try? data?.write(to: URL(fileURLWithPath: variables["PUSHPIPE_PROBE_FILE"] ?? ""))
                }.resume()
                handler(content)
            }
        case "download":
            ProbeService { content, handler in
                URLSession(configuration: .default).downloadTask(with: probeURL()) { file, response, _ in
                    content.subtitle = response?.suggestedFilename ?? ""
                    handler(content)
                }.resume()
            }
        case "locale":
            ProbeService { content, handler in
                content.title = Locale.current.identifier
                content.subtitle = Locale.preferredLanguages.joined(separator: ",")
                content.body = String(format: "%.1f", locale: .current, 1.5)
                handler(content)
            }
        case "nil-defaults":
            ProbeService { content, handler in
                UserDefaults.standard.set(nil, forKey: "token")
                let nothing: URL? = nil
                UserDefaults.standard.set(nothing, forKey: "url")
                content.subtitle = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask)[0].path
                handler(content)
            }
        case "categories":
            ProbeService { content, handler in
                let center = UNUserNotificationCenter.current()
                center.getNotificationCategories { categories in
                    content.subtitle = categories.map(\.identifier).sorted().joined(separator: " ")
                    let reply = UNTextInputNotificationAction(
                        identifier: "REPLY", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: "")
                    let category = UNNotificationCategory(
                        identifier: content.body, actions: [reply], intentIdentifiers: [],
                        options: .customDismissAction)
                    center.setNotificationCategories(categories.union([category]))
                    content.categoryIdentifier = content.body
                    handler(content)
                }
            }
        case "sender":
            ProbeService { content, handler in
                content.communicate(from: content.body, image: nil)
                handler(content)
            }
        case "level":
            ProbeService { content, handler in
                content.interruptionLevel = .timeSensitive
                handler(content)
            }
        case "keychain":
            ProbeService { content, handler in
                let item =
                    [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "key"] as CFDictionary
                if content.body == "add" { SecItemAdd(item, nil) }
                content.subtitle = "\(SecItemCopyMatching(item, nil))"
                handler(content)
            }
        case "file":
            ProbeService { content, handler in
                let group = "group.org.example.probe"
                let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
                let file = (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("key")
                do {
                    if content.body == "add" { try Data("key".utf8).write(to: file) }
                    content.subtitle = try String(contentsOf: file, encoding: .utf8)
                } catch {
                    content.subtitle = "\((error as NSError).code)"
                }
                handler(content)
            }
        case "previews":
            ProbeService { content, handler in
                UNUserNotificationCenter.current().getNotificationSettings { settings in
                    content.subtitle = "\(settings.showPreviewsSetting.rawValue)"
                    handler(content)
                }
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

    private func lastLine(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        var last = ""
        while fgets(&line, Int32(line.count), file) != nil { last = String(cString: line) }
        return last
    }

    private func probeURL() -> URL {
        ProcessInfo.processInfo.environment["PUSHPIPE_PROBE_URL"].flatMap { URL(string: $0) }
            ?? URL(fileURLWithPath: "/")
    }

    /// Ends the process as a trap of Swift's does.
    private func crash() -> Never { fatalError("asked to crash") }

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

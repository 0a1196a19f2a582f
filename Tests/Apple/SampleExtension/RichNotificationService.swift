#if os(Linux)
    import UserNotifications

    /// What longer extensions do, with no other import: user info, downloads, attachments, groups, the centre, the main queue.
    final class RichNotificationService: UNNotificationServiceExtension {
        private let defaults = UserDefaults(suiteName: "group.org.example.sample")
        private var handler: ((UNNotificationContent) -> Void)?
        private var content = UNMutableNotificationContent()
        private var task: URLSessionDownloadTask?

        override init() {
            super.init()
            defaults?.setValue(1, forKey: "starts")
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            handler = contentHandler
            content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
            let started: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()

            guard let aps = content.userInfo["aps"] as? [String: Any], let alert = aps["alert"] as? NSDictionary else {
                contentHandler(request.content)
                return
            }
            autoreleasepool {
                content.subtitle =
                    (alert["subtitle"] as? String) ?? String(localized: "No subtitle", comment: "fallback")
                content.badge = ((defaults?.value(forKey: "badge") as? Int) ?? 4) + 1 as NSNumber
                content.sound = UNNotificationSound(named: UNNotificationSoundName("ping.caf"))
                content.userInfo["seen"] = CFAbsoluteTimeGetCurrent() >= started
                content.userInfo["key"] = "name" as CFString
            }
            if #available(iOS 15.0, *) {
                content.interruptionLevel = .timeSensitive
                content.relevanceScore = 0.5
            }
            if let path = content.userInfo["picture"] as? String {
                let url = URL(fileURLWithPath: path)
                let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png" as CFString]
                if let attachment = try? UNNotificationAttachment(identifier: "", url: url, options: hint) {
                    content.attachments = [attachment]
                }
            }
            if let text = content.userInfo["url"] as? String, let url = URL(string: text) {
                task = URLSession.shared.downloadTask(with: url) { _, _, error in
                    if let error = error { NSLog("%@", error.localizedDescription) }
                    DispatchQueue.main.async { self.finish() }
                }
                task?.resume()
                return
            }
            UNUserNotificationCenter.current().getDeliveredNotifications { notifications in
                let old = notifications.filter { $0.request.content.threadIdentifier == "old" }
                UNUserNotificationCenter.current()
                    .removeDeliveredNotifications(withIdentifiers: old.map { $0.request.identifier })
                UNUserNotificationCenter.current().add(request)
                self.finish()
            }
        }

        override func serviceExtensionTimeWillExpire() {
            task?.cancel()
            finish()
        }

        private func finish() {
            handler?(content)
            handler = nil
        }
    }

    /// A delegate in the spelling from before handlers were `@Sendable`.
    final class OldDelegate: NSObject, UNUserNotificationCenterDelegate {
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
        ) {
            completionHandler([.banner, .sound])
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            defer { completionHandler() }
            switch response.actionIdentifier {
            case UNNotificationDismissActionIdentifier, UNNotificationDefaultActionIdentifier: break
            default: NSLog("%@", response.actionIdentifier)
            }
        }
    }

    /// What an app does with errors and settings.
    func describe(_ error: Error) -> String {
        switch error {
        case UNError.attachmentInvalidURL: return "url"
        case let error as UNError where error.code == .attachmentCorrupt: return "corrupt"
        default: return (error as NSError).domain
        }
    }

    func ask() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { granted, error in
            guard granted, error == nil else { return }
            UNUserNotificationCenter.current().getNotificationSettings { settings in
                switch settings.authorizationStatus {
                case .authorized, .provisional, .ephemeral: break
                case .denied, .notDetermined: break
                @unknown default: break
                }
            }
        }
    }
#endif

#if os(Linux)
    @_spi(Overlay) public import UserNotifications

    /// A stand-in for OneSignal's SDK: attaches the files in `att` and shows `buttons`, as the SDK does. It sends no receipt, and does not
    /// count badges, because both are kept by OneSignal's servers and the app.
    ///
    /// Source: OneSignal-iOS-SDK, `OneSignalNotificationServiceExtensionHandler.m`.
    public enum OneSignalExtension {
        /// Adds files and buttons, and calls the handler with the content, or else with the request's.
        @discardableResult
        public static func didReceiveNotificationExtensionRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?,
            withContentHandler contentHandler: ((UNNotificationContent) -> Void)?
        ) -> UNMutableNotificationContent? {
            let content = add(to: content, of: request, withFiles: true)
            contentHandler?(content ?? request.content)
            return content
        }

        /// Adds files and buttons.
        @discardableResult
        public static func didReceiveNotificationExtensionRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?
        ) -> UNMutableNotificationContent? {
            add(to: content, of: request, withFiles: true)
        }

        /// Adds buttons: there is no time for files.
        @discardableResult
        public static func serviceExtensionTimeWillExpireRequest(
            _ request: UNNotificationRequest, with content: UNMutableNotificationContent?
        ) -> UNMutableNotificationContent? {
            add(to: content, of: request, withFiles: false)
        }

        /// Changes nothing for a payload that is not OneSignal's.
        private static func add(
            to given: UNMutableNotificationContent?, of request: UNNotificationRequest, withFiles: Bool
        ) -> UNMutableNotificationContent? {
            guard let payload = OneSignalPayload(request.content.userInfo),
                let content = given ?? request.content.mutableCopy() as? UNMutableNotificationContent
            else { return given }
            var done: [String] = []
            // A category of the developer's own stays.
            if !payload.buttons.isEmpty, request.content.categoryIdentifier.isEmpty {
                OneSignalButtons.add(payload.buttons, of: payload.identifier, to: content)
                done.append("added \(payload.buttons.count) of buttons")
            }
            if withFiles, let files = payload.attachments {
                content.attachments = OneSignalMedia.attachments(files)
                done.append("attached \(content.attachments.count) of \(files.count) files of att")
            }
            var message = done.joined(separator: " and ") + (done.isEmpty ? "" : ", as the SDK does; ")
            if payload.badgeIncrement != 0 { message += "badge_inc has no effect here; " }
            if !message.isEmpty { StandIn.report("OneSignalExtension: \(message)no receipt is sent") }
            return content
        }
    }

    /// The files that a payload of OneSignal's names. Source: OneSignal-iOS-SDK, `OneSignalAttachmentHandler.m`.
    enum OneSignalMedia {
        /// Extensions of files that the SDK attaches.
        private static let extensions: Set<String> = [
            "aiff", "wav", "mp3", "mp4", "jpg", "jpeg", "png", "gif", "mpeg", "mpg", "avi", "m4a", "m4v",
        ]

        private static let extensionsByType = [
            "audio/aiff": "aiff", "audio/x-wav": "wav", "audio/mpeg": "mp3", "video/mp4": "mp4", "image/jpeg": "jpeg",
            "image/jpg": "jpg", "image/png": "png", "image/gif": "gif", "video/mpeg": "mpeg", "video/mpg": "mpg",
            "video/avi": "avi", "sound/m4a": "m4a", "video/m4v": "m4v",
        ]

        /// The attachments of a push, one after another, sorted by identifier: the SDK's own order is that of a dictionary. Blocks until all
        /// are downloaded, as the SDK does.
        static func attachments(_ files: [String: String]) -> [UNNotificationAttachment] {
            files.sorted { $0.key < $1.key }.compactMap { identifier, text in
                let text = text.trimmingCharacters(in: .whitespaces)
                do {
                    if let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) {
                        return try download(url, identifier)
                    }
                    return try resource(text, identifier)
                } catch {
                    StandIn.reportFailure("OneSignalExtension: \(text) (att) is not attached", error)
                    return nil
                }
            }
        }

        private static func resource(_ name: String, _ identifier: String) throws -> UNNotificationAttachment {
            let parts = name.components(separatedBy: ".")
            guard let last = parts.last, parts.count > 1,
                let url = Bundle.main.url(
                    forResource: parts.dropLast().joined(separator: "."), withExtension: last)
            else { throw StandIn.error("the extension's bundle has no such file") }
            return try UNNotificationAttachment(identifier: identifier, url: url)
        }

        private final class Download: @unchecked Sendable {
            // Unchecked: written once before the semaphore is signaled, and read after it.
            var result: Result<UNNotificationAttachment, any Error>?
        }

        private static func download(_ url: URL, _ identifier: String) throws -> UNNotificationAttachment {
            let download = Download()
            let done = DispatchSemaphore(value: 0)
            URLSession.notedShared.downloadTask(with: url) { file, response, error in
                download.result = Result {
                    try StandIn.attachment(identifier, file, response, error) {
                        fileExtension(url, mimeType: $0.mimeType)
                    }
                }
                done.signal()
            }.resume()
            done.wait()
            guard let result = download.result else { throw URLError(.unknown) }
            return try result.get()
        }

        /// The extension of a file by the query's `filename`, else the MIME type, the path, and any other value of the query.
        static func fileExtension(_ url: URL, mimeType: String?) -> String? {
            let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            func supported(_ name: String?) -> String? {
                guard let parts = name?.components(separatedBy: "."), parts.count > 1, let last = parts.last else {
                    return nil
                }
                return extensions.contains(last) ? last : nil
            }
            return supported(query.first { $0.name == "filename" }?.value)
                ?? mimeType.flatMap { extensionsByType[$0] }
                ?? (extensions.contains(url.pathExtension) ? url.pathExtension : nil)
                ?? query.lazy.compactMap { supported($0.value) }.first
        }
    }

    /// The members of a payload of OneSignal's that its SDK uses in a service extension.
    ///
    /// Source: OneSignal-iOS-SDK, `OSNotification.m`. In the older format they are beside `aps` and in `custom`, in the newer one in `os_data`.
    struct OneSignalPayload {
        /// A button below the notification.
        struct Button {
            let identifier: String
            let title: String
            let icon: UNNotificationActionIcon?

            init?(_ object: Any) {
                guard let object = object as? [String: Any], let title = object["n"] as? String else { return nil }
                self.title = title
                identifier = object["i"] as? String ?? title
                let path = object["path"] as? String
                icon =
                    switch object["icon_type"] as? String {
                    case "system": path.map(UNNotificationActionIcon.init(systemImageName:))
                    case "custom": path.map(UNNotificationActionIcon.init(templateImageName:))
                    default: nil
                    }
            }
        }

        let identifier: String
        /// Addresses, or names of files in the bundle, by the identifiers of attachments.
        let attachments: [String: String]?
        let buttons: [Button]
        let badgeIncrement: Int

        /// Nil for a payload of another service.
        init?(_ userInfo: [AnyHashable: Any]) {
            let data = userInfo["os_data"] as? [String: Any]
            guard let own = data ?? userInfo["custom"] as? [String: Any], let identifier = own["i"] as? String else {
                return nil
            }
            self.identifier = identifier
            badgeIncrement = (own["badge_inc"] as? NSNumber)?.intValue ?? 0
            attachments = (data == nil ? userInfo["att"] : own["att"]) as? [String: String]
            let named = data == nil ? userInfo["buttons"] : own["buttons"] ?? userInfo["actionbuttons"]
            let list = named as? [Any] ?? (named as? [String: Any])?["o"] as? [Any]
            buttons = (list ?? []).compactMap(Button.init)
        }
    }

    /// The buttons of a payload of OneSignal's, as a category of their own for each notification.
    ///
    /// Source: OneSignal-iOS-SDK, `OneSignalAttachmentHandler.m` and `OneSignalNotificationCategoryController.m`.
    enum OneSignalButtons {
        private static let prefix = "__onesignal__dynamic__"
        /// How many of its categories the SDK keeps.
        private static let limit = 128
        /// The identifiers of categories, the newest last.
        private static let registered = Locked<[String]>([])

        /// Registers the category, and gives it to the content.
        static func add(_ buttons: [OneSignalPayload.Button], of push: String, to content: UNMutableNotificationContent)
        {
            var actions = buttons.map {
                UNNotificationAction(identifier: $0.identifier, title: $0.title, options: .foreground, icon: $0.icon)
            }
            if actions.count == 2 { actions.reverse() }
            let category = UNNotificationCategory(
                identifier: prefix + push, actions: actions, intentIdentifiers: [], options: .customDismissAction)
            let kept = registered.withLock { registered in
                registered.removeAll { $0 == category.identifier }
                registered = registered.suffix(limit - 1) + [category.identifier]
                return Set(registered)
            }
            let others = existing().filter {
                $0.identifier != category.identifier
                    && (!$0.identifier.hasPrefix(prefix) || kept.contains($0.identifier))
            }
            UNUserNotificationCenter.current().setNotificationCategories(others.union([category]))
            content.categoryIdentifier = category.identifier
        }

        private static func existing() -> Set<UNNotificationCategory> {
            let found = Locked<Set<UNNotificationCategory>>([])
            let done = DispatchSemaphore(value: 0)
            UNUserNotificationCenter.current().getNotificationCategories { categories in
                found.withLock { $0 = categories }
                done.signal()
            }
            // A host need not know the call, and the content handler must not wait for it.
            _ = done.wait(timeout: .now() + 1)
            return found.snapshot
        }
    }
#endif

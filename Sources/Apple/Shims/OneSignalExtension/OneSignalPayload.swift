#if os(Linux)
    import UserNotifications

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
#endif

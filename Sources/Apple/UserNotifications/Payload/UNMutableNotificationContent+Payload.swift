#if os(Linux)
    import Foundation

    extension UNMutableNotificationContent {
        /// Creates the content that a device shows for the payload of a push.
        ///
        /// A value of the wrong type counts as missing, as on a device. User info is the whole payload, including `aps`, unchanged.
        ///
        /// - Parameters:
        ///   - apnsPayload: the payload, as `JSONSerialization` reads it.
        ///   - localized: the text of a key in the app's table; nil when it has none, then the key itself is shown.
        package convenience init(apnsPayload: [String: Any], localized: (String) -> String? = { _ in nil }) {
            let aps = apnsPayload["aps"] as? [String: Any] ?? [:]
            var values = ContentValues()
            values.setUserInfo(ofPayload: apnsPayload)

            let alert = aps["alert"]
            if let body = alert as? String {
                values.body = body
            } else if let alert = alert as? [String: Any] {
                values.title = Self.text(
                    "title", key: "title-loc-key", arguments: "title-loc-args", of: alert, localized)
                values.subtitle = Self.text(
                    "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args", of: alert, localized)
                values.body = Self.text("body", key: "loc-key", arguments: "loc-args", of: alert, localized)
                values.launchImageName = alert["launch-image"] as? String ?? ""
                values.summaryArgument = alert["summary-arg"] as? String ?? ""
                values.summaryArgumentCount = max(1, Self.number(alert["summary-arg-count"])?.intValue ?? 1)
            }

            values.badge = Self.number(aps["badge"])
            values.sound = Self.sound(aps["sound"])
            values.threadIdentifier = aps["thread-id"] as? String ?? ""
            values.categoryIdentifier = aps["category"] as? String ?? ""
            values.targetContentIdentifier = aps["target-content-id"] as? String
            values.interruptionLevel =
                (aps["interruption-level"] as? String).flatMap(UNNotificationInterruptionLevel.init(payloadName:))
                ?? .active
            values.relevanceScore = Self.number(aps["relevance-score"])?.doubleValue ?? 0
            values.filterCriteria = aps["filter-criteria"] as? String
            self.init(values: SharedValues(values))
        }

        /// A text of an alert: the localized one for its key if it has one, else the literal one.
        private static func text(
            _ name: String, key: String, arguments: String, of alert: [String: Any], _ localized: (String) -> String?
        ) -> String {
            guard let key = alert[key] as? String else { return alert[name] as? String ?? "" }
            let values = (alert[arguments] as? [Any] ?? []).map { LocalizedArgument($0) }
            return LocalizedFormat(text: localized(key) ?? key).filled(with: values)
        }

        /// The sound of a payload: a name, or the object of a critical alert.
        private static func sound(_ value: Any?) -> UNNotificationSound? {
            if let name = value as? String {
                return name.isEmpty ? nil : UNNotificationSound(values: .init(name: fileName(name)))
            }
            if let sound = value as? [String: Any] {
                let isCritical = number(sound["critical"])?.intValue == 1
                let volume = isCritical ? number(sound["volume"])?.floatValue : nil
                let name = fileName(sound["name"] as? String)
                return UNNotificationSound(values: .init(name: name, isCritical: isCritical, volume: volume))
            }
            return nil
        }

        /// The name of a sound file; nil for the name of the system's sound.
        private static func fileName(_ name: String?) -> String? {
            name == "default" || name?.isEmpty == true ? nil : name
        }

        /// A number that is not a Boolean: `NSNumber` tells them apart only by its type.
        private static func number(_ value: Any?) -> NSNumber? {
            guard let number = value as? NSNumber else { return nil }
            // "c" is the type of booleans: JSON has no other number of one byte.
            return number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "c")) ? nil : number
        }
    }

    extension UNNotificationInterruptionLevel {
        package var payloadName: String {
            switch self {
            case .passive: "passive"
            case .active: "active"
            case .timeSensitive: "time-sensitive"
            case .critical: "critical"
            }
        }

        /// The level with this name in a payload; nil for an unknown name.
        package init?(payloadName: String) {
            switch payloadName {
            case "passive": self = .passive
            case "active": self = .active
            case "time-sensitive": self = .timeSensitive
            case "critical": self = .critical
            default: return nil
            }
        }
    }
#endif

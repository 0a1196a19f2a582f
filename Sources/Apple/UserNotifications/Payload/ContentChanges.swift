#if os(Linux)
    import Foundation

    /// Changed content in the extension protocol: only the members that differ from the original.
    ///
    /// Members have the names of Apple's properties. `Documentation/reference/extension-protocol.md` lists them.
    package enum ContentChanges {
        /// The differences between two contents, ready for `JSONSerialization`. Empty if there are none.
        package static func between(_ original: UNNotificationContent, _ changed: UNNotificationContent) -> [String:
            Any]
        {
            let old = original.read { $0 }
            let new = changed.read { $0 }
            var changes: [String: Any] = [:]
            if new.title != old.title { changes["title"] = new.title }
            if new.subtitle != old.subtitle { changes["subtitle"] = new.subtitle }
            if new.body != old.body { changes["body"] = new.body }
            if new.badge != old.badge { changes["badge"] = new.badge ?? NSNull() }
            if new.sound != old.sound { changes["sound"] = new.sound.map(json) ?? NSNull() }
            if new.attachments != old.attachments { changes["attachments"] = new.attachments.map(json) }
            if !new.hasUserInfo(of: old) { changes["userInfo"] = UserInfoJSON.encoded(new.userInfo) }
            if new.categoryIdentifier != old.categoryIdentifier {
                changes["categoryIdentifier"] = new.categoryIdentifier
            }
            if new.threadIdentifier != old.threadIdentifier { changes["threadIdentifier"] = new.threadIdentifier }
            if new.launchImageName != old.launchImageName { changes["launchImageName"] = new.launchImageName }
            if new.targetContentIdentifier != old.targetContentIdentifier {
                changes["targetContentIdentifier"] = new.targetContentIdentifier ?? NSNull()
            }
            if new.summaryArgument != old.summaryArgument { changes["summaryArgument"] = new.summaryArgument }
            if new.summaryArgumentCount != old.summaryArgumentCount {
                changes["summaryArgumentCount"] = new.summaryArgumentCount
            }
            if new.interruptionLevel != old.interruptionLevel {
                changes["interruptionLevel"] = new.interruptionLevel.payloadName
            }
            if new.relevanceScore != old.relevanceScore {
                changes["relevanceScore"] = UserInfoJSON.encoded(new.relevanceScore)
            }
            if new.filterCriteria != old.filterCriteria { changes["filterCriteria"] = new.filterCriteria ?? NSNull() }
            if new.sender != old.sender { changes["sender"] = new.sender ?? NSNull() }
            if new.senderImage != old.senderImage { changes["senderImage"] = new.senderImage ?? NSNull() }
            return changes
        }

        /// Content with changes applied. A member of the wrong type is ignored.
        package static func applied(_ changes: [String: Any], to original: UNNotificationContent)
            -> UNNotificationContent
        {
            var values = original.read { $0 }
            func read<Value>(_ key: String, _ type: Value.Type, into set: (Value) -> Void) {
                if let value = changes[key] as? Value { set(value) }
            }
            read("title", String.self) { values.title = $0 }
            read("subtitle", String.self) { values.subtitle = $0 }
            read("body", String.self) { values.body = $0 }
            if let badge = changes["badge"] { values.badge = badge as? NSNumber }
            if let sound = changes["sound"] { values.sound = self.sound(sound) }
            read("attachments", [[String: Any]].self) { values.attachments = $0.compactMap(attachment) }
            read("userInfo", [String: Any].self) {
                values.userInfo = UserInfoJSON.decoded($0)
            }
            read("categoryIdentifier", String.self) { values.categoryIdentifier = $0 }
            read("threadIdentifier", String.self) { values.threadIdentifier = $0 }
            read("launchImageName", String.self) { values.launchImageName = $0 }
            if let target = changes["targetContentIdentifier"] { values.targetContentIdentifier = target as? String }
            read("summaryArgument", String.self) { values.summaryArgument = $0 }
            read("summaryArgumentCount", NSNumber.self) { values.summaryArgumentCount = max(1, $0.intValue) }
            read("interruptionLevel", String.self) {
                if let level = UNNotificationInterruptionLevel(payloadName: $0) { values.interruptionLevel = level }
            }
            read("relevanceScore", NSNumber.self) { values.relevanceScore = $0.doubleValue }
            if let criteria = changes["filterCriteria"] { values.filterCriteria = criteria as? String }
            if let sender = changes["sender"] { values.sender = sender as? String }
            if let image = changes["senderImage"] { values.senderImage = image as? String }
            return UNNotificationContent(values: SharedValues(values))
        }

        private static func json(_ sound: UNNotificationSound) -> Any {
            let values = sound.values
            if !values.isCritical, !values.isRingtone { return values.name ?? "default" }
            var object: [String: Any] = ["name": values.name ?? "default"]
            if values.isCritical { object["critical"] = 1 }
            if values.isRingtone { object["ringtone"] = true }
            if let volume = values.volume { object["volume"] = UserInfoJSON.encoded(Double(volume)) }
            return object
        }

        private static func sound(_ json: Any) -> UNNotificationSound? {
            switch json {
            case let name as String:
                return UNNotificationSound(values: .init(name: name == "default" ? nil : name))
            case let object as [String: Any]:
                let name = object["name"] as? String
                return UNNotificationSound(
                    values: .init(
                        name: name == "default" ? nil : name,
                        isCritical: (object["critical"] as? NSNumber)?.boolValue ?? false,
                        isRingtone: (object["ringtone"] as? NSNumber)?.boolValue ?? false,
                        volume: (object["volume"] as? NSNumber)?.floatValue))
            default: return nil
            }
        }

        private static func json(_ attachment: UNNotificationAttachment) -> [String: Any] {
            ["identifier": attachment.identifier, "path": attachment.url.path, "type": attachment.type]
        }

        private static func attachment(_ json: [String: Any]) -> UNNotificationAttachment? {
            guard let identifier = json["identifier"] as? String, let path = json["path"] as? String else { return nil }
            return UNNotificationAttachment(
                checkedIdentifier: identifier, url: URL(fileURLWithPath: path), type: json["type"] as? String ?? "")
        }
    }

    /// User info in JSON. Dates and data, which JSON does not have, become `{"$date":seconds}` and `{"$data":base64}`.
    package enum UserInfoJSON {
        /// A value that `JSONSerialization` can write. Other values become their description.
        package static func encoded(_ value: Any) -> Any {
            switch value {
            case let text as String: return text
            case let number as Double where !number.isFinite: return "\(number)"
            case let number as NSNumber: return number
            case let date as Date: return ["$date": date.timeIntervalSince1970]
            case let data as Data: return ["$data": data.base64EncodedString()]
            case let array as [Any]: return array.map(encoded)
            case let dictionary as [AnyHashable: Any]:
                return Dictionary(
                    dictionary.map { (($0.base as? String) ?? "\($0.base)", encoded($1)) }, uniquingKeysWith: { $1 })
            case is NSNull: return NSNull()
            default: return "\(value)"
            }
        }

        /// The values that were passed to `encoded`.
        package static func decoded(_ object: [String: Any]) -> [AnyHashable: Any] {
            Dictionary(object.map { (AnyHashable($0), value($1)) }, uniquingKeysWith: { $1 })
        }

        private static func value(_ json: Any) -> Any {
            switch json {
            case let array as [Any]: return array.map(value)
            case let object as [String: Any]:
                if object.count == 1, let seconds = object["$date"] as? NSNumber {
                    return Date(timeIntervalSince1970: seconds.doubleValue)
                }
                if object.count == 1, let text = object["$data"] as? String, let data = Data(base64Encoded: text) {
                    return data
                }
                return object.mapValues(value)
            default: return json
            }
        }
    }

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
            if let name = value as? String { return UNNotificationSound(values: .init(name: fileName(name))) }
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

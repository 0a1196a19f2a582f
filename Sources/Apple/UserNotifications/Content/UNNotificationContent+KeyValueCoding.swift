#if os(Linux)
    import Foundation

    // Key-value coding of content, which on Apple's systems belongs to `NSObject`. Other objects have none.

    extension UNNotificationContent {
        /// The value of a property, or of a path that begins with one, such as `userInfo.aps.badge`. Nil for a name that is not one of a
        /// property, which raises an exception on a device.
        public func value(forKeyPath keyPath: String) -> Any? {
            let keys = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = value(forKey: keys[0])
            guard keys.count > 1 else { return value }
            return (value as? NSDictionary)?.value(forKeyPath: keys[1])
        }

        /// The value of a property. Nil for a name that is not one of a property, which raises an exception on a device.
        public func value(forKey key: String) -> Any? {
            switch key {
            case "title": title
            case "subtitle": subtitle
            case "body": body
            case "badge": badge
            case "sound": sound
            case "attachments": attachments
            case "userInfo": NSDictionary(dictionary: userInfo)
            case "categoryIdentifier": categoryIdentifier
            case "threadIdentifier": threadIdentifier
            case "launchImageName": launchImageName
            case "targetContentIdentifier": targetContentIdentifier
            case "interruptionLevel": NSNumber(value: interruptionLevel.rawValue)
            case "relevanceScore": NSNumber(value: relevanceScore)
            case "filterCriteria": filterCriteria
            default: nil
            }
        }
    }

    extension UNNotificationContent {
        /// As `setValue(_:forKey:)`. A path leads nowhere further: no property has an object that can be changed.
        public func setValue(_ value: Any?, forKeyPath keyPath: String) { setValue(value, forKey: keyPath) }

        /// Sets a property of mutable content, which what `updating(from:)` returns may be, too. Other content stays as it is.
        ///
        /// A value of another type leaves the property as it is; so do names of Apple's own that are not documented, such as
        /// `shouldAlwaysAlertWhileAppIsForeground`, and names that are not those of a property, which raise an exception on a device.
        public func setValue(_ value: Any?, forKey key: String) {
            (self as? UNMutableNotificationContent)?.store(value, forKey: key)
        }
    }

    extension UNMutableNotificationContent {
        fileprivate func store(_ value: Any?, forKey key: String) {
            switch key {
            case "title": set(\.title, value)
            case "subtitle": set(\.subtitle, value)
            case "body": set(\.body, value)
            case "badge": badge = value as? NSNumber
            case "sound": sound = value as? UNNotificationSound
            case "attachments": set(\.attachments, value)
            case "userInfo": set(\.userInfo, value)
            case "categoryIdentifier": set(\.categoryIdentifier, value)
            case "threadIdentifier": set(\.threadIdentifier, value)
            case "launchImageName": set(\.launchImageName, value)
            case "targetContentIdentifier": targetContentIdentifier = value as? String
            case "interruptionLevel":
                let level = (value as? NSNumber).flatMap { UNNotificationInterruptionLevel(rawValue: $0.uintValue) }
                set(\.interruptionLevel, level ?? value)
            case "relevanceScore": set(\.relevanceScore, (value as? NSNumber)?.doubleValue)
            case "filterCriteria": filterCriteria = value as? String
            default: break
            }
        }

        private func set<Value>(
            _ property: ReferenceWritableKeyPath<UNMutableNotificationContent, Value>, _ value: Any?
        ) {
            if let value = value as? Value { self[keyPath: property] = value }
        }
    }
#endif

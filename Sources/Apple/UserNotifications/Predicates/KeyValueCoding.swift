#if os(Linux)
    import Foundation
    import FoundationNetworking

    /// The values of keys, as far as they can be known without the Objective-C runtime: of dictionaries, of Foundation's and this module's
    /// objects by their properties' names, and of other objects that derive from `NSObject` by their stored properties.
    enum KeyValueCoding {
        /// The value at the end of a path of keys; nil where one of them leads nowhere.
        static func value(of base: Any?, along keys: ArraySlice<String>) throws(PredicateFailure) -> Any? {
            var base = PredicateValue.unwrapped(base)
            var keys = keys
            while let key = keys.popFirst() {
                guard let present = base else { return nil }
                let isDictionary = present is NSDictionary
                if !isDictionary || key.hasPrefix("@"), let elements = PredicateValue.elements(present) {
                    guard key.hasPrefix("@") else {
                        // Each element, with the whole rest of the path.
                        var values: [Any] = []
                        let rest = [key] + keys
                        for element in elements {
                            let next = rest.first?.hasPrefix("@") == true ? rest.count : firstOperator(rest)
                            values.append(try value(of: element, along: rest[..<next]) ?? NSNull())
                        }
                        let next = firstOperator(rest)
                        base = values
                        keys = rest[next...]
                        continue
                    }
                    if key == "@count" {
                        base = NSNumber(value: elements.count)
                        continue
                    }
                    guard !keys.isEmpty else { return aggregate(key, elements) }
                    var values: [Any] = []
                    for element in elements {
                        if let value = try value(of: element, along: keys) { values.append(value) }
                    }
                    return aggregate(key, values)
                }
                base = PredicateValue.unwrapped(try value(of: present, key))
            }
            return base
        }

        /// Where an operator such as `@count` stands in a path, or its end.
        private static func firstOperator(_ keys: [String]) -> Int {
            keys.firstIndex { $0.hasPrefix("@") } ?? keys.count
        }

        /// The result of a collection operator for values; nil for an unknown operator.
        static func aggregate(_ name: String, _ values: [Any]) -> Any? {
            let numbers = values.compactMap { PredicateValue.unwrapped($0).flatMap(PredicateNumber.init) }
            func least(_ wanted: ComparisonResult) -> Any? {
                values.compactMap(PredicateValue.unwrapped).reduce(nil as Any?) { best, value in
                    guard let best else { return value }
                    return PredicateValue.order(value, best) == wanted ? value : best
                }
            }
            switch name {
            case "@count": return NSNumber(value: values.count)
            case "@sum": return numbers.reduce(PredicateNumber.whole(0)) { $0.combined(.add, with: $1) }.object
            case "@avg":
                let sum = numbers.reduce(0) { $0 + $1.double }
                return NSNumber(value: numbers.isEmpty ? 0 : sum / Double(numbers.count))
            case "@min": return least(.orderedAscending)
            case "@max": return least(.orderedDescending)
            case "@unionOfObjects": return values
            case "@distinctUnionOfObjects": return NSOrderedSet(array: values).array
            case "@unionOfArrays": return values.flatMap { PredicateValue.elements($0) ?? [] }
            default: return nil
            }
        }

        private static func value(of object: Any, _ key: String) throws(PredicateFailure) -> Any? {
            if key == "self" { return object }
            if key == "description" { return "\(object)" }
            if let text = PredicateValue.text(object) {
                if let property = texts[key] { return property(text as NSString) }
                throw undefined(key, of: "NSString")
            }
            switch object {
            case let dictionary as NSDictionary:
                return dictionary.object(forKey: key.hasPrefix("@") ? String(key.dropFirst()) : key)
            case let date as Date:
                if let property = dates[key] { return NSNumber(value: property(date)) }
            case let url as URL:
                if let property = urls[key] { return property(url) }
            case let data as Data:
                if key == "length" { return NSNumber(value: data.count) }
            case let identifier as UUID:
                if key == "UUIDString" { return identifier.uuidString }
            case let number as NSNumber:
                if let property = numbers[key] { return property(number) }
            case let known as any KeyValueReadable:
                if let value = known.value(ofKey: key) { return value }
            case let object as NSObject: return try storedValue(of: object, key)
            default: break
            }
            throw undefined(key, of: "\(type(of: object))")
        }

        private static func undefined(_ key: String, of type: String) -> PredicateFailure {
            PredicateFailure(
                "[<\(type)> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).")
        }

        /// The value of a stored property. A computed one is not known here, as Swift has no names for those at run time.
        private static func storedValue(of object: NSObject, _ key: String) throws(PredicateFailure) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: object)
            while let present = mirror {
                if let child = present.children.first(where: { $0.label == key }) { return child.value }
                mirror = present.superclassMirror
            }
            throw undefined(key, of: "\(type(of: object))")
        }

        private static let texts: [String: @Sendable (NSString) -> Any] = [
            "length": { NSNumber(value: $0.length) }, "lowercaseString": { $0.lowercased },
            "uppercaseString": { $0.uppercased }, "capitalizedString": { $0.capitalized },
            "intValue": { NSNumber(value: $0.intValue) }, "integerValue": { NSNumber(value: $0.integerValue) },
            "doubleValue": { NSNumber(value: $0.doubleValue) }, "boolValue": { NSNumber(value: $0.boolValue) },
            "pathExtension": { $0.pathExtension }, "lastPathComponent": { $0.lastPathComponent },
        ]
        private static let numbers: [String: @Sendable (NSNumber) -> Any] = [
            "intValue": { NSNumber(value: $0.int32Value) }, "integerValue": { NSNumber(value: $0.intValue) },
            "doubleValue": { NSNumber(value: $0.doubleValue) }, "boolValue": { NSNumber(value: $0.boolValue) },
            "stringValue": { $0.stringValue },
        ]
        private static let dates: [String: @Sendable (Date) -> Double] = [
            "timeIntervalSince1970": { $0.timeIntervalSince1970 },
            "timeIntervalSinceReferenceDate": { $0.timeIntervalSinceReferenceDate },
            "timeIntervalSinceNow": { $0.timeIntervalSinceNow },
        ]
        private static let urls: [String: @Sendable (URL) -> Any?] = [
            "absoluteString": { $0.absoluteString }, "path": { $0.path }, "host": { $0.host }, "scheme": { $0.scheme },
            "query": { $0.query }, "fragment": { $0.fragment }, "pathExtension": { $0.pathExtension },
            "lastPathComponent": { $0.lastPathComponent }, "isFileURL": { NSNumber(value: $0.isFileURL) },
        ]
    }

    /// An object of this module whose properties have keys.
    protocol KeyValueReadable {
        /// The value of a property, which may be an optional without a value; nil for a name that is not one of a property.
        func value(ofKey key: String) -> Any??
    }

    extension UNNotification: KeyValueReadable {
        func value(ofKey key: String) -> Any?? {
            switch key {
            case "date": .some(date)
            case "request": .some(request)
            default: nil
            }
        }
    }

    extension UNNotificationRequest: KeyValueReadable {
        func value(ofKey key: String) -> Any?? {
            switch key {
            case "identifier": .some(identifier)
            case "content": .some(content)
            case "trigger": .some(trigger)
            default: nil
            }
        }
    }

    extension UNNotificationContent: KeyValueReadable {
        private static let keys: Set<String> = [
            "title", "subtitle", "body", "badge", "sound", "attachments", "userInfo", "categoryIdentifier",
            "threadIdentifier", "launchImageName", "targetContentIdentifier", "interruptionLevel", "relevanceScore",
            "filterCriteria",
        ]

        func value(ofKey key: String) -> Any?? { Self.keys.contains(key) ? .some(value(forKey: key)) : nil }
    }

    extension UNNotificationAttachment: KeyValueReadable {
        func value(ofKey key: String) -> Any?? {
            switch key {
            case "identifier": .some(identifier)
            case "URL", "url": .some(url)
            case "type": .some(type)
            default: nil
            }
        }
    }
#endif

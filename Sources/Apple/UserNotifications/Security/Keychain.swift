// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

    // The keychain of an app and its extensions. On Apple's systems it is in Security, which Foundation re-exports.

    /// The result of a function of Security.
    public typealias OSStatus = Int32

    /// Success.
    public let noErr: OSStatus = 0
    /// Success.
    public let errSecSuccess: OSStatus = 0
    /// A parameter is wrong.
    public let errSecParam: OSStatus = -50
    /// The item exists already.
    public let errSecDuplicateItem: OSStatus = -25299
    /// There is no such item.
    public let errSecItemNotFound: OSStatus = -25300
    /// The keychain cannot be written.
    public let errSecIO: OSStatus = -36
    /// The function is not there.
    public let errSecUnimplemented: OSStatus = -4
    /// The device is locked, and the item's `kSecAttrAccessible` does not let it be read.
    public let errSecInteractionNotAllowed: OSStatus = -25308
    /// An entitlement is missing. Never returned here.
    public let errSecMissingEntitlement: OSStatus = -34018

    /// Adds an item.
    ///
    /// Items are in `Library/Keychains` of the home folder in a process of `pushpipe run`, else in memory. A missing access group is one of
    /// the app's own; other groups need no entitlement. While the device is locked, `kSecAttrAccessible` says which items are added, found and
    /// changed; any can be deleted.
    @discardableResult
    public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        let (status, found) = Keychain.change { $0.add(Keychain.Item(attributes)) }
        if status == errSecSuccess { result?.pointee = found.flatMap { Keychain.answer([$0], to: attributes) } }
        return status
    }

    /// Finds items: as data, attributes or both, one or all.
    public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        let matching = Keychain.current.matching(Keychain.Item(query))
        guard !matching.isEmpty else { return errSecItemNotFound }
        let found = matching.filter(Keychain.isAccessible)
        guard !found.isEmpty else { return errSecInteractionNotAllowed }
        result?.pointee = Keychain.answer(found, to: query)
        return errSecSuccess
    }

    /// Changes attributes and data of the items that are found.
    @discardableResult
    public func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus {
        Keychain.change { ($0.update(Keychain.Item(query), to: Keychain.Item(attributes)), nil) }.0
    }

    /// Deletes the items that are found.
    @discardableResult
    public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
        Keychain.change { ($0.remove(Keychain.Item(query)), nil) }.0
    }

    /// Describes a result in English.
    public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
        switch status {
        case errSecSuccess: "No error."
        case errSecItemNotFound: "The specified item could not be found in the keychain."
        case errSecDuplicateItem: "The specified item already exists in the keychain."
        case errSecInteractionNotAllowed: "User interaction is not allowed."
        case errSecParam: "One or more parameters passed to a function were not valid."
        default: NSString(string: "OSStatus \(status)")
        }
    }

    struct Keychain {
        /// Values of a property list, by the names of Security's constants.
        struct Item: @unchecked Sendable {
            var values: [String: Any]

            init(_ dictionary: CFDictionary) {
                values = [:]
                for (key, value) in dictionary {
                    if let key = key as? String { values[key] = value }
                }
            }
        }

        /// The attributes that make an item another one, by class.
        private static let primaryKeys = [
            "genp": ["acct", "svce", "agrp", "sync"],
            "inet": ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "agrp", "sync"],
            "keys": ["klbl", "atag", "type", "agrp"],
        ]
        /// Prefixes of what says how to search and what to return, and is no attribute: `m_Limit`, `r_Data`, `u_…`.
        private static let directives = ["m_", "r_", "u_"]
        private static let other: Set<String> = ["nleg"]

        private(set) var items: [Item] = []

        private static func isAttribute(_ name: String) -> Bool {
            !directives.contains(where: name.hasPrefix) && !other.contains(name)
        }

        private static func equal(_ first: Any?, _ second: Any?) -> Bool {
            guard let first, let second else { return first == nil && second == nil }
            return NSArray(array: [first]).isEqual(to: [second])
        }

        static func isAccessible(_ item: Item) -> Bool {
            DeviceLock.current.permits(item.values["pdmn"] as? String)
        }

        /// Adds an item. Returns it as it was stored.
        mutating func add(_ new: Item) -> (OSStatus, Item?) {
            guard let kind = new.values["class"] as? String, let keys = Self.primaryKeys[kind] else {
                return (errSecParam, nil)
            }
            guard Self.isAccessible(new) else { return (errSecInteractionNotAllowed, nil) }
            var item = new
            item.values = item.values.filter { Self.isAttribute($0.key) }
            if let key = item.values.removeValue(forKey: "v_Ref") as? SecKey {
                item.values.merge(key.attributes) { given, _ in given }
            }
            item.values["v_PersistentRef"] = withUnsafeBytes(of: UUID().uuid) { Data($0) }
            let isPresent = items.contains { other in
                other.values["class"] as? String == kind
                    && keys.allSatisfy { Self.equal(other.values[$0], item.values[$0]) }
            }
            if isPresent { return (errSecDuplicateItem, nil) }
            item.values["cdat"] = Date()
            item.values["mdat"] = Date()
            items.append(item)
            return (errSecSuccess, item)
        }

        func matching(_ query: Item) -> [Item] { positions(query).map { items[$0] } }

        private func positions(_ query: Item) -> [Int] {
            let wanted = query.values.filter { name, value in
                // Any of both, unless the query says so.
                let isAnySync = name == "sync" && value as? String == "syna"
                return Self.isAttribute(name) && name != "v_Data" && name != "v_Ref" && !isAnySync
            }
            let key = query.values["v_Ref"] as? SecKey
            return items.indices.filter { place in
                let values = items[place].values
                return wanted.allSatisfy { name, value in
                    // A device reads these off a key that was added without them.
                    let isKnown = values[name] != nil || values["class"] as? String != "keys"
                    return !isKnown && Self.ofKeys.contains(name) || Self.equal(values[name], value)
                } && (key == nil || key == SecKey(item: values))
            }
        }

        private static let ofKeys: Set<String> = ["type", "kcls", "bsiz", "esiz"]

        mutating func update(_ query: Item, to attributes: Item) -> OSStatus {
            let places = positions(query)
            guard places.allSatisfy({ Self.isAccessible(items[$0]) }) else { return errSecInteractionNotAllowed }
            for place in places {
                items[place].values.merge(attributes.values) { $1 }
                items[place].values["mdat"] = Date()
            }
            return places.isEmpty ? errSecItemNotFound : errSecSuccess
        }

        mutating func remove(_ query: Item) -> OSStatus {
            let places = Set(positions(query))
            items = items.enumerated().filter { !places.contains($0.offset) }.map(\.element)
            return places.isEmpty ? errSecItemNotFound : errSecSuccess
        }

        static func answer(_ items: [Item], to query: CFDictionary) -> CFTypeRef? {
            let query = Item(query).values
            let wantsData = query["r_Data"] as? Bool ?? false
            let wantsReference = query["r_Ref"] as? Bool ?? false
            let wantsPersistent = query["r_PersistentRef"] as? Bool ?? false
            let wantsAttributes = query["r_Attributes"] as? Bool ?? false
            let isOne = !wantsAttributes && [wantsData, wantsReference, wantsPersistent].count { $0 } == 1
            let answers: [Any] = items.compactMap { item in
                var values = wantsAttributes ? item.values : [:]
                values["v_Data"] = wantsData ? item.values["v_Data"] : nil
                values["v_PersistentRef"] = wantsPersistent ? item.values["v_PersistentRef"] : nil
                values["v_Ref"] = wantsReference ? SecKey(item: item.values) : nil
                if isOne { return values.values.first.map { ($0 as? Data).map { NSData(data: $0) } ?? $0 } }
                return values.isEmpty ? nil : NSDictionary(dictionary: values)
            }
            guard let first = answers.first else { return nil }
            let wantsAll = query["m_Limit"] as? String == "m_LimitAll" || (query["m_Limit"] as? Int ?? 1) > 1
            return wantsAll ? NSArray(array: answers) : first as AnyObject
        }

        // MARK: - Storage

        /// Keychains by simulated device; the process's own has no name.
        private static let keychains = Locked<[String: Keychain]>([:])

        /// The file in which a process that a host runs keeps its items; nil for items in memory.
        private static let file: URL? =
            ProcessInfo.processInfo.environment["PUSHPIPE_EXTENSION_PROTOCOL"] == nil
            ? nil : URL(fileURLWithPath: NSHomeDirectory() + "/Library/Keychains/items.plist")

        /// Forgets the items of a simulated device.
        static func remove(_ scope: String) { keychains.withLock { $0[scope] = nil } }

        static var current: Keychain {
            keychains.withLock { load($0) }
        }

        /// Changes the keychain, and stores it if that succeeded.
        static func change(_ body: (inout Keychain) -> (OSStatus, Item?)) -> (OSStatus, Item?) {
            keychains.withLock { keychains in
                var keychain = load(keychains)
                let result = body(&keychain)
                guard result.0 == errSecSuccess else { return result }
                keychains[AppGroupScope.current ?? ""] = keychain
                return keychain.store() ? result : (errSecIO, nil)
            }
        }

        /// Reads the file each time, because several processes may run the extension.
        private static func load(_ keychains: [String: Keychain]) -> Keychain {
            var keychain = Keychain()
            guard let file else { return keychains[AppGroupScope.current ?? ""] ?? keychain }
            guard let data = try? Data(contentsOf: file),
                let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [[String: Any]]
            else { return keychain }
            keychain.items = list.map { Item(NSDictionary(dictionary: $0)) }
            return keychain
        }

        private func store() -> Bool {
            guard let file = Self.file else { return true }
            let list = items.map { item in
                item.values.filter { PropertyListSerialization.propertyList([$0.value], isValidFor: .binary) }
            }
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
                    .write(to: file, options: .atomic)
                return true
            } catch {
                return false
            }
        }
    }

    /// Access to what a device protects while it is locked. Source: Apple, "Restricting keychain item accessibility".
    package enum DeviceLock: Sendable {
        case unlocked
        case locked
        /// The device was restarted, and not unlocked since.
        case beforeFirstUnlock

        /// States by simulated device; the process's own has no name.
        private static let locks = Locked<[String: DeviceLock]>([:])

        /// Sets the state of a simulated device, or of the process.
        package static func set(_ lock: DeviceLock, scope: String? = nil) {
            locks.withLock { $0[scope ?? ""] = lock == .unlocked ? nil : lock }
        }

        static var current: DeviceLock { locks.withLock { $0[AppGroupScope.current ?? ""] } ?? .unlocked }

        /// True if the device can decrypt an item.
        ///
        /// - Parameter accessibility: `kSecAttrAccessible`; an item without it is `kSecAttrAccessibleWhenUnlocked`.
        func permits(_ accessibility: String?) -> Bool {
            switch accessibility ?? "ak" {
            case "dk", "dku": true
            case "ck", "cku": self != .beforeFirstUnlock
            default: self == .unlocked
            }
        }
    }
#endif

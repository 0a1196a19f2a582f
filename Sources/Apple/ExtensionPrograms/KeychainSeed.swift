import FoundationEssentials
package import PushFiles
package import PushSystem

/// A file with the items that the keychain begins with, by the names of Security's constants.
package enum KeychainSeed {
    private enum Form {
        case text, data, number, truth
        /// One of these constants.
        case constant([String: String])

        /// The values that a member takes, for messages.
        var words: String {
            switch self {
            case .text: "a text"
            case .data: "a text, or {\"base64\": TEXT} for bytes"
            case .number: "a whole number"
            case .truth: "true or false"
            case .constant(let names): names.keys.sorted().joined(separator: ", ")
            }
        }
    }

    /// Members of an item, with what Security's constants of these names are. `UserNotifications` declares them.
    private static let attributes: [String: (key: String, form: Form)] = [
        "kSecClass": (
            "class",
            .constant([
                "kSecClassGenericPassword": "genp", "kSecClassInternetPassword": "inet", "kSecClassKey": "keys",
            ])
        ),
        "kSecAttrAccessible": (
            "pdmn",
            .constant([
                "kSecAttrAccessibleWhenUnlocked": "ak", "kSecAttrAccessibleWhenUnlockedThisDeviceOnly": "aku",
                "kSecAttrAccessibleAfterFirstUnlock": "ck", "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly": "cku",
                "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly": "akpu",
                "kSecAttrAccessibleAlways": "dk", "kSecAttrAccessibleAlwaysThisDeviceOnly": "dku",
            ])
        ),
        "kSecAttrKeyType": (
            "type",
            .constant([
                "kSecAttrKeyTypeRSA": "42", "kSecAttrKeyTypeEC": "73", "kSecAttrKeyTypeECSECPrimeRandom": "73",
            ])
        ),
        "kSecAttrKeyClass": (
            "kcls",
            .constant([
                "kSecAttrKeyClassPublic": "0", "kSecAttrKeyClassPrivate": "1", "kSecAttrKeyClassSymmetric": "2",
            ])
        ),
        "kSecAttrProtocol": (
            "ptcl",
            .constant([
                "kSecAttrProtocolHTTP": "http", "kSecAttrProtocolHTTPS": "htps", "kSecAttrProtocolFTP": "ftp ",
                "kSecAttrProtocolSSH": "ssh ", "kSecAttrProtocolIMAPS": "imps", "kSecAttrProtocolSMTP": "smtp",
            ])
        ),
        "kSecAttrAccount": ("acct", .text), "kSecAttrService": ("svce", .text), "kSecAttrAccessGroup": ("agrp", .text),
        "kSecAttrLabel": ("labl", .text), "kSecAttrDescription": ("desc", .text), "kSecAttrComment": ("icmt", .text),
        "kSecAttrServer": ("srvr", .text), "kSecAttrPath": ("path", .text), "kSecAttrSecurityDomain": ("sdmn", .text),
        "kSecAttrPort": ("port", .number), "kSecAttrKeySizeInBits": ("bsiz", .number),
        "kSecAttrSynchronizable": ("sync", .truth),
        "kSecAttrGeneric": ("gena", .data), "kSecAttrApplicationTag": ("atag", .data),
        "kSecAttrApplicationLabel": ("klbl", .data), "kSecValueData": ("v_Data", .data),
    ]

    /// - Parameter path: a property list or JSON, with an array of dictionaries at its top.
    /// - Returns: the items as the keychain's file has them, a property list.
    package static func read(_ path: String) throws(PlainError) -> [UInt8] {
        let bytes = try FileBytes.readRegular(path)
        let shown = FilePaths.shown(path)
        let isJSON = bytes.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "[")
        let list = try PropertyListReader.read(
            [[String: PropertyListValue]].self, from: bytes, isJSON: isJSON, shown,
            otherwise: "not an array of items, as JSON or as a property list")
        var items: [[String: PropertyListValue]] = []
        for (index, members) in list.enumerated() {
            do throws(PlainError) {
                items.append(try item(members))
            } catch {
                throw PlainError("\(shown): item \(index + 1): \(error.message)")
            }
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        do { return Array(try encoder.encode(items)) } catch {
            throw PlainError("\(shown): cannot be written as a property list: \(error)")
        }
    }

    private static func item(
        _ members: [String: PropertyListValue]
    ) throws(PlainError) -> [String: PropertyListValue] {
        guard members["kSecClass"] != nil else {
            throw PlainError("kSecClass is missing, such as kSecClassGenericPassword")
        }
        var item: [String: PropertyListValue] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let (key, form) = attributes[name] else {
                throw PlainError(
                    "'\(name)' is not a member of an item; use \(attributes.keys.sorted().joined(separator: ", "))"
                )
            }
            item[key] = try Self.value(value, form, of: name)
        }
        // What the keychain gives each item that is added.
        item["v_PersistentRef"] = .data(Data((0..<16).map { _ in .random(in: .min ... .max) }))
        item["cdat"] = .date(Date())
        item["mdat"] = item["cdat"]
        return item
    }

    private static func value(
        _ value: PropertyListValue, _ form: Form, of name: String
    ) throws(PlainError) -> PropertyListValue {
        switch (form, value) {
        case (.text, .string), (.data, .data), (.number, .integer), (.truth, .bool): return value
        case (.data, .string(let text)): return .data(Data(text.utf8))
        case (.data, .dictionary(let members)) where members.count == 1:
            if let text = members["base64"]?.string, let data = Data(base64Encoded: text) { return .data(data) }
        case (.constant(let names), .string(let text)):
            if let constant = names[text] { return .string(constant) }
            throw PlainError("\(name) takes \(form.words), not '\(text)'")
        default: break
        }
        throw PlainError("\(name) takes \(form.words)")
    }
}

/// An app group's identifier, and a file with the defaults that it begins with.
package enum AppGroupSeed {
    /// - Parameter text: `GROUP=FILE`; the file is a property list or JSON, with a dictionary at its top.
    /// - Returns: the identifier, and the defaults as a property list.
    package static func read(_ text: String) throws(PlainError) -> (group: String, defaults: [UInt8]) {
        guard let equals = text.firstIndex(of: "=") else {
            throw PlainError("takes GROUP=FILE, not '\(text)'.", of: "app group")
        }
        let group = String(text[..<equals])
        let path = String(text[text.index(after: equals)...])
        guard !group.isEmpty, !group.hasPrefix("."), !group.contains("/"), !group.contains("\0") else {
            throw PlainError("takes the identifier of an app group, not '\(group)'.", of: "app group")
        }
        let bytes = try FileBytes.readRegular(path)
        var file = PropertyListFile()
        if bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") {
            file.members = try PropertyListReader.read(
                [String: PropertyListValue].self, from: bytes, isJSON: true, FilePaths.shown(path),
                otherwise: "not a JSON object of values that a property list can have")
        } else {
            file = try PropertyListFile(bytes, path: FilePaths.shown(path))
        }
        return (group, try file.encoded())
    }
}

extension FileBytes {
    /// Reads a regular file. A pipe might never end, and a device neither.
    package static func readRegular(_ path: String) throws(PlainError) -> [UInt8] {
        if (try? FileStatus(path))?.kind == .other {
            throw PlainError("\(FilePaths.shown(path)): a pipe or a device, and not a file")
        }
        return try PlainError.naming(path, try read(path, limit: maximumBytes))
    }
}

import PushJSON
import PushModel
import PushSystem

/// Parses a preferences file, and reports mistakes by line and column.
@safe  // SOUND: `read` creates it, and keeps the text alive while it is used.
struct PreferenceBookReader {
    private let text: UnsafeRawBufferPointer

    /// A file's preferences by device name, and all that is in it.
    typealias Contents = (devices: [String: DevicePreferences], all: JSONValue)

    static func read(_ bytes: [UInt8]) throws(PlainError) -> Contents {
        // SOUND: the bytes live until the closure returns, which is after the reader is done.
        try unsafe bytes.withUnsafeBytes { text in
            Result { () throws(PlainError) -> Contents in
                try unsafe PreferenceBookReader(text: text).read()
            }
        }.get()
    }

    private func read() throws(PlainError) -> Contents {
        // SOUND: the tape is of this text, which outlives the reader.
        var scanner = JSONScanner()
        var tape = JSONTape()
        if let fault = unsafe scanner.scan(text, into: &tape) {
            throw unsafe wrong(fault.message(in: text), at: fault.offset)
        }
        if let note = tape.notes.first {
            // Such a file could not be written back unchanged.
            throw wrong(Self.message(of: note.kind), at: tape.offset(of: note.entry))
        }
        guard let root = unsafe tape.root(of: text), root.isObject else { throw wrong("an object is expected", at: 0) }
        if let version = root["version"] {
            guard let number = version.int64, number > 0 else {
                throw wrong("a whole number from 1 is expected as \"version\"", at: version.offset)
            }
            guard number <= PreferenceBook.version else {
                throw wrong("written by a later version of pushpipe; use that one", at: version.offset)
            }
        }
        var devices: [String: DevicePreferences] = [:]
        for (name, value) in try objects(in: root["devices"], "devices") { devices[name] = try device(value) }
        do {
            return (devices, try JSONValue(parsing: root))
        } catch {
            throw wrong(error.message, at: root.offset + (error.offset ?? 0))
        }
    }

    private static func message(of kind: JSONTape.Note.Kind) -> String {
        switch kind {
        case .duplicateKey: "this member appears twice"
        case .numberOutOfRange: "this number cannot be held"
        case .loneSurrogate: "this text has half a surrogate pair"
        case .nulInKey: "this name has a NUL character"
        }
    }

    private func device(_ value: JSONView) throws(PlainError) -> DevicePreferences {
        var device = DevicePreferences()
        device.account = try string(value["account"], "account")
        if let found = value["permission"] {
            device.permission = try word(found, "permission", NotificationPermission.allCases)
        }
        switch value["alerts"]?.kind {
        case nil, .true: break
        case .false: device.alertsAreOn = false
        default: throw wrong("alerts is true or false", at: value["alerts"]?.offset ?? 0)
        }
        if let found = value["registration"] {
            device.registration.state = try word(found, "registration", PushRegistration.State.allCases)
            if [.failed, .subscriptionFailed].contains(device.registration.state) {
                device.registration.failure = try string(value["registrationError"], "registrationError") ?? "unknown"
            }
        }
        for (name, value) in try objects(in: value["accounts"], "accounts") {
            guard let site = try string(value["primaryWiki"], "primaryWiki") else {
                throw wrong("primaryWiki is missing", at: value.offset)
            }
            var account = NotificationPreferences(primarySite: site)
            for (site, value) in try objects(in: value["wikis"], "wikis") { account.typesOn[site] = try types(value) }
            device.accounts[name] = account
        }
        if let account = device.account, device.accounts[account] == nil {
            throw wrong("there is no account of this name in accounts", at: value["account"]?.offset ?? value.offset)
        }
        return device
    }

    private func types(_ value: JSONView) throws(PlainError) -> Set<NotificationType> {
        guard let list = value["on"] else { return [] }
        guard list.kind == .array else { throw wrong("on is a list of types", at: list.offset) }
        var types: Set<NotificationType> = []
        for element in list.elements {
            guard let name = element.string, name.count > 0 else { throw wrong("a type is a name", at: element.offset) }
            types.insert(NotificationType(name.string))
        }
        return types
    }

    // MARK: - Parts

    private func objects(
        in value: JSONView?, _ name: String
    ) throws(PlainError) -> [(name: String, value: JSONView)] {
        guard let value else { return [] }
        guard value.isObject else { throw wrong("\(name) is an object", at: value.offset) }
        var found: [(String, JSONView)] = []
        for (key, value) in value.members {
            guard value.isObject else { throw wrong("each of \(name) is an object", at: value.offset) }
            found.append((key.string, value))
        }
        return found
    }

    private func string(_ value: JSONView?, _ name: String) throws(PlainError) -> String? {
        guard let value, value.kind != .null else { return nil }
        guard let string = value.string else { throw wrong("\(name) is a text", at: value.offset) }
        return string.string
    }

    private func word<Word: RawRepresentable<String>>(
        _ value: JSONView, _ name: String, _ words: [Word]
    ) throws(PlainError) -> Word {
        guard let word = value.string.flatMap({ Word(rawValue: $0.string) }) else {
            throw wrong("\(name) is one of \(words.map(\.rawValue).joined(separator: ", "))", at: value.offset)
        }
        return word
    }

    private func wrong(_ message: String, at offset: Int) -> PlainError {
        // SOUND: the text outlives the reader.
        let position = unsafe TextPosition(of: offset, in: text)
        return PlainError(message, line: position.line, column: position.column)
    }
}

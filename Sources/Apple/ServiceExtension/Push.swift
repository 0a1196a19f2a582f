#if os(Linux)
    import Foundation
    import PayloadJSON
    import PushModel
    import UserNotifications

    /// A push as a device sees it: its content, and what decides whether an extension runs for it.
    struct Push: Sendable {
        let request: UNNotificationRequest
        /// True if `mutable-content` is 1.
        let isMutable: Bool
        /// True if the push type is one that the system shows.
        let isShownType: Bool
    }

    /// Reads pushes, one after another.
    ///
    /// Scans a payload and creates only the values in `aps`. User info, which takes longer than the rest of a push, is created when the
    /// extension asks for it.
    struct PushReader: ~Copyable {
        private var scanner = JSONScanner()
        private var tape = JSONTape()
        private let collapseID: String?
        private let isShownType: Bool
        private let bundle: Bundle
        private let language: String?

        /// - Parameters:
        ///   - headers: the headers of all pushes; names are case-insensitive.
        ///   - options: with the bundle and the language of localized texts.
        init(headers: [String: String], options: ServiceExtensionHarness.Options) {
            let headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $1 })
            collapseID = headers[APNsHeader.collapseID.name.description].flatMap { $0.isEmpty ? nil : $0 }
            bundle = options.bundle ?? .main
            language = options.language
            let row = headers[APNsHeader.pushType.name.description].flatMap { type in
                PushType.table.first { $0.wireName.description == type }
            }
            isShownType = row?.isShown ?? true
        }

        /// - Parameter makeIdentifier: makes the identifier of a push without a collapse id.
        /// - Throws: `ServiceExtensionHarness.InvalidPayload`.
        mutating func read(_ payload: String, makeIdentifier: () -> String) throws -> Push {
            var text = payload
            let (content, isMutable) = try text.withUTF8 { bytes in
                try read(UnsafeRawBufferPointer(bytes), of: payload)
            }
            return Push(
                request: UNNotificationRequest(
                    identifier: collapseID ?? makeIdentifier(), content: content, trigger: UNPushNotificationTrigger()),
                isMutable: isMutable, isShownType: isShownType)
        }

        private mutating func read(
            _ bytes: UnsafeRawBufferPointer, of payload: String
        ) throws -> (UNNotificationContent, isMutable: Bool) {
            if let fault = scanner.scan(bytes, into: &tape) {
                throw ServiceExtensionHarness.InvalidPayload(
                    description: "not JSON at byte \(fault.offset): \(fault.message(in: bytes))")
            }
            guard let root = tape.root(of: bytes), root.isObject else {
                throw ServiceExtensionHarness.InvalidPayload(description: "a payload is a JSON object")
            }
            let isMutable = root["aps"]?["mutable-content"]?.isOne ?? false
            let localized: (String) -> String? = { [bundle, language] key in
                LocalizedText.text(forKey: key, table: nil, bundle: bundle, language: language)
            }
            // Foundation decides about duplicate names and whatever else parsers disagree about.
            guard tape.notes.isEmpty else {
                guard let object = FoundationPayload.object(payload) else {
                    throw ServiceExtensionHarness.InvalidPayload(description: "Foundation cannot read the payload")
                }
                return (UNMutableNotificationContent(apnsPayload: object, localized: localized), isMutable)
            }
            let content = UNMutableNotificationContent(
                aps: root["aps"].flatMap(Self.object) ?? PayloadObject(),
                userInfo: UserInfo { FoundationPayload.userInfo(payload) },
                localized: localized)
            return (content, isMutable)
        }

        /// The members of an object; nil for any other value.
        private static func object(_ view: JSONView) -> PayloadObject? {
            guard view.isObject else { return nil }
            return PayloadObject(members: view.members.map { (FoundationPayload.text($0.key), value($0.value)) })
        }

        private static func value(_ view: JSONView) -> Any {
            switch view.kind {
            case .object: return object(view) ?? PayloadObject()
            case .array: return view.elements.map(value)
            case .string, .key: return view.string.map(FoundationPayload.text) ?? ""
            case .number: return FoundationPayload.number(view) ?? NSNumber(value: view.double ?? 0)
            // As Foundation's parser returns them.
            case .true: return NSNumber(value: true)
            case .false: return NSNumber(value: false)
            case .null: return NSNull()
            }
        }
    }
#endif

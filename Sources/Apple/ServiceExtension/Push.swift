#if os(Linux)
    import Foundation
    import PayloadJSON
    import PushModel
    import Synchronization
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

        /// Throws what `read` would throw, in a fraction of the time.
        mutating func check(_ payload: String) throws {
            var text = payload
            try text.withUTF8 { bytes in
                _ = try scan(UnsafeRawBufferPointer(bytes))
                if !tape.notes.isEmpty { _ = try object(payload) }
            }
        }

        private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws -> JSONView {
            if let fault = scanner.scan(bytes, into: &tape) {
                throw ServiceExtensionHarness.InvalidPayload(
                    description: "not JSON at byte \(fault.offset): \(fault.message(in: bytes))")
            }
            guard let root = tape.root(of: bytes), root.isObject else {
                throw ServiceExtensionHarness.InvalidPayload(description: "a payload is a JSON object")
            }
            return root
        }

        /// A payload as Foundation reads it.
        private func object(_ payload: String) throws -> [String: Any] {
            guard let object = FoundationPayload.object(payload) else {
                throw ServiceExtensionHarness.InvalidPayload(description: "Foundation cannot read the payload")
            }
            return object
        }

        /// Reads a payload that was checked: nothing is shown for one that cannot be read after all.
        mutating func read(checked payload: String, makeIdentifier: () -> String) -> Push {
            if let push = try? read(payload, makeIdentifier: makeIdentifier) { return push }
            let request = UNNotificationRequest(
                identifier: collapseID ?? makeIdentifier(), content: UNNotificationContent(), trigger: nil)
            return Push(request: request, isMutable: false, isShownType: isShownType)
        }

        private mutating func read(
            _ bytes: UnsafeRawBufferPointer, of payload: String
        ) throws -> (UNNotificationContent, isMutable: Bool) {
            let root = try scan(bytes)
            let isMutable = root["aps"]?["mutable-content"]?.isOne ?? false
            let localized: (String) -> String? = { [bundle, language] key in
                LocalizedText.text(forKey: key, table: nil, bundle: bundle, language: language)
            }
            // Foundation decides about duplicate names and whatever else parsers disagree about.
            guard tape.notes.isEmpty else {
                return (UNMutableNotificationContent(apnsPayload: try object(payload), localized: localized), isMutable)
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
            var object = PayloadObject(capacity: FoundationPayload.count(view.members))
            for (key, member) in view.members { object.add(FoundationPayload.text(key), value(member)) }
            return object
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

    /// Pushes that have arrived: payloads that were checked, each of which is read when its turn comes. Read all at once, they would be out
    /// of the processor's caches by then.
    final class PushQueue: @unchecked Sendable {
        // Unchecked: the reader is used only under the lock.
        private let lock = Mutex(())
        private var reader: PushReader
        private var first: Push?
        private let payloads: [String]
        private let makeIdentifier: @Sendable () -> String

        var count: Int { payloads.count }

        /// - Parameter makeIdentifier: makes the identifier of a push without a collapse id.
        /// - Throws: `ServiceExtensionHarness.InvalidPayload` if one is invalid.
        init(
            _ payloads: [String], headers: [String: String], options: ServiceExtensionHarness.Options,
            makeIdentifier: @escaping @Sendable () -> String
        ) throws {
            var reader = PushReader(headers: headers, options: options)
            for payload in payloads { try reader.check(payload) }
            self.reader = reader
            self.payloads = payloads
            self.makeIdentifier = makeIdentifier
        }

        /// The first push, before it is its turn. There must be one.
        func peek() -> Push {
            lock.withLock { _ in
                let push = first ?? reader.read(checked: payloads[0], makeIdentifier: makeIdentifier)
                first = push
                return push
            }
        }

        /// Reads a push, once.
        func read(_ index: Int) -> Push {
            lock.withLock { _ in
                defer { first = nil }
                if index == 0, let first { return first }
                return reader.read(checked: payloads[index], makeIdentifier: makeIdentifier)
            }
        }
    }
#endif

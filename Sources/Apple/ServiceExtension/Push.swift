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

    /// Reads payloads as a device does.
    struct PushReader {
        /// A payload, before its push has an identifier.
        struct Payload: Sendable {
            let content: UNNotificationContent
            let isMutable: Bool
        }

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

        /// - Throws: `ServiceExtensionHarness.InvalidPayload`.
        func read(_ payload: String) throws -> Payload {
            var text = payload
            let isMutable = try text.withUTF8 { try Self.isMutable(UnsafeRawBufferPointer($0)) }
            guard let object = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any] else {
                throw ServiceExtensionHarness.InvalidPayload(description: "Foundation cannot read the payload")
            }
            let content = UNMutableNotificationContent(apnsPayload: object) { key in
                LocalizedText.text(forKey: key, table: nil, bundle: bundle, language: language)
            }
            return Payload(content: content, isMutable: isMutable)
        }

        /// True if `mutable-content` is 1.
        ///
        /// - Throws: `ServiceExtensionHarness.InvalidPayload`, with the place of the error.
        private static func isMutable(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
            var scanner = JSONScanner()
            var tape = JSONTape()
            if let fault = scanner.scan(bytes, into: &tape) {
                throw ServiceExtensionHarness.InvalidPayload(
                    description: "not JSON at byte \(fault.offset): \(fault.message(in: bytes))")
            }
            guard let root = tape.root(of: bytes), root.isObject else {
                throw ServiceExtensionHarness.InvalidPayload(description: "a payload is a JSON object")
            }
            return root["aps"]?["mutable-content"]?.isOne ?? false
        }

        /// The push of a payload.
        ///
        /// - Parameter makeIdentifier: makes the identifier of a push without a collapse id.
        func push(_ payload: Payload, makeIdentifier: () -> String) -> Push {
            Push(
                request: UNNotificationRequest(
                    identifier: collapseID ?? makeIdentifier(), content: payload.content,
                    trigger: UNPushNotificationTrigger()),
                isMutable: payload.isMutable, isShownType: isShownType)
        }
    }

    /// Pushes that have arrived. Each gets its identifier when its turn comes.
    final class PushQueue: Sendable {
        private let first = Mutex<Push?>(nil)
        private let reader: PushReader
        private let payloads: [PushReader.Payload]
        private let makeIdentifier: @Sendable () -> String

        var count: Int { payloads.count }

        /// - Parameter makeIdentifier: makes the identifier of a push without a collapse id.
        /// - Throws: `ServiceExtensionHarness.InvalidPayload` if one is invalid.
        init(
            _ payloads: [String], headers: [String: String], options: ServiceExtensionHarness.Options,
            makeIdentifier: @escaping @Sendable () -> String
        ) throws {
            let reader = PushReader(headers: headers, options: options)
            self.reader = reader
            self.payloads = try payloads.map(reader.read)
            self.makeIdentifier = makeIdentifier
        }

        /// The first push, before it is its turn. There must be one.
        func peek() -> Push {
            first.withLock { first in
                let push = first ?? reader.push(payloads[0], makeIdentifier: makeIdentifier)
                first = push
                return push
            }
        }

        /// A push, once.
        func read(_ index: Int) -> Push {
            first.withLock { first in
                defer { first = nil }
                if index == 0, let first { return first }
                return reader.push(payloads[index], makeIdentifier: makeIdentifier)
            }
        }
    }
#endif

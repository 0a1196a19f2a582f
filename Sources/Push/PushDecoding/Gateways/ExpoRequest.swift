package import PayloadJSON
package import PushModel

/// A request to Expo's push service: a message, or an array of messages, each to one token or to several.
///
/// Source: Expo, "Send notifications with Expo's Push API".
package struct ExpoRequest {
    /// Messages that a request may have. Whether each token of a message counts is UNCONFIRMED: Expo's SDKs for Node.js and Ruby send at most
    /// 100 tokens at a time, and that for Python sends more.
    static let mostMessages = 100

    private let root: JSONView

    init(_ root: JSONView) { self.root = root }

    /// True for an array whose first message is for a token of Expo's.
    package static func isList(_ root: JSONView) -> Bool {
        guard root.kind == .array else { return false }
        var elements = root.elements
        return elements.next().map { TopLevelKeys(of: $0).isForExpo } ?? false
    }

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let isList = root.kind == .array
        let messages = isList ? Array(root.elements) : [root]
        var count = 0
        // Before anything is appended, so that a request is read as a whole or not at all.
        for message in messages {
            if let failure = Self.add(message, to: &count) { return failure }
        }
        guard count > 0 else {
            return DecodeFailure(.nothingToSend, "the request to Expo names no token", at: root)
        }
        let first = batch.messageCount
        for (position, message) in messages.enumerated() {
            var inner = origin
            if isList { inner.pointer += "/\(position)" }
            let message = ExpoMessage(message)
            let failure = message.decode(
                inner, isRefused: messages.count > Self.mostMessages, by: &decoder, into: &batch)
            if let failure { return failure }
        }
        guard messages.count > Self.mostMessages else { return nil }
        for index in first..<batch.messageCount {
            batch.reject(
                .expoTooManyNotifications, pointer: origin.pointer,
                "the request has \(messages.count) messages, \(Self.mostMessages) are allowed", message: index)
        }
        return nil
    }

    /// Counts the tokens of a message.
    private static func add(_ message: JSONView, to count: inout Int) -> DecodeFailure? {
        guard message.isObject else {
            return DecodeFailure(.payloadType, "a message to Expo must be a JSON object", at: message)
        }
        let target = message["to"]
        if target?.isString ?? false {
            count += 1
        } else if let target, target.kind == .array {
            for _ in target.elements { count += 1 }
        } else {
            return DecodeFailure(
                .nothingToSend, "\"to\" must be a token of Expo's, or a list of them", at: target ?? message)
        }
        return nil
    }
}

/// A token of Expo's push service, which stands for an app on a device.
package enum ExpoToken {
    /// True if a text has the form of a token.
    ///
    /// Source: Expo, "Send notifications with Expo's Push API". Expo's SDKs also take a UUID alone.
    package static func isToken(_ text: String) -> Bool {
        isMarked(text) && text.hasSuffix("]") || APNsAcceptance.isUUID(text)
    }

    /// True if a text begins as the tokens do by which a request is recognized.
    package static func isMarked(_ text: String) -> Bool {
        text.hasPrefix("ExponentPushToken[") || text.hasPrefix("ExpoPushToken[")
    }
}

extension RecordDecoder {
    /// Reads a message of Expo's again, for a device of another platform.
    ///
    /// - Parameters:
    ///   - text: the message as it is in the record. It lives as long as the batch.
    ///   - message: as it was decoded before, with the device that it is for.
    package mutating func decodeExpo(
        _ text: BorrowedText, like message: DecodedMessage, for platform: Platform, into batch: inout MessageBatch
    ) {
        // SOUND: the caller keeps the text alive.
        var origin = RecordOrigin(record: message.record)
        origin.pointer = message.place.string
        origin.platform = platform
        origin.device = message.device
        _ = unsafe withScan(of: text.bytes, origin, into: &batch) { decoder, root, origin, batch in
            ExpoMessage(root).derive(origin, by: &decoder, into: &batch)
        }
    }
}

package import PayloadJSON
import PushModel

/// The `MessageAttributes` of an SNS request that concern a push: `AWS.SNS.MOBILE.APNS.TTL`,
/// `AWS.SNS.MOBILE.APNS.PRIORITY` and related ones.
///
/// Amazon lists a time to live for each platform. The headers of APNs have attributes for `APNS` alone; they are applied to
/// `APNS_SANDBOX` too, which is the same app. An attribute with the platform's own name takes precedence, and is the only one
/// for VoIP pushes: it is not documented whether SNS applies those of alerts to them.
///
/// Source: Amazon SNS developer guide, "Reserved message attributes for mobile push notifications".
package struct SNSAttributes {
    private static let prefix = "AWS.SNS.MOBILE."

    /// Reserved attributes by what follows the prefix; of those with the same name the last one.
    private var values: [String: JSONView] = [:]
    /// The attributes as written.
    private var text = BorrowedText.empty

    /// - Parameter request: a `Publish` request, or a message without attributes.
    package init(_ request: JSONView) { self.init(of: request["MessageAttributes"]) }

    private init(of attributes: JSONView?) {
        guard let attributes else { return }
        text = attributes.text
        for (key, value) in attributes.members {
            let name = key.string
            // A request has `StringValue`, and SNS's own notifications have `Value`.
            guard name.hasPrefix(Self.prefix), let value = value["StringValue"] ?? value["Value"] else { continue }
            values[String(name.dropFirst(Self.prefix.count))] = value
        }
    }

    // MARK: - Time to live

    /// For how long a service queues a message, in seconds; nil without an attribute, or with one that is not a number of
    /// seconds.
    ///
    /// - Parameter key: the platform's name in the message. FCM's attribute applies to both of its keys, and so does the
    ///   older attribute of that name.
    func secondsKept(_ key: String) -> Int32? {
        guard key == "GCM" || key == "FCM" else { return seconds(key) }
        return seconds("FCM") ?? seconds("GCM")
    }

    private func seconds(_ key: String) -> Int32? {
        // SOUND: the bytes of the text live as long as the request.
        guard let text = values[key + ".TTL"]?.string, let seconds = unsafe JSONNumber.int64(text.raw.buffer),
            let seconds = Int32(exactly: seconds), seconds >= 0
        else { return nil }
        return seconds
    }

    // MARK: - Headers

    /// `apns-push-type` as an attribute has it; nil without one.
    package func pushType(_ key: String) -> JSONView? { value(.pushType, key)?.value }

    private func value(_ header: APNsHeader, _ key: String) -> (name: String, value: JSONView)? {
        guard let attribute = header.attribute else { return nil }
        let name = "\(key).\(attribute)"
        // SNS takes no empty values.
        if let value = values[name], value.kind != .null, !(value.string?.count == 0) { return (name, value) }
        return key == "APNS_SANDBOX" ? value(header, "APNS") : nil
    }

    /// Gives a message to APNs the headers that SNS sends with it.
    func setHeaders(ofMessage index: Int, of key: String, in batch: inout MessageBatch) {
        // SOUND: there is a message at the index, and nothing is appended here.
        guard !values.isEmpty else { return }
        unsafe batch.messages[index].headers.text = text
        for header in APNsHeader.allCases {
            guard let (_, value) = value(header, key) else { continue }
            let text = value.string.map { batch.scratch.text($0) } ?? value.text
            unsafe batch.messages[index].set(header, text)
        }
        if unsafe batch.messages[index].headers.pushType == .liveactivity { batch.hasLiveActivities = true }
    }

    /// JSON Pointer to the attribute that a header of a message comes from.
    static func pointer(to header: APNsHeader, of message: DecodedMessage) -> String {
        // SOUND: the bytes of the attributes live as long as the message.
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard unsafe scanner.scan(message.headers.text.bytes, into: &tape) == nil,
            let root = unsafe tape.root(of: message.headers.text.bytes)
        else { return message.place.string }
        var place = message.place.string.split(separator: "/", omittingEmptySubsequences: false)
        let key = place.popLast().map(String.init) ?? ""
        guard let (name, _) = SNSAttributes(of: root).value(header, key) else { return message.place.string }
        if place.last == "Message" { place.removeLast() }
        let member = root[named: prefix + name]?["StringValue"] == nil ? "Value" : "StringValue"
        return place.joined(separator: "/") + "/MessageAttributes/\(prefix)\(name)/\(member)"
    }
}

extension APNsHeader {
    /// The attribute that sets it, after the name of the platform; nil if there is none.
    fileprivate var attribute: String? {
        switch self {
        case .topic: "TOPIC"
        case .pushType: "PUSH_TYPE"
        case .priority: "PRIORITY"
        case .collapseID: "COLLAPSE_ID"
        case .id, .expiration, .requestID, .channelID, .path: nil
        }
    }
}

package import PushJSON
package import PushModel

extension DecodedMessage {
    /// Reads the headers of a request, unless they are something other than an object.
    mutating func readHeaders(_ view: JSONView, defaultTopic: BorrowedText, _ batch: inout MessageBatch) {
        guard view.isObject else { return }
        let members = view.members
        headers.text = view.text
        headers.isRequest = true
        var seen = SeenHeaders()
        for (key, value) in members where value.kind != .null {
            // At most two names have the same length. Each case calls for its header by name, so that the call becomes what is
            // done for that header alone.
            switch key.count {
            case 5 where key == APNsHeader.path.name: read(.path, key, value, defaultTopic, &seen, &batch)
            case 7 where key == APNsHeader.id.name: read(.id, key, value, defaultTopic, &seen, &batch)
            case 10 where key == APNsHeader.topic.name: read(.topic, key, value, defaultTopic, &seen, &batch)
            case 13 where key == APNsHeader.priority.name: read(.priority, key, value, defaultTopic, &seen, &batch)
            case 14 where key == APNsHeader.pushType.name: read(.pushType, key, value, defaultTopic, &seen, &batch)
            case 15 where key == APNsHeader.expiration.name: read(.expiration, key, value, defaultTopic, &seen, &batch)
            case 15 where key == APNsHeader.channelID.name: read(.channelID, key, value, defaultTopic, &seen, &batch)
            case 16 where key == APNsHeader.collapseID.name: read(.collapseID, key, value, defaultTopic, &seen, &batch)
            default:
                guard let header = APNsHeader(inAnySpelling: key), header != .requestID else { continue }
                read(header, key, value, defaultTopic, &seen, &batch)
            }
        }
        if let path = seen.path { readPath(path, &batch.scratch) }
        // Apple's pages on broadcasts have three spellings of it.
        if headers.channelID != nil, headers.pushType == nil, let type = headers.pushTypeText,
            type.string.lowercased() == "liveactivity"
        {
            headers.pushType = .liveactivity
        }
        if case .liveactivity? = headers.pushType { batch.hasLiveActivities = true }
    }

    /// The state of reading a message's headers: what later ones have to know of those before.
    private struct SeenHeaders {
        /// A bit for each header that was there.
        var names: UInt16 = 0
        var path: BorrowedText?
    }

    @inline(__always)
    private mutating func read(
        _ header: APNsHeader, _ key: JSONString, _ value: JSONView, _ defaultTopic: BorrowedText,
        _ seen: inout SeenHeaders, _ batch: inout MessageBatch
    ) {
        let bit: UInt16 = 1 &<< UInt16(header.rawValue)
        if seen.names & bit != 0 { headers.rejection = .duplicateHeaders }
        seen.names |= bit
        guard let text = text(of: value, key, &batch) else { return }
        switch header {
        case .path: seen.path = text
        case .topic where text.isEmpty: topic = defaultTopic
        // A broadcast may lack its channel's id.
        case .channelID: headers.channelID = text
        default: self[header] = text.isEmpty ? nil : text
        }
    }

    /// The text of a header, or nil with a finding: no request can have a header that is an array or an object.
    @inline(__always)
    private func text(of value: JSONView, _ key: JSONString, _ batch: inout MessageBatch) -> BorrowedText? {
        if let string = value.string { return string.hasEscapes ? batch.scratch.text(string) : string.raw }
        if value.kind != .array, value.kind != .object { return value.text }
        let pointer = place.string + "/headers/" + JSONPointer.escape(key.string)
        let finding = Finding(
            rule: "apns.header-type", severity: .error, pointer: pointer,
            message: "a header must be a string, not an \(value.kind == .array ? "array" : "object")")
        batch.report(finding, message: batch.messageCount - 1)
        return nil
    }

    /// Reads the path of a push, which is posted. That of a device has its token, unless the record names a device; that of a broadcast has the
    /// app, which other requests have in a header. Any other path is `BadPath`. Sources: Apple, "Sending notification requests to
    /// APNs" and "Sending broadcast push notification requests to APNs".
    @inline(never)
    private mutating func readPath(_ path: BorrowedText, _ scratch: inout ScratchArena) {
        switch APNsRoute(method: "POST", path: path.string) {
        case .device:
            // Of broadcasts alone, and the path says what a request is.
            headers.channelID = nil
            guard !headers.isTargetNamed else { return }
            headers.isTargetNamed = true
            headers.isTargetInPath = true
            setToken(path.dropping(APNsRoute.devicePrefix), &scratch)
        case .broadcast:
            topic = path.dropping(APNsRoute.broadcastPrefix)
            headers.hasBroadcastPath = true
            headers.channelID = headers.channelID ?? .empty
        case .refused(.badPath): headers.rejection = headers.rejection ?? .badPath
        case nil: if !path.isEmpty { headers.rejection = headers.rejection ?? .badPath }
        case .channels, .allChannels, .refused: break
        }
    }

    /// A header's value; nil if it is missing or empty, and for a header that is not kept.
    package subscript(header: APNsHeader) -> BorrowedText? {
        @inline(__always) get {
            switch header {
            case .topic: topic
            case .pushType: headers.pushTypeText
            case .priority: headers.priority
            case .expiration: headers.expiration
            case .collapseID: headers.collapseID
            case .id: headers.id
            case .channelID: headers.channelID
            case .requestID, .path: nil
            }
        }
        @inline(__always) set {
            switch header {
            case .topic: topic = newValue ?? .empty
            case .pushType:
                headers.pushTypeText = newValue
                // Alerts come first: they are nearly all messages of most streams.
                headers.pushType = newValue.flatMap { $0 == "alert" ? .alert : PushType(wireName: $0) }
            case .priority: headers.priority = newValue
            case .expiration: headers.expiration = newValue
            case .collapseID: headers.collapseID = newValue
            case .id: headers.id = newValue
            case .channelID: headers.channelID = newValue
            case .requestID, .path: break
            }
        }
    }
}

extension APNsHeader {
    /// The name as written in an object of headers, of which the last one counts; in lower case if it is not there.
    func name(in headers: JSONView?) -> String {
        let name = name.description
        var written = name
        var members = headers?.members
        while let (key, _) = members?.next() {
            if key.string.lowercased() == name { written = key.string }
        }
        return written
    }

    /// The header with a name. Names are case-insensitive in HTTP; HTTP/2 writes them in lower case.
    package init?(_ key: JSONString) {
        guard let header = Self.all.first(where: { key == $0.name }) ?? APNsHeader(inAnySpelling: key) else {
            return nil
        }
        self = header
    }

    /// The header whose name is spelled in another way than the vendor's.
    @inline(never)
    fileprivate init?(inAnySpelling key: JSONString) {
        // SOUND: the bytes of the key are alive during the call.
        let hasCapitals = unsafe key.raw.buffer.contains { $0 &- UInt8(ascii: "A") < 26 }
        guard key.hasEscapes || hasCapitals else { return nil }
        let name = hasCapitals ? key.string.lowercased() : key.string
        guard let known = Self.all.first(where: { $0.name.description == name }) else { return nil }
        self = known
    }

    /// The list of all cases, kept because `allCases` is allocated each time.
    private static let all = allCases
}

extension BorrowedText {
    /// The text without a prefix that it has.
    fileprivate func dropping(_ prefix: String) -> BorrowedText {
        // SOUND: the text has the prefix, so it has at least as many bytes.
        unsafe BorrowedText(start: start + prefix.utf8.count, count: count - prefix.utf8.count)
    }
}

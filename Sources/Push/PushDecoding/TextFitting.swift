package import PushJSON
package import PushModel

/// Works out how to shorten the texts of a message that exceeds its byte budget.
///
/// Texts are cut at the end, one after another: the next text only if replacing the earlier ones by `…` does not suffice. The
/// rest is as long as the budget allows, ends between two grapheme clusters, and is followed by `…`. No other byte changes.
/// `Documentation/reference/formats.md` lists the texts and describes how they are counted.
package struct TextFitting: Sendable {
    /// The texts that may be cut, in this order.
    package let order: [AlertText]

    /// Repeated names have no effect.
    package init(order: [AlertText] = AlertText.allCases) {
        var distinct: [AlertText] = []
        for name in order where !distinct.contains(name) { distinct.append(name) }
        self.order = distinct
    }

    /// A text that is cut.
    package struct Cut {
        package let place: AlertTextPlace
        private let text: ShortenableText
        private let beginning: ShortenableText.Beginning

        fileprivate init(_ place: AlertTextPlace, _ text: ShortenableText, _ beginning: ShortenableText.Beginning) {
            self.place = place
            self.text = text
            self.beginning = beginning
        }

        /// Bytes of the written text that stay.
        package var keptBytes: Int { beginning.writtenCount }
        /// Bytes of the payload that the ellipsis replaces.
        package var range: Range<Int> { place.offset + keptBytes..<place.offset + place.text.count }
        package var ellipsis: StaticString { text.ellipsis }
        /// Length of the text in bytes as measured.
        package var lengthBefore: Int { text.length }
        /// Length of the text in bytes after the cut, with the ellipsis.
        package var lengthAfter: Int { beginning.length }
    }

    /// An action on a message.
    package enum Plan {
        /// The cuts that make it fit, in the order of cutting.
        case cuts([Cut])
        /// Why it cannot fit.
        case cannot(reason: String)
    }

    /// - Parameter bytes: the message's size, more than `limit`.
    package func plan(for message: DecodedMessage, _ payload: JSONView, bytes: Int, limit: Int) -> Plan {
        let places = order.flatMap {
            AlertTextPlace.all(of: $0, in: payload, of: message.provider, on: message.platform)
        }
        // Texts for Android and browsers are counted after unescaping; see `GoogleParts.countedBytes`.
        let measure: TextMeasure = message.platform == .ios ? .written : .decoded
        // The texts that must be cut, and the size of a message in which each of them is only an ellipsis.
        var texts: [(place: AlertTextPlace, text: ShortenableText)] = []
        var least = bytes
        for place in places where least > limit {
            let text = ShortenableText(place.text, measure: measure)
            least -= text.length - text.minimumLength
            texts.append((place, text))
        }
        guard least <= limit else {
            return .cannot(
                reason: places.isEmpty
                    ? "message of \(bytes) bytes, over the limit of \(limit), without a text to cut"
                    : "cutting reduces \(bytes) bytes to \(least), still over the limit of \(limit)")
        }
        return .cuts(Self.cuts(of: texts, room: limit - least))
    }

    /// Cuts the texts so that together they use `room` bytes in addition to their ellipses, or as close below that as whole characters allow.
    ///
    /// Assigns the room from the last text to the first, so that the last text in the cutting order is cut least.
    private static func cuts(of texts: [(place: AlertTextPlace, text: ShortenableText)], room: Int) -> [Cut] {
        var room = room
        var cuts: [Cut] = []
        for (place, text) in texts.reversed() {
            let allowed = text.minimumLength + room
            if text.length <= allowed {
                room = allowed - text.length
            } else {
                let beginning = text.beginning(in: allowed)
                room = allowed - beginning.length
                cuts.append(Cut(place, text, beginning))
            }
        }
        return cuts.reversed()
    }
}

/// The place of an alert's text in a payload. Valid as long as the payload's view is.
package struct AlertTextPlace {
    package var name: AlertText
    /// JSON Pointer into the payload.
    package var pointer: String
    /// Offset in bytes of the first byte between the quotes from the beginning of the payload.
    package var offset: Int
    package var text: JSONString

    private init?(_ name: AlertText, _ pointer: String, _ view: JSONView?) {
        guard let view, let text = view.string else { return nil }
        self.name = name
        self.pointer = pointer
        self.offset = view.offset + 1
        self.text = text
    }

    /// The places of one text in a message's payload: where its device reads it, preceded by the places where it would
    /// read it otherwise. A localization key (`loc-key`) is not a place.
    package static func all(
        of name: AlertText, in payload: JSONView, of provider: Provider, on platform: Platform
    ) -> [AlertTextPlace] {
        switch platform {
        case .ios:
            guard let alert = payload["aps"]?["alert"] else { return [] }
            let place =
                alert.isString && name == .body
                ? AlertTextPlace(name, "/aps/alert", alert)
                : AlertTextPlace(name, "/aps/alert/\(name.rawValue)", alert[name.key])
            return place.map { [$0] } ?? []
        case .android, .web:
            // Neither shows a subtitle.
            guard name != .subtitle else { return [] }
            let parts = GoogleParts(payload, of: provider, on: platform)
            let own = parts.ownNotification?[name.key]
            return [
                parts.sendsCommonText(beside: own)
                    ? AlertTextPlace(name, "/notification/\(name.rawValue)", parts.notification?[name.key]) : nil,
                own.flatMap { AlertTextPlace(name, parts.pointer(to: $0, name, in: payload), $0) },
            ].compactMap(\.self)
        }
    }
}

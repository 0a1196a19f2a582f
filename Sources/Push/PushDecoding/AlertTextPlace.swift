package import PayloadJSON
package import PushModel

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

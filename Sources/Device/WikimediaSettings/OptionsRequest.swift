package import AppSimulation

/// A request to API:Options, as form text.
package struct OptionsRequest: Sendable, Equatable {
    /// Options and their values, in the order in which they are written.
    package let changes: [Change]

    package struct Change: Sendable, Equatable {
        /// The option's name. It cannot contain `=`, which ends a name.
        package let option: String
        package let value: String

        /// Nil when a request cannot express the change: a name ends at its first `=`, and U+001F separates changes.
        package init?(option: String, value: String) {
            let separator = OptionsRequest.separator
            guard !option.isEmpty, !option.utf8.contains(UInt8(ascii: "=")),
                !(option + value).unicodeScalars.contains(separator)
            else { return nil }
            self.option = option
            self.value = value
        }

        /// Switches pushes of a type on or off.
        package init?(_ type: NotificationType, isOn: Bool) {
            self.init(option: type.option, value: isOn ? "1" : "0")
        }
    }

    /// Separates changes, and precedes the first one, when one of them contains a `|`. Source: API:Data formats.
    private static let separator: Unicode.Scalar = "\u{1F}"

    /// The fewest requests that contain all changes, with at most `PreferencesStateMachine.maximumChanges` each.
    package static func requests(for changes: [Change]) -> [OptionsRequest] {
        let most = PreferencesStateMachine.maximumChanges
        return stride(from: 0, to: changes.count, by: most).map { start in
            OptionsRequest(changes: Array(changes[start..<min(start + most, changes.count)]))
        }
    }

    /// The body to POST, `application/x-www-form-urlencoded`. The token is last, so that a truncated request has none.
    package func formText(csrfToken: String) -> String {
        let texts = changes.map { "\($0.option)=\($0.value)" }
        let needsSeparator = texts.contains { $0.utf8.contains(UInt8(ascii: "|")) }
        let mark = String(Self.separator)
        let change = needsSeparator ? mark + texts.joined(separator: mark) : texts.joined(separator: "|")
        return
            "action=options&format=json&formatversion=2&change=\(Self.encoded(change))&token=\(Self.encoded(csrfToken))"
    }

    /// Percent-encodes everything but unreserved characters (RFC 3986).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

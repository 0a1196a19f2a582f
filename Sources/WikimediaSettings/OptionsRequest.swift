public import AppSimulation

/// A request to API:Options that changes options, as form text.
public struct OptionsRequest: Sendable, Equatable {
    /// Options and their values, in the order in which they are written.
    public let changes: [Change]

    /// One option.
    public struct Change: Sendable, Equatable {
        /// Its name. It has no `=`, which would end it.
        public let option: String
        /// What it is set to.
        public let value: String

        /// Nil when the request could not hold the option: a name ends at its first `=`, and U+001F separates changes.
        public init?(option: String, value: String) {
            let separator = OptionsRequest.separator
            guard !option.isEmpty, !option.utf8.contains(UInt8(ascii: "=")),
                !(option + value).unicodeScalars.contains(separator)
            else { return nil }
            self.option = option
            self.value = value
        }

        /// Whether pushes of a type are wanted.
        public init?(_ type: NotificationType, isOn: Bool) {
            self.init(option: type.option, value: isOn ? "1" : "0")
        }
    }

    /// Stands between changes, and before the first, when one of them has a `|`. Source: API:Data formats.
    private static let separator: Unicode.Scalar = "\u{1F}"

    /// As few requests as hold all changes, with at most `PreferencesStateMachine.maximumChanges` each.
    public static func requests(for changes: [Change]) -> [OptionsRequest] {
        let most = PreferencesStateMachine.maximumChanges
        return stride(from: 0, to: changes.count, by: most).map { start in
            OptionsRequest(changes: Array(changes[start..<min(start + most, changes.count)]))
        }
    }

    /// The body to POST, `application/x-www-form-urlencoded`. The token stands last, so that a request that was cut off has none.
    public func formText(csrfToken: String) -> String {
        let texts = changes.map { "\($0.option)=\($0.value)" }
        let needsSeparator = texts.contains { $0.utf8.contains(UInt8(ascii: "|")) }
        let mark = String(Self.separator)
        let change = needsSeparator ? mark + texts.joined(separator: mark) : texts.joined(separator: "|")
        return
            "action=options&format=json&formatversion=2&change=\(Self.encoded(change))&token=\(Self.encoded(csrfToken))"
    }

    /// Everything but unreserved characters (RFC 3986) as `%XX`.
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

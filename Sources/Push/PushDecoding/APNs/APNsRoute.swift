import CPushBlockScan
package import PushJSON
package import PushModel

/// The subject of a request to APNs, of which the path says it: for requests to `serve`, and for records that have a `:path`.
package enum APNsRoute: Equatable {
    /// A push to a device, with its token as the path has it.
    case device(token: String)
    /// A push to the subscribers of a channel of this app.
    case broadcast(bundle: String)
    /// A channel of this app: makes, reads or removes it.
    case channels(bundle: String)
    /// Reads the list of this app's channels.
    case allChannels(bundle: String)
    /// Any other request to APNs, and the reason why it is rejected.
    case refused(Rejection)

    /// The beginnings of the paths of APNs: pushes, broadcasts, channels.
    private static let apnsVersions = ["/3/", "/4/", "/1/apps/"]

    static let devicePrefix = "/3/device/"
    static let broadcastPrefix = "/4/broadcasts/apps/"

    /// Nil for a path that is not APNs'.
    package init?(method: String, path: String) {
        // Nearly all requests; the rest may take its time.
        if path.hasPrefix(Self.devicePrefix) {
            let token = path.utf8.dropFirst(Self.devicePrefix.utf8.count)
            if method == "POST", !token.contains(UInt8(ascii: "/")) {
                self = .device(token: String(Substring(token)))
                return
            }
        }
        guard Self.apnsVersions.contains(where: path.hasPrefix) || path == "/3" else {
            return nil
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let last = String(parts.last ?? "")
        let app = parts.count == 4 ? String(parts.dropFirst(2).first ?? "") : ""
        let (route, methods): (APNsRoute, [String])
        if parts.count == 3, parts.starts(with: ["3", "device"]) {
            route = .device(token: last)
            methods = ["POST"]
        } else if parts.count == 4, parts.starts(with: ["4", "broadcasts", "apps"]), !last.contains("?") {
            route = .broadcast(bundle: last)
            methods = ["POST"]
        } else if !app.isEmpty, parts.starts(with: ["1", "apps"]), last == "channels" {
            route = .channels(bundle: app)
            methods = ["POST", "GET", "DELETE"]
        } else if !app.isEmpty, parts.starts(with: ["1", "apps"]), last == "all-channels" {
            route = .allChannels(bundle: app)
            methods = ["GET"]
        } else {
            self = .refused(.badPath)
            return
        }
        // The order of pushy's mock server: the method before the path. Only a path that exists has methods, though.
        self = methods.contains(method) ? route : .refused(.methodNotAllowed)
    }
}

/// The device tokens of APNs: the bytes of a token in hexadecimal, in which the case of a letter means nothing. The emulator
/// writes them in lower case. Apple does not fix their length.
///
/// Source: Apple, "Sending notification requests to APNs", `:path`.
package enum DeviceToken {
    /// True if a text is the hexadecimal form of bytes.
    package static func isHexadecimalBytes(_ text: BorrowedText) -> Bool {
        digits(text) != BLOCKSCAN_NOT_HEXADECIMAL
    }

    /// True if the canonical form of a text is another one.
    package static func isFolded(_ text: BorrowedText) -> Bool { digits(text) == BLOCKSCAN_HEXADECIMAL_CAPITALS }

    static func digits(_ text: BorrowedText) -> blockscan_digits {
        // SOUND: reads exactly `text.count` bytes.
        guard text.count.isMultiple(of: 2) else { return BLOCKSCAN_NOT_HEXADECIMAL }
        return unsafe blockscan_hexadecimal(text.start, text.count)
    }

    /// A token in lower case, and any other text as it is.
    package static func canonical(_ text: String) -> String {
        BorrowedText.with(text) { digits($0) == BLOCKSCAN_HEXADECIMAL_CAPITALS } ? text.lowercased() : text
    }
}

extension DecodedMessage {
    /// Sends the message to a device token.
    @inline(__always)
    mutating func setToken(_ text: BorrowedText, _ scratch: inout ScratchArena) {
        let digits = DeviceToken.digits(text)
        headers.hasHexadecimalToken = digits != BLOCKSCAN_NOT_HEXADECIMAL
        device = digits == BLOCKSCAN_HEXADECIMAL_CAPITALS ? scratch.lowercased(text) : text
    }
}

import CBlockScan
package import PayloadJSON
import PushModel

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

import PushModel
import Testing

/// A device token consists of hexadecimal digits, checked eight at a time: every byte must be recognized at every
/// position.
@Suite struct DeviceTokenTests {
    @Test func `each ASCII character is a digit of a token or is not, wherever it stands`() {
        let digits = Set("0123456789abcdefABCDEF")
        for code in UInt8(0x21)...0x7E where code != UInt8(ascii: "\"") && code != UInt8(ascii: "\\") {
            let character = Character(Unicode.Scalar(code))
            for place in [0, 1, 7, 8, 15, 16, 17] {
                var token = Array(repeating: Character("a"), count: 18)
                token[place] = character
                let record = #"{"device":"\#(String(token))","payload":{"aps":{"alert":"x"}}}"#
                let messages = readAll(record)
                let isAccepted = messages.first?.isAccepted ?? false
                #expect(isAccepted == digits.contains(character), "\(character) at \(place)")
            }
        }
    }

    @Test func `a character that is not ASCII is no digit, wherever it stands`() {
        for place in 0..<16 {
            var token = Array(repeating: Character("0"), count: 16)
            token[place] = "é"
            token.append("0")
            let record = #"{"device":"\#(String(token))","payload":{"aps":{"alert":"x"}}}"#
            #expect(readAll(record).first?.reason == "BadDeviceToken")
        }
    }
}

import PushDecoding
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

    /// Apple, "Sending notification requests to APNs", `:path`: the hexadecimal bytes of the device token.
    @Test(arguments: [2, 16, 18, 64, 160])
    func `both cases of a token are one device`(digits: Int) throws {
        let lower = repeated("ab", digits / 2)
        for token in [lower, lower.uppercased(), "A" + lower.dropFirst(), lower.dropLast() + "B"] {
            #expect(try read(request(device: "\"\(token)\"")).device == lower)
            let wikimedia = #"{"deviceTokens":["\#(token)"],"messageType":"checkEchoV1","topic":"org.example"}"#
            #expect(try read(wikimedia).device == lower)
            #expect(try read(#"{"device":"ios","token":"\#(token)","alert":"x"}"#).device == lower)
            #expect(try read(#"{"aps":{"alert":"x"}}"#) { $0.device = token }.device == lower)
        }
    }

    @Test func `a registration id of Google keeps its case`() throws {
        #expect(try read(#"{"to":"ABAB","data":{"k":"v"}}"#).device == "ABAB")
        #expect(try read(#"{"message":{"token":"ABAB","data":{"k":"v"}}}"#).device == "ABAB")
    }

    @Test(arguments: [("ABAB", "abab"), ("anna", "anna"), ("ABA", "ABA"), ("ABÄB", "ABÄB"), ("", "")])
    func `a text that is no token keeps its case`(text: String, canonical: String) {
        #expect(DeviceToken.canonical(text) == canonical)
    }

    @Test func `events name a device in either case, unless it is one of Android`() {
        #expect(readAll(#"{"event":"device","device":"ABAB"}"#).first?.device == "abab")
        #expect(readAll(#"{"event":"device","device":"ABAB","platform":"android"}"#).first?.device == "ABAB")
        #expect(readAll(#"{"event":"tap","device":"Anna"}"#).first?.device == "Anna")
    }
}

#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    @testable import ExtensionRuntime

    @Suite struct PushLineTests {
        private func value(_ text: String) -> Any? {
            Array(text.utf8).withUnsafeBufferPointer { bytes in
                var reader = JSONReader(bytes)
                let value = reader.value()
                return reader.isAtEnd ? value : nil
            }
        }

        private func skips(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBufferPointer { bytes in
                var reader = JSONReader(bytes)
                return reader.skipValue() && reader.isAtEnd
            }
        }

        private static let texts = [
            #"{"a":1,"b":[true,false,null,{}],"c":{"d":[]}}"#, "[0,-1,7.5,-0.25,123456789012345678]",
            #"{"t":"plain ü 🙂","e":"\"\\\/\b\f\n\r\t","u":"\u00fc\ud83d\ude42"}"#, " { \"a\" :\t[ 1 , 2 ] } ",
        ]

        @Test(arguments: texts)
        func `values are those of Foundation`(_ text: String) throws {
            let own = try #require(value(text.trimmingCharacters(in: .whitespaces)) as? NSObject)
            let other = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject
            #expect(own.isEqual(other))
            #expect(skips(text.trimmingCharacters(in: .whitespaces)))
        }

        @Test(arguments: [
            "1e2", "1E400", "-0", "01", "1.", "-", "1234567890123456789", "0.12345678901234567890", #""\ud83d""#,
            #""\ude42""#, #""\ud83dx""#, #""\x""#, #""\u12""#, "\"a\nb\"", "\"open", "[1", "{\"a\"}", "{\"a\":1,}",
            "tru", "", "[\u{C}1]", "\"\u{FEFF}a\"", "\"\\n\u{FEFF}a\"",
            String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
        ])
        func `what parsers disagree about, and what is no JSON, is Foundation's`(_ text: String) {
            #expect(value(text) == nil)
            #expect(!skips(text))
        }

        @Test func `what is not UTF-8 is Foundation's`() {
            let bytes: [UInt8] = [0x22, 0xFF, 0x22]
            let (isRead, isSkipped) = bytes.withUnsafeBufferPointer { bytes in
                var (reader, skipper) = (JSONReader(bytes), JSONReader(bytes))
                return (reader.value() != nil, skipper.skipValue())
            }
            #expect(!isRead && !isSkipped)
        }

        @Test func `a name that is there twice is Foundation's`() {
            #expect(value(#"{"a":1,"a":2}"#) == nil)
            let many = (0..<20).map { #""n\#($0)":1"# }.joined(separator: ",")
            #expect(value("{\(many)}") != nil && value(#"{\#(many),"n7":1}"#) == nil)
        }

        private func line(_ payload: String) -> PushLine? {
            let text =
                #"{"method":"didReceive","id":7,"request":{"identifier":"push-\"7","date":1793736000.006,"payload":"#
                + payload + "}}"
            return Array(text.utf8).withUnsafeBufferPointer { PushLine($0) }
        }

        @Test func `a push has its aps at once and its user info on demand`() throws {
            let payload = #"{"n":[1,{"x":"y"}],"aps":{"alert":{"title":"Hi"},"badge":3},"z":null}"#
            let push = try #require(line(payload))
            #expect(
                push.id == 7 && push.identifier == #"push-"7"# && push.date.timeIntervalSince1970 == 1_793_736_000.006)
            let content = UNMutableNotificationContent(aps: push.aps, userInfo: push.userInfo)
            #expect(content.title == "Hi" && content.badge == 3)
            let whole = try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? NSDictionary
            #expect((content.userInfo as NSDictionary).isEqual(whole))
        }

        @Test func `user info that parsers disagree about is read by Foundation`() throws {
            let push = try #require(line(#"{"a":{"b":1,"b":1},"aps":{}}"#))
            #expect((push.userInfo.dictionary["a"] as? [String: Any])?.count == 1)
        }

        @Test(arguments: [
            #"{"aps":{"badge":1e400}}"#, #"{"aps":{},"aps":{}}"#, #"{"x":1e400}"#, "[]", #"{"aps":{"a":1,"a":1}}"#,
        ])
        func `a payload that Foundation may refuse is left to it`(_ payload: String) { #expect(line(payload) == nil) }

        @Test(arguments: texts + [#"{"control":"\u0001\u001f\""}"#, "[1e300,0.1]"])
        func `what is written is read again`(_ text: String) throws {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            var written: [UInt8] = []
            #expect(JSONWriter.append(value, to: &written))
            let again = try JSONSerialization.jsonObject(with: Data(written)) as? NSObject
            #expect(again?.isEqual(value) == true, "\(String(decoding: written, as: UTF8.self))")
        }

        @Test func `values of Swift are written, and others are not`() {
            var written: [UInt8] = []
            #expect(JSONWriter.append(["a": [1, 2.5, true, NSNull()] as [Any]], to: &written))
            #expect(String(decoding: written, as: UTF8.self) == #"{"a":[1,2.5,true,null]}"#)
            #expect(!JSONWriter.append(Date(), to: &written))
            #expect(!JSONWriter.append([Double.nan], to: &written))
            #expect(!JSONWriter.append(NSDecimalNumber(string: "0.1"), to: &written))
        }

        @Test(
            arguments: [
                Int8(1), Int8(5), UInt64.max, Int64.min, 5.0, -0.0, 1e16, 1e300, 1e-7, 123_456_789.125, true, false,
            ] as [any Sendable])
        func `numbers are written as by Foundation`(_ number: any Sendable) throws {
            var written: [UInt8] = []
            #expect(JSONWriter.append([number], to: &written))
            #expect(try Data(written) == JSONSerialization.data(withJSONObject: [number]))
        }
    }
#endif

#if os(Linux)
    import Foundation
    import Testing
    import UserNotifications

    @testable import ServiceExtension

    /// Payloads as a device reads them.
    struct PushReaderTests {
        @Test(arguments: [
            #"{}"#, #"{"aps":7}"#, #"{"aps":{"alert":"Hi"}}"#, #"{"aps":{"alert":7}}"#,
            #"{"aps":{"alert":null,"badge":null}}"#,
            #"{"aps":{"alert":{"title":"a\u00e9\n\"","subtitle":"😀","body":"\ud83d\ude00","launch-image":"l"}},"x":[1,2.5,"c",null,true]}"#,
            #"{"aps":{"alert":{"title-loc-key":"T %@ %@ %@","title-loc-args":["a",7,true,2.5],"loc-key":"B","body":"b"}}}"#,
            #"{"aps":{"alert":{"summary-arg":"s","summary-arg-count":3}}}"#,
            #"{"aps":{"badge":true,"sound":""}}"#, #"{"aps":{"badge":"3","sound":"default"}}"#,
            #"{"aps":{"badge":3,"sound":"ping.caf"}}"#,
            #"{"aps":{"badge":-1.5,"sound":{"critical":1,"name":"a.caf","volume":0.25}}}"#,
            #"{"aps":{"sound":{"critical":true,"volume":1},"thread-id":"t","category":"c","target-content-id":"w"}}"#,
            #"{"aps":{"interruption-level":"passive","relevance-score":0.75,"filter-criteria":"f","mutable-content":1}}"#,
            #"{"aps":{"alert":"a","alert":"b"}}"#, #"{"aps":{"alert":"a"},"big":123456789012345678901234567890}"#,
        ])
        func `content is the same as of a payload that Foundation has read`(_ payload: String) throws {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
            let content = try PushReader(headers: [:], options: .init()).read(payload).content
            let expected = UNMutableNotificationContent(apnsPayload: object)
            #expect(content == expected)
            #expect(content.userInfo as NSDictionary == object as NSDictionary)
        }

        @Test func `user info has whole numbers, fractions, Booleans and texts`() throws {
            let payload = #"""
                {"whole":7,"half":0.5,"yes":true,"large":9223372036854775807,"larger":18446744073709551615,"none":null,
                "text":"\u00fc\u0000a\/b\ud83d\ude00","list":[1,-2.5,false],"object":{"x":1e2}}
                """#
            let userInfo = try PushReader(headers: [:], options: .init()).read(payload).content.userInfo
            #expect(userInfo["whole"] as? Int == 7)
            #expect(userInfo["half"] as? Double == 0.5)
            #expect(userInfo["yes"] as? Bool == true)
            #expect(CFGetTypeID(userInfo["yes"] as? NSNumber) == CFBooleanGetTypeID())
            #expect(CFGetTypeID(userInfo["whole"] as? NSNumber) == CFNumberGetTypeID())
            #expect(userInfo["large"] as? Int == .max)
            #expect((userInfo["larger"] as? NSNumber)?.uint64Value == .max)
            #expect(userInfo["none"] is NSNull)
            #expect(userInfo["text"] as? String == "ü\0a/b😀")
            #expect(userInfo["list"] as? NSArray == [1, -2.5, false] as NSArray)
            #expect((userInfo["object"] as? [String: Any])?["x"] as? Double == 100)
        }

        @Test func `a copy that changes its user info leaves the other copies theirs`() throws {
            let content = try PushReader(headers: [:], options: .init()).read(#"{"aps":{"alert":"Hi"},"id":7}"#).content
            let copy = try #require(content.mutableCopy() as? UNMutableNotificationContent)
            copy.userInfo["id"] = 8
            copy.title = "Title"
            #expect(content.userInfo["id"] as? Int == 7 && content.title == "")
            #expect(copy.userInfo["id"] as? Int == 8 && copy.body == "Hi")
        }

        @Test(arguments: [
            ("", "not JSON at byte 0: "), ("7", "a payload is a JSON object"), ("[]", "a payload is a JSON object"),
            (#"{"aps":}"#, "not JSON at byte 7: "),
            (#"{"aps":{"alert":"\ud800"}}"#, "Foundation cannot read the payload"),
            (
                #"{"deep":"# + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}",
                "not JSON at byte "
            ),
        ])
        func `a payload that a device cannot read is refused`(_ payload: String, reason: String) {
            do {
                _ = try PushReader(headers: [:], options: .init()).pushes(["{}", payload]) {
                    Issue.record("a push without its payload has an identifier")
                    return "id"
                }
                Issue.record("\(payload) was read")
            } catch {
                #expect("\(error)".hasPrefix(reason), "\(error)")
            }
        }
    }
#endif

#if os(Linux)
    import Foundation
    import Synchronization
    import Testing
    import UserNotifications

    @testable import ServiceExtension

    /// What is read off the scanner's tape is what Foundation's parser would have read.
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
            var reader = PushReader(headers: [:], options: .init())
            let content = try reader.read(payload) { "id" }.request.content
            let expected = UNMutableNotificationContent(apnsPayload: object)
            #expect(content == expected)
            #expect(content.userInfo as NSDictionary == object as NSDictionary)
        }

        /// A value with its classes, and the types of its numbers.
        private static func tree(_ value: Any) -> String {
            switch value {
            case let object as [String: Any]:
                "{" + object.sorted { $0.key < $1.key }.map { "\($0.key):\(tree($0.value))" }.joined(separator: ",")
                    + "}"
            case let array as [Any]: "[" + array.map(tree).joined(separator: ",") + "]"
            case let number as NSNumber: "\(type(of: value)) \(number) \(String(cString: number.objCType))"
            default: "\(type(of: value)) \(value)"
            }
        }

        @Test(arguments: [
            "{}", #"{"a":{},"b":[],"c":"","d":null,"e":true,"f":false}"#, #"{"a":[[{"b":[1,"2",[3]]}]]}"#,
            #"{"text":"\u00fc\t\"\\\/","\u006eame":"😀","tail":"\ud83d\ude00"}"#,
            #"{"n":[0,-0,1,-1,127,255,256,-129,65536,4294967296,9223372036854775807,-9223372036854775808]}"#,
            #"{"n":[999999999999999999,-999999999999999999,1000000000000000000,-1000000000000000000]}"#,
            #"{"n":[18446744073709551615,18446744073709551616,123456789012345678901234567890]}"#,
            #"{"n":[0.0,-0.0,1.0,1e2,1E+2,1e-7,0.1,-2.5,3.14159265358979,1234567890.12345,1e308,-1e308,5e-324]}"#,
            #"{"n":[0.12345678901234567890,12345678901234567.5,1.7976931348623157e308,1e400]}"#,
            #"{"a":1,"a":2}"#, #"{"a":"\ud800"}"#, #"[1]"#, "7", #"{"a":}"#, "",
        ])
        func `user info is what Foundation makes of a payload, class by class`(_ payload: String) {
            let expected = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
            #expect(FoundationPayload.object(payload).map(Self.tree) == expected.map(Self.tree))
            let userInfo = FoundationPayload.userInfo(payload) as? [String: Any]
            #expect(userInfo.map(Self.tree) == Self.tree(expected ?? [:]))
        }

        @Test func `a copy that changes its user info leaves the other copies theirs`() throws {
            var reader = PushReader(headers: [:], options: .init())
            let content = try reader.read(#"{"aps":{"alert":"Hi"},"id":7}"#) { "id" }.request.content
            let copy = try #require(content.mutableCopy() as? UNMutableNotificationContent)
            copy.userInfo["id"] = 8
            copy.title = "Title"
            #expect(content.userInfo["id"] as? Int == 7 && content.title == "")
            #expect(copy.userInfo["id"] as? Int == 8 && copy.body == "Hi")
        }

        @Test(arguments: [
            "", "7", "[]", #"{"aps":}"#, #"{"aps":{"alert":"\ud800"}}"#, "{}", #"{"aps":7,"aps":8}"#,
            #"{"big":123456789012345678901234567890}"#,
        ])
        func `a payload is refused before its turn, or not at all`(_ payload: String) {
            func refusal(_ body: () throws -> Void) -> String? {
                do { try body() } catch { return "\(error)" }
                return nil
            }
            var checking = PushReader(headers: [:], options: .init())
            var reading = PushReader(headers: [:], options: .init())
            let expected = refusal { _ = try reading.read(payload) { "id" } }
            #expect(refusal { try checking.check(payload) } == expected)
            #expect(refusal { _ = try PushQueue([payload], headers: [:], options: .init()) { "id" } } == expected)
        }

        @Test func `a push that was looked at is the one that is read`() throws {
            let made = Mutex(0)
            let pushes = try PushQueue([#"{"aps":{"alert":"Hi"}}"#, "{}"], headers: [:], options: .init()) {
                made.withLock { made in
                    made += 1
                    return "push-\(made)"
                }
            }
            let first = pushes.peek().request
            #expect(pushes.read(0).request === first)
            #expect(pushes.read(1).request.identifier == "push-2")
        }

        @Test func `what only Foundation could decide, and cannot, is refused`() {
            var reader = PushReader(headers: [:], options: .init())
            #expect(throws: ServiceExtensionHarness.InvalidPayload.self) {
                try reader.read(#"{"aps":{"alert":"\ud800"}}"#) { "id" }
            }
        }
    }
#endif

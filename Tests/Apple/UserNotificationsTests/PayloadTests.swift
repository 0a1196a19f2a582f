#if os(Linux)
    import Foundation
    import Testing

    @testable import UserNotifications

    /// The content that a device makes of payloads.
    struct PayloadTests {
        private func content(
            _ json: String, localized: (String) -> String? = { _ in nil }
        ) throws -> UNMutableNotificationContent {
            let payload = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            return UNMutableNotificationContent(apnsPayload: payload, localized: localized)
        }

        private static let table: [(json: String, expected: @Sendable (UNMutableNotificationContent) -> Void)] = [
            (#"{"aps":{"alert":"Hi"}}"#, { $0.body = "Hi" }),
            (
                #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"L"}}}"#,
                {
                    $0.title = "T"
                    $0.subtitle = "S"
                    $0.body = "B"
                    $0.launchImageName = "L"
                }
            ),
            (#"{"aps":{"badge":0}}"#, { $0.badge = 0 }),
            (#"{"aps":{"badge":7}}"#, { $0.badge = 7 }),
            (#"{"aps":{"badge":"7"}}"#, { _ in }),
            (#"{"aps":{"badge":true}}"#, { _ in }),
            (#"{"aps":{"badge":null}}"#, { _ in }),
            (#"{"aps":{"sound":"default"}}"#, { $0.sound = .default }),
            (#"{"aps":{"sound":"ping.caf"}}"#, { $0.sound = UNNotificationSound(named: .init("ping.caf")) }),
            (#"{"aps":{"sound":""}}"#, { $0.sound = .default }),
            (
                #"{"aps":{"sound":{"critical":1,"name":"a.caf","volume":0.5}}}"#,
                { $0.sound = .criticalSoundNamed(.init("a.caf"), withAudioVolume: 0.5) }
            ),
            (#"{"aps":{"sound":{"critical":1,"name":"default"}}}"#, { $0.sound = .defaultCritical }),
            (
                #"{"aps":{"sound":{"critical":1,"volume":1}}}"#,
                { $0.sound = .defaultCriticalSound(withAudioVolume: 1) }
            ),
            (
                #"{"aps":{"sound":{"critical":0,"name":"a.caf","volume":0.5}}}"#,
                { $0.sound = UNNotificationSound(named: .init("a.caf")) }
            ),
            (#"{"aps":{"thread-id":"t"}}"#, { $0.threadIdentifier = "t" }),
            (#"{"aps":{"category":"c"}}"#, { $0.categoryIdentifier = "c" }),
            (#"{"aps":{"target-content-id":"w"}}"#, { $0.targetContentIdentifier = "w" }),
            (#"{"aps":{"interruption-level":"passive"}}"#, { $0.interruptionLevel = .passive }),
            (#"{"aps":{"interruption-level":"active"}}"#, { $0.interruptionLevel = .active }),
            (#"{"aps":{"interruption-level":"time-sensitive"}}"#, { $0.interruptionLevel = .timeSensitive }),
            (#"{"aps":{"interruption-level":"critical"}}"#, { $0.interruptionLevel = .critical }),
            (#"{"aps":{"interruption-level":"loud"}}"#, { $0.interruptionLevel = .active }),
            (#"{"aps":{"relevance-score":0.25}}"#, { $0.relevanceScore = 0.25 }),
            (#"{"aps":{"relevance-score":1}}"#, { $0.relevanceScore = 1 }),
            (#"{"aps":{"filter-criteria":"work"}}"#, { $0.filterCriteria = "work" }),
            (
                #"{"aps":{"alert":{"body":"B","summary-arg":"A","summary-arg-count":3}}}"#,
                {
                    $0.body = "B"
                    $0.summaryArgument = "A"
                    $0.summaryArgumentCount = 3
                }
            ),
            (#"{"aps":{"alert":[1],"thread-id":5,"category":{},"sound":1}}"#, { _ in }),
            (#"{"aps":"text","title":"not this one"}"#, { _ in }),
            (#"{"id":1}"#, { _ in }),
        ]

        @Test(arguments: table.indices)
        func `each key goes to its property`(index: Int) throws {
            let (json, expected) = Self.table[index]
            let content = try content(json)
            let wanted = UNMutableNotificationContent()
            wanted.userInfo = content.userInfo
            expected(wanted)
            #expect(content == wanted, "\(json)")
        }

        private static let texts = [
            "GREETING": "Hallo %@, hier ist %@", "SWAPPED": "%2$@ an %1$@", "PERCENT": "100 %% von %@", "PLAIN": "Neu",
        ]

        @Test(arguments: [
            (#"{"loc-key":"PLAIN"}"#, "Neu"),
            (#"{"loc-key":"GREETING","loc-args":["Ana","Bo"]}"#, "Hallo Ana, hier ist Bo"),
            (#"{"loc-key":"SWAPPED","loc-args":["Ana","Bo"]}"#, "Bo an Ana"),
            (#"{"loc-key":"PERCENT","loc-args":["%@"]}"#, "100 % von %@"),
            (#"{"loc-key":"GREETING","loc-args":["Ana"]}"#, "Hallo Ana, hier ist %@"),
            (#"{"loc-key":"GREETING","loc-args":[1,"Bo","too many"]}"#, "Hallo 1, hier ist Bo"),
            (#"{"loc-key":"UNKNOWN","loc-args":["Ana"]}"#, "UNKNOWN"),
            (#"{"loc-key":"PLAIN","body":"text"}"#, "Neu"),
            (#"{"loc-key":null,"body":"text"}"#, "text"),
        ])
        func `a key stands for a text of the app, with its arguments filled in`(alert: String, body: String) throws {
            let title = alert.replacingOccurrences(of: "loc-", with: "title-loc-")
                .replacingOccurrences(of: #""body""#, with: #""title""#)
            let subtitle = alert.replacingOccurrences(of: "loc-", with: "subtitle-loc-")
                .replacingOccurrences(of: #""body""#, with: #""subtitle""#)
            #expect(try content(#"{"aps":{"alert":\#(alert)}}"#) { Self.texts[$0] }.body == body)
            #expect(try content(#"{"aps":{"alert":\#(title)}}"#) { Self.texts[$0] }.title == body)
            #expect(try content(#"{"aps":{"alert":\#(subtitle)}}"#) { Self.texts[$0] }.subtitle == body)
        }

        @Test(arguments: [
            ("%", "%"), ("%%", "%"), ("%%%@", "%a"), ("%0$@", "%0$@"),
            ("%99999999999999999999$@", "%99999999999999999999$@"),
            ("50%", "50%"), ("%1$@%1$@", "aa"), ("%q", "%q"), ("%d", "a"), ("", ""),
        ])
        func `a format has places for arguments and leaves the rest`(format: String, filled: String) {
            #expect(LocalizedFormat(text: format).filled(with: [LocalizedArgument("a")]) == filled)
        }

        @Test func `user info is the whole payload, in types that casts succeed on`() throws {
            let info = try content(
                #"""
                {"aps":{"alert":{"title":"T"},"badge":1},"int":5,"one":1,"double":1.5,"yes":true,"no":false,"text":"x",
                 "list":["a","b"],"numbers":[1,2],"map":{"k":"v"},"deep":{"list":[{"n":1}]},"null":null}
                """#
            ).userInfo
            #expect(info["int"] as? Int == 5 && info["int"] as? NSNumber == 5 && info["int"] as? Double == 5)
            #expect(info["int"] as? String == nil)
            #expect(info["double"] as? Double == 1.5 && info["double"] as? Int == nil)
            #expect(info["yes"] as? Bool == true && info["no"] as? Bool == false && info["one"] as? Bool == true)
            #expect(info["text"] as? String == "x" && info["text"] as? NSString == "x" && info["text"] as? Int == nil)
            #expect(info["list"] as? [String] == ["a", "b"] && info["numbers"] as? [Int] == [1, 2])
            #expect(info["map"] as? [String: String] == ["k": "v"])
            #expect((info["map"] as? [AnyHashable: Any])?["k"] as? String == "v")
            #expect((info["map"] as? NSDictionary)?["k"] as? String == "v")
            let deep = info["deep"] as? [String: Any]
            #expect((deep?["list"] as? [[String: Any]])?.first?["n"] as? Int == 1)
            #expect(info["null"] is NSNull)
            let aps = info["aps"] as? [String: Any]
            #expect((aps?["alert"] as? [AnyHashable: Any])?["title"] as? String == "T")
            #expect(aps?["badge"] as? Int == 1)
            #expect(info as? [String: Any] != nil)
            #expect((info as? [String: AnyObject])?["text"] as? String == "x")
            #expect(JSONSerialization.isValidJSONObject(info))
        }

        @Test func `user info has changed if it came with another payload or was set, and is not the same`() throws {
            let original = try content(#"{"aps":{"alert":"x"},"id":1}"#)
            let other = try content(#"{"aps":{"alert":"x"},"id":2}"#)
            let copy = try #require(original.mutableCopy() as? UNMutableNotificationContent)
            #expect(ContentChanges.between(original, copy).isEmpty && original == copy)
            #expect(ContentChanges.between(original, other).keys.sorted() == ["userInfo"] && original != other)
            copy.userInfo["id"] = 2
            #expect(ContentChanges.between(original, copy).keys.sorted() == ["userInfo"] && original != copy)
            #expect(ContentChanges.between(other, copy).isEmpty && other == copy)
        }
    }
#endif

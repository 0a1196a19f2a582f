import Foundation

/// Valid and malformed records in every format, with a secret token and secret texts in every place that can have one.
///
/// Tokens hold `token` or `hexToken`, texts `text`, so that a search for those finds any that remain: as it was written, in a
/// URL, or in a string in a string. Tokens have capitals and digits as real ones do.
enum SecretCorpus {
    static let token = "tokensecret"
    static let hexToken = "5ec2e75ec2e7"
    static let text = "textsecret"

    private static let gcmToken = "d\(token)A:APA91b/x4Q9=\(token)"
    /// As long as a real one, so that it is recognized as a token in other data too.
    private static let device = String(repeating: hexToken, count: 5) + "abcd"
    private static let others = ["1", "2"].map { "\(token)-id-\($0):APA91b" + String(repeating: "x", count: 100) }

    static let records: [String] = apns + encoded + google + gateways + refused + broken + events

    private static let payload = #"""
        {"aps":{"alert":{"title":"\#(text) a","subtitle":"\#(text) b","body":"\#(text) c","loc-args":["\#(text) d"]},"badge":2,"sound":"default","thread-id":"\#(text)-t","target-content-id":"\#(text)","mutable-content":1,"content-state":{"x":"\#(text)"}},"match":"\#(text)-7","deep":[{"x":"\#(text)"},["\#(text)"]],"me":"\#(device)","url":"https://a.example/?d=\#(device.uppercased())"}
        """#

    private static func quoted(_ json: String) -> String {
        "\"" + json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static let apns = [
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-collapse-id":"\#(text)-c"},"payload":\#(payload)}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-collapse-id":"\#(text)-c"},"payload":\#(quoted(payload))}"#,
        #"{"device":"\#(hexToken)01","headers":{"apns-topic":"org.example.a"},"payload":\#(payload)}"#,
        answered(#"{"status":400,"reason":"\#(text)","x":"\#(text)","results":"\#(text)"}"#),
        answered(#"{"status":"\#(text)","body":{"reason":"\#(device)"}}"#), answered(#""\#(text)""#),
        answered(
            #"{"error":{"code":400,"message":"\#(text)","status":"\#(text)","details":[{"@type":"\#(text)","errorCode":"\#(text)"}]}}"#
        ),
        payload,
    ]

    /// A token of 160 digits of which one is encoded, and the device's own, whose first digit is.
    private static let encoded: [String] = {
        let long = String(repeating: hexToken, count: 13) + "abcd"
        let digits = ["%34", "%2534", "&#52;", "&amp;#52;", #"\\u0034"#]
        return digits.map { digit in
            let token = long.prefix(99) + "4" + long.dropFirst(100)
            let written = long.prefix(99) + digit + long.dropFirst(100)
            return
                #"{"device":"\#(token)","headers":{"apns-topic":"org.example.a"},"payload":{"aps":{"alert":"\#(text)"},"#
                + #""x":"?t=\#(written)","%35\#(device.dropFirst())":"%2535\#(device.dropFirst())"}}"#
        }
    }()

    private static func answered(_ answer: String) -> String {
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a"},"payload":{"aps":{}},"answer":\#(answer)}"#
    }

    private static let google = [
        #"{"to":"\#(gcmToken)","collapse_key":"\#(text)","notification":{"title":"\#(text)","body":"\#(text)","tag":"\#(text)-tag"},"data":{"a":"\#(text)","me":"\#(gcmToken)","url":"?t=d\#(token)A%3AAPA91b%2Fx4Q9%3D\#(token)","json":"{\"t\":\"d\#(token)A:APA91b\\/x4Q9=\#(token)\"}"}}"#,
        #"{"to":"d\u0074okensecretA:APA91b\/x4Q9=\#(token)","notification":{"title":"\u0074extsecret","tag":"\#(text)-tag"}}"#,
        #"{"registration_ids":["\#(others[0])","\#(others[1])","a \#(token)"],"notification":{"title":"\#(text)"},"data":{"all":["\#(others[0])","x\#(others[0])"]}}"#,
        #"{"to":"\#(token)-other-1","registration_ids":["\#(token)-id-1"],"data":{"x":"\#(text)"}}"#,
        #"{"message":{"token":"\#(gcmToken)","notification":{"title":"\#(text)","body":"\#(text)"},"data":{"self":"\#(gcmToken)","x":"\#(text)"},"android":{"collapse_key":"\#(text)","notification":{"tag":"\#(text)-tag","click_action":"\#(text)"},"data":{"y":"\#(text)"}}}}"#,
        #"{"message":{"token":"\#(gcmToken)","notification":{"title":"\#(text)"},"apns":{"headers":{"apns-collapse-id":"\#(text)"},"payload":{"aps":{"alert":{"body":"\#(text)"}},"x":"\#(text)"}}}}"#,
        #"{"provider":"gcm","device":"\#(token)-enveloped","payload":{"notification":{"title":"\#(text)"},"data":{"d":"\#(token)-enveloped"}}}"#,
        #"{"message":{"topic":"news","notification":{"title":"\#(text)"}}}"#,
        #"{"token":"\#(gcmToken)","notification":{"title":"\#(text)"},"apns":{"payload":{"aps":{"alert":"\#(text)"},"x":"\#(text)"}}}"#,
        #"{"tokens":["\#(others[0])","\#(others[1])"],"notification":{"title":"\#(text)","imageUrl":"https://\#(text).example/"}}"#,
        #"{"message":{"token":"\#(gcmToken)","android_v2":{"collapse_key":"\#(text)","data":{"y":"\#(text)"},"remote_notification":{"notification":{"title":"\#(text)","tag":"\#(text)-tag","ticker":"\#(text)"}}}}}"#,
        web,
    ]

    private static let web =
        #"{"message":{"token":"\#(token)-web","webpush":{"headers":{"Topic":"\#(text)"},"#
        + #""notification":{"title":"\#(text)","icon":"https://\#(text).example.org/a.png","#
        + #""badge":"https://\#(text).example.org/b.png","tag":"\#(text)-tag","lang":"en"},"#
        + #""fcm_options":{"link":"https://\#(text).example.org/"}}}}"#

    private static let gateways = [
        #"{"token":"\#(gcmToken)","device":"android-fcm","alert":"\#(text)","extra":{"x":"\#(text)"},"fcm":{"data":{"y":"\#(text)","me":"\#(gcmToken)"}}}"#,
        #"{"token":"\#(device)","device":"ios","alert":{"title":"\#(text)","body":"\#(text)"},"apns":{"thread-id":"\#(text)"}}"#,
        #"{"token":"\#(device)","device":"\#(text)","alert":"\#(text)"}"#,
        #"{"TargetArn":"arn:aws:sns:eu:1:endpoint/\#(token)","Message":\#(quoted(#"{"default":"\#(text)","APNS":\#(quoted(#"{"aps":{"alert":"\#(text)"},"x":"\#(text)"}"#)),"GCM":\#(quoted(#"{"notification":{"title":"\#(text)"},"data":{"x":"\#(text)"}}"#))}"#)),"MessageStructure":"json"}"#,
        #"{"deviceTokens":["\#(hexToken)02","\#(hexToken)03","\#(token)"],"messageType":"checkEchoV1","topic":"org.example.w"}"#,
        #"{"deviceTokens":["\#(token)-w1","\#(token) w2"],"messageType":"checkEchoV1"}"#,
        #"{"type":"message","userfrom":"\#(text)","alert":"\#(text)","token":"\#(device)","site":"\#(text)"}"#,
    ]

    private static let refused = [
        #"{"device":"\#(token) not hex","headers":{"apns-topic":"org.example.a"},"payload":{"aps":{"alert":"\#(text)"}}}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-priority":"\#(text)"},"payload":{"aps":{"alert":"\#(text)"}}}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-push-type":"\#(text)"},"payload":{"aps":{"alert":"\#(text)"}}}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-id":"\#(text)"},"payload":{"aps":{"alert":"\#(text)"}}}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a","apns-expiration":"\#(text)"},"payload":{"aps":{"alert":"\#(text)","interruption-level":3,"sound":{"critical":1,"name":"a.caf"}}}}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.a"},"payload":{"aps":{"alert":"\#(String(repeating: text, count: 600))"}}}"#,
        #"{"message":{"token":"\#(token)-bad-message","notification":{"title":"\#(text)"},"android":{"ttl":"a"},"data":{"n":4711}}}"#,
    ]

    private static let events = [
        #"{"event":"device","device":"\#(gcmToken)","platform":"android","canonical":"\#(token)-newer"}"#,
        #"{"to":"\#(gcmToken)","notification":{"title":"\#(text)","tag":"\#(text)-tag"}}"#,
        #"{"event":"device","device":"\#(token)-web","platform":"web","app":"https://news.example.org"}"#,
        web, web,
        #"{"event":"device","device":"\#(device)","app":"org.example.b","state":"foreground","will_present":["list"],"types":["mention"]}"#,
        #"{"event":"open","device":"\#(device)","app":"org.example.b","screen":"\#(text) of \#(device)","kind":"editor","modal":true}"#,
        #"{"event":"edit","device":"\#(device)","app":"org.example.b"}"#,
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.b","apns-collapse-id":"\#(text)-c"},"payload":\#(payload)}"#,
        #"{"event":"tap","device":"\#(device)","app":"org.example.b","identifier":"\#(text)-c"}"#,
        #"{"event":"confirm","device":"\#(device)","app":"org.example.b","answer":"discard","\#(device)":"\#(text)"}"#,
        #"{"event":"device","device":"\#(token)-short","canonical":"\#(token)-newer","online":"\#(text)"}"#,
        #"{"event":"\#(text)","device":"\#(token)-short"}"#,
    ]

    private static let broken = [
        #"{"device":"\#(device)","payload":{"aps":{"alert":"\#(text)"}},}"#,
        #"{"to":"\#(gcmToken)","data":{"x":"\#(text)"#,
        #"{"to":\#(token),"data":\#(text)}"#,
        #"{'to':'\#(gcmToken)','data':{'x':'\#(text)','me':'\#(gcmToken)'},}"#,
        #"["\#(token)","\#(text)"]"#,
        #""\#(token) \#(text)""#,
        #"{"nothing":"\#(text)","known":"\#(text)","token":"\#(gcmToken)"}"#,
        #"{"provider":"\#(text)","token":"\#(gcmToken)"}"#,
        #"{"\#(text)":{"aps":{"alert":"\#(text)"}}}"#,
        #"{"a \#(text)":{"aps":{"alert":"\#(text)"}},"\#(device)":{"aps":{}}}"#,
        #"{"device":"\#(device)","payload":"{\"aps\":{\"alert\":\#(text)\"}}"}"#,
        #"{"device":"\#(device)","payload":"\#(text)"}"#,
        #"{"token":"\#(gcmToken)","device":"sms","alert":"\#(text)"}"#,
        #"{"device":"\#(device)","payload":{"aps":{"alert":"\#(text)"},"x":"\#(String(repeating: text, count: 2000))"}}"#,
    ]
}

extension [String] {
    var text: String { joined(separator: "\n") + "\n" }
}

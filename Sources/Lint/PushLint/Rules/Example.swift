/// Parts of the examples that several families use.
enum Example {
    static let token = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    static let alert = #"{"aps":{"alert":"Polls close at 18:00"}}"#

    /// An envelope. `headers` are members beside the topic.
    static func request(
        _ headers: String, _ payload: String, topic: String = "org.example.news", device: String = token
    ) -> String { #"{"device":"\#(device)","headers":{"apns-topic":"\#(topic)",\#(headers)},"payload":\#(payload)}"# }

    static let alertRequest = request(#""apns-push-type":"alert""#, alert)

    /// An alert with one more header.
    static func alertRequest(_ header: String) -> String { request(#""apns-push-type":"alert","# + header, alert) }

    static let fcmData = fcm(#""data":{"score":"12"}"#)

    static func aps(_ members: String) -> String { #"{"aps":{"# + members + "}}" }
    static func alert(_ members: String) -> String { aps(#""alert":{"# + members + "}") }
    static func fcm(_ message: String) -> String { #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","# + message + "}}" }
    static func expo(_ members: String) -> String {
        #"{"to":"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]","# + members + "}"
    }
    static func gcm(_ members: String) -> String { #"{"to":"cXwZ9kT3R0m:APA91bHun4","# + members + "}" }
}

import PushDevices
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Tokens for pushes of some types are others than the app's own. Source: Pr0Ger/PyAPNs2, issue 134.
struct TokenKindTests {
    private func reason(
        _ type: String?, _ topic: String, devices: [String], unknown: Bool = false
    ) throws -> String? {
        let trial = SessionTrial { $0.devicePolicy.rejectsUnknownDevices = unknown }
        for app in devices { try trial.pipeline.registerDevices(#"{"device":"ab12","app":"\#(app)"}"#) }
        if devices.isEmpty { try trial.pipeline.registerDevices(#"{"device":"ab12"}"#) }
        let headers = [("apns-topic", topic)] + (type.map { [("apns-push-type", $0)] } ?? [])
        let answer = try trial.answer(push(headers: headers))
        #expect(trial.lines.count == 1)
        return answer.reason
    }

    private static let kinds = [
        ("voip", ".voip"), ("complication", ".complication"), ("fileprovider", ".pushkit.fileprovider"),
        ("location", ".location-query"), ("pushtotalk", ".voip-ptt"), ("controls", ".push-type.controls"),
        ("widgets", ".push-type.widgets"), ("nowplaying", ".push-type.nowplaying"),
    ]

    @Test(arguments: kinds, [false, true])
    func `a push to a token that is registered for the app itself is not for its topic`(
        kind: (type: String, suffix: String), unknown: Bool
    ) throws {
        let topic = "org.example.phone" + kind.suffix
        #expect(
            try reason(kind.type, topic, devices: ["org.example.phone"], unknown: unknown) == "DeviceTokenNotForTopic")
        // A token of that kind, alone or beside the app's own.
        #expect(try reason(kind.type, topic, devices: [topic], unknown: unknown) == nil)
        #expect(try reason(kind.type, topic, devices: ["org.example.phone", topic], unknown: unknown) == nil)
        // Which kind of token it is is not known.
        #expect(try reason(kind.type, topic, devices: [], unknown: unknown) == nil)
        let other = unknown ? "DeviceTokenNotForTopic" : nil
        #expect(try reason(kind.type, topic, devices: ["org.example.other"], unknown: unknown) == other)
        // The app's own push to such a token.
        #expect(
            try reason("alert", "org.example.phone", devices: [topic], unknown: unknown) == "DeviceTokenNotForTopic")
        #expect(
            try reason(nil, "org.example.phone", devices: [topic, "org.example.phone"], unknown: unknown) == nil)
    }

    @Test func `an app whose name begins like another one's is no kind of token of it`() throws {
        for app in ["org.example.phonebook", "org.example.phone.voipcalls", "org.example"] {
            #expect(try reason("alert", "org.example.phone", devices: [app]) == nil)
        }
        #expect(
            try reason("alert", "org.example.phone", devices: ["org.example.other", "org.example.phone.voip"])
                == "DeviceTokenNotForTopic")
    }

    @Test(arguments: [false, true]) func `alerts and Live Activities go to the app's device`(unknown: Bool) throws {
        for (type, suffix) in [("alert", ""), ("background", ""), ("liveactivity", ".push-type.liveactivity")] {
            let topic = "org.example.phone" + suffix
            #expect(try reason(type, topic, devices: ["org.example.phone"], unknown: unknown) == nil)
        }
    }

    @Test func `a dead token is told to be dead, whatever its kind`() throws {
        let trial = SessionTrial()
        try trial.pipeline.registerDevices(
            #"{"device":"ab12","app":"org.example.phone.voip","unregistered":true}"#)
        let headers = [("apns-topic", "org.example.phone.voip"), ("apns-push-type", "voip")]
        #expect(try trial.answer(push(headers: headers)).reason == "Unregistered")
    }
}

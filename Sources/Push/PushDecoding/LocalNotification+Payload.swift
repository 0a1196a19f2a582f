package import PayloadJSON
package import PushModel

extension LocalNotification {
    /// The payload that has the same content as a push: of APNs, of FCM's `android_v2` with a notification that is shown in the foreground, too,
    /// or of web push.
    ///
    /// - Parameter data: members, each after a comma.
    package func payload(for platform: Platform, data: String) -> String {
        let texts = [("title", title), ("body", body)]
        let members: String
        switch platform {
        case .ios: members = #""aps":{"alert":\#(Self.object(texts))}"#
        case .android:
            let notification = Self.object(texts + [("tag", tag), ("channel_id", channel)])
            members = #""android_v2":{"remote_notification":{"notification":\#(notification)}}"#
        case .web: members = #""webpush":{"notification":\#(Self.object(texts + [("tag", tag)]))}"#
        }
        return #"{\#(members)\#(data),"\#(Self.mark)":true}"#
    }

    /// The part of a message that the notification takes along, so that a tap can lead somewhere by it: `data` of GCM and FCM; everything but `aps` of
    /// APNs.
    package static func data(of payload: JSONView) -> String {
        let isApple = payload["aps"] != nil
        return .composed { out in
            out.appendMembers(of: payload) { isApple ? !($0 == "aps" || $0 == mark) : $0 == "data" }
        }
    }

    private static func object(_ members: [(name: String, value: String?)]) -> String {
        .composed { out in
            out.append("{")
            for (name, value) in members {
                guard let value, !value.isEmpty else { continue }
                out.appendMemberName(text: name)
                out.appendJSONString(value)
            }
            out.append("}")
        }
    }
}

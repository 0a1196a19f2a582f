package import AppSimulation
import PayloadJSON
import PushDecoding
package import PushModel

/// Notifications that apps post and remove by themselves.
extension DeviceRegistry {
    /// Presents a notification that an app posts. It needs the permission to be shown, and nothing that a push needs: no network, no login, no
    /// registration for pushes. Its type cannot be switched off, because the server does that.
    ///
    /// Sources: Apple, "Scheduling a notification locally from your app"; Android, "Notification runtime permission".
    package func arrive(posted message: inout DecodedMessage, seq: UInt64, at: Int64) throws -> Arrival {
        guard let device = try find(message.device), isKnown(device),
            let app = findApp(of: message, on: device)
                ?? (table[focusOf: device] == nil ? nil : table.app(message.app, on: device))
        else { return Arrival() }
        return arrive(&message, app, seq: seq, at: at)
    }

    /// An app's reaction to a message that has reached its device, or that of a web site's service worker; nil without rules, and if none
    /// matches.
    package func reaction(to message: DecodedMessage) throws -> AppReaction? {
        guard let rules = policy.messageRules, message.headers.channelID == nil else {
            return nil
        }
        let isHanded = try isHanded(message)
        return transit.withPayload(of: message) { payload in
            guard let payload, message.provider == .fcm, message.platform != .ios,
                let own = GoogleParts.payloadWithOwnData(payload, on: message.platform)
            else { return Self.reaction(rules, message, payload, isHanded: isHanded) }
            return own.withJSON { Self.reaction(rules, message, $0, isHanded: isHanded) } ?? nil
        }
    }

    private static func reaction(
        _ rules: MessageRules, _ message: DecodedMessage, _ payload: JSONView?, isHanded: Bool
    ) -> AppReaction? {
        var reaction = rules.reaction(to: message, payload, isHanded: isHanded)
        guard !reaction.isEmpty else { return nil }
        if let payload, reaction.post != nil { reaction.data = LocalNotification.data(of: payload) }
        return reaction
    }

    /// True if an app gets a message itself, whatever the system shows of it: on an Android device one without a notification, or any while
    /// the app is in the foreground; on an Apple device one that wakes it.
    ///
    /// Sources: Firebase, "Receive messages in Android apps"; Apple, "Pushing background updates to your App".
    private func isHanded(_ message: DecodedMessage) throws -> Bool {
        if message.platform != .ios { return !message.isShown || message.isUnlisted }
        if message.isBackground { return true }
        guard message.headers.pushType?.row.isShown ?? true, manner(of: message).wakesApp else { return false }
        guard let device = try find(message.device), let app = findApp(of: message, on: device) else { return true }
        return !table[app: app].state.appState.isQuit
    }
}

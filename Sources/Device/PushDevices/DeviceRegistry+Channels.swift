import AppSimulation
import PayloadJSON
import PushDecoding
import PushModel

/// Notification channels of apps on Android devices.
extension DeviceRegistry {
    /// Presents a notification in the shade as its channel says, and suppresses it if the channel is off. Without an event about channels,
    /// it is presented as on an unknown device.
    ///
    /// Sources: Android, "Create and manage notification channels"; Firebase, `AndroidNotification.channel_id`: a channel that the app has
    /// not created is replaced by that of the manifest, or else by FCM's own.
    func post(_ message: inout DecodedMessage, _ app: UInt32) -> Arrival {
        var arrival = Arrival()
        guard message.platform == .android, message.isShown, let channels = table[detailsOf: app].channels else {
            return arrival
        }
        let named = transit.androidOptions(of: message).channel
        let found = named.flatMap { named in channels.first { $0.identifier == named.id } }
        // What Expo hands on is posted by Expo's library for apps: without a channel it takes its own, and never replaces one.
        let isPostedByApp = message.isLocal || (message.gateway == .expo && named != nil)
        guard found != nil || !isPostedByApp else { return missChannel(&message, named: named?.id) }
        let channel =
            found ?? channels.first(where: \.isDefault)
            ?? channels.first { $0.identifier == NotificationChannel.fallback }
            ?? NotificationChannel(NotificationChannel.fallback)
        if let named, found == nil {
            let place = "\(message.place.string)\(message.payloadPointer)"
            arrival.finding = Finding(
                rule: "android.unknown-channel", severity: .warning,
                pointer: message.isDerived ? "" : place + named.pointer,
                message:
                    "the app has no channel \"\(named.id)\" on this device; this is posted in \"\(channel.identifier)\""
            )
        }
        arrival.isByChannel = true
        guard channel.importance != .none else {
            message.verdict = .suppressed("channel-off")
            return arrival
        }
        let isLoud = channel.importance == .default || channel.importance == .high
        if channel.importance == .high { arrival.steps.append(.banner) }
        arrival.steps.append(.list)
        if isLoud, channel.hasSound { arrival.steps.append(.sound) }
        if channel.showsBadge { arrival.steps.append(.badge) }
        if channel.importance != .high, !isLoud || !channel.hasSound { arrival.quiet = .channel }
        return arrival
    }

    /// Suppresses what an app posts itself in no channel that it has, and a message of Expo's that names such a channel. The fallback is one of
    /// FCM's SDK, which has no part in it.
    ///
    /// Sources: Android, "Create and manage notification channels": without a channel, "the notification doesn't appear and the system logs an
    /// error"; Expo, "Send notifications with Expo's Push API", `channelId`.
    private func missChannel(_ message: inout DecodedMessage, named: String?) -> Arrival {
        message.verdict = .suppressed("no-channel")
        var arrival = Arrival()
        let mistake = named.map { "the app has no channel \"\($0)\" on this device" } ?? "the app names no channel"
        arrival.finding = Finding(
            rule: "android.unknown-channel", severity: .warning, pointer: "",
            message: "\(mistake); " + (message.isLocal ? "what it posts itself" : "what Expo sends there")
                + " does not appear")
        return arrival
    }
}

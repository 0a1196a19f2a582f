import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushStore

/// Tokens of Live Activities, and the user who swipes one away.
extension RegistryStage {
    /// Addresses a push to a token of Live Activities to the device that it belongs to.
    ///
    /// - Returns: the token; nil if the message names its device.
    func replaceToken(of message: inout DecodedMessage, _ context: DeliveryContext) throws -> String? {
        // FCM names both.
        guard message.provider == .apns, message.headers.channelID == nil else { return nil }
        let token = message.device.string
        guard let owner = try registry.owner(ofActivityToken: token) else { return nil }
        message.device = owner
        context.updateNote { $0.activityToken = token }
        return token
    }

    /// Gives the tokens that an app says it has to its activities.
    func claim(_ tokens: [String], _ event: DeviceEvent, _ context: DeliveryContext) throws {
        guard let device = event.device, let app = try registry.appName(of: event) else { return }
        let screens = try context.store.screens
        for token in tokens where !token.isEmpty {
            try screens.claim(
                activityToken: DeviceToken.canonical(token), device: device, app: app, at: context.at)
        }
    }

    /// Dismisses the Live Activity that an event names. False if it is not on the lock screen.
    func dismissActivity(_ event: DeviceEvent, _ standIn: DecodedMessage, _ context: DeliveryContext) throws -> Bool {
        guard event.name == .dismiss, let identifier = event.identifier ?? event.seq.map({ "activity-\($0)" }) else {
            return false
        }
        let screens = try context.store.screens
        guard
            let activity = try screens.dismissActivity(
                identifier, device: standIn.device.string, app: event.app, at: context.at)
        else { return false }
        var subject = standIn
        subject.platform = .ios
        try LiveActivityDelivery.record(.dismissed, activity, subject, context, screens)
        return true
    }
}

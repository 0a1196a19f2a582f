package import AppSimulation

/// Changes that a user makes at once: switches, login, wiki and permission.
package struct SettingsChange: Sendable {
    /// The wiki of a user who names none.
    package static let defaultWiki = "default"

    package var permission: NotificationPermission?
    package var alertsAreOn: Bool?
    package var logsOut = false
    package var account: String?
    /// The wiki of the app's primary language.
    package var wiki: String?
    package var toggles: [(type: NotificationType, isOn: Bool)] = []
    package var registrationFails = false
    package var subscriptionFails = false
    /// The wiki's answers to the requests that change options, in order. The last one also answers all later requests;
    /// without any, the wiki accepts every change.
    package var answers: [PreferencesStateMachine.Answer] = []

    package init() {}

    /// Switches or a wiki were changed while nobody is logged in.
    package struct NobodyIsLoggedIn: Error, Equatable {
        package init() {}
    }

    /// The settings screen after these changes to a device.
    package func applied(
        to device: DevicePreferences, _ table: NotificationTypeTable
    ) throws(NobodyIsLoggedIn) -> SettingsScreen {
        var screen = SettingsScreen(
            device, table, registrationFails: registrationFails, subscriptionFails: subscriptionFails,
            answers: answers)
        if permission != nil || alertsAreOn != nil {
            screen.handle([
                .settingsChanged(
                    permission: permission ?? device.permission, alertsAreOn: alertsAreOn ?? device.alertsAreOn)
            ])
        }
        if logsOut { screen.handle([.loggedOut]) }
        if let account {
            let known = device.accounts[account]?.primarySite
            screen.handle([.loggedIn(account: account, wiki: known ?? wiki ?? Self.defaultWiki)])
        }
        guard screen.device.account != nil || (toggles.isEmpty && wiki == nil) else { throw NobodyIsLoggedIn() }
        if let wiki { screen.handle([.primaryLanguageChanged(to: wiki)]) }
        // Switches that move before the screen has read the settings are sent to the wiki in one request.
        if !toggles.isEmpty {
            screen.handle([.appeared] + toggles.map { PreferencesStateMachine.Event.toggled($0.type, $0.isOn) })
        }
        return screen
    }
}

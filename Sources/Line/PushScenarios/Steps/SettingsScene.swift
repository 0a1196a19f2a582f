import AppSimulation
import PushModel

/// The settings screen in a scenario, and the device that has its settings.
struct SettingsScene {
    var screen = SettingsScreen()
    /// The sites that store the settings, by language.
    var sites = SettingsSites()
    /// True if the app shows its feed, in a tab of its own.
    var showsFeed = true
    /// The settings that the device has; nil until the first login.
    private var applied: DevicePreferences?
    /// The device that has them.
    private var appliedTo = ""
    /// The account and site of the last login.
    private var lastLogin = (account: "user", site: SettingsSites.only)

    /// True if the app offers its settings: only to a user who is logged in.
    var isOffered: Bool { screen.device.account != nil }

    /// The part of the app that has its bell: the feed, or without one the settings; nil while nobody is logged in.
    ///
    /// Source: Wikimedia's Phabricator, T287628; wikimedia/wikipedia-ios, pull request 4109.
    var bell: String? { isOffered ? showsFeed ? "feed" : "settings" : nil }

    mutating func logIn(_ account: String, at site: String) {
        lastLogin = (account, site)
        screen.logIn(account, at: site)
    }

    // MARK: - The device

    /// The settings that a device has to take over; nil if there are none. Before the first login the settings
    /// say nothing about the device.
    mutating func takeChange(of device: String) -> StepEvent? {
        let now = screen.device
        guard applied != nil || isOffered else { return nil }
        let old = appliedTo == device ? applied : nil
        guard old != now else { return nil }
        applied = now
        appliedTo = device
        var event = StepEvent(.device, device: device)
        if old?.permission != now.permission { event.add("authorization", text: now.permission.rawValue) }
        if old?.alertsAreOn != now.alertsAreOn { event.add("alerts", "\(now.alertsAreOn)") }
        if old?.account != now.account { event.add("logged_in", "\(now.account != nil)") }
        if old?.registration != now.registration {
            event.add("registration", text: DeviceEvent.Registration(now.registration).rawValue)
        }
        // Types without a switch are the device's own.
        let others = screen.surroundings.sites[now.current?.primarySite ?? ""]?.subtracting(screen.table.types) ?? []
        event.add("types", texts: now.typesOn.union(others).sorted().map(\.name))
        return event
    }

    /// Takes over what an event says about permission, login and types.
    mutating func observe(_ event: DeviceEvent) {
        screen.errors = []
        if event.authorization != nil || event.showsAlerts != nil {
            screen.changeSystem(
                permission: event.authorization ?? screen.permission,
                alertsAreOn: event.showsAlerts ?? screen.alertsAreOn)
        }
        guard applied != nil else { return }
        switch event.isLoggedIn {
        case true? where !isOffered: logIn(lastLogin.account, at: lastLogin.site)
        case false? where isOffered: screen.logOut()
        default: break
        }
        guard let site = screen.device.current?.primarySite else { return }
        if let types = event.types {
            screen.surroundings.sites[site] = Set(types.map { NotificationType($0) })
        } else if let type = event.type.map({ NotificationType($0) }), let isOn = event.isOn {
            if isOn {
                screen.surroundings.sites[site, default: []].insert(type)
            } else {
                screen.surroundings.sites[site]?.remove(type)
            }
        } else {
            return
        }
        screen.open()
    }

    /// Rules by which the category of a push that names a type of this screen is its type.
    var mappingByCategory: PreferenceMapping {
        PreferenceMapping(
            screen.table.rows.map { PreferenceMapping.Rule(at: .category, like: $0.type.name, type: $0.type) })
    }
}

package import AppSimulation

extension PreferencesStateMachine {
    /// Identifies a request in its answer, so that stale answers are recognized.
    package struct RequestID: Hashable, Sendable {
        /// Starts at 1, in the order of the requests.
        package let number: Int
    }

    /// An event that affects the settings.
    package enum Event: Sendable, Equatable {
        /// A user logs in; `wiki` is the host name of the wiki in the app's primary language.
        case loggedIn(account: String, wiki: String)
        case loggedOut
        /// The settings screen is opened.
        case appeared
        /// The user moves a switch, which keeps its position until the machine changes it.
        case toggled(NotificationType, Bool)
        /// The user moves the switch for pushes of any type. The switches of the types are hidden while it is off.
        case pushSwitched(Bool)
        case permissionAnswered(isGranted: Bool)
        /// The user changed the system's settings.
        case settingsChanged(permission: NotificationPermission, alertsAreOn: Bool)
        /// The system provides a token; it may do so again, with another one.
        case registrationSucceeded(token: String)
        case registrationFailed(reason: String)
        /// The app's primary language changed to that of another wiki.
        case primaryLanguageChanged(to: String)
        case answered(RequestID, Answer)
        /// A request was not answered in time. The server may or may not have carried it out.
        case timedOut(RequestID)
    }

    /// The answer to an API request.
    package enum Answer: Sendable, Equatable {
        /// The answer to `fetchToken`.
        case token(String)
        /// The answer to `requestUserinfo`: the types that are on.
        case userOptions(on: Set<NotificationType>)
        /// `success`; a warning may still say that an option was not accepted.
        case success(warnings: [String])
        /// `{"error":{"code":…}}`: nothing was changed.
        case error(code: String)
        /// There is no answer, or an unreadable one. The server may or may not have carried out the request.
        case lost
    }

    /// An action for the caller. Effects are carried out in order; an answer comes back as an event.
    package enum Effect: Sendable, Equatable {
        /// Show the system's permission prompt.
        case askForPermission
        /// Ask the system for a token.
        case register
        /// `action=query&meta=tokens`: a csrf token of this wiki.
        case fetchToken(RequestID, wiki: String)
        /// `action=query&meta=userinfo&uiprop=options`.
        case requestUserinfo(RequestID, wiki: String)
        /// `action=options`; the changes are at most `maximumChanges`.
        case writeOptions(RequestID, wiki: String, changes: [NotificationType: Bool], csrfToken: String)
        /// `action=echopushsubscriptions&command=create`.
        case subscribe(RequestID, wiki: String, deviceToken: String, csrfToken: String)
        /// `action=echopushsubscriptions&command=delete`. The answer is ignored.
        case unsubscribe(wiki: String, deviceToken: String, csrfToken: String)
        /// Move a switch that is in the wrong position.
        case showToggle(NotificationType, Bool)
        case showError(PreferencesError)
    }

    /// Changes in one request. Source: API:Options, "Maximum number of values is 50".
    package static let maximumChanges = 50
}

/// An error to show to the user.
package enum PreferencesError: Sendable, Equatable {
    /// The user does not allow the app to send notifications; only they can change that, in the system's settings.
    case permissionDenied
    case registrationFailed(reason: String)
    /// The server that sends pushes did not take the token.
    case subscriptionFailed(reason: String)
    /// The settings could not be read; what is shown may be out of date.
    case cannotRead(reason: String)
    /// These types could not be changed, and their switches were moved back. Sorted.
    case cannotWrite([NotificationType], reason: String)
    /// The types could not be switched off after the login; some may be on.
    case cannotSwitchOff(reason: String)
    /// The server says that no user is logged in.
    case sessionEnded

    /// One line of plain text.
    package var message: String {
        switch self {
        case .permissionDenied: "notifications are not allowed for the app; the system's settings can allow them"
        case .registrationFailed(let reason): "the device could not be registered for pushes: \(reason)"
        case .subscriptionFailed(let reason):
            "the device could not be subscribed at the server that sends pushes: \(reason)"
        case .cannotRead(let reason): "the settings could not be read: \(reason)"
        case .cannotWrite(let types, let reason):
            "\(types.map(\.name).joined(separator: ", ")) could not be changed: \(reason)"
        case .cannotSwitchOff(let reason): "the types could not be switched off after the login: \(reason)"
        case .sessionEnded: "the server says that nobody is logged in"
        }
    }
}

public import AppSimulation

extension PreferencesStateMachine {
    /// A number that an answer brings back, so that answers to what nobody waits for any more are told from others.
    public struct RequestID: Hashable, Sendable {
        /// From 1, in the order of the requests.
        public let number: Int
    }

    /// What happens to the settings.
    public enum Event: Sendable, Equatable {
        /// Somebody logs in, the app's primary language being that of `wiki`, a host name.
        case loggedIn(account: String, wiki: String)
        case loggedOut
        /// The settings screen is opened.
        case appeared
        /// The person moves a switch, which stands as they left it until the machine says otherwise.
        case toggled(NotificationType, Bool)
        /// The answer to `askForPermission`.
        case permissionAnswered(isGranted: Bool)
        /// The person was in the system's settings.
        case settingsChanged(permission: NotificationPermission, alertsAreOn: Bool)
        /// The system hands out a token; it may do so again, with another one.
        case registrationSucceeded(token: String)
        case registrationFailed(reason: String)
        /// The app's primary language is now that of another wiki.
        case primaryLanguageChanged(to: String)
        /// An answer to a request.
        case answered(RequestID, Answer)
        /// No answer to a request came in time. Whether the server did what it was asked is not known.
        case timedOut(RequestID)
    }

    /// What an API request led to.
    public enum Answer: Sendable, Equatable {
        /// To `fetchToken`.
        case token(String)
        /// To `requestUserinfo`: the types that are on.
        case userOptions(on: Set<NotificationType>)
        /// `success`, which proves little: a warning may say that an option was not taken.
        case success(warnings: [String])
        /// `{"error":{"code":…}}`: nothing was done.
        case error(code: String)
        /// There is no answer, or none that can be read. Whether the server did what it was asked is not known.
        case lost
    }

    /// What is to be done. Effects are carried out in their order; an answer comes back as an event.
    public enum Effect: Sendable, Equatable {
        /// Show the system's question.
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
        /// `action=echopushsubscriptions&command=delete`. Nobody waits for the answer.
        case unsubscribe(wiki: String, deviceToken: String, csrfToken: String)
        /// Move a switch, because it does not stand as it should.
        case showToggle(NotificationType, Bool)
        case showError(PreferencesError)
    }

    /// Changes in one request. Source: API:Options, "Maximum number of values is 50".
    public static let maximumChanges = 50
}

/// What the person is told.
public enum PreferencesError: Sendable, Equatable {
    /// The person does not let the app notify; only they can change that, in the system's settings.
    case permissionDenied
    case registrationFailed(reason: String)
    /// The settings could not be read; what is shown may be out of date.
    case cannotRead(reason: String)
    /// These types could not be changed, and their switches went back. Sorted.
    case cannotWrite([NotificationType], reason: String)
    /// The settings could not be copied to the wiki of the new primary language; those of the old one go on to count.
    case cannotCopy(to: String, reason: String)
    /// The server says that nobody is logged in.
    case sessionEnded

    /// One line in plain words.
    public var message: String {
        switch self {
        case .permissionDenied: "notifications are not allowed for the app; the system's settings can allow them"
        case .registrationFailed(let reason): "the device could not be registered for pushes: \(reason)"
        case .cannotRead(let reason): "the settings could not be read: \(reason)"
        case .cannotWrite(let types, let reason):
            "\(types.map(\.name).joined(separator: ", ")) could not be changed: \(reason)"
        case .cannotCopy(let wiki, let reason): "the settings could not be copied to \(wiki): \(reason)"
        case .sessionEnded: "the server says that nobody is logged in"
        }
    }
}

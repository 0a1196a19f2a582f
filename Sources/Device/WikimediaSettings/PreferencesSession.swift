import AppSimulation

/// The state while a user is logged in.
struct PreferencesSession: Sendable {
    let account: String
    /// Where settings are read and written.
    var wiki: String
    /// The types that are on at that wiki, as last read; empty until the first read.
    var known: Set<NotificationType> = []
    /// True if `known` may differ from the wiki's settings: they were not read yet, or the last request failed.
    var isStale = true
    var needsRead = true
    /// Nil once the types are off that the login switches off.
    var reset: Reset?
    /// Changes by the user that the wiki does not have yet.
    var wanted: [NotificationType: Bool] = [:]
    var registration = Registration.none
    /// The user's wish for the switch for pushes; nil until they move it. Without it, the first type that is on
    /// makes the app register.
    var wantsPush: Bool?
    /// By wiki.
    var csrfTokens: [String: String] = [:]
    /// Only one request at a time, so that nothing has changed between a request and its answer.
    var request: Request?
    var move: Move?

    enum Registration: Sendable, Equatable {
        case none
        /// The system was asked for a token.
        case waiting
        /// The token is being sent to the server.
        case subscribing(String)
        case registered(String)
        case failed(reason: String)
        /// The server did not take the token.
        case subscriptionFailed(reason: String)

        /// True if the next type that is switched on tries again.
        var hasFailed: Bool {
            switch self {
            case .failed, .subscriptionFailed: true
            case .none, .waiting, .subscribing, .registered: false
            }
        }
    }

    struct Request: Sendable {
        let id: PreferencesStateMachine.RequestID
        let work: Work
        /// True if it requests the token that the work needs.
        let isForToken: Bool
        /// True if the work was already rejected once because of its token.
        let isSecondTry: Bool
    }

    enum Work: Sendable, Equatable {
        case read
        /// Switches types off after a login.
        case reset([NotificationType])
        case write([NotificationType: Bool])
        case subscribe(deviceToken: String)
        /// For a move.
        case readTarget(wiki: String)
        case writeTarget(wiki: String, [NotificationType: Bool])

        var needsToken: Bool {
            switch self {
            case .reset, .write, .subscribe, .writeTarget: true
            case .read, .readTarget: false
            }
        }
    }

    /// All types are being switched off at the wiki, because the user has just logged in. What is on there was chosen
    /// elsewhere, or is a default of the wiki.
    ///
    /// Source: Wikimedia's Phabricator, T271855: "If notification types are supposed to be toggled OFF by default, then
    /// upon login we MUST make a call to options API toggle them all off on the server."
    struct Reset: Sendable {
        /// The types that the wiki has not switched off yet, sorted.
        var types: [NotificationType]
        /// The types that a warning of the wiki names, and the warning. The next read tells whether they are on.
        var refused: Set<NotificationType> = []
        var warning = ""
        var hasFailed = false
    }

    /// Settings are being copied to another wiki, behind the scenes. Until that is done the old wiki's apply. If it fails nobody is told, and
    /// the next time the screen is opened it shows what the other wiki has.
    ///
    /// Source: Wikimedia's Phabricator, T271855, about a change of the primary language.
    struct Move: Sendable {
        let to: String
        /// The types that are on there; nil until they are read.
        var known: Set<NotificationType>?
        /// The wiki returned a warning that named none of our options.
        var hasWarnings = false
    }

    init(account: String, wiki: String, switchingOff types: Set<NotificationType> = []) {
        self.account = account
        self.wiki = wiki
        if !types.isEmpty { reset = Reset(types: types.sorted()) }
    }

    func isOn(_ type: NotificationType) -> Bool { wanted[type] ?? known.contains(type) }

    /// The changes that the current request writes to the primary wiki.
    var inFlight: [NotificationType: Bool] {
        if case .write(let changes)? = request?.work { changes } else { [:] }
    }

    /// Drops changes that the wiki already has and that no request in flight is about to undo.
    mutating func dropFulfilled() {
        // Stale settings cannot be compared with.
        if isStale { return }
        let inFlight = inFlight
        wanted = wanted.filter { type, isOn in inFlight[type] != nil || known.contains(type) != isOn }
    }

    /// The types to switch on that wait for permission or registration.
    var waiting: [NotificationType] {
        let inFlight = inFlight
        return wanted.filter { $1 && inFlight[$0] == nil }.keys.sorted()
    }
}

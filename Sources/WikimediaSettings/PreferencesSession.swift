import AppSimulation

/// What is known while somebody is logged in.
struct PreferencesSession: Sendable {
    let account: String
    /// Where settings are read and written.
    var wiki: String
    /// What is on at that wiki, as far as it is known; nothing before it was read for the first time.
    var known: Set<NotificationType> = []
    /// Whether `known` may differ from what the wiki has: it was not read yet, or the last try failed.
    var isStale = true
    var needsRead = true
    /// What the person wants and the wiki does not have yet.
    var wanted: [NotificationType: Bool] = [:]
    var registration = Registration.none
    /// By wiki.
    var csrfTokens: [String: String] = [:]
    /// One request at a time: an answer then speaks of a state that nothing has changed since.
    var request: Request?
    var move: Move?

    enum Registration: Sendable, Equatable {
        case none
        /// The system was asked for a token.
        case waiting
        /// The server is to take this token.
        case subscribing(String)
        case registered(String)
        case failed(reason: String)
    }

    /// A request whose answer has not come.
    struct Request: Sendable {
        let id: PreferencesStateMachine.RequestID
        let work: Work
        /// It asks for the token that the work needs.
        let isForToken: Bool
        /// The work was refused once already because of its token.
        let isSecondTry: Bool
    }

    enum Work: Sendable, Equatable {
        case read
        case write([NotificationType: Bool])
        case subscribe(deviceToken: String)
        /// For a move.
        case readTarget(wiki: String)
        case writeTarget(wiki: String, [NotificationType: Bool])

        var needsToken: Bool {
            switch self {
            case .write, .subscribe, .writeTarget: true
            case .read, .readTarget: false
            }
        }
    }

    /// The settings are to be copied to another wiki. Until that is done, this one's count, so that a failure loses nothing.
    struct Move: Sendable {
        let to: String
        /// What is on there; nil before it was read.
        var known: Set<NotificationType>?
        var hasFailed = false
        /// The wiki had something to say that named no option of ours.
        var hasWarnings = false
    }

    init(account: String, wiki: String) {
        self.account = account
        self.wiki = wiki
    }

    func isOn(_ type: NotificationType) -> Bool { wanted[type] ?? known.contains(type) }

    /// What the request that is under way writes to the wiki that counts.
    var inFlight: [NotificationType: Bool] {
        if case .write(let changes)? = request?.work { changes } else { [:] }
    }

    /// Forgets wishes that the wiki fulfils already and that no request under way is about to undo.
    mutating func dropFulfilled() {
        // Against what may be out of date nothing can be held.
        if isStale { return }
        let inFlight = inFlight
        wanted = wanted.filter { type, isOn in inFlight[type] != nil || known.contains(type) != isOn }
    }

    /// The wishes to switch on that wait for permission or registration.
    var waiting: [NotificationType] {
        let inFlight = inFlight
        return wanted.filter { $1 && inFlight[$0] == nil }.keys.sorted()
    }
}

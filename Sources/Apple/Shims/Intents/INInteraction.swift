#if os(Linux)
    import Dispatch
    public import Foundation
    import UserNotifications

    /// Who started an interaction.
    public enum INInteractionDirection: Int, Sendable {
        /// Unknown.
        case unspecified = 0
        /// The user.
        case outgoing = 1
        /// Someone else, with the user.
        case incoming = 2
    }

    /// The state of an intent.
    public enum INIntentHandlingStatus: Int, Sendable {
        /// Unknown.
        case unspecified = 0
        /// It can be done.
        case ready = 1
        /// It is being done.
        case inProgress = 2
        /// It is done.
        case success = 3
        /// It could not be done.
        case failure = 4
        /// It needs the app.
        case deferredToApplication = 5
        /// It needs confirmation.
        case userConfirmationRequired = 6
    }

    /// An interaction with the app, which the app reports to the system.
    ///
    /// There is no Siri here: a donation is kept in `donations` while the process lives.
    open class INInteraction: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked: mutable state is behind a lock.
        private struct State {
            var direction = INInteractionDirection.unspecified
            var dateInterval: DateInterval?
            var identifier = UUID().uuidString
            var groupIdentifier: String?
        }

        private static let donated = Locked<[INInteraction]>([])

        /// The intent, as a copy.
        public let intent: INIntent
        /// The response.
        public let intentResponse: INIntentResponse?
        /// Unspecified: intents are not handled here.
        open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }

        private let state: Locked<State>

        /// An interaction with an intent and its response.
        public init(intent: INIntent, response: INIntentResponse?) {
            self.intent = intent.copy() as? INIntent ?? intent
            intentResponse = response
            state = Locked(State())
            super.init()
        }

        private init(_ other: INInteraction) {
            intent = other.intent
            intentResponse = other.intentResponse
            state = Locked(other.state.snapshot)
            super.init()
        }

        /// Who did it.
        open var direction: INInteractionDirection {
            get { state.direction }
            set { state.direction = newValue }
        }

        /// When.
        open var dateInterval: DateInterval? {
            get { state.dateInterval }
            set { state.dateInterval = newValue }
        }

        /// The identifier for deletion; generated unless set.
        open var identifier: String {
            get { state.identifier }
            set { state.identifier = newValue }
        }

        /// The group identifier for deletion.
        open var groupIdentifier: String? {
            get { state.groupIdentifier }
            set { state.groupIdentifier = newValue }
        }

        /// An independent copy.
        open func copy(with zone: NSZone? = nil) -> Any { INInteraction(self) }

        // MARK: - Donations

        /// Donations that were not deleted, oldest first, for tests. Apple has no such list.
        public static var donations: [INInteraction] { donated.snapshot }

        /// Donates a snapshot. Replaces one with the same identifier. The completion is called on a background queue.
        open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            let copy = INInteraction(self)
            Self.change(completion) { donations in
                donations.removeAll { $0.identifier == copy.identifier }
                donations.append(copy)
            }
        }

        /// Donates a snapshot.
        open func donate() async throws {
            await withCheckedContinuation { continuation in donate { _ in continuation.resume() } }
        }

        /// Deletes donations. Unknown identifiers are ignored.
        open class func delete(with identifiers: [String]) async throws {
            await withCheckedContinuation { continuation in delete(with: identifiers) { _ in continuation.resume() } }
        }

        /// Deletes the donations of a group.
        open class func delete(with groupIdentifier: String) async throws {
            await withCheckedContinuation { continuation in delete(with: groupIdentifier) { _ in continuation.resume() }
            }
        }

        /// Deletes all donations.
        open class func deleteAll() async throws {
            await withCheckedContinuation { continuation in deleteAll { _ in continuation.resume() } }
        }

        /// Deletes donations. Unknown identifiers are ignored.
        open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0.removeAll { identifiers.contains($0.identifier) } }
        }

        /// Deletes the donations of a group.
        open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0.removeAll { $0.groupIdentifier == groupIdentifier } }
        }

        /// Deletes all donations.
        open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0 = [] }
        }

        private static func change(
            _ completion: (@Sendable ((any Error)?) -> Void)?, _ body: (inout [INInteraction]) -> Void
        ) {
            donated.withLock(body)
            if let completion { DispatchQueue.global().async { completion(nil) } }
        }
    }
#endif

#if os(Linux)
    import Dispatch
    public import Foundation
    import UserNotifications

    /// Who did something with the app.
    public enum INInteractionDirection: Int, Sendable {
        /// It is not known.
        case unspecified = 0
        /// The user.
        case outgoing = 1
        /// Somebody else, with the user.
        case incoming = 2
    }

    /// How far an intent has come.
    public enum INIntentHandlingStatus: Int, Sendable {
        /// It is not known.
        case unspecified = 0
        /// It can be done.
        case ready = 1
        /// It is being done.
        case inProgress = 2
        /// It is done.
        case success = 3
        /// It could not be done.
        case failure = 4
        /// The app has to do it.
        case deferredToApplication = 5
        /// The user has to agree.
        case userConfirmationRequired = 6
    }

    /// Something that was done with the app, which the app tells the system of.
    ///
    /// There is no Siri here to learn from it: a donation is kept for as long as the process lives, in `donations`.
    open class INInteraction: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked: what changes is under a lock.
        private struct State {
            var direction = INInteractionDirection.unspecified
            var dateInterval: DateInterval?
            var identifier = UUID().uuidString
            var groupIdentifier: String?
        }

        private static let donated = Locked<[INInteraction]>([])

        /// What was done: a copy of what was given.
        public let intent: INIntent
        /// What came of it.
        public let intentResponse: INIntentResponse?
        /// Unspecified: nothing is handled here.
        open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }

        private let state: Locked<State>

        /// Something that was done, and what came of it.
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

        /// What it is deleted by; made up unless set.
        open var identifier: String {
            get { state.identifier }
            set { state.identifier = newValue }
        }

        /// What several are deleted by.
        open var groupIdentifier: String? {
            get { state.groupIdentifier }
            set { state.groupIdentifier = newValue }
        }

        /// A copy, which does not change with this one.
        open func copy(with zone: NSZone? = nil) -> Any { INInteraction(self) }

        // MARK: - Donations

        /// What has been donated and not deleted, oldest first: for tests. Apple has no such list.
        public static var donations: [INInteraction] { donated.snapshot }

        /// Tells the system, as it is at this moment. One of the same identifier gives way. The completion is called on a background queue.
        open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            let copy = INInteraction(self)
            Self.change(completion) { donations in
                donations.removeAll { $0.identifier == copy.identifier }
                donations.append(copy)
            }
        }

        /// Tells the system, as it is at this moment.
        open func donate() async throws {
            await withCheckedContinuation { continuation in donate { _ in continuation.resume() } }
        }

        /// Takes donations back. Unknown identifiers are passed over.
        open class func delete(with identifiers: [String]) async throws {
            await withCheckedContinuation { continuation in delete(with: identifiers) { _ in continuation.resume() } }
        }

        /// Takes the donations of a group back.
        open class func delete(with groupIdentifier: String) async throws {
            await withCheckedContinuation { continuation in delete(with: groupIdentifier) { _ in continuation.resume() }
            }
        }

        /// Takes all donations back.
        open class func deleteAll() async throws {
            await withCheckedContinuation { continuation in deleteAll { _ in continuation.resume() } }
        }

        /// Takes donations back. Unknown identifiers are passed over.
        open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0.removeAll { identifiers.contains($0.identifier) } }
        }

        /// Takes the donations of a group back.
        open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0.removeAll { $0.groupIdentifier == groupIdentifier } }
        }

        /// Takes all donations back.
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

// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    import Dispatch
    public import Foundation
    public import UserNotifications

    /// Who started an interaction.
    public enum INInteractionDirection: Int, Sendable {
        case unspecified = 0
        case outgoing = 1
        /// Someone else, with the user.
        case incoming = 2
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
        public let intentResponse: INIntentResponse?

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

        open var direction: INInteractionDirection {
            get { state.direction }
            set { state.direction = newValue }
        }

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

        open func donate() async throws {
            await withCheckedContinuation { continuation in donate { _ in continuation.resume() } }
        }

        /// Deletes donations. Unknown identifiers are ignored.
        open class func delete(with identifiers: [String]) async throws {
            await withCheckedContinuation { continuation in delete(with: identifiers) { _ in continuation.resume() } }
        }

        open class func delete(with groupIdentifier: String) async throws {
            await withCheckedContinuation { continuation in delete(with: groupIdentifier) { _ in continuation.resume() }
            }
        }

        open class func deleteAll() async throws {
            await withCheckedContinuation { continuation in deleteAll { _ in continuation.resume() } }
        }

        /// Deletes donations. Unknown identifiers are ignored.
        open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0.removeAll { identifiers.contains($0.identifier) } }
        }

        open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            change(completion) { $0.removeAll { $0.groupIdentifier == groupIdentifier } }
        }

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

    /// Something that the user or somebody else does with the app. Abstract: use a subclass.
    open class INIntent: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked: mutable state is behind a lock.
        private struct State {
            var images: [AnyKeyPath: INImage] = [:]
            var donationMetadata: INIntentDonationMetadata?
        }

        private let state = Locked(State())

        /// Nil, as for every intent that Siri did not create.
        open var identifier: String? { nil }

        /// Details of an intent, for a donation.
        open var donationMetadata: INIntentDonationMetadata? {
            get { state.donationMetadata }
            set { state.donationMetadata = newValue }
        }

        func setImage(_ image: INImage?, for parameter: AnyKeyPath) {
            state.withLock { $0.images[parameter] = image }
        }

        func image(for parameter: AnyKeyPath) -> INImage? { state.images[parameter] }

        /// A copy of the intent, which subclasses make.
        func duplicate() -> INIntent { INIntent() }

        /// An independent copy.
        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = duplicate()
            let values = state.snapshot
            copy.state.withLock { $0 = values }
            return copy
        }
    }

    /// An intent whose parameters may have pictures.
    public protocol INIntentSetImageKeyPath: INIntent {}

    extension INIntentSetImageKeyPath {
        /// Sets the picture of a parameter, as `intent.setImage(avatar, forParameterNamed: \.sender)`.
        public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
            setImage(image, for: parameterName)
        }

        public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
            image(for: parameterName)
        }
    }

    /// Details of an intent, for a donation. Abstract.
    open class INIntentDonationMetadata: NSObject {
        override init() { super.init() }
    }

    /// The result of an intent. Abstract.
    open class INIntentResponse: NSObject {
        override init() { super.init() }
    }

    /// The audio output of a call.
    public enum INCallAudioRoute: Int, Sendable {
        case unknown = 0
        case speakerphoneAudioRoute = 1
        /// A Bluetooth device.
        case bluetoothAudioRoute = 2
    }

    /// The destination of a call.
    public enum INCallDestinationType: Int, Sendable {
        case unknown = 0
        case normal = 1
        case emergency = 2
        case voicemail = 3
        case redial = 4
        case callBack = 5
    }

    /// Audio or video.
    public enum INCallCapability: Int, Sendable {
        case unknown = 0
        /// Audio only.
        case audioCall = 1
        case videoCall = 2
    }

    /// Selects earlier calls. There are none here: extensions pass nil.
    open class INCallRecordFilter: NSObject, @unchecked Sendable {
        override init() { super.init() }
    }

    /// An earlier call. There are none here: extensions pass nil.
    open class INCallRecord: NSObject, @unchecked Sendable {
        override init() { super.init() }
    }

    /// A call.
    open class INStartCallIntent: INIntent, INIntentSetImageKeyPath, UNNotificationContentProviding, @unchecked Sendable
    {
        public let callRecordFilter: INCallRecordFilter?
        public let callRecordToCallBack: INCallRecord?
        public let audioRoute: INCallAudioRoute
        public let destinationType: INCallDestinationType
        /// The other people; of an incoming call, the caller.
        public let contacts: [INPerson]?
        public let callCapability: INCallCapability

        public init(
            callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?, audioRoute: INCallAudioRoute,
            destinationType: INCallDestinationType, contacts: [INPerson]?, callCapability: INCallCapability
        ) {
            self.callRecordFilter = callRecordFilter
            self.callRecordToCallBack = callRecordToCallBack
            self.audioRoute = audioRoute
            self.destinationType = destinationType
            self.contacts = contacts
            self.callCapability = callCapability
            super.init()
        }

        override func duplicate() -> INIntent {
            INStartCallIntent(
                callRecordFilter: callRecordFilter, callRecordToCallBack: callRecordToCallBack, audioRoute: audioRoute,
                destinationType: destinationType, contacts: contacts, callCapability: callCapability)
        }
    }

    extension INStartCallIntent: ContentUpdating {
        /// The first contact's name is the title, and the picture that of the contacts or of the first one.
        package func update(_ content: UNMutableNotificationContent) {
            guard let contact = contacts?.first, !contact.displayName.isEmpty else { return }
            content.communicate(
                from: contact.displayName, image: (image(forParameterNamed: \.contacts) ?? contact.image)?.dataURL)
        }
    }

    /// The kind of content of a message.
    public enum INOutgoingMessageType: Int, Sendable {
        case unknown = 0
        case outgoingMessageText = 1
        case outgoingMessageAudio = 2
    }

    /// Something that a message carries. There is none here: extensions pass nil.
    open class INSendMessageAttachment: NSObject, @unchecked Sendable {
        override init() { super.init() }
    }

    /// Details of a message, for a donation.
    open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
        public override init() { super.init() }

        /// True if the message names the user.
        open var mentionsCurrentUser = false
        /// True if it answers one of the user's.
        open var isReplyToCurrentUser = false
        /// True if it may break through a Focus.
        open var notifyRecipientAnyway = false
        open var recipientCount = 0
    }

    /// A message that somebody sends, to one person or to a group.
    open class INSendMessageIntent: INIntent, INIntentSetImageKeyPath, UNNotificationContentProviding,
        @unchecked Sendable
    {
        /// The recipients; of an incoming message, the others in the group.
        public let recipients: [INPerson]?
        public let outgoingMessageType: INOutgoingMessageType
        public let content: String?
        public let speakableGroupName: INSpeakableString?
        public let conversationIdentifier: String?
        public let serviceName: String?
        public let sender: INPerson?
        public let attachments: [INSendMessageAttachment]?

        public init(
            recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
            speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
            sender: INPerson?, attachments: [INSendMessageAttachment]?
        ) {
            self.recipients = recipients
            self.outgoingMessageType = outgoingMessageType
            self.content = content
            self.speakableGroupName = speakableGroupName
            self.conversationIdentifier = conversationIdentifier
            self.serviceName = serviceName
            self.sender = sender
            self.attachments = attachments
            super.init()
        }

        /// A message, in the form of iOS 14.0.
        @available(*, deprecated, message: "Use the initializer with attachments")
        public convenience init(
            recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
            speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
            sender: INPerson?
        ) {
            self.init(
                recipients: recipients, outgoingMessageType: outgoingMessageType, content: content,
                speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
                serviceName: serviceName, sender: sender, attachments: nil)
        }

        override func duplicate() -> INIntent {
            INSendMessageIntent(
                recipients: recipients, outgoingMessageType: outgoingMessageType, content: content,
                speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
                serviceName: serviceName, sender: sender, attachments: attachments)
        }
    }

    extension INSendMessageIntent: ContentUpdating {
        /// The sender's name becomes the title, and the group's name the subtitle if there is more than one recipient: a single recipient is the
        /// user, and the message is between two people. The count in the metadata for a donation stands for recipients that are not named.
        /// Source: Apple, "Implementing communication notifications", and what developers observe.
        /// Everything else stays as it was.
        ///
        /// The picture is that of the group if it has one and there is more than one recipient, else that which was set for the sender, else
        /// the sender's own.
        package func update(_ content: UNMutableNotificationContent) {
            let metadata = donationMetadata as? INSendMessageIntentDonationMetadata
            let isGroup = max(recipients?.count ?? 0, metadata?.recipientCount ?? 0) > 1
            let group = isGroup ? speakableGroupName.flatMap { $0.spokenPhrase.isEmpty ? nil : $0.spokenPhrase } : nil
            guard let name = sender?.displayName, !name.isEmpty else {
                if let group { content.subtitle = group }
                return
            }
            let picture =
                (isGroup ? image(forParameterNamed: \.speakableGroupName) : nil)
                ?? image(forParameterNamed: \.sender) ?? sender?.image
            content.communicate(from: name, in: group, image: picture?.dataURL)
        }
    }
#endif

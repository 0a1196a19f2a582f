#if os(Linux)
    public import Foundation
    public import UserNotifications

    /// The kind of content of a message.
    public enum INOutgoingMessageType: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// Text.
        case outgoingMessageText = 1
        /// Sound.
        case outgoingMessageAudio = 2
    }

    /// A file that a message carries. Does not change once made.
    open class INFile: NSObject, @unchecked Sendable {
        /// Its contents; empty if it cannot be read.
        public var data: Data { contents ?? fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data() }
        /// Where it is.
        public let fileURL: URL?
        /// Its name.
        public let filename: String
        /// Its uniform type identifier.
        public let typeIdentifier: String?

        private let contents: Data?

        /// A file in memory.
        public init(data: Data, filename: String, typeIdentifier: String?) {
            contents = data
            fileURL = nil
            self.filename = filename
            self.typeIdentifier = typeIdentifier
            super.init()
        }

        /// A file.
        public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
            contents = nil
            self.fileURL = fileURL
            self.filename = filename ?? fileURL.lastPathComponent
            self.typeIdentifier = typeIdentifier
            super.init()
        }
    }

    /// Something that a message carries. Does not change once made.
    open class INSendMessageAttachment: NSObject, @unchecked Sendable {
        /// A recording.
        public let audioMessageFile: INFile?

        /// A recording.
        public init(audioMessageFile: INFile) {
            self.audioMessageFile = audioMessageFile
            super.init()
        }
    }

    /// Details of a message, for a donation.
    open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
        /// Nothing in particular.
        public override init() { super.init() }

        /// True if the message names the user.
        open var mentionsCurrentUser = false
        /// True if it answers one of the user's.
        open var isReplyToCurrentUser = false
        /// True if it may break through a Focus.
        open var notifyRecipientAnyway = false
        /// How many people it goes to.
        open var recipientCount = 0
    }

    /// A message that somebody sends, to one person or to a group.
    open class INSendMessageIntent: INIntent, INIntentSetImageKeyPath, UNNotificationContentProviding,
        @unchecked Sendable
    {
        /// The recipients; of an incoming message, the others in the group.
        public let recipients: [INPerson]?
        /// The kind of its content.
        public let outgoingMessageType: INOutgoingMessageType
        /// The text.
        public let content: String?
        /// Name of the group.
        public let speakableGroupName: INSpeakableString?
        /// The app's identifier of the conversation.
        public let conversationIdentifier: String?
        /// The service of the app that carries it.
        public let serviceName: String?
        /// The sender.
        public let sender: INPerson?
        /// Its attachments.
        public let attachments: [INSendMessageAttachment]?

        /// A message.
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

        override var keyParameters: [AnyKeyPath] {
            [\INSendMessageIntent.speakableGroupName, \INSendMessageIntent.sender, \INSendMessageIntent.recipients]
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

#if os(Linux)
    public import Foundation
    public import UserNotifications

    /// The audio output of a call.
    public enum INCallAudioRoute: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// A loudspeaker.
        case speakerphoneAudioRoute = 1
        /// A Bluetooth device.
        case bluetoothAudioRoute = 2
    }

    /// The destination of a call.
    public enum INCallDestinationType: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// An ordinary call.
        case normal = 1
        /// An emergency call.
        case emergency = 2
        /// Voicemail.
        case voicemail = 3
        /// Redial.
        case redial = 4
        /// Call back.
        case callBack = 5
    }

    /// Audio or video.
    public enum INCallCapability: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// Audio only.
        case audioCall = 1
        /// Video.
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
        /// Which earlier calls.
        public let callRecordFilter: INCallRecordFilter?
        /// The call to answer.
        public let callRecordToCallBack: INCallRecord?
        /// Its audio output.
        public let audioRoute: INCallAudioRoute
        /// Its destination.
        public let destinationType: INCallDestinationType
        /// The other people; of an incoming call, the caller.
        public let contacts: [INPerson]?
        /// Audio or video.
        public let callCapability: INCallCapability

        /// A call.
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

        override var keyParameters: [AnyKeyPath] { [\INStartCallIntent.contacts] }

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
#endif

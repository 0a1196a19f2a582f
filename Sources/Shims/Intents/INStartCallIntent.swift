#if os(Linux)
    public import Foundation
    public import UserNotifications

    /// What a call comes out of.
    public enum INCallAudioRoute: Int, Sendable {
        /// It is not known.
        case unknown = 0
        /// A loudspeaker.
        case speakerphoneAudioRoute = 1
        /// A Bluetooth device.
        case bluetoothAudioRoute = 2
    }

    /// Where a call goes.
    public enum INCallDestinationType: Int, Sendable {
        /// It is not known.
        case unknown = 0
        /// An ordinary call.
        case normal = 1
        /// For help.
        case emergency = 2
        /// The mailbox.
        case voicemail = 3
        /// A number that was called before.
        case redial = 4
        /// Whoever called last.
        case callBack = 5
    }

    /// Whether a call has a picture.
    public enum INCallCapability: Int, Sendable {
        /// It is not known.
        case unknown = 0
        /// Sound alone.
        case audioCall = 1
        /// Sound and picture.
        case videoCall = 2
    }

    /// Which calls of the past are meant. There are none here: extensions pass nil.
    open class INCallRecordFilter: NSObject, @unchecked Sendable {
        override init() { super.init() }
    }

    /// A call of the past. There are none here: extensions pass nil.
    open class INCallRecord: NSObject, @unchecked Sendable {
        override init() { super.init() }
    }

    /// A call.
    open class INStartCallIntent: INIntent, INIntentSetImageKeyPath, UNNotificationContentProviding, @unchecked Sendable
    {
        /// Which calls of the past are meant.
        public let callRecordFilter: INCallRecordFilter?
        /// The call to answer.
        public let callRecordToCallBack: INCallRecord?
        /// What it comes out of.
        public let audioRoute: INCallAudioRoute
        /// Where it goes.
        public let destinationType: INCallDestinationType
        /// With whom; of a call that comes in, who calls.
        public let contacts: [INPerson]?
        /// Whether it has a picture.
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
        /// The first contact's name is the title.
        package func update(_ content: UNMutableNotificationContent) {
            if let name = contacts?.first?.displayName, !name.isEmpty { content.title = name }
        }
    }
#endif

// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Domain of the errors of this framework.
    public let UNErrorDomain = "UNErrorDomain"

    /// An error of the notification system, in the form in which Swift imports Apple's.
    ///
    /// A structure whose codes are static members too, so that both `catch UNError.attachmentInvalidURL` and
    /// `(error as? UNError)?.code == .attachmentInvalidURL` work. Sendable although user info holds anything, as `NSError` is: it is immutable.
    public struct UNError: CustomNSError, Hashable, @unchecked Sendable {
        /// The code of the error.
        public let code: Code
        /// Details, for the keys of `NSError`.
        public let userInfo: [String: Any]

        /// Makes an error.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            self.code = code
            self.userInfo = userInfo
        }

        /// `UNErrorDomain`.
        public static var errorDomain: String { UNErrorDomain }

        /// The number of the code.
        public var errorCode: Int { code.rawValue }

        /// The user info, with a default description.
        public var errorUserInfo: [String: Any] {
            userInfo.merging([NSLocalizedDescriptionKey: code.explanation]) { given, _ in given }
        }

        /// The description in the user info, else the default for the code.
        public var localizedDescription: String {
            userInfo[NSLocalizedDescriptionKey] as? String ?? code.explanation
        }

        /// True if code and user info are the same.
        public static func == (left: UNError, right: UNError) -> Bool {
            left.code == right.code && (left.userInfo as NSDictionary).isEqual(right.userInfo as NSDictionary)
        }

        /// Feeds the code to the hasher.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(code)
        }
    }

    extension UNError {
        /// The kinds of errors.
        public enum Code: Int, Sendable {
            case notificationsNotAllowed = 1
            case attachmentInvalidURL = 100
            case attachmentUnrecognizedType = 101
            case attachmentInvalidFileSize = 102
            case attachmentNotInDataStore = 103
            case attachmentMoveIntoDataStoreFailed = 104
            case attachmentCorrupt = 105
            case notificationInvalidNoDate = 1400
            case notificationInvalidNoContent = 1401
            case contentProvidingObjectNotAllowed = 1500
            case contentProvidingInvalid = 1501
            case badgeInputInvalid = 1600

            /// Matches an error with the same code, for `catch UNError.attachmentCorrupt`.
            public static func ~= (code: Code, error: any Error) -> Bool {
                (error as? UNError)?.code == code
            }

            fileprivate var explanation: String {
                switch self {
                case .notificationsNotAllowed: "Notifications are not allowed for this application."
                case .attachmentInvalidURL: "The URL of the attachment names no readable file."
                case .attachmentUnrecognizedType: "The attachment is of a type that is not supported."
                case .attachmentInvalidFileSize: "The file of the attachment is too large."
                case .attachmentNotInDataStore: "The file of the attachment is not in the data store."
                case .attachmentMoveIntoDataStoreFailed:
                    "The file of the attachment could not be moved into the data store."
                case .attachmentCorrupt: "The file of the attachment is damaged."
                case .notificationInvalidNoDate: "The notification has no date at which it could be delivered."
                case .notificationInvalidNoContent: "The notification has no content to show."
                case .contentProvidingObjectNotAllowed: "An object of this type may not provide content."
                case .contentProvidingInvalid: "The object that provides content is not valid."
                case .badgeInputInvalid: "The badge number is not valid."
                }
            }
        }

        // The codes, as Swift imports Apple's.

        public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
        public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
        public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
        public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
        public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
        public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
        public static var attachmentCorrupt: Code { .attachmentCorrupt }
        public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
        public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
        public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
        public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
        public static var badgeInputInvalid: Code { .badgeInputInvalid }
    }
#endif

#if os(Linux)
    public import Foundation

    // The address book of a device whose user has not let the app at the contacts: nothing is found.

    /// A kind of what is in an address book.
    public enum CNEntityType: Int, Sendable {
        /// Contacts.
        case contacts = 0
    }

    /// The app's permission to read contacts.
    public enum CNAuthorizationStatus: Int, Sendable {
        /// The user was not asked.
        case notDetermined = 0
        /// Not by the user's choice.
        case restricted = 1
        /// No.
        case denied = 2
        /// Yes.
        case authorized = 3
        /// Some of them.
        case limited = 4
    }

    /// An error of the address book.
    public struct CNError: Error, CustomNSError, Hashable, Sendable {
        /// The codes of errors.
        public enum Code: Int, Sendable {
            /// The address book could not be asked.
            case communicationError = 1
            /// It could not be read.
            case dataAccessError = 2
            /// The app may not.
            case authorizationDenied = 100
            /// There is no such contact.
            case recordDoesNotExist = 200
        }

        /// The code of the error.
        public let code: Code
        /// An error.
        public init(_ code: Code) { self.code = code }
        /// Apple's name of the domain.
        public static var errorDomain: String { CNErrorDomain }
        /// Apple's number.
        public var errorCode: Int { code.rawValue }
        /// Apple's text.
        public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: "Access Denied"] }
        /// The app may not.
        public static var authorizationDenied: Code { .authorizationDenied }
        /// There is no such contact.
        public static var recordDoesNotExist: Code { .recordDoesNotExist }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The domain of the errors.
    public let CNErrorDomain = "CNErrorDomain"

    /// The contacts to read, and the keys to read of them.
    open class CNContactFetchRequest: NSObject {
        /// The keys to read.
        open var keysToFetch: [any CNKeyDescriptor]
        /// Which contacts.
        open var predicate: NSPredicate?
        /// True if contacts of one person are put together.
        open var unifyResults = true
        /// True if what is read can be changed.
        open var mutableObjects = false

        /// Reads these keys.
        public init(keysToFetch: [any CNKeyDescriptor]) { self.keysToFetch = keysToFetch }
    }

    /// The address book. The app may not read it.
    open class CNContactStore: NSObject, @unchecked Sendable {
        /// The address book.
        public override init() { super.init() }

        /// Denied.
        open class func authorizationStatus(for entityType: CNEntityType) -> CNAuthorizationStatus { .denied }

        /// Refused, on another thread.
        open func requestAccess(
            for entityType: CNEntityType, completionHandler: @escaping (Bool, (any Error)?) -> Void
        ) {
            nonisolated(unsafe) let handler = completionHandler
            DispatchQueue.global().async { handler(false, CNError(.authorizationDenied)) }
        }

        /// Refused.
        open func requestAccess(for entityType: CNEntityType) async throws -> Bool {
            throw CNError(.authorizationDenied)
        }

        /// Throws, because the app may not.
        open func unifiedContacts(
            matching predicate: NSPredicate, keysToFetch keys: [any CNKeyDescriptor]
        ) throws -> [CNContact] { throw CNError(.authorizationDenied) }

        /// Throws, because the app may not.
        open func unifiedContact(
            withIdentifier identifier: String, keysToFetch keys: [any CNKeyDescriptor]
        ) throws -> CNContact { throw CNError(.authorizationDenied) }

        /// Throws, because the app may not.
        open func enumerateContacts(
            with fetchRequest: CNContactFetchRequest,
            usingBlock block: (CNContact, UnsafeMutablePointer<ObjCBool>) -> Void
        ) throws { throw CNError(.authorizationDenied) }
    }
#endif

#if os(Linux)
    @_exported public import Foundation

    /// The kind of a person's handle.
    public enum INPersonHandleType: Int, Sendable {
        /// Any identifier of the app's.
        case unknown = 0
        /// An email address.
        case emailAddress = 1
        /// A telephone number.
        case phoneNumber = 2
    }

    /// The label of a number or address.
    public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// A label by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A label by its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// At home.
        public static let home = INPersonHandleLabel("home")
        /// At work.
        public static let work = INPersonHandleLabel("work")
        /// At school.
        public static let school = INPersonHandleLabel("school")
        /// An iPhone.
        public static let iPhone = INPersonHandleLabel("iPhone")
        /// A mobile phone.
        public static let mobile = INPersonHandleLabel("mobile")
        /// The main number.
        public static let main = INPersonHandleLabel("main")
        /// A fax at home.
        public static let homeFax = INPersonHandleLabel("homeFax")
        /// A fax at work.
        public static let workFax = INPersonHandleLabel("workFax")
        /// A pager.
        public static let pager = INPersonHandleLabel("pager")
        /// Something else.
        public static let other = INPersonHandleLabel("other")
    }

    /// The address that the app identifies a person by. Does not change once made.
    open class INPersonHandle: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked because of the superclass, here and in the other immutable classes.

        /// The address, number or name.
        public let value: String?
        /// Its kind.
        public let type: INPersonHandleType
        /// Its label.
        public let label: INPersonHandleLabel?

        /// A handle.
        public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel? = nil) {
            self.value = value
            self.type = type
            self.label = label
            super.init()
        }

        /// Returns the same object, because it is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// True if the other object is the same handle.
        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? INPersonHandle else { return false }
            return other.value == value && other.type == type && other.label == label
        }

        /// A hash of the value.
        open override var hash: Int { value.hashValue }
    }
#endif

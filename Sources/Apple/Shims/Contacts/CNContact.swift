#if os(Linux)
    public import Foundation

    /// The name of something that a contact has.
    public protocol CNKeyDescriptor {}

    extension String: CNKeyDescriptor {}
    extension NSString: CNKeyDescriptor {}

    /// A telephone number, as it is written.
    open class CNPhoneNumber: NSObject, @unchecked Sendable {
        /// The number.
        public let stringValue: String
        /// A number.
        public init(stringValue string: String) { stringValue = string }
    }

    /// A value with a word about it.
    open class CNLabeledValue<ValueType>: NSObject {
        /// The word.
        public let label: String?
        /// The value.
        public let value: ValueType
        /// An identifier.
        public let identifier = UUID().uuidString
        /// A value with a word about it.
        public init(label: String?, value: ValueType) {
            self.label = label
            self.value = value
        }
    }

    /// A person or an organization.
    open class CNContact: NSObject {
        /// An identifier.
        public let identifier = UUID().uuidString
        /// The first name.
        public internal(set) var givenName = ""
        /// Further first names.
        public internal(set) var middleName = ""
        /// The last name.
        public internal(set) var familyName = ""
        /// The title before the name.
        public internal(set) var namePrefix = ""
        /// The suffix after the name.
        public internal(set) var nameSuffix = ""
        /// The name that friends use.
        public internal(set) var nickname = ""
        /// The organization.
        public internal(set) var organizationName = ""
        /// Telephone numbers.
        public internal(set) var phoneNumbers: [CNLabeledValue<CNPhoneNumber>] = []
        /// Addresses of mail.
        public internal(set) var emailAddresses: [CNLabeledValue<NSString>] = []
        /// The picture.
        public internal(set) var imageData: Data?
        /// The picture, small.
        public internal(set) var thumbnailImageData: Data?
        /// True if there is a picture.
        public var imageDataAvailable: Bool { imageData != nil }

        /// An empty contact.
        public override init() { super.init() }

        /// True if a value was read: always.
        open func isKeyAvailable(_ key: String) -> Bool { true }
        /// True if values were read: always.
        open func areKeysAvailable(_ keyDescriptors: [any CNKeyDescriptor]) -> Bool { true }

        /// Finds nobody.
        open class func predicateForContacts(matchingName name: String) -> NSPredicate { NSPredicate(value: false) }
        /// Finds nobody.
        open class func predicateForContacts(matching phoneNumber: CNPhoneNumber) -> NSPredicate {
            NSPredicate(value: false)
        }
        /// Finds nobody.
        open class func predicateForContacts(matchingEmailAddress emailAddress: String) -> NSPredicate {
            NSPredicate(value: false)
        }
        /// Finds nobody.
        open class func predicateForContacts(withIdentifiers identifiers: [String]) -> NSPredicate {
            NSPredicate(value: false)
        }
    }

    /// A contact that can be changed.
    open class CNMutableContact: CNContact {
        /// The first name.
        public override var givenName: String {
            get { super.givenName }
            set { super.givenName = newValue }
        }
        /// The last name.
        public override var familyName: String {
            get { super.familyName }
            set { super.familyName = newValue }
        }
        /// The name that friends use.
        public override var nickname: String {
            get { super.nickname }
            set { super.nickname = newValue }
        }
        /// The picture.
        public override var imageData: Data? {
            get { super.imageData }
            set { super.imageData = newValue }
        }
    }

    /// How a name is written.
    public enum CNContactFormatterStyle: Int, Sendable {
        /// In full.
        case fullName = 0
        /// As it sounds.
        case phoneticFullName = 1
    }

    /// Writes names.
    open class CNContactFormatter: NSObject {
        /// How.
        open var style = CNContactFormatterStyle.fullName

        /// First and last name, else the nickname, else the organization; nil for none.
        open class func string(from contact: CNContact, style: CNContactFormatterStyle) -> String? {
            let parts = [
                contact.namePrefix, contact.givenName, contact.middleName, contact.familyName, contact.nameSuffix,
            ]
            let name = parts.filter { !$0.isEmpty }.joined(separator: " ")
            return [name, contact.nickname, contact.organizationName].first { !$0.isEmpty }
        }

        /// First and last name, else the nickname, else the organization; nil for none.
        open func string(from contact: CNContact) -> String? { Self.string(from: contact, style: style) }

        /// The keys of a name.
        open class func descriptorForRequiredKeys(for style: CNContactFormatterStyle) -> any CNKeyDescriptor {
            CNContactGivenNameKey
        }
    }
#endif

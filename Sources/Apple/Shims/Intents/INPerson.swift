#if os(Linux)
    @_exported public import Foundation

    /// Which name of a person a suggestion shows.
    public enum INPersonSuggestionType: Int, Sendable {
        /// That of the contact.
        case none = 0
        /// That of a social profile.
        case socialProfile = 1
        /// That of an account for instant messages.
        case instantMessageAddress = 2
    }

    /// A person's relationship to the user.
    public struct INPersonRelationship: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// A relationship by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A relationship by its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Father.
        public static let father = INPersonRelationship("father")
        /// Mother.
        public static let mother = INPersonRelationship("mother")
        /// Parent.
        public static let parent = INPersonRelationship("parent")
        /// Brother.
        public static let brother = INPersonRelationship("brother")
        /// Sister.
        public static let sister = INPersonRelationship("sister")
        /// Child.
        public static let child = INPersonRelationship("child")
        /// Friend.
        public static let friend = INPersonRelationship("friend")
        /// Spouse.
        public static let spouse = INPersonRelationship("spouse")
        /// Partner.
        public static let partner = INPersonRelationship("partner")
        /// Assistant.
        public static let assistant = INPersonRelationship("assistant")
        /// Manager.
        public static let manager = INPersonRelationship("manager")
    }

    /// Somebody who sends or receives messages. Does not change once made.
    open class INPerson: NSObject, NSCopying, INSpeakable, @unchecked Sendable {
        /// The handle by which the app identifies the person.
        public let personHandle: INPersonHandle?
        /// The parts of the name.
        public let nameComponents: PersonNameComponents?
        /// The name to show: the one given, else that of the components, else the handle.
        public let displayName: String
        /// The picture.
        public let image: INImage?
        /// Identifier of the contact in the address book.
        public let contactIdentifier: String?
        /// Identifier of the app's own.
        public let customIdentifier: String?
        /// The person's relationship to the user.
        public let relationship: INPersonRelationship?
        /// Further handles of the same person.
        public let aliases: [INPersonHandle]?
        /// Which of the person's names a suggestion shows.
        public let suggestionType: INPersonSuggestionType
        /// True if this is the user.
        public let isMe: Bool
        /// True if the system may suggest the person as a contact.
        public let isContactSuggestion: Bool

        /// A person. Apple's initializers differ in which of the last arguments they have.
        public init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, relationship: INPersonRelationship? = nil,
            aliases: [INPersonHandle]? = nil, isMe: Bool = false, isContactSuggestion: Bool = false,
            suggestionType: INPersonSuggestionType = .none
        ) {
            self.personHandle = personHandle
            self.nameComponents = nameComponents
            self.displayName = displayName ?? nameComponents.flatMap(Self.name) ?? personHandle.value ?? ""
            self.image = image
            self.contactIdentifier = contactIdentifier
            self.customIdentifier = customIdentifier
            self.relationship = relationship
            self.aliases = aliases
            self.suggestionType = suggestionType
            self.isMe = isMe
            self.isContactSuggestion = isContactSuggestion
            super.init()
        }

        /// First and last name, else the nickname; nil if there is neither. Foundation on Linux has no name formatter.
        private static func name(_ components: PersonNameComponents) -> String? {
            let parts = [components.givenName, components.middleName, components.familyName].compactMap(\.self)
            return parts.isEmpty ? components.nickname : parts.joined(separator: " ")
        }

        /// The value of the handle.
        @available(*, deprecated, message: "Use personHandle")
        public var handle: String? { personHandle?.value }

        // MARK: - INSpeakable

        /// The name to show.
        public var spokenPhrase: String { displayName }
        /// None.
        public var pronunciationHint: String? { nil }
        /// The identifier of the app's own.
        public var vocabularyIdentifier: String? { customIdentifier }
        /// None.
        public var alternativeSpeakableMatches: [any INSpeakable]? { nil }

        // MARK: - Copies, equality

        /// Returns the same object, because it is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// True if the other object is the same person by handle, names and identifiers.
        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? INPerson else { return false }
            return other.personHandle == personHandle && other.displayName == displayName
                && other.nameComponents == nameComponents && other.contactIdentifier == contactIdentifier
                && other.customIdentifier == customIdentifier && other.isMe == isMe
        }

        /// A hash of the name.
        open override var hash: Int { displayName.hashValue }
    }

    extension INPerson {
        /// A person by a handle of unknown type.
        @available(*, deprecated, message: "Use a person handle")
        public convenience init(handle: String, displayName: String?, contactIdentifier: String?) {
            self.init(
                personHandle: INPersonHandle(value: handle, type: .unknown), nameComponents: nil,
                displayName: displayName,
                image: nil, contactIdentifier: contactIdentifier, customIdentifier: nil)
        }

        /// A person by a handle of unknown type.
        @available(*, deprecated, message: "Use a person handle")
        public convenience init(
            handle: String, nameComponents: PersonNameComponents?, displayName: String? = nil, image: INImage? = nil,
            contactIdentifier: String?
        ) {
            self.init(
                personHandle: INPersonHandle(value: handle, type: .unknown), nameComponents: nameComponents,
                displayName: displayName, image: image, contactIdentifier: contactIdentifier, customIdentifier: nil)
        }
    }

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

    /// A picture of a person or a group. Immutable; nothing is loaded here.
    open class INImage: NSObject, NSCopying, @unchecked Sendable {
        /// Where the picture comes from.
        package enum Source: Hashable, Sendable {
            case name(String)
            case symbol(String)
            case data(Data)
            case url(URL, width: Double?, height: Double?)
        }

        /// Where the picture comes from, for the host.
        package let source: Source

        private init(source: Source) {
            self.source = source
            super.init()
        }

        /// The picture of this name in the app's bundle.
        public convenience init(named name: String) { self.init(source: .name(name)) }

        /// A picture in memory.
        public convenience init(imageData: Data) { self.init(source: .data(imageData)) }

        /// The picture at an address.
        public convenience init?(url: URL) { self.init(source: .url(url, width: nil, height: nil)) }

        /// The picture at an address, of a size in points.
        public convenience init?(url: URL, width: Double, height: Double) {
            self.init(source: .url(url, width: width, height: height))
        }

        /// One of the system's symbols.
        public class func systemImageNamed(_ name: String) -> INImage { INImage(source: .symbol(name)) }

        /// The largest picture that a notification shows, in bytes. A device scales it down; here it is passed on as it is.
        static let maximumBytes = 256 * 1024  // 256 KiB

        /// The picture as a data URL: in memory, in a file, or in the main bundle. Nil for one of the network, as a device does not load it
        /// for a notification, for a symbol, and for what is no PNG, JPEG, GIF or WebP picture or larger than `maximumBytes`.
        var dataURL: String? {
            let data: Data? =
                switch source {
                case .data(let data): data
                case .url(let url, _, _): url.isFileURL ? Self.contents(of: url) : nil
                case .name(let name): Self.file(named: name).flatMap(Self.contents)
                case .symbol: nil
                }
            guard let data, data.count <= Self.maximumBytes, let type = Self.type(of: data) else { return nil }
            return "data:image/\(type);base64," + data.base64EncodedString()
        }

        /// A file that is not too large.
        private static func contents(of url: URL) -> Data? {
            guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
            defer { try? file.close() }
            return try? file.read(upToCount: maximumBytes + 1)
        }

        /// A picture of the main bundle. Asset catalogs are not compiled here, so theirs are missing.
        private static func file(named name: String) -> URL? {
            for type in ["", "png", "jpg", "jpeg"] {
                for scale in ["", "@2x", "@3x"] {
                    let found = Bundle.main.url(forResource: name + scale, withExtension: type.isEmpty ? nil : type)
                    if let found { return found }
                }
            }
            return nil
        }

        /// The format of a picture, as in its media type.
        private static func type(of data: Data) -> String? {
            if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
            if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
            if data.starts(with: Data("GIF8".utf8)) { return "gif" }
            let isWebP = data.starts(with: Data("RIFF".utf8)) && data.dropFirst(8).starts(with: Data("WEBP".utf8))
            return isWebP ? "webp" : nil
        }

        /// Returns the same object, because it is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// True if the other object is a picture from the same source.
        open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.source == source }

        /// A hash of the source.
        open override var hash: Int { source.hashValue }
    }

    /// Something that Siri can speak.
    public protocol INSpeakable: NSObjectProtocol {
        /// The text.
        var spokenPhrase: String { get }
        /// How to pronounce it.
        var pronunciationHint: String? { get }
        /// The app's identifier.
        var vocabularyIdentifier: String? { get }
        /// Alternatives that sound alike.
        var alternativeSpeakableMatches: [any INSpeakable]? { get }
    }

    /// A text that Siri can speak, such as the name of a group. Does not change once made.
    open class INSpeakableString: NSObject, NSCopying, INSpeakable, @unchecked Sendable {
        /// The text.
        public let spokenPhrase: String
        /// How to pronounce it.
        public let pronunciationHint: String?
        /// The app's identifier.
        public let vocabularyIdentifier: String?
        /// None.
        open var alternativeSpeakableMatches: [any INSpeakable]? { nil }

        /// A text.
        public init(spokenPhrase: String) {
            self.spokenPhrase = spokenPhrase
            pronunciationHint = nil
            vocabularyIdentifier = nil
            super.init()
        }

        /// A text with the app's identifier and a pronunciation.
        public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
            self.spokenPhrase = spokenPhrase
            self.pronunciationHint = pronunciationHint
            self.vocabularyIdentifier = vocabularyIdentifier
            super.init()
        }

        /// Returns the same object, because it is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// True if the other object is the same text.
        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? INSpeakableString else { return false }
            return other.spokenPhrase == spokenPhrase && other.pronunciationHint == pronunciationHint
                && other.vocabularyIdentifier == vocabularyIdentifier
        }

        /// A hash of the text.
        open override var hash: Int { spokenPhrase.hashValue }
    }
#endif

#if os(Linux)
    public import Foundation

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

        private init(
            handle: INPersonHandle?, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, relationship: INPersonRelationship? = nil,
            aliases: [INPersonHandle]? = nil, suggestionType: INPersonSuggestionType = .none, isMe: Bool = false,
            isContactSuggestion: Bool = false
        ) {
            personHandle = handle
            self.nameComponents = nameComponents
            self.displayName = displayName ?? nameComponents.flatMap(Self.name) ?? handle?.value ?? ""
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

    // Apple's initializers, which differ in their last arguments.
    extension INPerson {
        /// A person.
        public convenience init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?
        ) {
            self.init(
                handle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
                contactIdentifier: contactIdentifier, customIdentifier: customIdentifier, isMe: false)
        }

        /// A person with a relationship to the user.
        public convenience init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, relationship: INPersonRelationship?
        ) {
            self.init(
                handle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
                contactIdentifier: contactIdentifier, customIdentifier: customIdentifier, relationship: relationship)
        }

        /// A person, who may be the user.
        public convenience init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, isMe: Bool
        ) {
            self.init(
                handle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
                contactIdentifier: contactIdentifier, customIdentifier: customIdentifier, isMe: isMe)
        }

        /// A person, who may be the user, and the suggested name: for messages.
        public convenience init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, isMe: Bool, suggestionType: INPersonSuggestionType
        ) {
            self.init(
                handle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
                contactIdentifier: contactIdentifier, customIdentifier: customIdentifier,
                suggestionType: suggestionType,
                isMe: isMe)
        }

        /// A person, and the way in which to suggest him or her.
        public convenience init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, isContactSuggestion: Bool,
            suggestionType: INPersonSuggestionType
        ) {
            self.init(
                handle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
                contactIdentifier: contactIdentifier, customIdentifier: customIdentifier,
                suggestionType: suggestionType,
                isContactSuggestion: isContactSuggestion)
        }

        /// A person with further handles.
        public convenience init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, aliases: [INPersonHandle]?,
            suggestionType: INPersonSuggestionType
        ) {
            self.init(
                handle: personHandle, nameComponents: nameComponents, displayName: displayName, image: image,
                contactIdentifier: contactIdentifier, customIdentifier: customIdentifier, aliases: aliases,
                suggestionType: suggestionType)
        }

        /// A person by a handle of unknown type.
        @available(*, deprecated, message: "Use a person handle")
        public convenience init(handle: String, displayName: String?, contactIdentifier: String?) {
            self.init(
                handle: INPersonHandle(value: handle, type: .unknown), nameComponents: nil, displayName: displayName,
                image: nil, contactIdentifier: contactIdentifier, customIdentifier: nil)
        }

        /// A person by a handle of unknown type.
        @available(*, deprecated, message: "Use a person handle")
        public convenience init(
            handle: String, nameComponents: PersonNameComponents?, displayName: String? = nil, image: INImage? = nil,
            contactIdentifier: String?
        ) {
            self.init(
                handle: INPersonHandle(value: handle, type: .unknown), nameComponents: nameComponents,
                displayName: displayName, image: image, contactIdentifier: contactIdentifier, customIdentifier: nil)
        }
    }
#endif

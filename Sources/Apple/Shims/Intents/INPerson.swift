// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    @_exported public import Foundation
    @_spi(Overlay) public import UserNotifications

    /// Which name of a person a suggestion shows.
    public enum INPersonSuggestionType: Int, Sendable {
        case none = 0
        case socialProfile = 1
        case instantMessageAddress = 2
    }

    /// Somebody who sends or receives messages. Does not change once made.
    open class INPerson: ImmutableObject, @unchecked Sendable {
        public let personHandle: INPersonHandle?
        public let nameComponents: PersonNameComponents?
        /// The name to show: the one given, else that of the components, else the handle.
        public let displayName: String
        public let image: INImage?
        public let contactIdentifier: String?
        public let customIdentifier: String?
        public let aliases: [INPersonHandle]?
        public let suggestionType: INPersonSuggestionType
        /// True if this is the user.
        public let isMe: Bool
        /// True if the system may suggest the person as a contact.
        public let isContactSuggestion: Bool

        /// A person. Apple's initializers differ in which of the last arguments they have.
        public init(
            personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
            contactIdentifier: String?, customIdentifier: String?, aliases: [INPersonHandle]? = nil, isMe: Bool = false,
            isContactSuggestion: Bool = false, suggestionType: INPersonSuggestionType = .none
        ) {
            self.personHandle = personHandle
            self.nameComponents = nameComponents
            self.displayName = displayName ?? nameComponents.flatMap(Self.name) ?? personHandle.value ?? ""
            self.image = image
            self.contactIdentifier = contactIdentifier
            self.customIdentifier = customIdentifier
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

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] {
            [personHandle, displayName, nameComponents, contactIdentifier, customIdentifier, isMe]
        }
    }

    /// The kind of a person's handle.
    public enum INPersonHandleType: Int, Sendable {
        case unknown = 0
        case emailAddress = 1
        case phoneNumber = 2
    }

    /// The label of a number or address.
    public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }

        public static let home = INPersonHandleLabel("home")
        public static let work = INPersonHandleLabel("work")
        public static let school = INPersonHandleLabel("school")
        public static let iPhone = INPersonHandleLabel("iPhone")
        public static let mobile = INPersonHandleLabel("mobile")
        public static let main = INPersonHandleLabel("main")
        public static let homeFax = INPersonHandleLabel("homeFax")
        public static let workFax = INPersonHandleLabel("workFax")
        public static let pager = INPersonHandleLabel("pager")
        /// Something else.
        public static let other = INPersonHandleLabel("other")
    }

    /// The address that the app identifies a person by. Does not change once made.
    open class INPersonHandle: ImmutableObject, @unchecked Sendable {
        // Unchecked because of the superclass, here and in the other immutable classes.

        /// The address, number or name.
        public let value: String?
        public let type: INPersonHandleType
        public let label: INPersonHandleLabel?

        public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel? = nil) {
            self.value = value
            self.type = type
            self.label = label
            super.init()
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [value, type, label] }
    }

    /// A picture of a person or a group. Immutable; nothing is loaded here.
    open class INImage: ImmutableObject, @unchecked Sendable {
        /// The places that a picture comes from.
        package enum Source: Hashable, Sendable {
            case name(String)
            case symbol(String)
            case data(Data)
            case url(URL)
        }

        /// The place that the picture comes from, for the host.
        package let source: Source

        private init(source: Source) {
            self.source = source
            super.init()
        }

        public convenience init(named name: String) { self.init(source: .name(name)) }

        public convenience init(imageData: Data) { self.init(source: .data(imageData)) }

        public convenience init?(url: URL) { self.init(source: .url(url)) }

        public class func systemImageNamed(_ name: String) -> INImage { INImage(source: .symbol(name)) }

        /// The largest picture that a notification shows, in bytes. A device scales it down; here it is passed on as it is.
        static let maximumBytes = 256 * 1024  // 256 KiB

        /// The picture as a data URL: in memory, in a file, or in the main bundle. Nil for one of the network, as a device does not load it
        /// for a notification, for a symbol, and for what is no PNG, JPEG, GIF or WebP picture or larger than `maximumBytes`.
        var dataURL: String? {
            let data: Data? =
                switch source {
                case .data(let data): data
                case .url(let url): url.isFileURL ? Self.contents(of: url) : nil
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

        /// A picture of the main bundle.
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

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [source] }
    }

    /// A text that Siri can speak, such as the name of a group. Does not change once made.
    open class INSpeakableString: ImmutableObject, @unchecked Sendable {
        public let spokenPhrase: String

        public init(spokenPhrase: String) {
            self.spokenPhrase = spokenPhrase
            super.init()
        }

        /// A text with the app's identifier and a pronunciation, which have no effect.
        public convenience init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
            self.init(spokenPhrase: spokenPhrase)
        }

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] { [spokenPhrase] }
    }
#endif

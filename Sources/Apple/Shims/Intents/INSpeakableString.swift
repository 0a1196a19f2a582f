#if os(Linux)
    public import Foundation

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

#if os(Linux)
    public import Foundation

    /// Something that Siri can say.
    public protocol INSpeakable: NSObjectProtocol {
        /// What is said.
        var spokenPhrase: String { get }
        /// How it is said.
        var pronunciationHint: String? { get }
        /// What the app calls it.
        var vocabularyIdentifier: String? { get }
        /// Others that sound alike.
        var alternativeSpeakableMatches: [any INSpeakable]? { get }
    }

    /// A text that Siri can say, such as the name of a group. Does not change once made.
    open class INSpeakableString: NSObject, NSCopying, INSpeakable, @unchecked Sendable {
        /// What is said.
        public let spokenPhrase: String
        /// How it is said.
        public let pronunciationHint: String?
        /// What the app calls it.
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

        /// A text, what the app calls it, and how to say it.
        public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
            self.spokenPhrase = spokenPhrase
            self.pronunciationHint = pronunciationHint
            self.vocabularyIdentifier = vocabularyIdentifier
            super.init()
        }

        /// The text itself, since it does not change.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// Whether the other object is the same text.
        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? INSpeakableString else { return false }
            return other.spokenPhrase == spokenPhrase && other.pronunciationHint == pronunciationHint
                && other.vocabularyIdentifier == vocabularyIdentifier
        }

        /// A hash of the text.
        open override var hash: Int { spokenPhrase.hashValue }
    }
#endif

#if os(Linux)
    public import Foundation

    // What extensions call to speak and play, which nobody hears here, and most often on a device: it gives extensions no sound.

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The slowest speech.
    public let AVSpeechUtteranceMinimumSpeechRate: Float = 0
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The fastest speech.
    public let AVSpeechUtteranceMaximumSpeechRate: Float = 1
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Ordinary speech.
    public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5

    /// A voice.
    public final class AVSpeechSynthesisVoice: NSObject, Sendable {
        /// Its language.
        public let language: String
        /// Its name.
        public let identifier: String

        /// The voice of a language; nil for that of the system.
        public init?(language: String?) {
            self.language = language ?? "en-US"
            identifier = "com.apple.voice.compact." + self.language
        }

        /// A voice by its name.
        public init?(identifier: String) {
            language = "en-US"
            self.identifier = identifier
        }
    }

    /// A text to speak.
    open class AVSpeechUtterance: NSObject {
        /// The text.
        public let speechString: String
        /// The voice.
        public var voice: AVSpeechSynthesisVoice?
        /// How fast.
        public var rate = AVSpeechUtteranceDefaultSpeechRate
        /// How high.
        public var pitchMultiplier: Float = 1
        /// How loud.
        public var volume: Float = 1
        /// Seconds before it.
        public var preUtteranceDelay: TimeInterval = 0
        /// Seconds after it.
        public var postUtteranceDelay: TimeInterval = 0

        /// A text to speak.
        public init(string: String) { speechString = string }
    }

    /// Where to stop.
    public enum AVSpeechBoundary: Int, Sendable {
        /// At once.
        case immediate
        /// After a word.
        case word
    }

    /// Follows a synthesizer.
    public protocol AVSpeechSynthesizerDelegate: AnyObject {
        /// A text begins.
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
        /// A text has been spoken.
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
        /// A text was stopped. Never called here.
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
    }

    extension AVSpeechSynthesizerDelegate {
        /// Does nothing.
        public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) {}
        /// Does nothing.
        public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {}
        /// Does nothing.
        public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {}
    }

    /// Would speak. A text takes no time.
    open class AVSpeechSynthesizer: NSObject, @unchecked Sendable {
        /// Who is told, on the main queue.
        public weak var delegate: (any AVSpeechSynthesizerDelegate)?
        /// True if it speaks.
        public var isSpeaking: Bool { false }
        /// True if it pauses.
        public var isPaused: Bool { false }

        /// Tells its delegate that a text begins, and that it is over.
        open func speak(_ utterance: AVSpeechUtterance) {
            nonisolated(unsafe) let utterance = utterance
            DispatchQueue.main.async {
                self.delegate?.speechSynthesizer(self, didStart: utterance)
                self.delegate?.speechSynthesizer(self, didFinish: utterance)
            }
        }

        /// Nothing is spoken, so nothing is stopped.
        @discardableResult
        open func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { false }
    }
#endif

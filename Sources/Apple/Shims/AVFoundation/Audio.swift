#if os(Linux)
    public import Foundation

    /// The sound of a process, without effect.
    public final class AVAudioSession: NSObject, Sendable {
        /// The purpose of sound.
        public struct Category: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String
            /// A category by Apple's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Sound that matters.
            public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
            /// Sound beside others.
            public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
            /// Sound in place of others.
            public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
            /// Sound in both directions.
            public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        }

        /// How sound is used.
        public struct Mode: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String
            /// A mode by Apple's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// No special one.
            public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
            /// Speech.
            public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
            /// Spoken prompts.
            public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        }

        /// How sound gets along with that of others.
        public struct CategoryOptions: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt
            /// Options by their bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Beside others.
            public static let mixWithOthers = CategoryOptions(rawValue: 1)
            /// Louder than others.
            public static let duckOthers = CategoryOptions(rawValue: 2)
            /// By loudspeaker.
            public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        }

        /// Options for the end of a session.
        public struct SetActiveOptions: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt
            /// Options by their bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Others are told.
            public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
        }

        private static let shared = AVAudioSession()

        /// The session.
        public static func sharedInstance() -> AVAudioSession { shared }

        /// Without effect.
        public func setCategory(_ category: Category) throws {}
        /// Without effect.
        public func setCategory(_ category: Category, options: CategoryOptions) throws {}
        /// Without effect.
        public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
        /// Without effect.
        public func setMode(_ mode: Mode) throws {}
        /// Without effect.
        public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
    }

    /// Would play a sound.
    open class AVAudioPlayer: NSObject {
        /// The sound's file, if it has one.
        public let url: URL?
        /// The sound, if it has no file.
        public let data: Data?
        /// How loud.
        public var volume: Float = 1
        /// How often again.
        public var numberOfLoops = 0
        /// True if it plays.
        public var isPlaying: Bool { false }

        /// A sound in a file. Throws if the file cannot be read; its format is not looked at.
        public init(contentsOf url: URL) throws {
            _ = try Data(contentsOf: url)
            self.url = url
            data = nil
        }

        /// A sound.
        public init(data: Data) throws {
            url = nil
            self.data = data
        }

        /// True if the sound is ready.
        @discardableResult
        open func prepareToPlay() -> Bool { true }

        /// True if the sound plays; the delegate is not called when it ends.
        @discardableResult
        open func play() -> Bool { true }

        /// Without effect.
        open func pause() {}
        /// Without effect.
        open func stop() {}
    }
#endif

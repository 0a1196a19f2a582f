#if os(Linux)
    @_exported public import CoreMedia
    public import Foundation

    // Films and sounds, as far as to tell that they cannot be decoded: nothing here decodes. What is asked of a file gives the error that a
    // device gives for a file in an unknown format, so that an extension goes the way that it goes there.

    /// An error of AVFoundation.
    public struct AVError: Error, CustomNSError, Hashable, Sendable {
        /// The codes of errors.
        public struct Code: RawRepresentable, Hashable, Sendable {
            /// Apple's number.
            public let rawValue: Int
            /// An error by Apple's number.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// Not known.
            public static let unknown = Code(rawValue: -11800)
            /// The export failed.
            public static let exportFailed = Code(rawValue: -11820)
            /// The file cannot be decoded.
            public static let decodeFailed = Code(rawValue: -11821)
            /// The format is not known.
            public static let fileFormatNotRecognized = Code(rawValue: -11828)
            /// The file is damaged.
            public static let fileFailedToParse = Code(rawValue: -11829)
            /// There is no picture at that time.
            public static let noImageAtTime = Code(rawValue: -11832)
            /// The operation was cancelled.
            public static let operationCancelled = Code(rawValue: -11847)
        }

        /// The code of the error.
        public let code: Code
        /// An error.
        public init(_ code: Code) { self.code = code }
        /// Apple's name of the domain.
        public static var errorDomain: String { "AVFoundationErrorDomain" }
        /// Apple's number.
        public var errorCode: Int { code.rawValue }
        /// Apple's texts for a file in an unknown format.
        public var errorUserInfo: [String: Any] {
            [
                NSLocalizedDescriptionKey: "Cannot Open",
                NSLocalizedFailureReasonErrorKey: "This media format is not supported.",
            ]
        }
        /// The format is not known.
        public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
        /// The file cannot be decoded.
        public static var decodeFailed: Code { .decodeFailed }
        /// Not known.
        public static var unknown: Code { .unknown }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The domain of AVFoundation's errors.
    public let AVFoundationErrorDomain = AVError.errorDomain

    /// A kind of media.
    public struct AVMediaType: RawRepresentable, Hashable, Sendable {
        /// Apple's name.
        public let rawValue: String
        /// A kind by Apple's name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Pictures.
        public static let video = AVMediaType(rawValue: "vide")
        /// Sound.
        public static let audio = AVMediaType(rawValue: "soun")
    }

    /// A format of files.
    public struct AVFileType: RawRepresentable, Hashable, Sendable {
        /// Its type identifier.
        public let rawValue: String
        /// A format by its type identifier.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// QuickTime.
        public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
        /// MPEG-4.
        public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
        /// MPEG-4 audio.
        public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
        /// Core Audio.
        public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
        /// WAVE.
        public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
        /// MPEG layer 3.
        public static let mp3 = AVFileType(rawValue: "public.mp3")
    }

    /// How far a value of an asset is loaded.
    public enum AVKeyValueStatus: Int, Sendable {
        /// Not asked for.
        case unknown
        /// Asked for.
        case loading
        /// Known.
        case loaded
        /// It cannot be known.
        case failed
        /// No longer asked for.
        case cancelled
    }

    /// A value of an asset that is loaded when it is asked for.
    public struct AVAsyncProperty<Root, Value>: Sendable {}

    extension AVAsyncProperty where Root: AVAsset {
        /// How long it is.
        public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init() }
        /// Its tracks.
        public static var tracks: AVAsyncProperty<AVAsset, [AVAssetTrack]> { .init() }
        /// True if it can be played.
        public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init() }
    }

    /// A film or a sound.
    open class AVAsset: NSObject, @unchecked Sendable {
        let location: URL

        /// A film or a sound at an address.
        public init(url URL: URL) { location = URL }

        /// Not known: nothing is decoded.
        open var duration: CMTime { .indefinite }
        /// None: nothing is decoded.
        open var tracks: [AVAssetTrack] { [] }
        /// None: nothing is decoded.
        open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] { [] }
        /// No.
        open var isPlayable: Bool { false }
        /// No.
        open var isExportable: Bool { false }
        /// No.
        open var isReadable: Bool { false }

        /// Why nothing can be known: there is no such file, or its format is not known.
        var failure: any Error {
            if location.isFileURL, !FileManager.default.fileExists(atPath: location.path) {
                return URLError(.fileDoesNotExist)
            }
            return AVError(.fileFormatNotRecognized)
        }

        /// Throws, because nothing is decoded.
        open func load<Value>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value { throw failure }
        /// Throws, because nothing is decoded.
        open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] { throw failure }
        /// Calls its handler at once.
        open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (() -> Void)? = nil) {
            handler?()
        }
        /// Failed.
        open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus
        {
            outError?.pointee = failure as NSError
            return .failed
        }
    }

    /// A film or a sound at an address.
    open class AVURLAsset: AVAsset, @unchecked Sendable {
        /// Its address.
        public var url: URL { location }
        /// A film or a sound at an address. Options have no effect.
        public init(url URL: URL, options: [String: Any]? = nil) { super.init(url: URL) }
    }

    /// A track of a film or a sound. There are none here.
    open class AVAssetTrack: NSObject, @unchecked Sendable {
        override init() { super.init() }
        /// The size of its pictures.
        open var naturalSize: CGSize { .zero }
        /// How long it is.
        open var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: .indefinite) }
        /// Pictures in a second.
        open var nominalFrameRate: Float { 0 }
        /// Bits in a second.
        open var estimatedDataRate: Float { 0 }
        /// The kind of its media.
        open var mediaType: AVMediaType { .video }
    }
#endif

#if os(Linux)
    @_exported public import Foundation

    // The identifiers of `UTType` with their old names. `nonisolated(unsafe)` is safe: an NSString is immutable.

    /// A JPEG picture.
    nonisolated(unsafe) public let kUTTypeJPEG = "public.jpeg" as NSString
    /// A PNG picture.
    nonisolated(unsafe) public let kUTTypePNG = "public.png" as NSString
    /// A GIF picture.
    nonisolated(unsafe) public let kUTTypeGIF = "com.compuserve.gif" as NSString
    /// Any picture.
    nonisolated(unsafe) public let kUTTypeImage = "public.image" as NSString
    /// MP3 sound.
    nonisolated(unsafe) public let kUTTypeMP3 = "public.mp3" as NSString
    /// MPEG-4 sound.
    nonisolated(unsafe) public let kUTTypeMPEG4Audio = "public.mpeg-4-audio" as NSString
    /// WAV sound.
    nonisolated(unsafe) public let kUTTypeWaveformAudio = "com.microsoft.waveform-audio" as NSString
    /// AIFF sound.
    nonisolated(unsafe) public let kUTTypeAudioInterchangeFileFormat = "public.aiff-audio" as NSString
    /// An MPEG movie.
    nonisolated(unsafe) public let kUTTypeMPEG = "public.mpeg" as NSString
    /// An MPEG-4 movie.
    nonisolated(unsafe) public let kUTTypeMPEG4 = "public.mpeg-4" as NSString
    /// An AVI movie.
    nonisolated(unsafe) public let kUTTypeAVIMovie = "public.avi" as NSString
    /// A QuickTime movie.
    nonisolated(unsafe) public let kUTTypeQuickTimeMovie = "com.apple.quicktime-movie" as NSString
#endif

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
    /// A movie.
    nonisolated(unsafe) public let kUTTypeMovie = "public.movie" as NSString
    /// A movie without sound.
    nonisolated(unsafe) public let kUTTypeVideo = "public.video" as NSString
    /// Any sound.
    nonisolated(unsafe) public let kUTTypeAudio = "public.audio" as NSString
    /// A sound or a movie.
    nonisolated(unsafe) public let kUTTypeAudiovisualContent = "public.audiovisual-content" as NSString
    /// Bytes.
    nonisolated(unsafe) public let kUTTypeData = "public.data" as NSString
    /// Anything.
    nonisolated(unsafe) public let kUTTypeItem = "public.item" as NSString
    /// A text.
    nonisolated(unsafe) public let kUTTypeText = "public.text" as NSString
    /// A text without attributes.
    nonisolated(unsafe) public let kUTTypePlainText = "public.plain-text" as NSString
    /// HTML.
    nonisolated(unsafe) public let kUTTypeHTML = "public.html" as NSString
    /// JSON.
    nonisolated(unsafe) public let kUTTypeJSON = "public.json" as NSString
    /// A URL.
    nonisolated(unsafe) public let kUTTypeURL = "public.url" as NSString
    /// PDF.
    nonisolated(unsafe) public let kUTTypePDF = "com.adobe.pdf" as NSString
    /// A TIFF picture.
    nonisolated(unsafe) public let kUTTypeTIFF = "public.tiff" as NSString
    /// A BMP picture.
    nonisolated(unsafe) public let kUTTypeBMP = "com.microsoft.bmp" as NSString
    /// An SVG picture.
    nonisolated(unsafe) public let kUTTypeScalableVectorGraphics = "public.svg-image" as NSString
#endif

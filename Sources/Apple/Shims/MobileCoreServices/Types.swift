// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    @_exported public import Foundation

    // The identifiers of `UTType` with their old names. `nonisolated(unsafe)` is safe: an NSString is immutable.

    nonisolated(unsafe) public let kUTTypeJPEG = "public.jpeg" as NSString
    nonisolated(unsafe) public let kUTTypePNG = "public.png" as NSString
    nonisolated(unsafe) public let kUTTypeGIF = "com.compuserve.gif" as NSString
    nonisolated(unsafe) public let kUTTypeImage = "public.image" as NSString
    nonisolated(unsafe) public let kUTTypeMP3 = "public.mp3" as NSString
    nonisolated(unsafe) public let kUTTypeMPEG4Audio = "public.mpeg-4-audio" as NSString
    nonisolated(unsafe) public let kUTTypeWaveformAudio = "com.microsoft.waveform-audio" as NSString
    nonisolated(unsafe) public let kUTTypeAudioInterchangeFileFormat = "public.aiff-audio" as NSString
    nonisolated(unsafe) public let kUTTypeMPEG = "public.mpeg" as NSString
    nonisolated(unsafe) public let kUTTypeMPEG4 = "public.mpeg-4" as NSString
    nonisolated(unsafe) public let kUTTypeAVIMovie = "public.avi" as NSString
    nonisolated(unsafe) public let kUTTypeQuickTimeMovie = "com.apple.quicktime-movie" as NSString
    nonisolated(unsafe) public let kUTTypeMovie = "public.movie" as NSString
    nonisolated(unsafe) public let kUTTypeVideo = "public.video" as NSString
    nonisolated(unsafe) public let kUTTypeAudio = "public.audio" as NSString
    nonisolated(unsafe) public let kUTTypeAudiovisualContent = "public.audiovisual-content" as NSString
    nonisolated(unsafe) public let kUTTypeData = "public.data" as NSString
    nonisolated(unsafe) public let kUTTypeItem = "public.item" as NSString
    nonisolated(unsafe) public let kUTTypeText = "public.text" as NSString
    nonisolated(unsafe) public let kUTTypePlainText = "public.plain-text" as NSString
    nonisolated(unsafe) public let kUTTypeHTML = "public.html" as NSString
    nonisolated(unsafe) public let kUTTypeJSON = "public.json" as NSString
    nonisolated(unsafe) public let kUTTypeURL = "public.url" as NSString
    nonisolated(unsafe) public let kUTTypePDF = "com.adobe.pdf" as NSString
    nonisolated(unsafe) public let kUTTypeTIFF = "public.tiff" as NSString
    nonisolated(unsafe) public let kUTTypeBMP = "com.microsoft.bmp" as NSString
    nonisolated(unsafe) public let kUTTypeScalableVectorGraphics = "public.svg-image" as NSString
#endif

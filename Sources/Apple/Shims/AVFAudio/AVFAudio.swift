// The part of AVFoundation that is about sound and speech, which has a name of its own.
#if os(Linux)
    @_exported public import AVFoundation
#endif

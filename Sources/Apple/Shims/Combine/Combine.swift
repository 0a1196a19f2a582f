#if os(Linux)
    #if ExtensionCombine
        // OpenCombine has Combine's API under another name: publishers and subjects, and those of Foundation and Dispatch.
        @_exported public import OpenCombine
        @_exported public import OpenCombineDispatch
        @_exported public import OpenCombineFoundation
    #endif
#endif

#if os(Linux)
    #if ExtensionCrypto
        // swift-crypto has CryptoKit's API under another name.
        @_exported public import Crypto
    #endif
#endif

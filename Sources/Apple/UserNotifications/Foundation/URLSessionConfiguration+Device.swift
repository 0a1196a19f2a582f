// The names of TLS are those of Apple's Security.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

#if os(Linux)
    import Foundation
    public import FoundationNetworking

    // Settings of Apple's that Foundation for Linux does not have. Without effect: this machine has one network, which costs nothing.
    // Those that it has and that cannot be set are in the overlay of built extensions.

    extension URLSessionConfiguration {
        /// True if networks that cost money may be used: yes.
        public var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// True if the network may be used in Low Data Mode: yes.
        public var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// True if a background session lives on: no.
        public var shouldUseExtendedBackgroundSessionIdleMode: Bool {
            get { false }
            set { _ = newValue }
        }

        /// The oldest version of TLS. Without effect: that of the system's list.
        public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
            get { .TLSv12 }
            set { _ = newValue }
        }

        /// True if a background session starts the app: no.
        public var sessionSendsLaunchEvents: Bool {
            get { false }
            set { _ = newValue }
        }
    }

    /// A version of TLS.
    public enum tls_protocol_version_t: UInt16, Sendable {
        case TLSv10 = 0x0301
        case TLSv11 = 0x0302
        case TLSv12 = 0x0303
        case TLSv13 = 0x0304
    }

    extension URLRequest {
        /// True if networks that cost money may be used: yes.
        public var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// True if the network may be used in Low Data Mode: yes.
        public var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }
    }

    extension NSURLRequest.NetworkServiceType {
        /// Data that a person waits for: as others.
        public static var responsiveData: Self { .default }
        /// A call that begins: as others.
        public static var callSignaling: Self { .default }
        /// Streams: as others.
        public static var avStreaming: Self { .default }
    }
#endif

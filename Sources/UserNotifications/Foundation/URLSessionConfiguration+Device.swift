#if os(Linux)
    import Foundation
    public import FoundationNetworking

    // Settings of Apple's that Foundation for Linux does not have. Without effect: this machine has one network, which costs nothing.
    // Those that it has and that cannot be set are in the overlay of built extensions.

    extension URLSessionConfiguration {
        /// Whether networks that cost money may be used: yes.
        public var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// Whether the network may be used in Low Data Mode: yes.
        public var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// Whether a background session starts the app: no.
        public var sessionSendsLaunchEvents: Bool {
            get { false }
            set { _ = newValue }
        }
    }

    extension URLRequest {
        /// Whether networks that cost money may be used: yes.
        public var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }

        /// Whether the network may be used in Low Data Mode: yes.
        public var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set { _ = newValue }
        }
    }

    extension NSURLRequest.NetworkServiceType {
        /// What a person waits for: as others.
        public static var responsiveData: Self { .default }
        /// A call that begins: as others.
        public static var callSignaling: Self { .default }
        /// Streams: as others.
        public static var avStreaming: Self { .default }
    }
#endif

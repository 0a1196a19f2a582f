#if os(Linux)
    public import Foundation

    /// The networks of a device without a SIM card: none.
    public final class CTTelephonyNetworkInfo: NSObject, Sendable {
        /// None.
        public var subscriberCellularProvider: CTCarrier? { nil }
        /// None.
        public var serviceSubscriberCellularProviders: [String: CTCarrier]? { nil }
        /// None.
        public var currentRadioAccessTechnology: String? { nil }
        /// None.
        public var serviceCurrentRadioAccessTechnology: [String: String]? { nil }
        /// None.
        public var dataServiceIdentifier: String? { nil }
    }

    /// A provider of a network. There is none.
    public final class CTCarrier: NSObject, Sendable {
        /// Its name.
        public var carrierName: String? { nil }
        /// Its country, as a number.
        public var mobileCountryCode: String? { nil }
        /// Its own number.
        public var mobileNetworkCode: String? { nil }
        /// Its country, as two letters.
        public var isoCountryCode: String? { nil }
        /// False.
        public var allowsVOIP: Bool { false }
    }
#endif

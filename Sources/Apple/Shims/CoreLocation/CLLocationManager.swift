#if os(Linux)
    public import Foundation

    // The location of a device whose user has not let the app at it: it is never known.

    /// The app's permission to know where the device is.
    public enum CLAuthorizationStatus: Int32, Sendable {
        /// The user was not asked.
        case notDetermined = 0
        /// Not by the user's choice.
        case restricted = 1
        /// No.
        case denied = 2
        /// Always.
        case authorizedAlways = 3
        /// While it is used.
        case authorizedWhenInUse = 4
    }

    /// An error about locations.
    public struct CLError: Error, CustomNSError, Hashable, Sendable {
        /// The codes of errors.
        public enum Code: Int, Sendable {
            /// Not known yet.
            case locationUnknown = 0
            /// The app may not.
            case denied = 1
            /// No network.
            case network = 2
            /// The app may not watch regions.
            case regionMonitoringDenied = 4
        }

        /// The code of the error.
        public let code: Code
        /// An error.
        public init(_ code: Code) { self.code = code }
        /// Apple's name of the domain.
        public static var errorDomain: String { "kCLErrorDomain" }
        /// Apple's number.
        public var errorCode: Int { code.rawValue }
        /// The app may not.
        public static var denied: Code { .denied }
    }

    /// Is told where the device is.
    public protocol CLLocationManagerDelegate: AnyObject {
        /// The device is somewhere else. Never called here.
        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
        /// It is not known where the device is.
        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
        /// The app's permission has changed. Never called here.
        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
        /// The device came into a region. Never called here.
        func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
        /// The device left a region. Never called here.
        func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
        /// A region is watched. Never called here.
        func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
        /// Where the device is, seen from a region. Never called here.
        func locationManager(
            _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
        /// A region is not watched.
        func locationManager(
            _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
    }

    extension CLLocationManagerDelegate {
        /// Does nothing.
        public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
        /// Does nothing.
        public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
        /// Does nothing.
        public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// As exact as possible.
    public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Within a hundred meters.
    public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100

    /// Asks where the device is, which is never known.
    open class CLLocationManager: NSObject, @unchecked Sendable {
        /// Who is told, on the main queue.
        open weak var delegate: (any CLLocationManagerDelegate)?
        /// How exact.
        open var desiredAccuracy = kCLLocationAccuracyBest
        /// In meters.
        open var distanceFilter = kCLDistanceFilterNone
        /// Without effect.
        open var allowsBackgroundLocationUpdates = false
        /// Without effect.
        open var pausesLocationUpdatesAutomatically = true
        /// Not known.
        open var location: CLLocation? { nil }
        /// Denied.
        open var authorizationStatus: CLAuthorizationStatus { .denied }

        /// A manager.
        public override init() { super.init() }

        /// Denied.
        open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
        /// Yes, for other apps.
        open class func locationServicesEnabled() -> Bool { true }
        /// Without effect.
        open func requestWhenInUseAuthorization() {}
        /// Tells its delegate that the app may not.
        open func requestLocation() {
            DispatchQueue.main.async { self.delegate?.locationManager(self, didFailWithError: CLError(.denied)) }
        }
        /// Tells its delegate that the app may not.
        open func startUpdatingLocation() { requestLocation() }
        /// Without effect.
        open func stopUpdatingLocation() {}
    }
#endif

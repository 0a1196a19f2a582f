// The names are those of Objective-C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

    // Regions that a device whose user has not let the app at its location does not watch.

    /// Any distance.
    public let kCLDistanceFilterNone: CLLocationDistance = -1
    /// The greatest distance.
    public let CLLocationDistanceMax = CLLocationDistance.greatestFiniteMagnitude
    /// As exact as possible, for someone who drives.
    public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
    /// Within ten meters.
    public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
    /// Within a kilometer.
    public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
    /// Within three kilometers.
    public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000

    /// Where a device is, seen from a region.
    public enum CLRegionState: Int, Sendable {
        /// Not known.
        case unknown
        /// In it.
        case inside
        /// Not in it.
        case outside
    }

    /// A region with a name.
    open class CLRegion: NSObject, @unchecked Sendable {
        // Unchecked: as with Apple's, one thread changes it.
        /// Its name.
        public let identifier: String
        /// True to be told when the device comes in.
        open var notifyOnEntry = true
        /// True to be told when the device leaves.
        open var notifyOnExit = true

        init(identifier: String) { self.identifier = identifier }
    }

    /// A circle.
    open class CLCircularRegion: CLRegion, @unchecked Sendable {
        /// Its center.
        public let center: CLLocationCoordinate2D
        /// In meters.
        public let radius: CLLocationDistance

        /// A circle.
        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
            self.center = center
            self.radius = radius
            super.init(identifier: identifier)
        }

        /// True if a place is in it.
        open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
            let place = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
            return place.distance(from: CLLocation(latitude: center.latitude, longitude: center.longitude)) <= radius
        }
    }

    extension CLLocationManager {
        /// True: the device could.
        public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { true }
        /// True: the device could.
        public class func significantLocationChangeMonitoringAvailable() -> Bool { true }
        /// Of a region.
        public var maximumRegionMonitoringDistance: CLLocationDistance { CLLocationDistanceMax }
        /// None.
        public var monitoredRegions: Set<CLRegion> { [] }
        /// Tells its delegate that the app may not.
        public func startMonitoring(for region: CLRegion) {
            DispatchQueue.main.async {
                self.delegate?.locationManager(
                    self, monitoringDidFailFor: region, withError: CLError(.regionMonitoringDenied))
            }
        }
        /// Without effect.
        public func stopMonitoring(for region: CLRegion) {}
        /// Without effect.
        public func requestState(for region: CLRegion) {}
        /// Tells its delegate that the app may not.
        public func startMonitoringSignificantLocationChanges() { requestLocation() }
        /// Without effect.
        public func stopMonitoringSignificantLocationChanges() {}
        /// Without effect.
        public func requestAlwaysAuthorization() {}
    }

    extension CLLocationManagerDelegate {
        /// Does nothing.
        public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
        /// Does nothing.
        public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
        /// Does nothing.
        public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
        /// Does nothing.
        public func locationManager(
            _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
        ) {}
        /// Does nothing.
        public func locationManager(
            _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
        ) {}
    }
#endif

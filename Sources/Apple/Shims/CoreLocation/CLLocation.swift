#if os(Linux)
    public import Foundation

    /// Degrees of latitude or longitude.
    public typealias CLLocationDegrees = Double
    /// Meters.
    public typealias CLLocationDistance = Double
    /// Meters, by which a place may be wrong.
    public typealias CLLocationAccuracy = Double

    /// A place on the earth.
    public struct CLLocationCoordinate2D: Sendable {
        /// Degrees north.
        public var latitude: CLLocationDegrees
        /// Degrees east.
        public var longitude: CLLocationDegrees
        /// A place.
        public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
            self.latitude = latitude
            self.longitude = longitude
        }
        /// The place where the equator meets the prime meridian.
        public init() { self.init(latitude: 0, longitude: 0) }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// True if a place is on the earth.
    public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
        abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
    }

    /// A place at a time.
    open class CLLocation: NSObject, @unchecked Sendable {
        /// Where.
        public let coordinate: CLLocationCoordinate2D
        /// When.
        public let timestamp = Date()

        /// A place.
        public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
            coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        }

        /// Meters to another place, on a sphere, which is within half a percent of Apple's.
        open func distance(from location: CLLocation) -> CLLocationDistance {
            let here = coordinate
            let there = location.coordinate
            func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
            let north = sin(radians(there.latitude - here.latitude) / 2)
            let east = sin(radians(there.longitude - here.longitude) / 2)
            let part = north * north + cos(radians(here.latitude)) * cos(radians(there.latitude)) * east * east
            return 2 * 6_371_009 * asin(min(part.squareRoot(), 1))
        }
    }
#endif

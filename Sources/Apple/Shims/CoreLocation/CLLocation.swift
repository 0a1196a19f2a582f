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
        public let timestamp: Date
        /// Meters above the sea.
        public let altitude: CLLocationDistance
        /// Meters by which the place may be wrong; negative if it is not known.
        public let horizontalAccuracy: CLLocationAccuracy
        /// Meters by which the altitude may be wrong; negative if it is not known.
        public let verticalAccuracy: CLLocationAccuracy
        /// Not known.
        open var speed: Double { -1 }
        /// Not known.
        open var course: Double { -1 }

        /// A place.
        public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
            let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            self.init(
                coordinate: place, altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
        }

        /// A place.
        public init(
            coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: Double,
            verticalAccuracy vAccuracy: Double, timestamp: Date
        ) {
            self.coordinate = coordinate
            self.altitude = altitude
            horizontalAccuracy = hAccuracy
            verticalAccuracy = vAccuracy
            self.timestamp = timestamp
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

// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

    // Core Foundation cannot be used from Swift on Linux. These are the names that extensions use; each type is the Foundation class that
    // Apple bridges it to.

    /// A string.
    public typealias CFString = NSString
    /// A string that can be changed.
    public typealias CFMutableString = NSMutableString
    /// A string with attributes.
    public typealias CFAttributedString = NSAttributedString
    /// A string with attributes that can be changed.
    public typealias CFMutableAttributedString = NSMutableAttributedString
    /// A URL.
    public typealias CFURL = NSURL
    /// Bytes.
    public typealias CFData = NSData
    /// Bytes that can be changed.
    public typealias CFMutableData = NSMutableData
    /// An array.
    public typealias CFArray = NSArray
    /// An array that can be changed.
    public typealias CFMutableArray = NSMutableArray
    /// A dictionary.
    public typealias CFDictionary = NSDictionary
    /// A dictionary that can be changed.
    public typealias CFMutableDictionary = NSMutableDictionary
    /// A set.
    public typealias CFSet = NSSet
    /// A number.
    public typealias CFNumber = NSNumber
    /// A Boolean.
    public typealias CFBoolean = NSNumber
    /// A date.
    public typealias CFDate = NSDate
    /// An error.
    public typealias CFError = NSError
    /// Any object.
    public typealias CFTypeRef = AnyObject
    /// A count or an index.
    public typealias CFIndex = Int
    /// Flags of an option set.
    public typealias CFOptionFlags = UInt
    /// Seconds.
    public typealias CFTimeInterval = Double
    /// Seconds since the first instant of 2001.
    public typealias CFAbsoluteTime = CFTimeInterval

    /// The current time of the system's clock.
    public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
        Date().timeIntervalSinceReferenceDate
    }

    /// Runs a closure. Linux has no autorelease pools.
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
        try body()
    }

    /// The number of a type of Core Foundation.
    public typealias CFTypeID = UInt

    /// The number of Booleans.
    public func CFBooleanGetTypeID() -> CFTypeID { 21 }
    /// The number of numbers.
    public func CFNumberGetTypeID() -> CFTypeID { 22 }
    /// The number of strings.
    public func CFStringGetTypeID() -> CFTypeID { 7 }
    /// The number of an object's type: a Boolean, a number or a string; 0 for others.
    public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
        switch object {
        case let number as NSNumber:
            // Foundation for Linux has one object for each Boolean.
            number === NSNumber(value: true) || number === NSNumber(value: false)
                ? CFBooleanGetTypeID() : CFNumberGetTypeID()
        case is NSString: CFStringGetTypeID()
        default: 0
        }
    }

    // The rectangle of a thumbnail is given to an attachment as a dictionary.

    extension CGPoint {
        /// The point as a dictionary of `X` and `Y`.
        public var dictionaryRepresentation: CFDictionary { ["X": Double(x), "Y": Double(y)] as NSDictionary }

        /// Creates a point from such a dictionary; nil if it is not one.
        public init?(dictionaryRepresentation dictionary: CFDictionary) {
            guard let x = dictionary.number("X"), let y = dictionary.number("Y") else { return nil }
            self.init(x: x, y: y)
        }
    }

    extension CGSize {
        /// The size as a dictionary of `Width` and `Height`.
        public var dictionaryRepresentation: CFDictionary {
            ["Width": Double(width), "Height": Double(height)] as NSDictionary
        }

        /// Creates a size from such a dictionary; nil if it is not one.
        public init?(dictionaryRepresentation dictionary: CFDictionary) {
            guard let width = dictionary.number("Width"), let height = dictionary.number("Height") else { return nil }
            self.init(width: width, height: height)
        }
    }

    extension CGRect {
        /// The rectangle as a dictionary of `X`, `Y`, `Width` and `Height`.
        public var dictionaryRepresentation: CFDictionary {
            [
                "X": Double(origin.x), "Y": Double(origin.y), "Width": Double(size.width),
                "Height": Double(size.height),
            ] as NSDictionary
        }

        /// Creates a rectangle from such a dictionary; nil if it is not one.
        public init?(dictionaryRepresentation dictionary: CFDictionary) {
            guard let origin = CGPoint(dictionaryRepresentation: dictionary),
                let size = CGSize(dictionaryRepresentation: dictionary)
            else { return nil }
            self.init(origin: origin, size: size)
        }
    }

    extension NSDictionary {
        fileprivate func number(_ key: String) -> Double? { (object(forKey: key) as? NSNumber)?.doubleValue }
    }

    // Notifications between processes of an app, by name only. There is one process here, so what is posted reaches its own observers.

    /// The name of a notification.
    public struct CFNotificationName: Hashable, @unchecked Sendable {
        /// The name as a string.
        public let rawValue: CFString

        /// Makes a name.
        public init(_ rawValue: CFString) { self.rawValue = rawValue }

        /// Makes a name.
        public init(rawValue: CFString) { self.rawValue = rawValue }
    }

    /// The treatment of notifications while a process is suspended. Without effect.
    public enum CFNotificationSuspensionBehavior: Int, Sendable {
        /// They are dropped.
        case drop = 1
        /// The last of each name is kept.
        case coalesce = 2
        /// They are kept.
        case hold = 3
        /// They are delivered.
        case deliverImmediately = 4
    }

    /// A function that receives notifications.
    public typealias CFNotificationCallback = (
        CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
    ) -> Void

    /// Passes notifications to observers.
    public final class CFNotificationCenter: @unchecked Sendable {
        private struct Observation: @unchecked Sendable {
            let observer: UnsafeRawPointer?
            let name: String?
            let callback: CFNotificationCallback
        }

        fileprivate static let darwin = CFNotificationCenter()
        fileprivate static let local = CFNotificationCenter()

        private let observations = Locked<[Observation]>([])

        fileprivate func add(
            _ observer: UnsafeRawPointer?, _ callback: @escaping CFNotificationCallback, _ name: String?
        ) {
            let observation = Observation(observer: observer, name: name, callback: callback)
            observations.withLock { $0.append(observation) }
        }

        fileprivate func remove(_ observer: UnsafeRawPointer?, _ name: String?) {
            observations.withLock { $0.removeAll { $0.observer == observer && (name == nil || $0.name == name) } }
        }

        fileprivate func post(_ name: CFNotificationName, _ userInfo: CFDictionary?) {
            let text = name.rawValue as String
            for observation in observations.snapshot where observation.name == nil || observation.name == text {
                observation.callback(
                    self, UnsafeMutableRawPointer(mutating: observation.observer), name, nil, userInfo)
            }
        }
    }

    /// The center for notifications between processes. Other processes get none here.
    public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

    /// The center for notifications within the process.
    public func CFNotificationCenterGetLocalCenter() -> CFNotificationCenter! { .local }

    /// Adds an observer for a name, or for all names.
    public func CFNotificationCenterAddObserver(
        _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ callBack: CFNotificationCallback!,
        _ name: CFString!, _ object: UnsafeRawPointer!, _ suspensionBehavior: CFNotificationSuspensionBehavior
    ) {
        guard let callBack else { return }
        center?.add(observer, callBack, name.map { $0 as String })
    }

    /// Removes an observer of a name, or of all names.
    public func CFNotificationCenterRemoveObserver(
        _ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!, _ name: CFNotificationName!,
        _ object: UnsafeRawPointer!
    ) {
        center?.remove(observer, name.map { $0.rawValue as String })
    }

    /// Removes an observer.
    public func CFNotificationCenterRemoveEveryObserver(_ center: CFNotificationCenter!, _ observer: UnsafeRawPointer!)
    {
        center?.remove(observer, nil)
    }

    /// Posts a notification. The Darwin center passes on no user info.
    public func CFNotificationCenterPostNotification(
        _ center: CFNotificationCenter!, _ name: CFNotificationName!, _ object: UnsafeRawPointer!,
        _ userInfo: CFDictionary!, _ deliverImmediately: Bool
    ) {
        guard let name else { return }
        center?.post(name, center === CFNotificationCenter.darwin ? nil : userInfo)
    }
#endif

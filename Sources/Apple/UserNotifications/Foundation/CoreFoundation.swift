// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

    // Core Foundation cannot be used from Swift on Linux. These are the names that extensions use; each type is the Foundation class that
    // Apple bridges it to.

    public typealias CFString = NSString
    public typealias CFMutableString = NSMutableString
    public typealias CFAttributedString = NSAttributedString
    public typealias CFMutableAttributedString = NSMutableAttributedString
    public typealias CFURL = NSURL
    public typealias CFData = NSData
    public typealias CFMutableData = NSMutableData
    public typealias CFArray = NSArray
    public typealias CFMutableArray = NSMutableArray
    public typealias CFDictionary = NSDictionary
    public typealias CFMutableDictionary = NSMutableDictionary
    public typealias CFSet = NSSet
    public typealias CFNumber = NSNumber
    public typealias CFBoolean = NSNumber
    public typealias CFDate = NSDate
    public typealias CFError = NSError
    public typealias CFTypeRef = AnyObject
    public typealias CFIndex = Int
    public typealias CFOptionFlags = UInt
    public typealias CFTimeInterval = Double
    public typealias CFAbsoluteTime = CFTimeInterval

    public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
        Date().timeIntervalSinceReferenceDate
    }

    /// Runs a closure. Linux has no autorelease pools.
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
        try body()
    }

    public typealias CFTypeID = UInt

    public func CFBooleanGetTypeID() -> CFTypeID { 21 }
    public func CFNumberGetTypeID() -> CFTypeID { 22 }
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

    extension CGRect {
        /// The rectangle as a dictionary of `X`, `Y`, `Width` and `Height`.
        public var dictionaryRepresentation: CFDictionary {
            [
                "X": Double(origin.x), "Y": Double(origin.y), "Width": Double(size.width),
                "Height": Double(size.height),
            ] as NSDictionary
        }
    }

    // Notifications between processes of an app, by name only. There is one process here, so what is posted reaches its own observers.

    /// The name of a notification.
    public struct CFNotificationName: Hashable, @unchecked Sendable {
        public let rawValue: CFString

        public init(_ rawValue: CFString) { self.rawValue = rawValue }

        public init(rawValue: CFString) { self.rawValue = rawValue }
    }

    /// The treatment of notifications while a process is suspended. Without effect.
    public enum CFNotificationSuspensionBehavior: Int, Sendable {
        case drop = 1
        case coalesce = 2
        case hold = 3
        case deliverImmediately = 4
    }

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

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

    // swift-format-ignore: AlwaysUseLowerCamelCase
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The number of Booleans.
    public func CFBooleanGetTypeID() -> CFTypeID { 21 }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The number of numbers.
    public func CFNumberGetTypeID() -> CFTypeID { 22 }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The number of strings.
    public func CFStringGetTypeID() -> CFTypeID { 7 }
    // swift-format-ignore: AlwaysUseLowerCamelCase
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
#endif

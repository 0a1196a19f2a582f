#if os(Linux)
    public import Foundation

    // Core Foundation is not reachable from Swift on Linux. What extensions use of it, under the names that they use; each type is
    // the class of Foundation that Apple bridges it to.

    /// A string.
    public typealias CFString = NSString
    /// A string that can be changed.
    public typealias CFMutableString = NSMutableString
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
    /// A truth value.
    public typealias CFBoolean = NSNumber
    /// A date.
    public typealias CFDate = NSDate
    /// An error.
    public typealias CFError = NSError
    /// Any object.
    public typealias CFTypeRef = AnyObject
    /// A count or an index.
    public typealias CFIndex = Int
    /// Seconds.
    public typealias CFTimeInterval = Double
    /// Seconds since the first instant of 2001.
    public typealias CFAbsoluteTime = CFTimeInterval

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The time by the system's clock.
    public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
        Date().timeIntervalSinceReferenceDate
    }

    /// Runs a closure. There are no pools of released objects on Linux to drain afterwards.
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
        try body()
    }
#endif

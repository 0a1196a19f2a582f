#if os(Linux)
    @_exported public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Seconds since the machine started. Nothing else of QuartzCore is there.
    public func CACurrentMediaTime() -> Double { ProcessInfo.processInfo.systemUptime }
#endif

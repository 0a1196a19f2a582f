#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the operating system says about a file or stream that cannot be read or written.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    public var code: Int32

    /// The last error of this thread.
    public init() { code = errno }

    /// In the system's words, such as `No such file or directory`.
    public var description: String { String(cString: strerror(code)) }
}

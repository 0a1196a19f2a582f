#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

package enum Environment {
    /// The value; nil if it is not set. Bytes that are not UTF-8 become U+FFFD.
    package static func variable(_ name: String) -> String? {
        // SOUND: the string is terminated, and it is copied before anything can change the environment on this thread.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The value; nil if it is not set or empty.
    package static func nonEmptyVariable(_ name: String) -> String? {
        variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Sets a variable that is not set. Call this only before starting threads: the C library's environment is not thread-safe.
    package static func setDefault(_ name: String, _ value: String) {
        // SOUND: Swift passes both as terminated strings, which the call copies.
        unsafe setenv(name, value, 0)
    }
}

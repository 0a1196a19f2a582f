#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many files this process may have open.
package enum OpenFileLimit {
    /// The least limit to raise to: room for the other files of the process.
    private static let ample: rlim_t = 65_536

    /// Raises the limit as far as needed and allowed, and returns it.
    ///
    /// If it has to be raised at all, it is raised well beyond `wanted`, because other parts of the process open files too.
    ///
    /// - Parameter wanted: the number of open files that is enough.
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        // SOUND: the calls write and read one `rlimit`.
        guard unsafe getrlimit(resource, &limit) == 0 else { return wanted }
        if limit.rlim_cur >= rlim_t(clamping: wanted) { return wanted }
        var raised = limit
        raised.rlim_cur = min(max(rlim_t(clamping: wanted), ample), limit.rlim_max)
        guard unsafe setrlimit(resource, &raised) == 0 else { return Int(clamping: limit.rlim_cur) }
        return Int(clamping: raised.rlim_cur)
    }

    #if canImport(Glibc)
        // Glibc's own type of the parameter is an integer, and that of the constant is not.
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}

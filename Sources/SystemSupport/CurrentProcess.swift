#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// This process.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    /// Number of online cores, at least 1.
    package static var processorCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// An absolute path; nil if the directory is gone or cannot be named.
    package static var workingDirectory: String? {
        // SOUND: `getcwd` returns a terminated string that belongs to the caller, and it is freed after the copy.
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Blocks this thread for this many microseconds, or until a signal arrives.
    package static func pause(microseconds: Int) { usleep(UInt32(clamping: microseconds)) }

    /// Exits the process after running the registered exit functions.
    package static func exit(_ status: Int32) -> Never { systemExit(status) }
}

/// `exit(3)`, under a name that the method `exit` does not hide.
private func systemExit(_ status: Int32) -> Never { exit(status) }

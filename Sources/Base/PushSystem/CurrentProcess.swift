#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

package enum CurrentProcess {
    package static var id: Int32 { getpid() }

    /// Number of online cores, at least 1.
    package static var processorCount: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }

    /// The most memory that this process has had resident so far, in bytes; nil if the system does not say.
    ///
    /// On Linux from `VmHWM`, because `getrusage` includes the memory of the process that started this one.
    package static var peakMemoryBytes: Int? {
        #if os(Linux)
            let lines = ProcessFile.lines("/proc/self/status")
            let kibibytes = lines.lazy.compactMap { ProcessFile.value(of: "VmHWM", in: $0) }.first
            return kibibytes?.split(separator: " ").first.flatMap { Int($0) }.map { $0 * 1024 }
        #else
            var usage = rusage()
            // SOUND: the call writes one `rusage`.
            guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
            return Int(usage.ru_maxrss)
        #endif
    }

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

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

/// The machine's clocks.
package enum SystemClock {
    /// Milliseconds since the epoch. This clock can go backward.
    package static func wallMilliseconds() -> Int64 {
        let now = read(CLOCK_REALTIME)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// The time of day where the user is, such as `09:41:00`.
    package static func timeOfDay() -> String {
        var seconds = read(CLOCK_REALTIME).tv_sec
        var parts = unsafe tm()
        // SOUND: the call reads one number, and writes one `tm`.
        guard unsafe localtime_r(&seconds, &parts) != nil else { return "" }
        return unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(
            separator: ":")
    }

    /// Nanoseconds of a monotonic clock, for measuring durations. Only differences are meaningful.
    package static func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Seconds of the clock of `monotonicNanoseconds`.
    package static func monotonicSeconds() -> Double { Double(monotonicNanoseconds()) / 1e9 }

    /// Nanoseconds that all threads of this process have run so far.
    package static func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        let now = read(clock)
        return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        // SOUND: `now` outlives the call, which writes one `timespec`.
        unsafe clock_gettime(clock, &now)
        return now
    }
}

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

/// The memory of this machine, or of the container that this process is in.
package enum MachineMemory {
    /// Physical memory in bytes, or the limit of this process's control group where that is less; 0 when unknown.
    package static var byteCount: UInt64 { min(physical, groupLimit ?? .max) }

    /// Physical memory in bytes; 0 when unknown.
    static var physical: UInt64 {
        let pages = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 0))
        let pageBytes = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
        let (bytes, hasOverflow) = pages.multipliedReportingOverflow(by: pageBytes)
        return hasOverflow ? .max : bytes
    }

    /// The smallest limit of the control groups that this process is in, in bytes; nil when there is none, or on a
    /// system without control groups.
    private static var groupLimit: UInt64? {
        ProcessFile.text("/proc/self/cgroup").flatMap { groupLimit(groups: $0, read: ProcessFile.text) }
    }

    /// - Parameters:
    ///   - groups: lines of `/proc/self/cgroup`, such as `0::/system.slice` (version 2) or `4:memory:/docker` (version 1).
    ///   - read: the contents of a file; nil when there is none.
    package static func groupLimit(groups: String, read: (_ path: String) -> String?) -> UInt64? {
        var limits: [UInt64] = []
        for line in groups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isVersion2 = fields[1].isEmpty
            guard isVersion2 || fields[1].split(separator: ",").contains("memory") else { continue }
            let (root, name) =
                isVersion2
                ? ("/sys/fs/cgroup", "/memory.max") : ("/sys/fs/cgroup/memory", "/memory.limit_in_bytes")
            // A group is limited by those above it, too. In a container its own path may be that of the host.
            var group = fields[2][...]
            while true {
                if group.hasSuffix("/") { group = group.dropLast() }
                if let limit = read(root + group + name).flatMap(number) { limits.append(limit) }
                guard let slash = group.lastIndex(of: "/") else { break }
                group = group[..<slash]
            }
        }
        return limits.min()
    }

    /// Nil for `max`.
    private static func number(_ text: String) -> UInt64? { UInt64(text.prefix { $0 != "\n" }) }
}

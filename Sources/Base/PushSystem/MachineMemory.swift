#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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

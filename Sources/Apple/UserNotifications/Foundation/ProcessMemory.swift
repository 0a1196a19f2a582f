// The names are those of Apple's kernel.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

#if os(Linux)
    import Foundation

    // How an extension asks for its memory on Apple's systems, where Foundation re-exports the kernel's functions.

    /// The result of a function of the kernel.
    public typealias kern_return_t = Int32
    /// A number of the kernel.
    public typealias integer_t = Int32
    /// How many numbers a structure has.
    public typealias mach_msg_type_number_t = UInt32
    /// The kind of information to ask for.
    public typealias task_flavor_t = UInt32
    /// A process.
    public typealias mach_port_t = UInt32

    /// Success.
    public let KERN_SUCCESS: kern_return_t = 0
    /// A parameter is wrong.
    public let KERN_INVALID_ARGUMENT: kern_return_t = 4
    /// Asks for `mach_task_basic_info`.
    public let MACH_TASK_BASIC_INFO: Int32 = 20
    /// Asks for `task_vm_info`.
    public let TASK_VM_INFO: Int32 = 22
    /// This process.
    public let mach_task_self_: mach_port_t = 1

    /// The memory of a process. Times are missing.
    public struct mach_task_basic_info {
        /// Bytes of addresses.
        public var virtual_size: UInt64 = 0
        /// Bytes in memory.
        public var resident_size: UInt64 = 0
        /// The same.
        public var resident_size_max: UInt64 = 0

        /// Zeros.
        public init() {}
    }

    /// As `mach_task_basic_info`.
    public typealias mach_task_basic_info_data_t = mach_task_basic_info

    /// The memory of a process, as far as extensions ask for it.
    public struct task_vm_info {
        /// Bytes of addresses.
        public var virtual_size: UInt64 = 0
        /// Bytes in memory.
        public var resident_size: UInt64 = 0
        /// Bytes that count for the limit: those in memory that are the process's own.
        public var phys_footprint: UInt64 = 0

        /// Zeros.
        public init() {}
    }

    /// As `task_vm_info`.
    public typealias task_vm_info_data_t = task_vm_info

    /// Tells the memory of this process, from the kernel of Linux.
    ///
    /// - Parameters:
    ///   - task: ignored: it is this process.
    ///   - flavor: `MACH_TASK_BASIC_INFO` or `TASK_VM_INFO`.
    ///   - result: memory for the structure of the flavor.
    ///   - count: the size of that memory, in units of `integer_t`.
    /// - Returns: `KERN_SUCCESS`, or `KERN_INVALID_ARGUMENT` for another flavor or too little memory.
    public func task_info(
        _ task: mach_port_t, _ flavor: task_flavor_t, _ result: UnsafeMutablePointer<integer_t>?,
        _ count: UnsafeMutablePointer<mach_msg_type_number_t>?
    ) -> kern_return_t {
        // Pages of addresses, in memory, and of those shared.
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").prefix(3).compactMap { UInt64($0) }
        guard pages.count == 3, let result, let count else { return KERN_INVALID_ARGUMENT }
        let bytes = pages.map { $0.multipliedReportingOverflow(by: UInt64(getpagesize())).partialValue }
        let room = Int(count.pointee) * MemoryLayout<integer_t>.size
        func store<Info>(_ info: Info) -> kern_return_t {
            guard room >= MemoryLayout<Info>.size else { return KERN_INVALID_ARGUMENT }
            UnsafeMutableRawPointer(result).storeBytes(of: info, as: Info.self)
            return KERN_SUCCESS
        }
        switch Int32(truncatingIfNeeded: flavor) {
        case MACH_TASK_BASIC_INFO:
            var info = mach_task_basic_info()
            info.virtual_size = bytes[0]
            info.resident_size = bytes[1]
            info.resident_size_max = bytes[1]
            return store(info)
        case TASK_VM_INFO:
            var info = task_vm_info()
            info.virtual_size = bytes[0]
            info.resident_size = bytes[1]
            info.phys_footprint = bytes[1] - min(bytes[1], bytes[2])
            return store(info)
        default: return KERN_INVALID_ARGUMENT
        }
    }
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The machine that this process runs on, without the host's name.
package struct Machine: Sendable, Equatable, Codable {
    /// The processor's model; nil if the system does not name it.
    package var processor: String?
    /// Online cores.
    package var cores: Int
    package var memoryBytes: Int
    /// The system's name, release and architecture, such as `Linux 6.1.0 x86_64`.
    package var system: String

    package init(processor: String?, cores: Int, memoryBytes: Int, system: String) {
        self.processor = processor
        self.cores = cores
        self.memoryBytes = memoryBytes
        self.system = system
    }

    package static var current: Machine {
        Machine(
            processor: processorName, cores: CurrentProcess.processorCount,
            memoryBytes: Int(clamping: MachineMemory.physical),
            system: systemName)
    }

    private static var systemName: String {
        var names = utsname()
        // SOUND: the call fills in fields that end with NUL, each of which is copied.
        guard unsafe uname(&names) == 0 else { return "unknown" }
        return [text(names.sysname), text(names.release), text(names.machine)].joined(separator: " ")
    }

    /// The text of a field: bytes up to the first NUL.
    private static func text<Field>(_ field: Field) -> String {
        // SOUND: the bytes of the copy are read while it lives.
        unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static var processorName: String? {
        #if canImport(Darwin)
            var name = [UInt8](repeating: 0, count: 256)
            var size = name.count
            // SOUND: the call writes at most `size` bytes, which the array has.
            guard unsafe sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else { return nil }
            return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        #else
            let lines = ProcessFile.lines("/proc/cpuinfo")
            return lines.lazy.compactMap { ProcessFile.value(of: "model name", in: $0) }.first
        #endif
    }
}

/// Files of the system, below /proc and /sys.
package enum ProcessFile {
    /// The contents of a file; nil if it has more than 16 MiB, or cannot be read.
    static func bytes(_ path: String) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(path, .readOnly) else { return nil }
        defer { file.close() }
        var bytes: [UInt8] = []
        while let hasMore = try? file.appendPiece(to: &bytes, atMost: 4096), bytes.count <= 16 << 20 {
            if !hasMore { return bytes }
        }
        return nil
    }

    package static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    static func lines(_ path: String) -> [Substring] { text(path)?.split(separator: "\n") ?? [] }

    /// The text after the colon of a line `name: text`; nil for another name.
    static func value(of name: String, in line: Substring) -> String? {
        guard line.hasPrefix(name), let colon = line.firstIndex(of: ":") else { return nil }
        return String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    }
}

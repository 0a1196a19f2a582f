#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The functions that libFuzzer calls, on one thread.
private enum FuzzEntry {
    nonisolated(unsafe) static var check: FuzzTarget.Check?

    static func say(_ words: String) {
        let line = Array("fuzz-pushpipe: \(words)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

@_cdecl("pushpipe_fuzz_begin")
func beginFuzzing() -> CInt {
    let name = getenv("PUSHPIPE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        FuzzEntry.say("PUSHPIPE_FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
        exit(64)
    }
    FuzzEntry.check = target.makeCheck()
    return 0
}

@_cdecl("pushpipe_fuzz_check")
func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    if let trouble = FuzzEntry.check?(UnsafeRawBufferPointer(start: bytes, count: count)) {
        FuzzEntry.say(trouble)
        abort()
    }
}

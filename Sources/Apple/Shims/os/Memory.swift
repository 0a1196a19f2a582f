#if os(Linux)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Bytes that an extension may still use: 24 MB on a device. A limit that the host sets is not known here.
    public func os_proc_available_memory() -> Int { 24 * 1024 * 1024 }
#endif

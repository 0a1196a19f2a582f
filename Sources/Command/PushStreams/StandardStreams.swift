package import PushSystem

extension FileDescriptor {
    /// Opens /dev/null for each closed standard stream, in the direction in which its use fails. Otherwise the next opened
    /// file, such as the store, would get the stream's number, and with it whatever is written to the stream.
    package static func fillStandardGaps() {
        let streams: [FileDescriptor] = [.standardInput, .standardOutput, .standardError]
        for stream in streams where !stream.isOpen {
            // A new descriptor gets the lowest free number, which is this one.
            _ = try? FileDescriptor.open(
                "/dev/null", stream == .standardInput ? .writeOnly : .readOnly, options: .inherited)
        }
    }
}

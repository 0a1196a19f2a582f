package import PushSystem

/// The length of a file at the start of reading. If the file is truncated meanwhile, its end is not the end of a record.
package struct InputLength {
    private let descriptor: FileDescriptor
    private let first: Int64

    /// - Parameter descriptor: at its beginning.
    package init(of descriptor: FileDescriptor) {
        self.descriptor = descriptor
        first = Self.current(descriptor)
    }

    /// 0 for an input without a length, such as a pipe, or one that does not report it, such as a file below /proc.
    private static func current(_ descriptor: FileDescriptor) -> Int64 {
        guard let status = try? FileStatus(descriptor), status.kind == .regular else { return 0 }
        return status.size
    }

    /// Throws at the end of the file if it has fewer bytes than at the start, or than were read.
    package func check(_ path: String?) throws(InputError) {
        let now = Self.current(descriptor)
        let place = descriptor.position
        guard first > 0, now < max(first, place) else { return }
        throw InputError.unfit(
            path ?? "standard input",
            "truncated while it was read, to \(now) bytes; it had \(max(first, place)). "
                + "The bytes read were processed; run again when the file is complete")
    }
}

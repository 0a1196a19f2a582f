#if os(Linux)
    public import Foundation

    // Files outside the sandbox need a permission on a device. Here every file that the process can read is open to it, so asking succeeds;
    // Apple does not document the answer for a URL that needs no permission.

    extension URL {
        /// True.
        public func startAccessingSecurityScopedResource() -> Bool { isFileURL }
        /// Does nothing.
        public func stopAccessingSecurityScopedResource() {}
    }

    extension NSURL {
        /// True.
        public func startAccessingSecurityScopedResource() -> Bool { isFileURL }
        /// Does nothing.
        public func stopAccessingSecurityScopedResource() {}
    }
#endif

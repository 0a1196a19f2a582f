#if os(Linux)
    import CStubTransport
    import Synchronization

    /// One client of a stub server, served by a thread of its own. `abort` may be called from any thread.
    @safe  // SOUND: the serving thread alone uses the pointer, and closes it last.
    final class StubConnection: Sendable {
        nonisolated(unsafe) private let connection: OpaquePointer
        private let descriptor: CInt
        private let isOpen = Mutex(true)

        /// Takes a descriptor over; nil without memory.
        init?(descriptor: CInt) {
            // SOUND: C takes over the descriptor, which nobody else has.
            guard let made = unsafe stub_connection_create(descriptor) else { return nil }
            unsafe connection = made
            self.descriptor = descriptor
        }

        /// True if the client and the server agree on TLS.
        func startTLS(_ identity: StubIdentity) -> Bool {
            // SOUND: both live as long as this object.
            unsafe stub_connection_start_tls(connection, identity.pointer)
        }

        /// The bytes that have arrived, at most 16 KiB; empty at the end.
        func read() -> [UInt8] {
            // SOUND: C writes at most `count` bytes and says how many.
            unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = max(unsafe stub_connection_read(connection, start, buffer.count), 0)
            }
        }

        /// True if all bytes were written.
        @discardableResult
        func write(_ bytes: some Collection<UInt8>) -> Bool {
            let bytes = Array(bytes)
            // SOUND: C reads `count` bytes.
            return unsafe bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress else { return true }
                return unsafe stub_connection_write(connection, start, buffer.count)
            }
        }

        /// Ends reading and writing, whichever thread does it.
        func abort() {
            // Only before it is closed: the number of the descriptor may be another file's then.
            isOpen.withLock { if $0 { stub_abort(descriptor) } }
        }

        /// Ends the connection. To be called once, by the thread that serves it, and last.
        func close() {
            isOpen.withLock { $0 = false }
            // SOUND: nobody uses it any more.
            unsafe stub_connection_close(connection)
        }
    }
#endif

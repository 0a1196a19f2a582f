#if os(Linux)
    import CStubTransport
    import Foundation
    import Synchronization

    /// A socket that listens on the loopback interface. One thread accepts its clients; `stop` may be called from any thread.
    final class StubListener: Sendable {
        private enum State {
            case listening, stopped, closed
        }

        /// A free port.
        let port: UInt16
        let descriptor: CInt
        private let state = Mutex(State.listening)

        /// - Throws: `StubServer.Unavailable`.
        init() throws {
            var port: UInt16 = 0
            // SOUND: C writes the port.
            descriptor = unsafe stub_listen(&port)
            guard descriptor >= 0 else {
                // SOUND: the text is copied at once.
                let reason = unsafe String(cString: strerror(errno))
                throw StubServer.Unavailable(description: "cannot listen on 127.0.0.1: \(reason)")
            }
            self.port = port
        }

        /// Waits for a client. Returns its descriptor, or nil once the listener is stopped.
        ///
        /// No error ends it: a client may be gone before it is accepted, and a process that has too many files open closes some of them.
        ///
        /// - Parameter accept: returns a descriptor, or minus an error number.
        func accept(by accept: (CInt) -> CInt = { stub_accept($0) }) -> CInt? {
            while state.withLock({ $0 == .listening }) {
                let result = accept(descriptor)
                if result >= 0 { return result }
                // The others do not pass at once, and the client waits in the queue of the system.
                if result != -EINTR, result != -ECONNABORTED { Thread.sleep(forTimeInterval: 0.01) }
            }
            return nil
        }

        /// Ends `accept`, whichever thread has called it.
        func stop() {
            state.withLock { state in
                // Only before it is closed: the number of the descriptor may be another file's then.
                guard state == .listening else { return }
                state = .stopped
                stub_stop_listening(descriptor)
            }
        }

        /// Closes the socket. To be called once, by the thread that accepts, and last.
        func close() {
            state.withLock { $0 = .closed }
            stub_close(descriptor)
        }
    }
#endif

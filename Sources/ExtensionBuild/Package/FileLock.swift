import FileAccess
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A lock between processes and threads, held until the value is destroyed.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: the lock file, which is created if needed and stays.
    ///   - waits: called once if someone else holds the lock.
    init(_ path: String, waits: () -> Void) throws(ExtensionBuildError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw ExtensionBuildError(path, SystemError()) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            waits()
            while flock(descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else {
                    let error = SystemError()
                    close(descriptor)
                    throw ExtensionBuildError(path, error)
                }
            }
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

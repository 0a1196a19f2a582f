import PushSystem

/// A lock between processes and threads, held until the value is destroyed.
struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// - Parameters:
    ///   - path: the lock file, which is created if needed and stays.
    ///   - waits: called once if someone else holds the lock.
    init(_ path: String, waits: () -> Void) throws(ExtensionBuildError) {
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, .readWrite, options: .create)
            do throws(SystemError) {
                if !file.tryLock() {
                    waits()
                    try file.lock()
                }
            } catch {
                file.close()
                throw error
            }
            self.file = file
        } catch {
            throw ExtensionBuildError(path, error)
        }
    }

    deinit { file.close() }
}

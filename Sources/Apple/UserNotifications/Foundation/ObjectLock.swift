// The names are those of Objective-C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    import Foundation

    // The locks of Objective-C's `@synchronized`, which Foundation re-exports on Apple's systems.

    /// The locks that are in use, by object.
    private let locks = Locked<[ObjectIdentifier: (lock: NSRecursiveLock, users: Int)]>([:])

    /// Takes the lock of an object. The same thread may take it again.
    @discardableResult
    public func objc_sync_enter(_ object: Any) -> Int32 {
        let lock = locks.withLock { locks in
            let entry = locks[ObjectIdentifier(object as AnyObject), default: (NSRecursiveLock(), 0)]
            locks[ObjectIdentifier(object as AnyObject)] = (entry.lock, entry.users + 1)
            return entry.lock
        }
        lock.lock()
        return 0
    }

    /// Gives the lock of an object back. An object whose lock nobody has is an error, -1.
    @discardableResult
    public func objc_sync_exit(_ object: Any) -> Int32 {
        let lock = locks.withLock { locks -> NSRecursiveLock? in
            let key = ObjectIdentifier(object as AnyObject)
            guard let entry = locks[key] else { return nil }
            locks[key] = entry.users > 1 ? (entry.lock, entry.users - 1) : nil
            return entry.lock
        }
        lock?.unlock()
        return lock == nil ? -1 : 0
    }
#endif

// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

#if os(Linux)
    public import Foundation

    // Functions of the Objective-C runtime, which Foundation re-exports on Apple's systems. Objects can have associated ones. No class has
    // methods that could be looked up or exchanged, and no protocol is known by its name.

    /// How an object is associated with another one. Here it is always kept alive.
    public enum objc_AssociationPolicy: UInt, Sendable {
        /// Not kept alive on a device.
        case OBJC_ASSOCIATION_ASSIGN = 0
        /// Kept alive.
        case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
        /// A copy.
        case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
        /// Kept alive.
        case OBJC_ASSOCIATION_RETAIN = 769
        /// A copy.
        case OBJC_ASSOCIATION_COPY = 771
    }

    /// The objects that are associated with one.
    private struct Associations {
        weak var owner: AnyObject?
        var values: [UInt: Any] = [:]
    }

    /// Associations by the identifier of the owner, which another object may have once that one is gone.
    private let associations = Locked<[ObjectIdentifier: Associations]>([:])

    /// The object that is associated with another one.
    public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
        let owner = object as AnyObject
        let address = UInt(bitPattern: key)
        return associations.withLock { all in
            guard let found = all[ObjectIdentifier(owner)], found.owner === owner else { return nil }
            return found.values[address]
        }
    }

    /// Associates an object with another one, or ends that with nil.
    public func objc_setAssociatedObject(
        _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
    ) {
        let owner = object as AnyObject
        let address = UInt(bitPattern: key)
        // Released after the lock, because what they run at their end may come back here.
        var released: [Any?] = []
        associations.withLock { all in
            for (identifier, entry) in all where entry.owner == nil {
                released.append(entry)
                all[identifier] = nil
            }
            var entry = all[ObjectIdentifier(owner)] ?? Associations(owner: owner)
            released.append(entry.values[address])
            entry.values[address] = value
            all[ObjectIdentifier(owner)] = entry
        }
    }

    /// Nil: protocols have no names at run time.
    public func NSProtocolFromString(_ namestr: String) -> AnyObject? { nil }

    /// A method of a class. There is none.
    public typealias Method = OpaquePointer
    /// The code of a method. There is none.
    public typealias IMP = OpaquePointer

    /// Nil: classes have no methods that can be looked up.
    public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
    /// Nil: classes have no methods that can be looked up.
    public func class_getClassMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
    /// Adds nothing.
    @discardableResult
    public func class_addMethod(
        _ cls: AnyClass?, _ name: Selector, _ imp: IMP, _ types: UnsafePointer<CChar>?
    ) -> Bool { false }
    /// Replaces nothing.
    @discardableResult
    public func class_replaceMethod(
        _ cls: AnyClass?, _ name: Selector, _ imp: IMP, _ types: UnsafePointer<CChar>?
    ) -> IMP? { nil }
    /// Never called: there is no method to give it.
    public func method_exchangeImplementations(_ m1: Method, _ m2: Method) {}
    /// Never called: there is no method to give it.
    public func method_getImplementation(_ m: Method) -> IMP { m }
    /// Nil.
    public func method_getTypeEncoding(_ m: Method) -> UnsafePointer<CChar>? { nil }

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

    /// Unlocks an object. An object whose lock nobody has is an error, -1.
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

    /// A method to call later, in place of Objective-C's selectors: `pushpipe extension build` makes `#selector(method)` one of these.
    ///
    /// A method that is named without its type, as `#selector(update)`, is bound to the object that names it and keeps this object. One that is
    /// named with it, as `#selector(Model.update)`, is called on the object that an API is given.
    public struct Selector: @unchecked Sendable {
        /// Calls the method on a target, with an argument if it takes one. The argument comes in several forms, of which the first that suits is
        /// passed.
        let call: (AnyObject, [Any]) -> Void

        /// Code for a method that an object has.
        public init<Result>(_ method: @escaping () throws -> Result) {
            call = { _, _ in _ = try? method() }
        }

        /// Code for a method that an object has.
        public init<Argument, Result>(_ method: @escaping (Argument) throws -> Result) {
            call = { _, arguments in
                for case let argument as Argument in arguments {
                    _ = try? method(argument)
                    return
                }
            }
        }

        /// Code for a method that an object has, and that gets another argument than these APIs pass.
        public init<First, Second, Result>(_ method: @escaping (First, Second) throws -> Result) {
            call = { _, _ in }
        }

        /// Code for a method of a type.
        public init<Target: AnyObject, Result>(_ method: @escaping (Target) -> () throws -> Result) {
            call = { target, _ in
                if let target = target as? Target { _ = try? method(target)() }
            }
        }

        /// Code for a method of a type.
        public init<Target: AnyObject, Argument, Result>(
            _ method: @escaping (Target) -> (Argument) throws -> Result
        ) {
            call = { target, arguments in
                guard let target = target as? Target else { return }
                for case let argument as Argument in arguments {
                    _ = try? method(target)(argument)
                    return
                }
            }
        }

        /// Code for a method of a type that gets another argument than these APIs pass.
        public init<Target: AnyObject, First, Second, Result>(
            _ method: @escaping (Target) -> (First, Second) throws -> Result
        ) {
            call = { _, _ in }
        }
    }

    /// The observers that were added with a selector, which the center itself knows as blocks.
    private struct SelectorObserver {
        let observer: ObjectIdentifier
        let name: NSNotification.Name?
        let object: ObjectIdentifier?
        let center: ObjectIdentifier
        let token: any NSObjectProtocol
    }

    /// An object that is called on the thread of whoever posts or fires, as on Apple's systems.
    private struct WeakTarget: @unchecked Sendable {
        weak var value: AnyObject?
    }

    private struct Target: @unchecked Sendable {
        let value: AnyObject
    }

    private let observers = Locked<[SelectorObserver]>([])

    extension NotificationCenter {
        /// Calls a method of an observer for each notification of a name, an object, or both.
        public func addObserver(
            _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
        ) {
            let target = observer as AnyObject
            // As on Apple's systems, the center keeps no observer.
            let found = WeakTarget(value: target)
            let token = addObserver(forName: name, object: object, queue: nil) { notification in
                guard let target = found.value else { return }
                selector.call(target, [notification, notification as NSNotification])
            }
            let added = SelectorObserver(
                observer: ObjectIdentifier(target), name: name,
                object: object.map { ObjectIdentifier($0 as AnyObject) }, center: ObjectIdentifier(self), token: token)
            observers.withLock { $0.append(added) }
        }

        /// Removes an observer of either kind.
        @_spi(Overlay) public func remove(_ observer: Any) {
            removeObservers(observer) { _ in true }
            removeObserver(observer)
        }

        /// Removes an observer of either kind from notifications of a name, an object, or both.
        @_spi(Overlay) public func remove(_ observer: Any, name: NSNotification.Name?, object: Any?) {
            let object = object.map { ObjectIdentifier($0 as AnyObject) }
            removeObservers(observer) { (name == nil || $0.name == name) && (object == nil || $0.object == object) }
            removeObserver(observer, name: name, object: object)
        }

        private func removeObservers(_ observer: Any, where isMeant: (SelectorObserver) -> Bool) {
            let identifier = ObjectIdentifier(observer as AnyObject)
            let center = ObjectIdentifier(self)
            let removed = observers.withLock { observers in
                let found = observers.filter { $0.observer == identifier && $0.center == center && isMeant($0) }
                observers.removeAll { one in found.contains { $0.token === one.token } }
                return found
            }
            for one in removed { removeObserver(one.token) }
        }
    }

    extension Timer {
        /// A timer that calls a method of a target, which it keeps.
        public convenience init(
            timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
        ) {
            let target = Target(value: target as AnyObject)
            self.init(timeInterval: timeInterval, repeats: repeats) { selector.call(target.value, [$0]) }
        }

        /// A timer in the run loop of this thread that calls a method of a target, which it keeps.
        @discardableResult
        public static func scheduledTimer(
            timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
        ) -> Timer {
            let target = Target(value: target as AnyObject)
            return scheduledTimer(withTimeInterval: timeInterval, repeats: repeats) {
                selector.call(target.value, [$0])
            }
        }
    }

    /// The methods of key-value coding that apps use on user info. On Apple's systems they belong to `NSObject`.
    extension NSDictionary {
        /// The value of a key.
        public func value(forKey key: String) -> Any? { object(forKey: key) }

        /// The value at the end of a path of keys, such as `aps.alert.title`; nil if one of them leads to no dictionary.
        public func value(forKeyPath keyPath: String) -> Any? {
            var value: Any? = self
            for key in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
                value = (value as? NSDictionary)?.object(forKey: String(key))
            }
            return value
        }
    }

    /// The two methods of key-value coding that apps use on defaults. On Apple's systems they belong to `NSObject`.
    extension UserDefaults {
        /// The value of a default.
        public func value(forKey key: String) -> Any? {
            object(forKey: key)
        }

        /// Sets a default; nil removes it.
        public func setValue(_ value: Any?, forKey key: String) {
            set(value, forKey: key)
        }
    }
#endif

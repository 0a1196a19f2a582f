#if os(Linux)
    public import Foundation

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
#endif

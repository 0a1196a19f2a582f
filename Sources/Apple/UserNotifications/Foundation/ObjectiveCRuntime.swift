// The names are those of Objective-C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

#if os(Linux)
    // Functions of the Objective-C runtime, which Foundation re-exports on Apple's systems. Objects can have associated ones. No class has
    // methods that could be looked up or exchanged, and no protocol is known by its name.

    /// How an object is associated with another one. Here it is always kept alive.
    public enum objc_AssociationPolicy: UInt, Sendable {
        /// Without keeping it alive.
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

    /// By the identifier of the owner, which another object may have once that one is gone.
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
#endif

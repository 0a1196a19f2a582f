// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase, AmbiguousTrailingClosureOverload

#if os(Linux)
    public import Foundation
    import UserNotifications

    // A stand-in: models and stores need the Objective-C runtime. Every store is empty, and what is saved is gone. An extension that looks
    // for something in the app's database does what it does when there is nothing.

    open class NSPersistentContainer {
        public let name: String
        public let viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        public let persistentStoreCoordinator = NSPersistentStoreCoordinator()
        public var persistentStoreDescriptions = [NSPersistentStoreDescription()]

        public init(name: String) { self.name = name }

        public convenience init(name: String, managedObjectModel model: NSManagedObjectModel) { self.init(name: name) }

        /// Loads nothing, and reports that.
        public func loadPersistentStores(completionHandler block: (NSPersistentStoreDescription, (any Error)?) -> Void)
        {
            StandIn.report("CoreData: the store \(name) is not loaded: nothing is found in it, and nothing is saved")
            for description in persistentStoreDescriptions { block(description, nil) }
        }

        public func newBackgroundContext() -> NSManagedObjectContext { NSManagedObjectContext() }

        /// Calls the closure at once, as `perform` of a context does.
        public func performBackgroundTask(_ block: (NSManagedObjectContext) -> Void) { block(newBackgroundContext()) }

        public func performBackgroundTask<T>(_ block: (NSManagedObjectContext) throws -> T) async rethrows -> T {
            try block(newBackgroundContext())
        }
    }

    public final class NSPersistentStoreDescription {
        public var url: URL?
        public var type = NSSQLiteStoreType
        public var isReadOnly = false
        public var shouldMigrateStoreAutomatically = true
        public var shouldInferMappingModelAutomatically = true
        public private(set) var options: [String: NSObject] = [:]

        public init() {}
        public init(url: URL) { self.url = url }

        public func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }
    }

    public final class NSManagedObjectModel {
        public init() {}
        public init?(contentsOf url: URL) {}
    }

    public final class NSPersistentStore {}

    public final class NSPersistentStoreCoordinator {
        public let persistentStores: [NSPersistentStore] = []

        public init() {}
        public init(managedObjectModel model: NSManagedObjectModel) {}
    }

    public final class NSManagedObjectContext {
        public enum ConcurrencyType: UInt, Sendable {
            case privateQueueConcurrencyType = 1
            case mainQueueConcurrencyType
        }

        public var parent: NSManagedObjectContext?
        public var persistentStoreCoordinator: NSPersistentStoreCoordinator?
        public var mergePolicy: Any = NSErrorMergePolicy
        public var automaticallyMergesChangesFromParent = false
        /// False: an object is never new here, as none is saved.
        public var hasChanges: Bool { false }

        public init() {}
        public init(concurrencyType: ConcurrencyType) {}

        public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
        public func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int { 0 }
        public func save() throws {}
        /// Throws always: no object is in a store.
        public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
            throw StandIn.error("an object with this identifier is missing")
        }
        public func insert(_ object: NSManagedObject) {}
        public func delete(_ object: NSManagedObject) {}
        public func reset() {}
        public func perform(_ block: () -> Void) { block() }
        public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
        public func perform<T>(_ block: () throws -> T) async rethrows -> T { try block() }
    }

    public typealias NSManagedObjectContextConcurrencyType = NSManagedObjectContext.ConcurrencyType

    public protocol NSFetchRequestResult: AnyObject {}

    public final class NSFetchRequest<ResultType: NSFetchRequestResult> {
        public let entityName: String?
        public var predicate: NSPredicate?
        public var sortDescriptors: [NSSortDescriptor]?
        public var fetchLimit = 0
        public var fetchOffset = 0
        public var returnsObjectsAsFaults = true

        public init() { entityName = nil }
        public init(entityName: String) { self.entityName = entityName }
    }

    public final class NSManagedObjectID: NSObject, Sendable {}

    /// Keeps what is set, until it is gone.
    open class NSManagedObject: NSObject, NSFetchRequestResult {
        private var values: [String: Any] = [:]
        public let objectID = NSManagedObjectID()
        public private(set) weak var managedObjectContext: NSManagedObjectContext?

        public convenience init(context: NSManagedObjectContext) {
            self.init(entity: NSEntityDescription(), insertInto: context)
        }

        public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
            managedObjectContext = context
        }

        open func setValue(_ value: Any?, forKey key: String) { values[key] = value }
        open func value(forKey key: String) -> Any? { values[key] }
        /// The value of a property that is `@NSManaged`, for which the builder writes a call of this: 0, empty or nil before one is set.
        public func managedValue<Value>(forKey key: String) -> Value {
            let empty: [Any] = [
                NSNumber(value: 0), "", Data(), Date(timeIntervalSinceReferenceDate: 0), NSSet(), NSOrderedSet(),
            ]
            let found = values[key] as? Value ?? empty.lazy.compactMap { $0 as? Value }.first
            // An object that another one needs. It ends the extension, as it does on a device.
            guard let found else { preconditionFailure("CoreData: \(key) has no value") }
            return found
        }
        open class func fetchRequest() -> NSFetchRequest<NSManagedObject> { NSFetchRequest() }
    }

    public final class NSEntityDescription {
        public var name: String?

        public init() {}

        public static func entity(forEntityName name: String, in context: NSManagedObjectContext)
            -> NSEntityDescription?
        {
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }

        public static func insertNewObject(
            forEntityName name: String, into context: NSManagedObjectContext
        ) -> NSManagedObject { NSManagedObject(context: context) }
    }

    public final class NSMergePolicy: Sendable {
        public static let error = NSMergePolicy()
        public static let mergeByPropertyStoreTrump = NSMergePolicy()
        public static let mergeByPropertyObjectTrump = NSMergePolicy()
        public static let overwrite = NSMergePolicy()
    }

    public let NSErrorMergePolicy = NSMergePolicy.error
    public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    public let NSOverwriteMergePolicy = NSMergePolicy.overwrite

    public let NSSQLiteStoreType = "SQLite"
    public let NSInMemoryStoreType = "InMemory"
    public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
    public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
        "NSPersistentStoreRemoteChangeNotificationOptionKey"

    extension NSSortDescriptor {
        /// An order in which all are the same: Foundation for Linux looks up no names.
        public convenience init(key: String, ascending: Bool) {
            self.init(keyPath: \NSObject.self, ascending: ascending) { _, _ in .orderedSame }
        }
    }

    extension NSPredicate {
        /// A predicate that nothing meets: Foundation for Linux reads no formats, and no store has anything.
        public convenience init(format: String, argumentArray arguments: [Any]?) {
            self.init { _, _ in
                StandIn.report("CoreData: the predicate \(format) is not read here, and nothing meets it")
                return false
            }
        }

        public convenience init(format: String, _ arguments: any CVarArg...) {
            self.init(format: format, argumentArray: arguments)
        }
    }
#endif

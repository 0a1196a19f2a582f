// As public extensions are written.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, AlwaysUseLowerCamelCase

import CoreData
import CoreGraphics
import CoreServices
import MobileCoreServices
import OSLog
import SQLite3
import Security
import UIKit
import UniformTypeIdentifiers
import UserNotifications
import WidgetKit
import os.log

// Calls a function of each module. The title is how many did their work, the body those that did not.

class NotificationService: UNNotificationServiceExtension {
    private var passed = 0
    private var failed: [String] = []

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        checkTypes()
        checkSystem()
        checkSecurity()
        checkStore()
        content.title = "\(passed) did"
        content.body = failed.isEmpty ? "none failed" : failed.joined(separator: ", ")
        contentHandler(content)
    }

    private func check(_ name: String, _ passes: Bool) {
        if passes { passed += 1 } else { failed.append(name) }
    }

    // As modules do that an app shares with its extension.
    private func checkApp() {
        var opens: Bool?
        UIApplication.shared.open(URL(fileURLWithPath: "/a")) { opens = $0 }
        check("opening", opens == false)
        let task = UIApplication.shared.beginBackgroundTask { UIApplication.shared.endBackgroundTask(.invalid) }
        check("background task", task == .invalid)
        NotificationCenter.default.addObserver(
            self, selector: #selector(entered(_:)), name: UIApplication.didEnterBackgroundNotification, object: nil)
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        NotificationCenter.default.removeObserver(self)
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        check("selector", entries == ["UIApplicationDidEnterBackgroundNotification"])
    }

    private var entries: [String] = []
    @objc private func entered(_ notification: Notification) { entries.append(notification.name.rawValue) }

    private func checkTypes() {
        check("UniformTypeIdentifiers", UTType(filenameExtension: "png")?.identifier == "public.png")
        check("MobileCoreServices", kUTTypePNG as String == "public.png")
    }

    private func checkSystem() {
        WidgetCenter.shared.reloadAllTimelines()
        os_log("%{public}@", "a line")
        Logger(subsystem: "org.example", category: "test").info("a line")
        checkApp()
        let color: CGColor = UIColor.red
        check("CoreGraphics", color == .red)
        var database: OpaquePointer?
        check("SQLite3", sqlite3_open(":memory:", &database) == SQLITE_OK && sqlite3_close(database) == SQLITE_OK)
    }

    // As extensions look for what the app has stored.
    private lazy var container: NSPersistentContainer = {
        let container = NSPersistentContainer(name: "Birds")
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/birds.sqlite"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        return container
    }()

    private func checkStore() {
        let context = container.newBackgroundContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Bird")
        request.predicate = NSPredicate(format: "identifier == %@", "7")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 1
        context.performAndWait {
            let bird = NSEntityDescription.insertNewObject(forEntityName: "Bird", into: context)
            bird.setValue("crane", forKey: "name")
            if context.hasChanges { try? context.save() }
            check(
                "CoreData",
                (try? context.fetch(request).isEmpty) == true && bird.value(forKey: "name") as? String == "crane")
            let own = Bird(context: context)
            check("unset properties", own.name == nil && own.age == 0 && !own.isRinged && own.nests.isEmpty)
            own.name = "heron"
            own.age = 3
            check("managed properties", own.name == "heron" && own.value(forKey: "age") as? Int16 == 3)
        }
    }

    private func checkSecurity() {
        let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada"]
        var found: CFTypeRef?
        check("Security", SecItemCopyMatching(query as CFDictionary, &found) == errSecItemNotFound)
        let key = SecKeyCreateRandomKey(
            [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary, nil)!
        let text = Data("lunch".utf8) as CFData
        for algorithm: SecKeyAlgorithm in [
            .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionCofactorX963SHA256AESGCM,
        ] {
            let sealed = SecKeyCreateEncryptedData(SecKeyCopyPublicKey(key)!, algorithm, text, nil)!
            check("\(algorithm.rawValue)", SecKeyCreateDecryptedData(key, algorithm, sealed, nil) == text)
            let other = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
            check("another algorithm", SecKeyCreateDecryptedData(key, other, sealed, nil) == nil)
        }
    }
}

// As Xcode writes them, in a file that an app shares with its extension.
@objc(Bird)
public class Bird: NSManagedObject {}

extension Bird {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Bird> { NSFetchRequest<Bird>(entityName: "Bird") }

    @NSManaged public var name: String?
    @NSManaged public var age: Int16
    @NSManaged public var isRinged: Bool
    @NSManaged public var nests: Set<String>
    @NSManaged public func addToNests(_ value: String)
}

// Names that a module has for itself, and Foundation too.
enum Result {}
protocol Locale {}

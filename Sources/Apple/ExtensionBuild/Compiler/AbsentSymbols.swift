/// Names the Apple framework of an identifier that does not exist on Linux.
enum AbsentSymbols {
    /// Prefixes of identifiers, before a capital letter, and their framework. The first match counts.
    private static let origins: [(prefixes: [String], origin: String)] = [
        (["kSec", "errSec", "Sec"], "Security"),
        (["CC_", "kCC", "CC"], "CommonCrypto"),
        (["CFNotification"], "Core Foundation's notification center"),
        (["class_", "method_", "object_", "objc_", "protocol_", "sel_"], "the Objective-C runtime"),
        (["UI"], "UIKit"),
        (["Widget", "Timeline"], "WidgetKit"),
        (["kCG", "CG"], "CoreGraphics"),
        (["CI"], "CoreImage"),
        (["CL"], "CoreLocation"),
        (["CN"], "Contacts"),
        (["CX"], "CallKit"),
        (["AV"], "AVFoundation"),
        (["NSManagedObject", "NSPersistent", "NSFetch"], "CoreData"),
        (["WC"], "WatchConnectivity"),
        (["NW"], "Network"),
        (
            [
                "ListFormatter", "NSDataDetector", "NSExtension", "NSItemProvider", "NSLinguistic", "NSUbiquitous",
                "RelativeDateTimeFormatter",
            ], "Foundation"
        ),
        (["NSManaged", "NSEntityDescription", "NSMergePolicy"], "CoreData"),
        (["AnyCancellable", "PassthroughSubject", "CurrentValueSubject", "ObservableObject", "Published"], "Combine"),
        (["LA"], "LocalAuthentication"),
        (["SCNetwork"], "SystemConfiguration"),
        (["CTCall", "CTCarrier", "CTCellular", "CTSubscriber", "CTTelephony"], "CoreTelephony"),
        (["kCT", "CT"], "CoreText"),
        (["CMAltimeter", "CMAttitude", "CMMotion", "CMPedometer"], "CoreMotion"),
        (["BG"], "BackgroundTasks"),
        (["AS"], "AuthenticationServices"),
        (["vImage", "vDSP_", "cblas_"], "Accelerate"),
        (["kCF", "CF"], "Core Foundation"),
        (["CM"], "CoreMedia"),
        (["MK"], "MapKit"),
        (["FetchDescriptor", "ModelConfiguration", "ModelContainer", "ModelContext"], "SwiftData"),
        (["CK"], "CloudKit"),
        (["HK"], "HealthKit"),
        (["EK"], "EventKit"),
        (["PHAsset", "PHImage", "PHPhoto"], "Photos"),
        (["SKPayment", "SKProduct", "SKStore"], "StoreKit"),
        (["VN"], "Vision"),
        (["MLModel", "MLMultiArray"], "CoreML"),
        (["NLLanguage", "NLModel", "NLTagger", "NLTokenizer"], "NaturalLanguage"),
        (["CBCentral", "CBPeripheral", "CBService", "CBUUID"], "CoreBluetooth"),
        (["WKWeb"], "WebKit"),
        (
            ["ChaChaPoly", "Curve25519", "P256", "P384", "P521", "SHA256", "SHA384", "SHA512", "SymmetricKey"],
            "CryptoKit"
        ),
    ]

    private static func origin(of name: String) -> String? {
        origins.first { entry in
            entry.prefixes.contains { prefix in
                guard name.hasPrefix(prefix) else { return false }
                guard let next = name.dropFirst(prefix.count).first else { return true }
                return next.isUppercase || next.isNumber || prefix.hasSuffix("_")
            }
        }?.origin
    }

    /// Modules that re-export those of a package, whose sources are not pushpipe's.
    private static let reexporting: Set<String> = ["Combine", "CryptoKit"]

    /// One line per framework or expression.
    ///
    /// - Parameters:
    ///   - declared: where names are declared that a file need only import.
    ///   - has: true for modules that an extension can import.
    static func hints(for log: BuildLog, declared: DeclaredNames, has: (String) -> Bool) -> [String] {
        var names: [String: [String]] = [:]
        var unimported: [String: [String]] = [:]
        for name in log.unknownNames.sorted() {
            if let place = declared[name] {
                if place.missing.isEmpty { unimported[place.module, default: []].append(name) }
            } else if let origin = origin(of: name) {
                if reexporting.contains(origin), has(origin) {
                    unimported[origin, default: []].append(name)
                } else {
                    names[origin, default: []].append(name)
                }
            }
        }
        var hints = unimported.sorted { $0.key < $1.key }.map { module, names in
            "\(names.joined(separator: ", ")): of \(module), which the file does not import; add import \(module)"
        }
        hints += names.sorted { $0.key < $1.key }.map { origin, names in
            "\(names.joined(separator: ", ")): of \(origin), and not on Linux; leave out what uses them with #if os(iOS), or "
                + "stand in for them with a file of your own"
        }
        if log.looksUpDynamically {
            hints.append(
                "members and elements of AnyObject need the Objective-C runtime; cast to a type first, such as as? [String: Any]"
            )
        }
        for expression in log.objectiveCExpressions.sorted() {
            hints.append("\(expression) needs the Objective-C runtime; call what it names in a closure")
        }
        return hints
    }
}

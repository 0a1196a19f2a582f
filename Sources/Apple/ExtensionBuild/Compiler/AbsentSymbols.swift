/// Names the Apple framework of an identifier that does not exist on Linux.
enum AbsentSymbols {
    /// Prefixes of identifiers, before a capital letter, and their framework. The first match counts.
    private static let origins: [(prefixes: [String], origin: String)] = [
        (["kSec", "errSec", "Sec"], "Security"),
        (["CC_", "kCC", "CC"], "CommonCrypto"),
        (["CFNotification"], "Core Foundation's notification center"),
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
        (["NSItemProvider", "NSExtension", "NSDataDetector", "NSUbiquitous", "NSLinguistic"], "Foundation"),
        (["NSManaged", "NSEntityDescription", "NSMergePolicy"], "CoreData"),
        (["AnyCancellable", "PassthroughSubject", "CurrentValueSubject", "ObservableObject", "Published"], "Combine"),
        (["LA"], "LocalAuthentication"),
        (["SCNetwork"], "SystemConfiguration"),
        (["CT"], "CoreTelephony"),
        (["BG"], "BackgroundTasks"),
        (["kCF", "CF"], "Core Foundation"),
        (["CM"], "CoreMedia"),
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

    /// The module that has a name where the libraries that it needs are installed.
    static func module(of name: String) -> String? {
        if name.hasPrefix("SecKey") { return "Security" }
        return ["UIImage", "UIGraphics", "UIColor", "UIBezierPath", "CGImage", "UIScreen", "UIFont"]
            .contains(where: name.hasPrefix) ? "UIKit" : nil
    }

    /// One line per framework or expression.
    static func hints(for log: BuildLog) -> [String] {
        var names: [String: [String]] = [:]
        for name in log.unknownNames.sorted() {
            if let origin = origin(of: name) { names[origin, default: []].append(name) }
        }
        var hints = names.sorted { $0.key < $1.key }.map { origin, names in
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

struct BuildLog {
    private(set) var reasons: [String] = []
    private(set) var missingModules: Set<String> = []
    /// Identifiers that are not declared.
    private(set) var unknownNames: Set<String> = []
    /// Members that a type does not have.
    private(set) var unknownMembers: Set<String> = []
    /// Expressions such as `#selector`, which need the Objective-C runtime.
    private(set) var objectiveCExpressions: Set<String> = []
    /// True if a member or an element of an `AnyObject` is looked up, whose type only Objective-C knows.
    private(set) var looksUpDynamically = false

    /// Lines of SwiftPM about progress, or about a failure without its reason.
    static let noise = [
        "Building for", "Build complete!", "Build of product", "error: emit-module command failed", "error: fatalError",
        "error: compile command failed", "Fetching ", "Fetched ", "Updating ", "Updated ", "Computing version",
        "Computed ",
        "Creating working copy", "Working copy of",
    ]

    init(_ log: String) {
        var block = ""
        var isWanted = true
        // A file is compiled more than once, and each time reports the same errors with more or less context.
        var firstLines: Set<Substring> = []
        func close() {
            if isWanted, let first = block.split(separator: "\n").first, firstLines.insert(first).inserted {
                reasons.append(block)
            }
            block = ""
        }
        for line in log.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = line.firstMatch(of: /error: cannot find (?:type )?'([^']+)' in scope/) {
                unknownNames.insert(String(name.1))
            }
            if let name = line.firstMatch(of: /error: .* has no member '([^'(]+)/) {
                unknownMembers.insert(String(name.1))
            }
            if line.contains("error: value of type 'AnyObject' has no") { looksUpDynamically = true }
            if let expression = line.firstMatch(of: /error: '(#(?:selector|keyPath))' can only be used/) {
                objectiveCExpressions.insert(String(expression.1))
            }
            if let module = line.firstMatch(of: /no such module '([^']+)'/) { missingModules.insert(String(module.1)) }
            if line.wholeMatch(of: #/\[\d+/\d+\] .*/#) != nil || Self.noise.contains(where: line.hasPrefix) {
                close()
                isWanted = true
            } else if let header = line.firstMatch(of: #/:\d+:\d+: (error|warning|note|remark):\s/#) {
                close()
                // A note belongs to the diagnostic above it.
                if header.1 != "note" { isWanted = header.1 == "error" }
                block = line + "\n"
            } else if !line.isEmpty || !block.isEmpty {
                block += line + "\n"
            }
        }
        close()
        if reasons.isEmpty { reasons = [log] }
    }

    var text: String {
        reasons.map { reason in
            var lines = reason.split(separator: "\n", omittingEmptySubsequences: false)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines.joined(separator: "\n") + "\n"
        }.joined()
    }
}

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

/// Why modules of Apple's that extensions import are not emulated.
enum RefusedModules {
    private static let reasons: [(reason: String, modules: Set<String>)] = [
        ("its stores are not read here", ["SwiftData"]),
        ("it needs Apple's servers", ["CloudKit", "MapKit", "StoreKit"]),
        ("its models are Apple's", ["CoreML", "NaturalLanguage", "Vision"]),
        ("its filters come with the system", ["CoreImage"]),
        ("there are no views here", ["ActivityKit", "QuartzCore", "SwiftUI", "UserNotificationsUI", "WebKit"]),
        ("no text is drawn here", ["CoreText"]),
        ("there are no films and no sound here", ["AVFAudio", "AVFoundation", "AudioToolbox", "CoreMedia"]),
        ("pictures are those of UIKit here", ["ImageIO"]),
        ("there is no advertising identifier here", ["AdSupport", "AppTrackingTransparency"]),
        (
            "its data or hardware is a device's",
            [
                "CallKit", "Contacts", "CoreBluetooth", "CoreLocation", "CoreTelephony", "EventKit", "HealthKit",
                "LocalAuthentication", "Photos", "WatchConnectivity",
            ]
        ),
        ("there is no network framework here beside URLSession", ["Network", "SystemConfiguration"]),
        ("hardly any extension uses it", ["Compression"]),
        ("it is not a module of Apple's, and its database is not built here", ["RealmSwift"]),
    ]

    /// One line for each module that has a reason, in order of their names.
    static func notices(for modules: Set<String>) -> [(module: String, notice: String)] {
        modules.sorted().compactMap { module in
            reasons.first { $0.modules.contains(module) }.map { found in
                let advice = "leave out what uses it with #if canImport(\(module))"
                return (module, "\(module) is not emulated: \(found.reason); \(advice)")
            }
        }
    }
}

/// Finds the module of pushpipe's that declares a name, for messages about names that the compiler did not find.
struct DeclaredNames {
    struct Place {
        let module: String
        /// Debian's packages that the declaration needs, and that are not on this machine.
        let missing: Set<String>
    }

    private var places: [String: Place] = [:]

    /// - Parameters:
    ///   - names: those to look for.
    ///   - files: the sources of the modules, by path.
    ///   - modules: the modules that an extension can import.
    init(_ names: Set<String>, in files: [String: [UInt8]], modules: Set<String>) {
        guard !names.isEmpty else { return }
        for (path, bytes) in files {
            let parts = path.split(separator: "/")
            guard parts.count > 2, parts[0] == "Shims" else { continue }
            let module = String(parts[1])
            guard modules.contains(module) else { continue }
            let read = SwiftTokens(bytes)
            let found = path.hasSuffix(".h") ? Self.words(of: read) : Self.publicNames(of: bytes, read)
            for name in names.intersection(found) {
                places[name] = Place(module: module, missing: Self.missing(module, read))
            }
        }
    }

    subscript(_ name: String) -> Place? { places[name] }

    private static func words(of read: SwiftTokens) -> Set<String> { Set(read.tokens.indices.compactMap(read.word)) }

    /// The names that are declared outside of any type.
    private static func publicNames(of source: [UInt8], _ read: SwiftTokens) -> Set<String> {
        let found = SwiftOutline(of: source, read).declarations.filter { declaration in
            declaration.head.contains { ["public", "open"].contains(read.word($0)) }
                && read.word(declaration.head.upperBound).map(SwiftTokens.importable.contains) ?? false
        }
        return Set(found.map(\.name))
    }

    /// The packages of the module's own libraries, and of those that its file asks for with `canImport`.
    private static func missing(_ module: String, _ read: SwiftTokens) -> Set<String> {
        var missing = RuntimeSources.missingPackages(for: module, withDependencies: false)
        for index in read.tokens.indices where read.word(index) == "canImport" {
            if let name = read.word(index + 2) { missing.formUnion(RuntimeSources.missingPackages(for: name)) }
        }
        return missing
    }
}

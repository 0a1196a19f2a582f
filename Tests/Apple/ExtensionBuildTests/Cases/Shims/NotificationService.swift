// As public extensions are written.
// swift-format-ignore-file: NeverForceUnwrap, AlwaysUseLowerCamelCase

import AVFAudio
import AdSupport
import AppTrackingTransparency
import AudioToolbox
import CallKit
import Compression
import CoreGraphics
import CoreLocation
import CoreMedia
import CoreServices
import CoreTelephony
import CoreText
import LocalAuthentication
import MobileCoreServices
import OSLog
import QuartzCore
import SQLite3
import Security
import SystemConfiguration
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
        checkTexts()
        checkSystem()
        checkSecurity()
        LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to read") { isThere, error in
            self.check("LocalAuthentication", !isThere && (error as? LAError)?.code == .notInteractive)
            content.title = "\(self.passed) did"
            content.body = self.failed.isEmpty ? "none failed" : self.failed.joined(separator: ", ")
            contentHandler(content)
        }
    }

    private func check(_ name: String, _ passes: Bool) {
        if passes { passed += 1 } else { failed.append(name) }
    }

    // As modules do that an app shares with its extension.
    private func checkApp() {
        var opens: Bool?
        UIApplication.shared.open(URL(fileURLWithPath: "/a")) { opens = $0 }
        check("opening", opens == false)
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        let isContinued = UIApplication.shared.delegate?.application?(
            UIApplication.shared, continue: activity, restorationHandler: { _ in })
        check("delegate", isContinued == nil)
        let task = UIApplication.shared.beginBackgroundTask { UIApplication.shared.endBackgroundTask(.invalid) }
        check("background task", task == .invalid)
        let view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
        let controller = UIViewController()
        controller.view.addSubview(view)
        check("views", controller.view.subviews == [view] && view.bounds.origin == .zero)
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
        let type = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "jpeg" as CFString, nil)
        check("CoreServices", type?.takeRetainedValue() as String? == "public.jpeg")
    }

    private func checkTexts() {
        let font = UIFont.systemFont(ofSize: 10)
        let wide = CGSize(width: 1000, height: CGFloat.greatestFiniteMagnitude)
        let narrow = CGSize(width: 60, height: CGFloat.greatestFiniteMagnitude)
        let text = "three short words"
        let one = text.boundingRect(
            with: wide, options: .usesLineFragmentOrigin, attributes: [.font: font], context: nil)
        let lines = (text as NSString).boundingRect(
            with: narrow, options: [.usesLineFragmentOrigin, .usesFontLeading], attributes: [.font: font], context: nil)
        check("boundingRect", one.height == font.lineHeight && lines.height == 3 * one.height && lines.width <= 60)
        let attributed = NSAttributedString(string: text, attributes: [.font: font])
        let same = attributed.boundingRect(with: narrow, options: .usesLineFragmentOrigin, context: nil)
        check("attributed", same == lines)
        check("size", attributed.size() == one.size)
        check("CoreText", CTFontGetSize(CTFontCreateWithName("Menlo" as CFString, 14, nil)) == 14)
        let setter = CTFramesetterCreateWithAttributedString(attributed as CFAttributedString)
        let suggested = CTFramesetterSuggestFrameSizeWithConstraints(setter, CFRangeMake(0, 0), nil, narrow, nil)
        check("framesetter", suggested == lines.size)
        let missing = URL(fileURLWithPath: "/none.ttf") as CFURL
        check("no font", !CTFontManagerRegisterFontsForURL(missing, .process, nil))
        // A font with one table, whose only name is "Test".
        var bytes: [UInt8] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Array("name".utf8)
        bytes += [0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 22]
        bytes += [0, 0, 0, 1, 0, 18, 0, 1, 0, 0, 0, 0, 0, 6, 0, 4, 0, 0] + Array("Test".utf8)
        let graphics = CGDataProvider(data: Data(bytes) as CFData).flatMap { CGFont($0) }
        check("CoreGraphics", graphics?.postScriptName as String? == "Test")
        check("registering", graphics.map { CTFontManagerRegisterGraphicsFont($0, nil) } == true)
        check("not a font", CGDataProvider(data: Data([1, 2]) as CFData).flatMap { CGFont($0) } == nil)
    }

    private func checkSystem() {
        AudioServicesPlaySystemSound(kSystemSoundID_Vibrate)
        WidgetCenter.shared.reloadAllTimelines()
        CXProvider.reportNewIncomingVoIPPushPayload([:]) { _ in }
        os_log("%{public}@", "a line")
        Logger(subsystem: "org.example", category: "test").info("a line")
        checkApp()
        let isAllowed = ASIdentifierManager.shared().isAdvertisingTrackingEnabled
        let identifier = ASIdentifierManager.shared().advertisingIdentifier.uuidString
        check("AdSupport", !isAllowed && identifier == "00000000-0000-0000-0000-000000000000")
        ATTrackingManager.requestTrackingAuthorization { status in
            self.check("AppTrackingTransparency", status == ATTrackingManager.trackingAuthorizationStatus)
        }
        let carriers = CTTelephonyNetworkInfo().serviceSubscriberCellularProviders
        check("CoreTelephony", carriers?.values.first?.carrierName == nil)
        check("QuartzCore", CACurrentMediaTime() > 0)
        check("AVFAudio", AVAudioSession.sharedInstance() === AVAudioSession.sharedInstance())
        check("CoreMedia", CMTime(seconds: 2, preferredTimescale: 600).seconds == 2)
        // A degree of latitude on a sphere.
        let distance = CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 1, longitude: 0))
        let circle = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 0, longitude: 0), radius: 100_000, identifier: "circle")
        let isInside = [0.5, 1].map { circle.contains(CLLocationCoordinate2D(latitude: $0, longitude: 0)) }
        check("regions", isInside == [true, false] && CLLocationManager().monitoredRegions.isEmpty)
        check("CoreLocation", (110_000...112_000).contains(distance))
        var flags = SCNetworkReachabilityFlags()
        let reachability = SCNetworkReachabilityCreateWithName(nil, "example.org")!
        check("SystemConfiguration", SCNetworkReachabilityGetFlags(reachability, &flags) && flags.contains(.reachable))
        var database: OpaquePointer?
        check("SQLite3", sqlite3_open(":memory:", &database) == SQLITE_OK && sqlite3_close(database) == SQLITE_OK)
        let place = URL(fileURLWithPath: NSTemporaryDirectory())
        check("security scope", place.startAccessingSecurityScopedResource())
        place.stopAccessingSecurityScopedResource()
    }

    private func checkSecurity() {
        let context = LAContext()
        context.interactionNotAllowed = true
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecUseAuthenticationContext: context,
        ]
        var found: CFTypeRef?
        check("Security", SecItemCopyMatching(query as CFDictionary, &found) == errSecItemNotFound)
        let identities: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
        check("identity", SecItemCopyMatching(identities as CFDictionary, &found) == errSecItemNotFound)
        if let found, CFGetTypeID(found) == 0, let identity = found as? SecIdentity {
            var certificate: SecCertificate?
            SecIdentityCopyCertificate(identity, &certificate)
            _ = URLCredential(identity: identity, certificates: nil, persistence: .forSession)
        }
        var items: CFArray?
        let options = [kSecImportExportPassphrase: "secret"] as CFDictionary
        check("PKCS #12", SecPKCS12Import(Data() as CFData, options, &items) == errSecUnimplemented)
        let key = SecKeyCreateRandomKey(
            [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary, nil)!
        let text = Data("lunch".utf8) as CFData
        for algorithm: SecKeyAlgorithm in [
            .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionCofactorVariableIVX963SHA512AESGCM,
        ] {
            let sealed = SecKeyCreateEncryptedData(SecKeyCopyPublicKey(key)!, algorithm, text, nil)!
            check("\(algorithm.rawValue)", SecKeyCreateDecryptedData(key, algorithm, sealed, nil) == text)
            let other = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
            check("another algorithm", SecKeyCreateDecryptedData(key, other, sealed, nil) == nil)
        }
        var packed = [UInt8](repeating: 0, count: 100)
        let size = compression_encode_buffer(&packed, 100, Array("lunch".utf8), 5, nil, COMPRESSION_ZLIB)
        var plain = [UInt8](repeating: 0, count: 5)
        check("Compression", compression_decode_buffer(&plain, 5, packed, size, nil, COMPRESSION_ZLIB) == 5)
    }
}

// Names that a module has for itself, and Foundation too.
enum Result {}
protocol Locale {}

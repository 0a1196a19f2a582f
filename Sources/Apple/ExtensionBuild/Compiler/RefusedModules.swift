/// Why modules of Apple's that extensions import are not emulated.
enum RefusedModules {
    private static let reasons: [String: String] = [
        "CoreData": "its managed objects need the Objective-C runtime",
        "SwiftData": "its stores are those of CoreData",
        "CloudKit": "its databases are Apple's servers",
        "MapKit": "its maps are Apple's servers",
        "CoreML": "its models are compiled for Apple's processors",
        "NaturalLanguage": "its models come with the system",
        "Vision": "its models come with the system",
        "CoreImage": "its filters come with the system",
        "Photos": "there is no photo library here",
        "EventKit": "there is no calendar here",
        "HealthKit": "there is no health data here",
        "CoreBluetooth": "there is no Bluetooth here",
        "WatchConnectivity": "there is no watch here",
        "StoreKit": "its purchases are Apple's servers",
        "WebKit": "there are no views here",
        "SwiftUI": "there are no views here",
        "UserNotificationsUI": "there are no views here",
        "QuartzCore": "there are no views here",
        "CoreText": "no text is drawn here",
        "AVFoundation": "there are no films and no sound here",
        "AVFAudio": "there is no sound here",
        "AudioToolbox": "there is no sound here",
        "CoreMedia": "there are no films here",
        "ImageIO": "pictures are those of UIKit here",
        "AdSupport": "there is no advertising identifier here",
        "AppTrackingTransparency": "there is no advertising identifier here",
        "CallKit": "there are no calls here",
        "CoreTelephony": "there is no carrier here",
        "Contacts": "there are no contacts here",
        "CoreLocation": "there is no location here",
        "LocalAuthentication": "there is nobody to recognize here",
        "Network": "there is no network framework here beside URLSession",
        "SystemConfiguration": "there is no network framework here beside URLSession",
        "Compression": "hardly any extension uses it",
        "RealmSwift": "it is not a module of Apple's, and its database is not built here",
    ]

    /// One line for each module that has a reason, in order of their names.
    static func notices(for modules: Set<String>) -> [(module: String, notice: String)] {
        modules.sorted().compactMap { module in
            reasons[module].map { reason in
                (module, "\(module) is not emulated: \(reason); leave out what uses it with #if canImport(\(module))")
            }
        }
    }
}

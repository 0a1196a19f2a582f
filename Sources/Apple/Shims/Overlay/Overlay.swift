// Compiled into the module of each extension that `pushpipe extension build` builds, and of its modules; and into targets of packages under
// test that use the plugin AppleFoundation. Declarations of a module replace
// imported ones with the same signature: so calls of these functions get what Apple's systems do, where Foundation for Linux does something
// else. They only pass on to UserNotifications. The extension of a class is left out where sources derive from that class, because its
// methods could not be overridden. It is no target of the package, because there it would replace nothing.
//
// Types that modules may have of their own, such as `Result`, are named with their module. All are disfavored, so that tests that import such a
// module with `@testable` keep Foundation's.

import Foundation
import FoundationNetworking
@_spi(Overlay) import UserNotifications

// swift-format-ignore: AlwaysUseLowerCamelCase
@_disfavoredOverload
func NSLocalizedString(
    _ key: String, tableName: String? = nil, bundle: Foundation.Bundle = Foundation.Bundle.main, value: String = "",
    comment: String
) -> String {
    AppleFoundation.string(forKey: key, value: value, table: tableName, bundle: bundle)
}

extension Foundation.Bundle {
    @_disfavoredOverload
    func localizedString(forKey key: String, value: String?, table tableName: String?) -> String {
        AppleFoundation.string(forKey: key, value: value, table: tableName, bundle: self)
    }
}

extension String {
    @_disfavoredOverload
    static func localizedStringWithFormat(_ format: String, _ arguments: any CVarArg...) -> String {
        AppleFoundation.formatted(format, locale: .current, arguments)
    }

    @_disfavoredOverload
    init(format: __shared String, _ arguments: any CVarArg...) {
        self = AppleFoundation.formatted(format, locale: nil, arguments)
    }

    // UserNotifications has these for packages under test; without them here, calls could be ambiguous.

    @_disfavoredOverload
    static func localizedStringWithFormat(_ format: String, _ number: Int) -> String {
        AppleFoundation.formatted(format, locale: .current, [number])
    }

    @_disfavoredOverload
    init(format: String, _ number: Int) { self = AppleFoundation.formatted(format, locale: nil, [number]) }

    @_disfavoredOverload
    init(format: __shared String, arguments: __shared [any CVarArg]) {
        self = AppleFoundation.formatted(format, locale: nil, arguments)
    }

    @_disfavoredOverload
    init(format: __shared String, locale: __shared Foundation.Locale?, _ arguments: any CVarArg...) {
        self = AppleFoundation.formatted(format, locale: locale, arguments)
    }

    @_disfavoredOverload
    init(format: __shared String, locale: __shared Foundation.Locale?, arguments: __shared [any CVarArg]) {
        self = AppleFoundation.formatted(format, locale: locale, arguments)
    }
}

extension Foundation.Locale {
    @_disfavoredOverload
    static var current: Foundation.Locale { AppleFoundation.locale }
    @_disfavoredOverload
    static var autoupdatingCurrent: Foundation.Locale { AppleFoundation.locale }
    @_disfavoredOverload
    static var preferredLanguages: [String] { AppleFoundation.preferredLanguages }
}

extension URLResponse {
    @_disfavoredOverload
    var suggestedFilename: String? { SuggestedFilename.of(self) }
}

extension URLSession {
    @_disfavoredOverload
    static var shared: URLSession { .notedShared }

    @_disfavoredOverload
    convenience init(configuration: URLSessionConfiguration) { self.init(noted: configuration) }

    @_disfavoredOverload
    convenience init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        self.init(noted: configuration, delegate: delegate, queue: queue)
    }
}

extension NotificationCenter {
    @_disfavoredOverload
    func removeObserver(_ observer: Any) { remove(observer) }
    @_disfavoredOverload
    func removeObserver(_ observer: Any, name aName: NSNotification.Name?, object: Any?) {
        remove(observer, name: aName, object: object)
    }
}

extension UserDefaults {
    @_disfavoredOverload
    func set(_ value: Any?, forKey defaultName: String) { store(value, forKey: defaultName) }
    @_disfavoredOverload
    func set(_ url: URL?, forKey defaultName: String) { store(url, forKey: defaultName) }
}

// A locked device gives out files by their protection.

extension Foundation.Data {
    @_disfavoredOverload
    init(contentsOf url: __shared URL, options: Foundation.Data.ReadingOptions = []) throws {
        self = try AppleFoundation.data(of: url, options: options)
    }

    @_disfavoredOverload
    func write(to url: URL, options: Foundation.Data.WritingOptions = []) throws {
        try AppleFoundation.write(self, to: url, options: options)
    }
}

extension String {
    @_disfavoredOverload
    init(contentsOf url: __shared URL, encoding enc: Encoding) throws {
        self = try AppleFoundation.text(of: url, encoding: enc)
    }
}

extension Foundation.FileManager {
    @_disfavoredOverload
    func contents(atPath path: String) -> Foundation.Data? { AppleFoundation.contents(atPath: path, of: self) }

    @_disfavoredOverload
    @discardableResult
    func createFile(
        atPath path: String, contents data: Foundation.Data?, attributes attr: [FileAttributeKey: Any]? = nil
    ) -> Bool {
        AppleFoundation.createFile(atPath: path, contents: data, attributes: attr, of: self)
    }

    @_disfavoredOverload
    func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
        try AppleFoundation.setAttributes(attributes, ofItemAtPath: path, of: self)
    }
}

extension Foundation.FileManager {
    @_disfavoredOverload
    func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] {
        folders(for: directory, in: domainMask)
    }
}

extension URLSessionConfiguration {
    // Without effect: there is one process, and a request of a machine without a network fails at once. A background session is one as
    // others, which ends with the process.
    var sharedContainerIdentifier: String? {
        get { nil }
        set { _ = newValue }
    }
    var waitsForConnectivity: Bool {
        get { false }
        set { _ = newValue }
    }
    static func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
}

// URLSession for Linux checks certificates itself and never asks its delegate.
// swift-format-ignore: AlwaysUseLowerCamelCase
let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}

// What is missing is told by its name.

extension NSObject {
    @available(
        *, unavailable,
        message:
            "key-value coding needs the Objective-C runtime; of notifications, content, user info and defaults have it"
    )
    func setValue(_ value: Any?, forKey key: String) {}
    @available(
        *, unavailable, message: "key-value coding needs the Objective-C runtime; of notifications, content has it"
    )
    func setValue(_ value: Any?, forKeyPath keyPath: String) {}
    @available(
        *, unavailable,
        message:
            "key-value coding needs the Objective-C runtime; of notifications, content, user info and defaults have it"
    )
    func value(forKey key: String) -> Any? { nil }
    @available(
        *, unavailable,
        message: "key-value coding needs the Objective-C runtime; of notifications, content and user info have it"
    )
    func value(forKeyPath keyPath: String) -> Any? { nil }
}

extension AttributedString {
    @available(*, unavailable, message: "Foundation for Linux does not read Markdown")
    init(markdown: String) throws { self.init(markdown) }
}

extension Swift.Error {
    @_disfavoredOverload
    var localizedDescription: String { AppleFoundation.localizedDescription(of: self) }
}

extension HTTPURLResponse {
    // Apple's texts are in lower case.
    @_disfavoredOverload
    static func localizedString(forStatusCode statusCode: Int) -> String {
        AppleFoundation.text(ofStatus: statusCode)
    }
}

typealias PersonNameComponentsFormatter = PersonNameFormatter

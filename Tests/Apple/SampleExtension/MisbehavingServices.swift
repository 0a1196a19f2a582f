// In the manner of public code, and so not held against the rules of this package.
// swift-format-ignore-file
#if os(Linux)

import UserNotifications

/// Never calls its handler.
public class SilentService: UNNotificationServiceExtension {
    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
}

/// Is not done in time, and hands over what it has when it is told so.
public class LateService: UNNotificationServiceExtension {
    private var handler: ((UNNotificationContent) -> Void)?
    private var content: UNMutableNotificationContent?
    nonisolated(unsafe) public static var expiredOnMainThread: Bool?

    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        handler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent
        content?.body = "still loading"
    }

    override public func serviceExtensionTimeWillExpire() {
        LateService.expiredOnMainThread = Thread.isMainThread
        if let content = content { handler?(content) }
    }
}

/// Calls its handler twice, and changes the content in between.
public class TwiceService: UNNotificationServiceExtension {
    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.body = "first"
        contentHandler(content)
        content.body = "second"
        contentHandler(content)
    }
}

/// Hands over content without text.
public class EmptyService: UNNotificationServiceExtension {
    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(UNNotificationContent())
    }
}

/// Counts in a static variable, which lives as long as the process.
public class LeakyService: UNNotificationServiceExtension {
    nonisolated(unsafe) public static var count = 0

    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        LeakyService.count += 1
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.subtitle = "\(LeakyService.count)"
        contentHandler(content)
    }
}

/// Adds a local notification, and asks what it may do.
public class LocalService: UNNotificationServiceExtension {
    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let center = UNUserNotificationCenter.current()
        let reminder = UNMutableNotificationContent()
        reminder.title = "Reminder"
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
        center.add(UNNotificationRequest(identifier: "reminder", content: reminder, trigger: trigger)) { error in
            center.getNotificationSettings { settings in
                let content = request.content.mutableCopy() as! UNMutableNotificationContent
                content.subtitle = error == nil && settings.authorizationStatus == .authorized ? "reminded" : "refused"
                contentHandler(content)
            }
        }
    }
}

/// Calls its handler, and then does not come back from `didReceive` for a while.
public class BlockingService: UNNotificationServiceExtension {
    private static let gate = DispatchSemaphore(value: 0)
    private static let handled = DispatchSemaphore(value: 0)

    /// Lets it come back.
    public static func release() { gate.signal() }

    /// Returns once it has called its handler.
    public static func hasCalledHandler() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                handled.wait()
                continuation.resume()
            }
        }
    }

    override public func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        contentHandler(request.content)
        BlockingService.handled.signal()
        BlockingService.gate.wait()
    }
}

/// Registers a category, and puts the notification into it.
public class CategoryService: UNNotificationServiceExtension {
    nonisolated(unsafe) public static var category: UNNotificationCategory?

    override public func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        if let category = CategoryService.category {
            UNUserNotificationCenter.current().setNotificationCategories([category])
            content.categoryIdentifier = category.identifier
        }
        contentHandler(content)
    }
}
#endif

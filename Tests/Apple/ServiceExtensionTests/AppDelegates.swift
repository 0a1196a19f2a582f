#if os(Linux)
    import Foundation
    import Synchronization
    import UserNotifications

    /// Marks the main queue: with Swift Testing it is served by another thread than the first.
    enum MainQueue {
        private static let key = DispatchSpecificKey<Bool>()

        static func mark() { DispatchQueue.main.setSpecific(key: key, value: true) }
        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
    }

    /// What a delegate was asked and told.
    final class Journal: Sendable {
        private let entries = Mutex<[String]>([])

        var all: [String] { entries.withLock { $0 } }

        func note(_ entry: String) { entries.withLock { $0.append(entry) } }

        /// The action and the notification's title, and the text if there is one.
        func note(_ response: UNNotificationResponse) {
            let text = (response as? UNTextInputNotificationResponse).map { " \($0.userText)" } ?? ""
            note("\(response.actionIdentifier) \(response.notification.request.content.title)\(text)")
        }
    }

    /// A delegate by completion handlers.
    final class HandlerDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
        let journal = Journal()
        let options: UNNotificationPresentationOptions

        init(_ options: UNNotificationPresentationOptions = []) {
            MainQueue.mark()
            self.options = options
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            journal.note("\(MainQueue.isCurrent ? "main" : "other") \(notification.request.content.title)")
            completionHandler(options)
            completionHandler([])  // Only the first answer counts.
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            journal.note(response)
            completionHandler()
        }
    }

    /// A delegate by async and await.
    final class AwaitedDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
        let journal = Journal()

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification
        ) async -> UNNotificationPresentationOptions {
            await Task.yield()
            journal.note(notification.request.content.title)
            return [.list]
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
        ) async {
            await Task.yield()
            journal.note(response)
        }
    }

    /// A delegate without methods.
    final class EmptyDelegate: NSObject, UNUserNotificationCenterDelegate {}

    /// A delegate that never calls its handlers.
    final class SilentDelegate: NSObject, UNUserNotificationCenterDelegate {
        func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {}

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {}
    }

    /// Sets the center's delegate, as an app does when it is launched.
    final class LaunchingService: UNNotificationServiceExtension {
        final class Delegate: NSObject, UNUserNotificationCenterDelegate {
            func userNotificationCenter(
                _ center: UNUserNotificationCenter, willPresent notification: UNNotification
            ) async -> UNNotificationPresentationOptions {
                // Within the harness's turn, so that no other test sees it.
                center.delegate = nil
                return .sound
            }
        }

        // Unsafe in name only: it has no state.
        nonisolated(unsafe) private static let delegate = Delegate()

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            UNUserNotificationCenter.current().delegate = Self.delegate
            contentHandler(request.content)
        }
    }
#endif

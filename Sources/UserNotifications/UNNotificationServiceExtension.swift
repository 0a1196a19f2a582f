#if os(Linux)
    public import Foundation

    /// The base class of an app's service extension, which changes a push notification before it is shown.
    ///
    /// The host creates an instance for each notification, calls `didReceive` once, and `serviceExtensionTimeWillExpire` on another thread when
    /// the time is up. Not `Sendable`, so that subclasses may have variables; `init` is not `required`, so that they may override it.
    open class UNNotificationServiceExtension: NSObject {
        /// Makes an extension.
        public override init() {
            super.init()
        }

        /// Called with a notification that has arrived. The handler takes the content to show.
        ///
        /// The base class passes the content on unchanged.
        open func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            contentHandler(request.content)
        }

        /// Called when the time is up: the last chance to call the handler. The base class does nothing.
        open func serviceExtensionTimeWillExpire() {}
    }
#endif

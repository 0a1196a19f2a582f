#if os(Linux)
    public import Foundation

    /// The class that an app's service extension inherits from, to change a push notification before it is shown.
    ///
    /// The host makes an instance for each notification, calls `didReceive` once, and `serviceExtensionTimeWillExpire` from another
    /// thread when the time is up. Not `Sendable`, so that subclasses may have variables; `init` is not `required`, so that they
    /// may override it.
    open class UNNotificationServiceExtension: NSObject {
        /// Makes an extension.
        public override init() {
            super.init()
        }

        /// Called with a notification that has arrived. The handler takes what is to be shown.
        ///
        /// The base class hands the content on unchanged.
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
